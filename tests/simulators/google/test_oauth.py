"""People connect mailboxes, tokens are handed out and end in all the ways Google ends them."""

import asyncio
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request
from google.oauth2 import id_token, service_account
from google.oauth2.credentials import Credentials
from oauthlib.oauth2 import WebApplicationClient

ANNA = "anna@office.test"
ACCOUNTS = "https://accounts.test"
BACK = "https://postroom.test/oauth/callback"
READONLY = "https://www.googleapis.com/auth/gmail.readonly"
MODIFY = "https://www.googleapis.com/auth/gmail.modify"
SEND = "https://www.googleapis.com/auth/gmail.send"
IDENTITY = "openid"


class Flow:
    """A client of the authorization code flow, with oauthlib on our side of it."""

    def __init__(self, base, http):
        self.base = base
        self.http = http
        self.client = WebApplicationClient("client")
        self.verifier = self.client.create_code_verifier(64)

    def address(self, scopes=(MODIFY, SEND), path="/o/oauth2/v2/auth", **options):
        secure = self.client.prepare_request_uri(
            ACCOUNTS + path,
            redirect_uri=BACK,
            scope=list(scopes),
            state="s1",
            code_challenge=self.client.create_code_challenge(self.verifier, "S256"),
            code_challenge_method="S256",
            **({"access_type": "offline"} | options),
        )
        return secure.replace(ACCOUNTS, self.base)  # oauthlib insists on https

    async def page(self, address):
        async with self.http.get(address, allow_redirects=False) as answer:
            return answer.status, await answer.text(), answer.headers.get("Location", "")

    async def consent(self, address, mailbox=ANNA, granted=None, answer="allow"):
        """Fill in the page as a browser would; where it leads."""
        _, text, _ = await self.page(address)
        kept = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', text)
        ticked = granted if granted is not None else re.findall(r'name="granted" value="([^"]*)"', text)
        form = [*kept, ("mailbox", mailbox), *(("granted", scope) for scope in ticked), ("answer", answer)]
        path = urlsplit(address)._replace(query="").geturl()
        async with self.http.post(path, data=form, allow_redirects=False) as led:
            assert led.status == 302, await led.text()
            return led.headers["Location"]

    async def redeem(self, location, **changes):
        code = self.client.parse_request_uri_response(location, state="s1")["code"]
        body = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "client_id": "client"}
        return await self.token(body | {"code_verifier": self.verifier, "client_secret": "s"} | changes)

    async def refresh(self, refresh_token, **changes):
        body = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": "client"}
        return await self.token(body | changes)

    async def token(self, body):
        async with self.http.post(self.base + "/token", data=body) as answer:
            return answer.status, await answer.json()


@pytest.fixture
def flow(base, http):
    return Flow(base, http)


def credentials(base, refresh_token):
    return Credentials(
        token=None, refresh_token=refresh_token, client_id="client", client_secret="s", token_uri=base + "/token"
    )


async def refreshed(creds):
    def refresh():
        with requests.Session() as session:
            creds.refresh(Request(session))
        return creds

    return await asyncio.to_thread(refresh)


async def test_a_person_picks_a_mailbox_and_the_code_becomes_tokens(flow):
    status, text, _ = await flow.page(flow.address(login_hint=ANNA))
    assert status == 200
    assert f'value="{ANNA}" required checked' in text

    status, tokens = await flow.redeem(await flow.consent(flow.address()))

    assert status == 200
    assert set(tokens) == {"access_token", "refresh_token", "expires_in", "scope", "token_type"}
    assert set(tokens["scope"].split()) == {MODIFY, SEND}


async def test_the_older_sign_in_path_works_too(flow):
    location = await flow.consent(flow.address(path="/o/oauth2/auth"))
    assert (await flow.redeem(location))[0] == 200


async def test_a_person_can_untick_a_scope(flow):
    location = await flow.consent(flow.address(), granted=[MODIFY])
    assert parse_qs(urlsplit(location).query)["scope"] == [MODIFY]
    assert (await flow.redeem(location))[1]["scope"] == MODIFY


async def test_a_later_consent_adds_to_the_earlier_one_only_if_asked_to(flow):
    first = await flow.redeem(await flow.consent(flow.address(scopes=[READONLY])))
    alone = await flow.redeem(await flow.consent(flow.address(scopes=[MODIFY], prompt="consent")))
    address = flow.address(scopes=[SEND], prompt="consent", include_granted_scopes="true")
    together = await flow.redeem(await flow.consent(address))

    assert [{READONLY}, {MODIFY}, {READONLY, MODIFY, SEND}] == [
        set(tokens["scope"].split()) for _, tokens in (first, alone, together)
    ]


