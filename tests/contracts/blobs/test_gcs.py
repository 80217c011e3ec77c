"""Google Cloud Storage: what goes over the wire, and what its answers mean to us."""

import base64
import hashlib
import json
from datetime import timedelta
from email.parser import BytesParser

import jwt
import pytest
from aiohttp import web
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from contracts.blobs.archives import NOW, opened
from postroom.nouns.errors import (
    BadRequest,
    Misconfigured,
    NotFound,
    PermissionDenied,
    Throttled,
    Unavailable,
)
from postroom.outside.blobs.gcs import GoogleBlobs
from postroom.outside.blobs.google_access import Access, find_grant

PDF = b"%PDF-1.7\r\nnote\r\n"
KEY = "archive/sender_email=a%40b%2Etest/n#1 é.pdf"


def refusal(status, reason="", **headers):
    return web.json_response({"error": {"errors": [{"reason": reason}]}}, status=status, headers=headers or None)


@pytest.fixture
def box(gate):
    return opened("gs://box/pre/fix", STORAGE_EMULATOR_HOST=gate.base)


async def test_an_upload_asks_for_a_free_key_and_carries_labels_type_and_checksum(gate, box):
    await box.put_if_absent(KEY, PDF, {"sender-email": "jörg@b.test"}, "application/pdf")

    (sent,) = gate.seen
    header = f"Content-Type: {sent.headers['Content-Type']}\r\n\r\n".encode()
    described, media = BytesParser().parsebytes(header + sent.body).get_payload()
    assert (sent.method, sent.path.partition("?")[0]) == ("POST", "/upload/storage/v1/b/box/o")
    assert sent.query == {"uploadType": "multipart", "ifGenerationMatch": "0"}
    assert sent.headers["Content-Type"].startswith("multipart/related; boundary=")
    assert int(sent.headers["Content-Length"]) == len(sent.body)
    assert "Authorization" not in sent.headers
    assert json.loads(described.get_payload()) == {
        "name": f"pre/fix/{KEY}",
        "contentType": "application/pdf",
        "metadata": {"sender-email": "jörg@b.test"},
        "md5Hash": base64.b64encode(hashlib.md5(PDF).digest()).decode(),
    }
    assert (media.get_content_type(), media.get_payload(decode=True)) == ("application/pdf", PDF)


async def test_a_key_is_encoded_exactly_once(gate, box):
    gate.answers = [refusal(404, "notFound")]
    with pytest.raises(NotFound):
        await box.get(KEY)

    path = "/storage/v1/b/box/o/pre%2Ffix%2Farchive%2Fsender_email%3Da%2540b%252Etest%2Fn%231%20%C3%A9.pdf"
    assert gate.seen[0].path == f"{path}?alt=media"


async def test_a_long_listing_is_read_to_its_end(gate, box):
    gate.answers = [
        web.json_response({"items": [{"name": "pre/fix/a/1"}], "nextPageToken": "t&2"}),
        web.json_response({"nextPageToken": "t3"}),
        web.json_response({"items": [{"name": "pre/fix/a/2"}]}),
    ]

    assert [key async for key in box.beneath("a")] == ["a/1", "a/2"]
    assert [sent.query.get("pageToken") for sent in gate.seen] == [None, "t&2", "t3"]
    assert {sent.query["prefix"] for sent in gate.seen} == {"pre/fix/a/"}


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refusal(429, "rateLimitExceeded", **{"Retry-After": "7"}), Throttled),
        (refusal(403, "userRateLimitExceeded"), Throttled),
        (refusal(403, "forbidden"), PermissionDenied),
        (refusal(401, "required"), PermissionDenied),
        (refusal(408), Unavailable),
        (refusal(500, "backendError"), Unavailable),
        (web.Response(status=503, text="<html>"), Unavailable),
        (refusal(400, "invalid"), BadRequest),
        (web.Response(status=302, headers={"Location": "http://127.0.0.1:1/"}), BadRequest),
    ],
    ids=lambda value: str(getattr(value, "status", value)),
)
async def test_a_refusal_becomes_the_error_that_says_what_to_do(gate, box, answer, error):
    gate.answers = [web.Response(status=answer.status, headers=answer.headers, body=answer.body)]

    with pytest.raises(error, match="'box'") as told:
        await box.put_if_absent(KEY, PDF, {}, "application/pdf")

    assert len(gate.seen) == 1
    if "Retry-After" in answer.headers:
        assert told.value.retry_after == 7


async def test_a_missing_bucket_is_a_setting_to_correct(gate):
    nowhere = opened("gs://nowhere", STORAGE_EMULATOR_HOST=gate.base)

    with pytest.raises(Misconfigured, match="'nowhere' does not exist"):
        await nowhere.put_if_absent(KEY, PDF, {}, "application/pdf")
    with pytest.raises(Misconfigured, match="'nowhere' does not exist"):
        _ = [key async for key in nowhere.beneath()]


async def test_an_archive_that_cannot_be_reached_is_unavailable():
    gone = opened("gs://box", STORAGE_EMULATOR_HOST="127.0.0.1:1")

    with pytest.raises(Unavailable, match="cannot be reached"):
        await gone.get(KEY)


