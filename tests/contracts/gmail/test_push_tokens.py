"""Only Pub/Sub may push: its token is checked against Google's keys."""

import asyncio
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from cryptography.hazmat.primitives.asymmetric import rsa

from postroom.nouns.errors import Misconfigured, NotAllowed, Unavailable
from postroom.outside.gmail import hook
from postroom.outside.gmail.certs import ASK_AGAIN_AFTER, GoogleCerts
from postroom.outside.http import Http
from postroom_simulators.google.keys import GoogleSigningKey

AUDIENCE = "https://office.test/webhooks/gmail"
ACCOUNT = "push@office.iam.gserviceaccount.com"
NOW = datetime(2026, 9, 11, 20, tzinfo=UTC)


class Clock:
    def __init__(self):
        self.now = NOW


class Google:
    """Google's page of signing keys."""

    def __init__(self, key):
        self.key = key
        self.body = key.jwks
        self.headers = {"Cache-Control": "public, max-age=3600"}
        self.status = 200
        self.asked = 0
        self.url = ""

    async def answer(self, request):
        self.asked += 1
        await asyncio.sleep(0)
        return web.json_response(self.body, status=self.status, headers=self.headers)


@pytest.fixture(scope="module")
def key():
    return GoogleSigningKey(real_time=NOW.timestamp)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def google(key):
    page = Google(key)
    app = web.Application()
    app.router.add_get("/certs", page.answer)
    server = TestServer(app)
    await server.start_server()
    page.url = str(server.make_url("/certs"))
    yield page
    await server.close()


@pytest.fixture
async def certs(google, clock):
    async with Http() as http:
        yield GoogleCerts(http, google.url, lambda: clock.now)


@pytest.fixture
def check(certs, clock):
    async def checked(token, audience=AUDIENCE, service_account=ACCOUNT, scheme="Bearer "):
        header = None if token is None else scheme + token
        await hook.verify(header, certs.key, audience=audience, service_account=service_account, now=clock.now)

    return checked


def signed(key, age=0, **claims):
    usual = {"aud": AUDIENCE, "email": ACCOUNT, "email_verified": True, "sub": "1137", "azp": "1137"}
    return key.sign({name: value for name, value in (usual | claims).items() if value is not None}, age=age)


async def test_a_push_of_google_is_let_in(check, key):
    await check(signed(key))
    await check(signed(key, iss="accounts.google.com"), scheme="bearer ")


async def test_the_older_form_of_the_keys_serves_as_well(check, key, google):
    google.body = key.certificates

    await check(signed(key))


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"aud": "https://else.test/hook"}, "audience"),
        ({"aud": None}, "not valid"),
        ({"iss": "https://accounts.else.test"}, "not from Google"),
        ({"email": "intruder@else.iam.gserviceaccount.com"}, "another service account"),
        ({"email": None}, "not valid"),
        ({"email_verified": False}, "another service account"),
        ({"email_verified": "true"}, "another service account"),
        ({"exp": "soon"}, "not valid|no usable times"),
    ],
)
async def test_a_token_for_something_else_is_refused(check, key, claims, why):
    with pytest.raises(NotAllowed, match=why):
        await check(signed(key, **claims))


@pytest.mark.parametrize("late", [0, 9])
async def test_clocks_may_differ_by_ten_seconds(check, key, late):
    await check(signed(key, age=3600 + late))
    await check(signed(key, age=-late))


async def test_beyond_that_a_token_is_expired_or_from_the_future(check, key):
    with pytest.raises(NotAllowed, match="expired"):
        await check(signed(key, age=3611))
    with pytest.raises(NotAllowed, match="future"):
        await check(signed(key, age=-11))


@pytest.mark.parametrize("token", [None, "", "x", "a.b.c", "Zm9v.Zm9v.Zm9v"])
async def test_no_token_or_no_jwt_is_refused_without_asking_google(check, google, token):
    with pytest.raises(NotAllowed):
        await check(token)

    assert google.asked == 0


async def test_another_way_of_signing_is_refused(check, key, google):
    claims = {"aud": AUDIENCE, "email": ACCOUNT, "email_verified": True, "iss": "https://accounts.google.com"}
    claims |= {"iat": NOW, "exp": NOW + timedelta(hours=1)}
    public = key.certificates[key.kid]
    for token in (
        jwt.encode(claims, None, algorithm="none", headers={"kid": key.kid}),
        jwt.encode(claims, "x" * len(public), algorithm="HS256", headers={"kid": key.kid}),
    ):
        with pytest.raises(NotAllowed, match="as Google signs"):
            await check(token)


async def test_a_strangers_key_under_googles_name_is_refused(check, key):
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    claims = jwt.decode(signed(key), options={"verify_signature": False})

    with pytest.raises(NotAllowed, match="InvalidSignature"):
        await check(jwt.encode(claims, stranger, algorithm="RS256", headers={"kid": key.kid}))


@pytest.mark.parametrize("missing", ["audience", "service_account"])
async def test_an_empty_setting_lets_nobody_in(check, key, missing):
    with pytest.raises(Misconfigured, match="POSTROOM_GMAIL_AUDIENCE"):
        await check(signed(key), **{missing: ""})


async def test_keys_are_asked_for_once_while_they_last(check, key, google, clock):
    await asyncio.gather(*(check(signed(key)) for _ in range(20)))
    clock.now += timedelta(minutes=59)
    await check(signed(key))
    assert google.asked == 1

    clock.now += timedelta(minutes=1)
    await check(signed(key, age=-1800))
    assert google.asked == 2


async def test_a_new_key_of_google_is_learnt_before_the_old_ones_end(check, key, google, clock):
    await check(signed(key))
    new = GoogleSigningKey(real_time=NOW.timestamp)
    new.kid = "next"
    google.body = {"keys": [*key.jwks["keys"], *new.jwks["keys"]]}
    clock.now += ASK_AGAIN_AFTER

    await check(signed(new))

    assert google.asked == 2


async def test_invented_keys_do_not_make_us_ask_again_and_again(check, key, google, clock):
    await check(signed(key))
    stranger = GoogleSigningKey(real_time=NOW.timestamp)
    for number in range(5):
        stranger.kid = f"invented-{number}"
        with pytest.raises(NotAllowed, match="does not list"):
            await check(signed(stranger))
        clock.now += timedelta(seconds=1)

    assert google.asked == 1


@pytest.mark.parametrize(
    ("status", "body"), [(503, {}), (200, {}), (200, {"keys": []}), (200, {"a": "no certificate"})]
)
async def test_without_googles_keys_nobody_is_refused_but_asked_to_come_again(check, key, google, clock, status, body):
    good, google.status, google.body = google.body, status, body
    for _ in range(3):
        with pytest.raises(Unavailable):
            await check(signed(key))
    assert google.asked == 1

    google.status, google.body = 200, good
    clock.now += timedelta(seconds=5)
    await check(signed(key))


async def test_a_page_without_a_lifetime_is_kept_for_five_minutes(check, key, google, clock):
    google.headers = {}
    await check(signed(key))
    clock.now += timedelta(seconds=299)
    await check(signed(key))
    clock.now += timedelta(seconds=1)
    await check(signed(key))

    assert google.asked == 2
