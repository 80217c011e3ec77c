"""Connecting a Gmail mailbox at a simulated Google."""

import base64
import hashlib
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from aiohttp import web

from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Misconfigured,
    PermissionDenied,
    Throttled,
    Unavailable,
)
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.oauth import MODIFY, SCOPES, GoogleConsent, missing_scopes

REDIRECT = "https://office.test/oauth/gmail/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


def asked(office, **more):
    wanted = {"redirect_uri": REDIRECT, "state": "s1", "challenge": CHALLENGE, "login_hint": office.address}
    return office.consent.authorize_url(**wanted | more)


async def allowed(office, granted=None):
    """The person signs in and says yes; what comes back to the redirect address."""
    url = asked(office)
    form = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    granted = form["scope"].split() if granted is None else granted
    fields = [*form.items(), ("answer", "allow"), ("mailbox", office.address), *(("granted", name) for name in granted)]
    async with aiohttp.ClientSession() as browser:
        async with browser.get(url) as page:
            assert page.status == 200
        async with browser.post(url.partition("?")[0], data=fields, allow_redirects=False) as answer:
            back = urlsplit(answer.headers["Location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == REDIRECT
    return {name: values[0] for name, values in parse_qs(back.query).items()}


async def connected(office, granted=None):
    code = (await allowed(office, granted))["code"]
    return await office.consent.redeem(code=code, verifier=VERIFIER, redirect_uri=REDIRECT)


def consent_at(office, token_url, **more):
    usual = {"client_id": "client", "client_secret": Secret("s"), "auth_url": f"{office.base}/o/oauth2/v2/auth"}
    return GoogleConsent(office.http, token_url=token_url, now=office.clock.now, **usual | more)


def test_the_person_is_asked_for_lasting_access_and_for_the_account(office):
    query = {name: values[0] for name, values in parse_qs(urlsplit(asked(office)).query).items()}

    assert query == {
        "client_id": "client",
        "redirect_uri": REDIRECT,
        "response_type": "code",
        "scope": f"openid email {MODIFY}",
        "state": "s1",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "access_type": "offline",
        "prompt": "consent select_account",
        "login_hint": office.address,
    }
    assert "login_hint" not in asked(office, login_hint=None)
    assert "client-secret" not in asked(office)


async def test_a_yes_becomes_tokens_that_work_and_the_mailbox_it_is_for(office):
    grant = await connected(office)

    assert (office.address, []) == (grant.address, grant.missing_scopes)
    assert grant.subject.isdecimal()
    assert timedelta(minutes=59) < grant.tokens.expires_at - office.clock.now() <= timedelta(hours=1)

    async def token(fresh):
        return grant.tokens.access_token

    profile = await GmailClient(office.http, office.base, token, office.clock.now).profile()
    assert office.address == profile["emailAddress"]


async def test_a_permission_the_person_unticked_is_reported(office):
    grant = await connected(office, granted=["openid", "email"])

    assert (office.address, [MODIFY]) == (grant.address, grant.missing_scopes)


def test_full_access_contains_ours_and_long_names_count():
    long = "openid https://www.googleapis.com/auth/userinfo.email"

    assert missing_scopes(SCOPES, f"{long} https://mail.google.com/") == []
    assert missing_scopes(SCOPES, f"{long} {MODIFY}") == []
    assert missing_scopes(SCOPES, "") == list(SCOPES)


async def test_without_an_identity_the_mailbox_is_not_connected(office):
    with pytest.raises(PermissionDenied, match="whose mailbox"):
        await connected(office, granted=[MODIFY])


async def test_a_code_works_once_and_only_with_its_verifier(office):
    code = (await allowed(office))["code"]
    with pytest.raises(BadRequest, match="start it again"):
        await office.consent.redeem(code=code, verifier="w" * 64, redirect_uri=REDIRECT)
    with pytest.raises(BadRequest, match="start it again"):
        await office.consent.redeem(code=code, verifier=VERIFIER, redirect_uri=REDIRECT)


async def test_another_redirect_address_is_a_setting_to_correct(office):
    code = (await allowed(office))["code"]
    with pytest.raises(Misconfigured, match="redirect URI"):
        await office.consent.redeem(code=code, verifier=VERIFIER, redirect_uri=f"{REDIRECT}/")


async def test_a_refresh_keeps_the_refresh_token_and_the_scope(office):
    before = (await connected(office)).tokens
    office.clock.advance(timedelta(minutes=50))

    after = await office.consent.refresh(before)

    assert before.refresh_token == after.refresh_token
    assert before.access_token != after.access_token
    assert before.scope == after.scope
    assert after.expires_at > before.expires_at


async def test_a_refresh_token_that_google_does_give_is_taken(office, token_page):
    page = await token_page({"access_token": "new", "expires_in": 3599, "refresh_token": "rotated"})
    before = TokenSet(Secret("old"), Secret("kept"), office.clock.now(), MODIFY)

    after = await consent_at(office, page).refresh(before)

    assert Secret("rotated") == after.refresh_token
    assert after.scope == MODIFY


@pytest.mark.parametrize(
    ("why", "expected", "says"),
    [
        ("revoked", AccessRevoked, "connect the mailbox anew"),
        ("rapt", AccessRevoked, "session control"),
        ("admin_policy", AccessRevoked, "administrator"),
    ],
)
async def test_a_grant_that_ended_says_what_to_do(office, why, expected, says):
    tokens = (await connected(office)).tokens
    office.sim.revoke(office.address, why)

    with pytest.raises(expected, match=says):
        await office.consent.refresh(tokens)


async def test_a_project_in_testing_loses_its_grants_and_the_message_names_it(office):
    office.faults.turn(testing_app=True)
    tokens = (await connected(office)).tokens
    office.clock.advance(timedelta(days=8))

    with pytest.raises(AccessRevoked, match="Testing"):
        await office.consent.refresh(tokens)


async def test_a_changed_password_ends_the_grant(office):
    tokens = (await connected(office)).tokens
    office.sim.change_password(office.address)

    with pytest.raises(AccessRevoked):
        await office.consent.refresh(tokens)


async def test_a_wrong_client_secret_is_a_setting_not_a_lost_mailbox(office):
    tokens = (await connected(office)).tokens
    office.sim.register_app("client", "another-secret")

    with pytest.raises(Misconfigured, match="POSTROOM_GMAIL_CLIENT_SECRET"):
        await office.consent.refresh(tokens)


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (429, {"error": "rate_limit_exceeded"}, Throttled),
        (403, {"error": "rate_limit_exceeded"}, Throttled),
        (500, {"error": "internal_failure"}, Unavailable),
        (400, {"error": "temporarily_unavailable"}, Unavailable),
        (503, None, Unavailable),
        (200, {"token_type": "Bearer"}, Unavailable),
        (400, {"error": "invalid_request"}, BadRequest),
        (404, None, BadRequest),
    ],
)
async def test_a_busy_or_broken_sign_in_is_no_bad_credential(office, token_page, status, body, expected):
    tokens = TokenSet(Secret("old"), Secret("kept"), office.clock.now())

    with pytest.raises(expected) as caught:
        await consent_at(office, await token_page(body, status)).refresh(tokens)

    assert "kept" not in f"{caught.value!r} {caught.value.__cause__!r}"