@pytest.fixture(scope="module")
def private_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def key_file(tmp_path, gate, private_key):
    pem = private_key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "key.json"
    info = {
        "type": "service_account",
        "client_email": "archive@project.test",
        "private_key_id": "k1",
        "private_key": pem.decode(),
        "token_uri": f"{gate.base}/token",
    }
    path.write_text(json.dumps(info))
    return path


def signed_in(gate, path, now=lambda: NOW):
    grant = find_grant({"GOOGLE_APPLICATION_CREDENTIALS": str(path)})
    return GoogleBlobs("box", "", gate.base, Access(grant, now))


def token(name="t1"):
    return web.json_response({"access_token": name, "expires_in": 3600})


async def test_a_service_account_signs_for_a_token_and_uses_it_until_shortly_before_its_end(
    gate, key_file, private_key
):
    times = [NOW]
    blobs = signed_in(gate, key_file, lambda: times[0])
    gate.answers = [token(), refusal(404), refusal(404), token("t2"), refusal(404)]
    for later in (0, 3500, 3520):
        times[0] = NOW + timedelta(seconds=later)
        assert await blobs.exists("a") is False

    asked = gate.seen[0]
    assertion = dict(pair.split("=") for pair in asked.body.decode().split("&"))["assertion"]
    claims = jwt.decode(
        assertion,
        private_key.public_key(),
        ["RS256"],
        audience=f"{gate.base}/token",
        options={"verify_exp": False, "verify_iat": False},
    )
    assert (claims["iss"], claims["exp"] - claims["iat"]) == ("archive@project.test", 3600)
    assert claims["scope"] == "https://www.googleapis.com/auth/devstorage.read_write"
    assert jwt.get_unverified_header(assertion)["kid"] == "k1"
    used = [sent.headers.get("Authorization") for sent in gate.seen]
    assert used == [None, "Bearer t1", "Bearer t1", None, "Bearer t2"]


async def test_a_token_refused_before_its_time_is_replaced_once(gate, key_file):
    blobs = signed_in(gate, key_file)
    gate.answers = [token(), refusal(401), token("t2"), refusal(404)]
    assert await blobs.exists("a") is False

    gate.answers = [refusal(401), token("t3"), refusal(401)]
    with pytest.raises(PermissionDenied, match="make new ones"):
        await blobs.exists("a")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (web.json_response({"error": "invalid_grant"}, status=400), PermissionDenied),
        (refusal(403), PermissionDenied),
        (refusal(503), Unavailable),
        (web.json_response({"nothing": 1}), Unavailable),
    ],
    ids=["revoked", "forbidden", "down", "nonsense"],
)
async def test_no_token_says_what_to_do(gate, key_file, answer, error):
    gate.answers = [web.Response(status=answer.status, body=answer.body)]

    with pytest.raises(error, match="oogle"):
        await signed_in(gate, key_file).get("a")


async def test_on_googles_machines_the_machine_is_asked(gate):
    grant = find_grant({"GCE_METADATA_HOST": gate.base.removeprefix("http://")})
    blobs = GoogleBlobs("box", "", gate.base, Access(grant, lambda: NOW))
    gate.answers = [token(), refusal(404)]

    assert await blobs.exists("a") is False

    assert gate.seen[0].headers["Metadata-Flavor"] == "Google"
    assert gate.seen[0].path == "/computeMetadata/v1/instance/service-accounts/default/token"
    assert gate.seen[1].headers["Authorization"] == "Bearer t1"


async def test_a_persons_own_grant_is_refreshed(gate, tmp_path):
    path = tmp_path / "adc.json"
    grant = {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}
    path.write_text(json.dumps(grant | {"token_uri": f"{gate.base}/token"}))
    gate.answers = [token(), refusal(404)]

    assert await signed_in(gate, path).exists("a") is False

    assert gate.seen[0].body == b"client_id=c&client_secret=s&refresh_token=r&grant_type=refresh_token"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nonsense", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"type": "external_account"}', "external_account"),
        ('{"type": "service_account"}', "client_email"),
        ('{"type": "authorized_user"}', "client_id"),
        (
            '{"type": "service_account", "client_email": "e", "private_key": "k", "token_uri": "http://x.test/"}',
            "loopback only",
        ),
        (
            '{"type": "service_account", "client_email": "e", "private_key": "k", "token_uri": "ftp://x.test/"}',
            "https",
        ),
    ],
)
def test_credentials_that_cannot_work_are_refused_when_opening(tmp_path, content, message):
    path = tmp_path / "key.json"
    path.write_text(content)

    with pytest.raises(Misconfigured, match=message):
        opened("gs://box", GOOGLE_APPLICATION_CREDENTIALS=str(path))


def test_a_missing_key_file_is_named(tmp_path):
    with pytest.raises(Misconfigured, match="cannot be read"):
        opened("gs://box", GOOGLE_APPLICATION_CREDENTIALS=str(tmp_path / "none.json"))


async def test_a_damaged_private_key_is_named_and_not_shown(gate, key_file):
    info = json.loads(key_file.read_text()) | {"private_key": "hush-hush"}
    key_file.write_text(json.dumps(info))

    with pytest.raises(Misconfigured, match="damaged") as told:
        await signed_in(gate, key_file).get("a")

    assert "hush-hush" not in str(told.value)
