"""Tokens in SSM, proved on moto, and its refusals turned into what to do."""

import uuid
from datetime import UTC, datetime

import boto3
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from moto.server import ThreadedMotoServer

from postroom.nouns.errors import (
    BadRequest,
    Misconfigured,
    PermissionDenied,
    Throttled,
    Unavailable,
    Unreadable,
)
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.keys.ssm import open_parameter_store, tier_for

SOON = datetime(2026, 2, 4, 10, 30, tzinfo=UTC)


def tokens(access="access", refresh="refresh"):
    return TokenSet(Secret(access), Secret(refresh), SOON, "Mail.ReadWrite offline_access")


@pytest.fixture(scope="module")
def options():
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
    }
    server.stop()


@pytest.fixture
def store(options):
    return open_parameter_store(options)


@pytest.fixture
def ids():
    return uuid.uuid4(), uuid.uuid4()


@pytest.fixture
def described(options):
    """What AWS's own client sees of a parameter."""
    client = boto3.client(
        "ssm",
        endpoint_url=options["AWS_ENDPOINT_URL"],
        region_name=options["AWS_REGION"],
        aws_access_key_id="any",
        aws_secret_access_key="any",
    )

    def look(name):
        filters = [{"Key": "Name", "Values": [name]}]
        return client.describe_parameters(ParameterFilters=filters)["Parameters"][0]

    yield look
    client.close()


async def test_tokens_are_kept_replaced_and_removed(store, ids):
    assert await store.get(*ids) is None

    await store.put(*ids, tokens())
    assert await store.get(*ids) == tokens()

    await store.put(*ids, tokens(refresh="rotated"))
    assert await store.get(*ids) == tokens(refresh="rotated")

    await store.remove(*ids)
    await store.remove(*ids)
    assert await store.get(*ids) is None


async def test_one_mailbox_does_not_see_anothers_tokens(store, ids):
    tenant, mailbox = ids
    await store.put(tenant, mailbox, tokens())

    assert await store.get(tenant, uuid.uuid4()) is None
    assert await store.get(uuid.uuid4(), mailbox) is None


async def test_tokens_are_an_encrypted_parameter_under_the_agreed_path(store, ids, described):
    await store.put(*ids, tokens())

    found = described(f"/postroom/{ids[0]}/{ids[1]}/tokens")
    assert (found["Type"], found["Tier"], found["KeyId"]) == ("SecureString", "Intelligent-Tiering", "alias/aws/ssm")


async def test_the_path_and_the_key_can_be_chosen_and_odd_names_are_spelt_out(options, described):
    store = open_parameter_store(options, path="/corp/mail/{tenant}/{mailbox}", kms_key="alias/corp")
    await store.put("acme", "ops.desk@acme.test", tokens())

    found = described("/corp/mail/acme/ops.2edesk.40acme.2etest")
    assert found["KeyId"] == "alias/corp"
    assert await store.get("acme", "ops.desk@acme.test") == tokens()
    assert await store.get("acme", "ops.2edesk.40acme.2etest") is None


@pytest.mark.parametrize("path", ["postroom/{tenant}/{mailbox}", "/postroom/{tenant}", "/postroom/{mailbox}"])
def test_a_path_that_would_mix_up_tokens_is_refused(options, path):
    with pytest.raises(Misconfigured, match=r"must start with / and name \{tenant\} and \{mailbox\}"):
        open_parameter_store(options, path=path)


async def test_large_tokens_go_to_the_advanced_tier_and_too_large_ones_are_refused(store, ids, described):
    spare = len(tokens("", "").to_bytes())
    await store.put(*ids, tokens("a" * (8192 - spare), ""))

    assert described(f"/postroom/{ids[0]}/{ids[1]}/tokens")["Tier"] == "Advanced"
    with pytest.raises(BadRequest, match=r"8193 bytes.*database"):
        await store.put(*ids, tokens("a" * (8193 - spare), ""))
    assert await store.get(*ids) == tokens("a" * (8192 - spare), "")


def test_the_tier_changes_exactly_at_the_limits():
    assert [tier_for(size) for size in (1, 4096, 4097, 8192)] == [*["Intelligent-Tiering"] * 2, *["Advanced"] * 2]


async def test_a_parameter_that_is_not_ours_is_said_to_be_unreadable(store, ids, options):
    client = boto3.client(
        "ssm",
        endpoint_url=options["AWS_ENDPOINT_URL"],
        region_name=options["AWS_REGION"],
        aws_access_key_id="any",
        aws_secret_access_key="any",
    )
    client.put_parameter(Name=f"/postroom/{ids[0]}/{ids[1]}/tokens", Value="hush-hush", Type="SecureString")
    client.close()

    with pytest.raises(Unreadable, match="connect the mailbox anew") as told:
        await store.get(*ids)
    assert "hush" not in str(told.value)


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (400, "ThrottlingException", Throttled),
        (400, "TooManyUpdates", Throttled),
        (400, "AccessDeniedException", PermissionDenied),
        (400, "ExpiredTokenException", PermissionDenied),
        (403, "Whatever", PermissionDenied),
        (400, "InvalidKeyId", Misconfigured),
        (400, "ParameterLimitExceeded", Misconfigured),
        (500, "InternalServerError", Unavailable),
        (503, "ServiceUnavailable", Unavailable),
        (400, "ValidationException", BadRequest),
    ],
)
async def test_a_refusal_becomes_the_error_that_says_what_to_do(options, ids, status, code, error):
    asked = []

    async def refuse(request):
        asked.append(request.headers["X-Amz-Target"])
        body = {"__type": f"com.amazonaws.ssm#{code}", "message": "no"}
        return web.json_response(body, status=status, content_type="application/x-amz-json-1.1")

    app = web.Application()
    app.router.add_post("/", refuse)
    async with TestServer(app) as server:
        store = open_parameter_store(options | {"AWS_ENDPOINT_URL": str(server.make_url(""))})
        with pytest.raises(error, match=f"SSM .*{code}"):
            await store.put(*ids, tokens())

    assert asked == ["AmazonSSM.PutParameter"]


async def test_an_ssm_that_cannot_be_reached_is_unavailable(options, ids):
    store = open_parameter_store(options | {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"})

    with pytest.raises(Unavailable, match="cannot be reached"):
        await store.get(*ids)


def test_plain_http_to_others_is_refused(options):
    with pytest.raises(Misconfigured, match="loopback only"):
        open_parameter_store(options | {"AWS_ENDPOINT_URL_SSM": "http://ssm.test"})


def test_a_missing_region_is_named(monkeypatch, options):
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(Misconfigured, match="AWS_REGION"):
        open_parameter_store({name: value for name, value in options.items() if "KEY" in name})


async def test_missing_credentials_are_named(monkeypatch, options, ids):
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    store = open_parameter_store({name: value for name, value in options.items() if "KEY" not in name})

    with pytest.raises(Misconfigured, match="needs AWS credentials"):
        await store.get(*ids)