async def test_a_busy_sign_in_is_left_alone_for_as_long_as_it_asks(office, token_page):
    tokens = TokenSet(Secret("old"), Secret("kept"), office.clock.now())
    page = await token_page({}, 429, {"Retry-After": "17"})

    with pytest.raises(Throttled) as caught:
        await consent_at(office, page).refresh(tokens)

    assert caught.value.retry_after == 17


async def test_without_a_refresh_token_there_is_nothing_to_refresh(office):
    with pytest.raises(AccessRevoked, match="connect the mailbox anew"):
        await office.consent.refresh(TokenSet(Secret("old"), None, office.clock.now()))


async def test_a_yes_without_lasting_access_is_not_a_connection(office, token_page):
    page = await token_page({"access_token": "short", "expires_in": 3599, "scope": MODIFY})

    with pytest.raises(AccessRevoked, match=r"myaccount\.google\.com/permissions"):
        await consent_at(office, page).redeem(code="c", verifier=VERIFIER, redirect_uri=REDIRECT)


async def test_giving_the_grant_back_ends_it_and_is_safe_to_repeat(office):
    tokens = (await connected(office)).tokens

    await office.consent.revoke(tokens)
    await office.consent.revoke(tokens)

    with pytest.raises(AccessRevoked):
        await office.consent.refresh(tokens)


async def test_a_grant_that_could_not_be_given_back_is_reported(office):
    tokens = (await connected(office)).tokens
    office.faults.turn(unavailable=1.0)

    with pytest.raises(Unavailable):
        await office.consent.revoke(tokens)


@pytest.fixture
async def token_page(served):
    """A token endpoint that gives one answer."""

    async def serving(body, status=200, headers=None):
        async def answer(request):
            if body is None:
                return web.Response(status=status, text="<html>", headers=headers)
            return web.json_response(body, status=status, headers=headers)

        return f"{await served(answer)}/token"

    return serving