async def test_tokens_can_be_made_to_end_soon(flow, sim, base, http, faults, clock):
    faults.turn(token_life=60)
    _, tokens = await flow.redeem(await flow.consent(flow.address()))
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}

    async def status():
        async with http.get(f"{base}/gmail/v1/users/me/profile", headers=headers) as answer:
            return answer.status

    fresh = await status()
    clock.advance(timedelta(seconds=61))

    assert (60, 200, 401) == (tokens["expires_in"], fresh, await status())


async def test_a_person_can_say_no(flow):
    location = await flow.consent(flow.address(), answer="deny")
    assert parse_qs(urlsplit(location).query) == {"error": ["access_denied"], "state": ["s1"]}


async def test_with_the_switch_a_known_hint_is_redirected_at_once(flow, faults):
    faults.turn(auto_consent=True)
    status, _, location = await flow.page(flow.address(login_hint=ANNA))
    assert status == 302
    assert (await flow.redeem(location))[0] == 200
    assert (await flow.page(flow.address(login_hint="nobody@else.test")))[0] == 200


async def test_the_page_escapes_what_it_shows(flow):
    _, text, _ = await flow.page(flow.address(scopes=['"><script>alert(1)</script>']))
    assert "<script>" not in text


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "wrong" * 10}, "invalid_grant"),
        ({"code_verifier": ""}, "invalid_grant"),
        ({"redirect_uri": "https://other.test"}, "redirect_uri_mismatch"),
        ({"client_id": "other"}, "invalid_grant"),
        ({"code": "4/0Anonsense"}, "invalid_grant"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"client_id": ""}, "invalid_client"),
    ],
)
async def test_a_wrong_redemption_is_refused(flow, changes, error):
    status, body = await flow.redeem(await flow.consent(flow.address()), **changes)
    assert (status, body["error"]) == (401 if error == "invalid_client" else 400, error)


async def test_a_code_works_once_and_for_ten_minutes(flow, clock):
    location = await flow.consent(flow.address())
    assert (await flow.redeem(location))[0] == 200
    assert (await flow.redeem(location))[1]["error"] == "invalid_grant"
    late = await flow.consent(flow.address())
    clock.advance(timedelta(minutes=11))
    assert (await flow.redeem(late))[1]["error"] == "invalid_grant"


async def test_a_refresh_token_comes_with_offline_access_and_again_only_on_consent(flow):
    async def given(**options):
        _, tokens = await flow.redeem(await flow.consent(flow.address(**options)))
        return "refresh_token" in tokens

    assert not await given(access_type="online")
    assert await given()
    assert not await given()
    assert await given(prompt="consent")


async def test_a_refresh_does_not_rotate_the_refresh_token(flow, sim):
    grant = sim.grant(ANNA)
    first = await flow.refresh(grant.refresh_token)
    second = await flow.refresh(grant.refresh_token)
    assert "refresh_token" not in first[1]
    assert first[1]["access_token"] != second[1]["access_token"]
    assert (await flow.refresh(grant.refresh_token, scope=SEND))[1]["error"] == "invalid_scope"


async def test_an_expired_access_token_is_refreshed_by_googles_client(gmail, clock, recorder):
    await gmail.run(gmail.users.getProfile(userId="me"))
    clock.advance(timedelta(minutes=61))
    await gmail.run(gmail.users.getProfile(userId="me"))
    assert recorder.counts["gmail", "GET", 401] == 1
    assert recorder.counts["google", "POST", 200] == 2


async def test_a_call_without_or_with_a_wrong_token_is_unauthenticated(base, http):
    async def error(headers):
        async with http.get(base + "/gmail/v1/users/me/profile", headers=headers) as answer:
            return (await answer.json())["error"]

    assert (await error({}))["errors"][0]["reason"] == "required"
    wrong = await error({"Authorization": "Bearer ya29.nonsense"})
    assert (wrong["code"], wrong["status"], wrong["errors"][0]["reason"]) == (401, "UNAUTHENTICATED", "authError")


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("revoked", "Token has been expired or revoked."),
        ("rapt", "Reauthentication is needed"),
        ("admin_policy", "admin_policy_enforced"),
    ],
)
async def test_a_grant_taken_back_needs_a_reconnect(sim, base, why, text):
    creds = await refreshed(credentials(base, sim.grant(ANNA).refresh_token))
    assert creds.valid

    assert sim.revoke(ANNA, why) == 1

    with pytest.raises(RefreshError, match=text) as caught:
        await refreshed(creds)
    assert not caught.value.retryable


