"""Which archive a URL opens, and what is said when it opens none."""

from pathlib import Path

import pytest
from aiohttp import web

from contracts.blobs.archives import opened
from postroom.nouns.errors import BadRequest, Misconfigured, PermissionDenied, Throttled, Unavailable
from postroom.outside.blobs.urls import Place, is_plain_loopback, place


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("file:///var/post%20room/archive", Place("file", folder=Path("/var/post room/archive"))),
        ("file://localhost/var/archive", Place("file", folder=Path("/var/archive"))),
        ("gs://box", Place("gs", "box")),
        ("gs://box/", Place("gs", "box")),
        ("s3://box/a/b/", Place("s3", "box", "a/b")),
        ("az://box/a=b%2E", Place("az", "box", "a=b%2E")),
    ],
)
def test_a_url_names_an_archive(url, found):
    assert place(url) == found


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/var/archive",
        "archive",
        "file:archive",
        "file://archive",
        "file://host/share",
        "ftp://box",
        "s3:///prefix",
        "s3://key:secret@box",
        "gs://box/a//b",
        "gs://box/../b",
        "gs://box?region=x",
        "az://box#x",
    ],
)
def test_a_url_that_names_none_says_what_is_expected_and_repeats_no_secret(url):
    with pytest.raises(Misconfigured, match="POSTROOM_ARCHIVE_URL") as told:
        place(url)

    assert "secret" not in str(told.value)


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:9", "http://localhost:9/x", "http://[::1]:9"])
def test_plain_http_to_ourselves_is_fine(endpoint):
    assert is_plain_loopback(endpoint) is True


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("gs://box", {"STORAGE_EMULATOR_HOST": "storage.test:9000"}),
        ("s3://box", {"AWS_ENDPOINT_URL": "http://minio.test:9000"}),
        ("az://box", {"AZURE_STORAGE_ACCOUNT_NAME": "a", "AZURE_STORAGE_ENDPOINT": "http://10.0.0.1/a"}),
    ],
)
def test_plain_http_to_others_is_refused(url, options):
    with pytest.raises(Misconfigured, match="loopback only"):
        opened(url, **options)


def test_azure_needs_an_account():
    with pytest.raises(Misconfigured, match="AZURE_STORAGE_ACCOUNT_NAME"):
        opened("az://box")


async def test_a_missing_s3_bucket_is_a_setting_to_correct(s3_options):
    nowhere = opened("s3://nowhere", **s3_options)

    with pytest.raises(Misconfigured, match="'nowhere' does not exist"):
        await nowhere.put_if_absent("a", b"1", {}, "text/plain")
    with pytest.raises(Misconfigured, match="'nowhere' does not exist"):
        await nowhere.get("a")


@pytest.mark.service
async def test_a_missing_azure_container_is_a_setting_to_correct(azure_options):
    nowhere = opened("az://nowhere", **azure_options)

    with pytest.raises(Misconfigured, match="'nowhere' does not exist"):
        await nowhere.put_if_absent("a", b"1", {}, "text/plain")


@pytest.mark.service
async def test_wrong_azure_credentials_need_a_person(azure_options):
    stranger = opened("az://box", **azure_options | {"AZURE_STORAGE_ACCOUNT_KEY": "AAAA"})

    with pytest.raises(PermissionDenied, match="check the credentials"):
        await stranger.put_if_absent("a", b"1", {}, "text/plain")


async def test_an_s3_that_cannot_be_reached_is_unavailable(s3_options):
    gone = opened("s3://box", **s3_options | {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"})

    with pytest.raises(Unavailable, match="'box' is not available"):
        await gone.get("a")


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (429, "TooManyRequests", Throttled),
        (503, "SlowDown", Throttled),
        (503, "ServiceUnavailable", Unavailable),
        (500, "InternalError", Unavailable),
        (408, "RequestTimeout", Unavailable),
        (409, "ConditionalRequestConflict", Unavailable),
        (400, "InvalidRequest", BadRequest),
        (403, "SignatureDoesNotMatch", PermissionDenied),
        (401, "ExpiredToken", PermissionDenied),
    ],
)
async def test_what_s3_refuses_becomes_the_error_that_says_what_to_do(gate, s3_options, status, code, error):
    gate.answers = [web.Response(status=status, text=f"<Error><Code>{code}</Code></Error>")]
    blobs = opened("s3://box", **s3_options | {"AWS_ENDPOINT_URL": gate.base})

    with pytest.raises(error, match="The S3 bucket 'box'") as told:
        await blobs.put_if_absent("a", b"1", {}, "text/plain")

    assert len(gate.seen) == 1
    assert "127.0.0.1" not in str(told.value)


async def test_a_shared_access_signature_is_never_shown(gate):
    options = {"AZURE_STORAGE_ACCOUNT_NAME": "a", "AZURE_STORAGE_SAS_TOKEN": "sv=2021&sig=hush"}
    gate.answers = [web.Response(status=403, text="<Error><Code>AuthorizationFailure</Code></Error>")]
    blobs = opened("az://box", AZURE_STORAGE_ENDPOINT=gate.base, **options)

    with pytest.raises(PermissionDenied) as told:
        await blobs.put_if_absent("a", b"1", {}, "text/plain")

    assert "sig=hush" in gate.seen[0].path
    assert "hush" not in str(told.value)
    assert told.value.__cause__ is None
    assert told.value.__suppress_context__