async def test_a_revocation_ends_access_at_once_a_policy_after_the_hour(sim, connect, clock):
    under_policy, revoked = connect(), connect()
    for client in (under_policy, revoked):
        await client.run(client.users.getProfile(userId="me"))
    first, second = sim.grants.of(ANNA)
    first.dead, second.dead = "rapt", "revoked"

    await under_policy.run(under_policy.users.getProfile(userId="me"))
    with pytest.raises(RefreshError):
        await revoked.run(revoked.users.getProfile(userId="me"))
    clock.advance(timedelta(hours=2))
    with pytest.raises(RefreshError):
        await under_policy.run(under_policy.users.getProfile(userId="me"))


@pytest.mark.parametrize("scopes", [(MODIFY,), (IDENTITY,)])
async def test_in_testing_a_refresh_token_lives_seven_days_unless_only_for_identity(flow, faults, clock, scopes):
    faults.turn(testing_app=True)
    _, tokens = await flow.redeem(await flow.consent(flow.address(scopes)))
    assert (tokens.get("refresh_token_expires_in", 0) > 0) is (scopes == (MODIFY,))

    clock.advance(timedelta(days=8))

    status, _ = await flow.refresh(tokens["refresh_token"])
    assert status == (400 if scopes == (MODIFY,) else 200)


async def test_a_refresh_token_unused_for_half_a_year_is_dead(flow, sim, clock):
    grant = sim.grant(ANNA)
    for _ in range(3):
        clock.advance(timedelta(days=100))
        assert (await flow.refresh(grant.refresh_token))[0] == 200
    clock.advance(timedelta(days=190))
    assert (await flow.refresh(grant.refresh_token))[1]["error"] == "invalid_grant"


async def test_the_oldest_of_more_than_a_hundred_refresh_tokens_dies_silently(flow, sim):
    grants = [sim.grant(ANNA) for _ in range(101)]
    assert (await flow.refresh(grants[0].refresh_token))[1]["error"] == "invalid_grant"
    assert (await flow.refresh(grants[1].refresh_token))[0] == 200


async def test_a_new_password_ends_grants_with_mail_scopes_only(flow, sim):
    mail, identity = sim.grant(ANNA), sim.grant(ANNA, scopes=[IDENTITY])
    assert sim.change_password(ANNA) == 1
    assert (await flow.refresh(mail.refresh_token))[0] == 400
    assert (await flow.refresh(identity.refresh_token))[0] == 200


async def test_the_revocation_endpoint_ends_a_grant_by_either_token(flow, sim, base, http):
    for which in ("access_token", "refresh_token"):
        grant = sim.grant(ANNA)
        _, tokens = await flow.refresh(grant.refresh_token)
        token = tokens.get(which, grant.refresh_token)
        async with http.post(base + "/revoke", data={"token": token}) as answer:
            assert answer.status == 200
        assert (await flow.refresh(grant.refresh_token))[0] == 400
        async with http.post(base + "/revoke", data={"token": token}) as answer:
            assert (answer.status, (await answer.json())["error"]) == (400, "invalid_token")


async def test_the_id_token_is_verified_by_googles_library(flow, base):
    scopes = (IDENTITY, "email", "profile")
    _, tokens = await flow.redeem(await flow.consent(flow.address(scopes, nonce="n1")))

    def verified():
        with requests.Session() as session:
            certs = base + "/oauth2/v1/certs"
            return id_token.verify_token(tokens["id_token"], Request(session), audience="client", certs_url=certs)

    claims = await asyncio.to_thread(verified)
    assert (claims["iss"], claims["email"], claims["nonce"]) == ("https://accounts.google.com", ANNA, "n1")
    assert "https://www.googleapis.com/auth/userinfo.email" in tokens["scope"].split()


async def test_tokeninfo_and_userinfo_say_whose_token_it_is(sim, base, http):
    token = sim.access_token(ANNA)
    async with http.get(f"{base}/tokeninfo?{urlencode({'access_token': token})}") as answer:
        info = await answer.json()
    assert (info["email"], info["scope"], info["aud"]) == (ANNA, MODIFY, "client")
    async with http.get(base + "/tokeninfo?access_token=nonsense") as answer:
        assert answer.status == 400
    headers = {"Authorization": f"Bearer {token}"}
    async with http.get(base + "/v1/userinfo", headers=headers) as answer:
        person = await answer.json()
    assert (person["email"], person["email_verified"], person["sub"]) == (ANNA, True, info["sub"])
    async with http.get(base + "/oauth2/v2/userinfo", headers=headers) as answer:
        assert (await answer.json())["id"] == info["sub"]
    async with http.get(base + "/v1/userinfo") as answer:
        assert answer.status == 401


async def test_the_configuration_names_endpoints_that_exist(base, http):
    async with http.get(base + "/.well-known/openid-configuration") as answer:
        told = await answer.json()
    assert told["issuer"] == "https://accounts.google.com"
    async with http.get(told["jwks_uri"]) as answer:
        assert (await answer.json())["keys"][0]["alg"] == "RS256"


async def test_unknown_applications_are_welcome_until_applications_are_strict(flow, sim, http):
    grant = sim.grant(ANNA)
    sim.strict_apps = True
    status, text, _ = await flow.page(flow.address())
    assert status == 400
    assert "invalid_client" in text
    assert (await flow.refresh(grant.refresh_token))[1]["error"] == "invalid_client"

    sim.register_app("client", "secret", redirect_uris=[BACK], project="office")
    assert (await flow.page(flow.address()))[0] == 200
    assert (await flow.refresh(grant.refresh_token, client_secret="wrong"))[0] == 401
    assert (await flow.refresh(grant.refresh_token, client_secret="secret"))[0] == 200
    body = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
    async with http.post(
        flow.base + "/token", data=body, headers={"Authorization": "Basic Y2xpZW50OnNlY3JldA=="}
    ) as ok:
        assert ok.status == 200
    sim.register_app("client", "secret", redirect_uris=["https://other.test"])
    assert "redirect_uri_mismatch" in (await flow.page(flow.address()))[1]


async def test_a_mailbox_that_is_not_offered_cannot_be_picked(flow, http):
    form = {"client_id": "client", "redirect_uri": BACK, "response_type": "code", "scope": MODIFY}
    form |= {"mailbox": "nobody@else.test", "answer": "allow"}
    async with http.post(flow.base + "/o/oauth2/v2/auth", data=form) as answer:
        assert answer.status == 400
    async with http.post(flow.base + "/o/oauth2/v2/auth", data={"answer": "allow"}) as answer:
        assert answer.status == 400


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("response_type=code", "response_type=token", "unsupported_response_type"),
        ("redirect_uri=https", "redirect_uri=javascript", "redirect_uri_mismatch"),
    ],
)
async def test_an_authorization_request_that_cannot_work_is_refused_on_the_page(flow, old, new, error):
    status, text, _ = await flow.page(flow.address().replace(old, new))
    assert status == 400
    assert error in text


@pytest.mark.parametrize("missing", ["client_id", "redirect_uri", "response_type", "scope"])
async def test_an_incomplete_authorization_request_says_what_is_missing(flow, missing):
    address = re.sub(rf"{missing}=[^&]*&?", "", flow.address())
    status, text, _ = await flow.page(address)
    assert status == 400
    assert missing in text


async def test_a_service_account_acts_for_a_person_of_its_domain(sim, base, http):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    told = {
        "type": "service_account",
        "client_email": "robot@office.iam.gserviceaccount.com",
        "private_key": pem,
        "private_key_id": "k1",
        "token_uri": base + "/token",
    }

    async def profile(**options):
        creds = service_account.Credentials.from_service_account_info(told, scopes=[MODIFY], **options)
        await refreshed(creds)
        headers = {"Authorization": f"Bearer {creds.token}"}
        async with http.get(base + "/gmail/v1/users/me/profile", headers=headers) as answer:
            return answer.status, await answer.json()

    assert (await profile(subject=ANNA))[1]["emailAddress"] == ANNA
    status, body = await profile()
    assert (status, body["error"]["status"]) == (400, "FAILED_PRECONDITION")
    with pytest.raises(RefreshError, match="Invalid email"):
        await profile(subject="nobody@else.test")
    sim.strict_apps = True
    with pytest.raises(RefreshError, match="unauthorized_client"):
        await profile(subject=ANNA)


@pytest.mark.parametrize("claims", [None, {"iss": "robot@office.test", "exp": 1}])
async def test_an_assertion_that_is_no_jwt_or_too_old_is_refused(flow, claims):
    assertion = jwt.encode(claims, "k" * 32, algorithm="HS256") if claims else "nonsense"
    body = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion}
    assert (await flow.token(body))[1]["error"] == "invalid_grant"
