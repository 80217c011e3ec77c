"""How Microsoft lets us in, and what its refusals mean."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from contracts.graph.scripted import NOW
from postroom.nouns.errors import AccessRevoked, BadRequest, Misconfigured, Throttled, Unavailable
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.graph import oauth
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.oauth import SCOPES, AppOnly, GraphConsent
from postroom.outside.graph.provider import OutlookProvider
from postroom.ports import Consent

CALLBACK = "http://127.0.0.1:8025/oauth/outlook/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
OLD = TokenSet(Secret("old-access"), Secret("old-refresh"), NOW, "Mail.Read")


def consent_at(office, **options) -> Consent:
    return GraphConsent(
        office.http,
        client_id="app",
        client_secret=Secret("app-secret"),
        now=office.clock.now,
        login_url=office.base_url.removesuffix("/v1.0"),
        base_url=office.base_url,
        **options,
    )


def scripted_consent(scripted) -> GraphConsent:
    return GraphConsent(
        scripted.http,
        client_id="app",
        client_secret=Secret("app-secret"),
        now=lambda: NOW,
        login_url=scripted.origin,
        base_url=scripted.base,
    )


def app_at(scripted, now=lambda: NOW, tenant="desk.test") -> AppOnly:
    return AppOnly(
        scripted.http,
        tenant=tenant,
        client_id="app",
        client_secret=Secret("app-secret"),
        now=now,
        login_url=scripted.origin,
        base_url=scripted.base,
    )


def token(name: str = "access", **more):
    return {"token_type": "Bearer", "expires_in": 3599, "access_token": name, **more}


async def sign_in(office, consent, hint: str | None = None) -> str:
    """The person picks an account at once; the code that comes back."""
    office.sim.entra.auto_sign_in = True
    url = consent.authorize_url(
        redirect_uri=CALLBACK, state="st&te", challenge=CHALLENGE, login_hint=hint or office.address
    )
    answer = await office.http.request("microsoft_login", "GET", url)
    back = parse_qs(urlsplit(answer.headers["Location"]).query)
    assert back["state"] == ["st&te"]
    return back["code"][0]


# a person


def test_the_person_is_always_asked_which_account():
    consent = GraphConsent(None, client_id="app", client_secret=Secret("s"), now=lambda: NOW)

    url = urlsplit(
        consent.authorize_url(redirect_uri=CALLBACK, state="a b", challenge="c", login_hint="anna@desk.test")
    )
    asked = {name: values[0] for name, values in parse_qs(url.query).items()}

    assert (url.netloc, url.path) == ("login.microsoftonline.com", "/common/oauth2/v2.0/authorize")
    assert (asked["prompt"], asked["login_hint"], asked["state"]) == ("select_account", "anna@desk.test", "a b")
    assert (asked["code_challenge"], asked["code_challenge_method"], asked["redirect_uri"]) == ("c", "S256", CALLBACK)
    assert list(SCOPES) == asked["scope"].split()


def test_without_a_hint_none_is_sent():
    consent = GraphConsent(None, client_id="app", client_secret=Secret("s"), now=lambda: NOW)

    assert "login_hint" not in consent.authorize_url(redirect_uri=CALLBACK, state="s", challenge="c", login_hint=None)


def test_a_national_clouds_permissions_are_spelt_out():
    consent = GraphConsent(
        None, client_id="app", client_secret=Secret("s"), now=lambda: NOW, base_url="https://graph.microsoft.us/v1.0"
    )

    url = consent.authorize_url(redirect_uri=CALLBACK, state="s", challenge="c", login_hint=None)

    (scope,) = parse_qs(urlsplit(url).query)["scope"]
    assert "https://graph.microsoft.us/Mail.Read" in scope.split()
    assert "offline_access" in scope.split()


async def test_a_code_becomes_tokens_and_tells_whose_mailbox_it_is(office):
    consent = consent_at(office)

    grant = await consent.redeem(code=await sign_in(office, consent), verifier=VERIFIER, redirect_uri=CALLBACK)

    assert (office.address, []) == (grant.address, list(grant.missing_scopes))
    assert office.sim.mailboxes[office.address].guid == grant.subject
    assert abs(grant.tokens.expires_at - office.clock.now() - timedelta(seconds=3599)) < timedelta(seconds=5)
    assert grant.tokens.refresh_token is not None


async def test_the_tokens_open_the_mailbox(office):
    consent = consent_at(office)
    grant = await consent.redeem(code=await sign_in(office, consent), verifier=VERIFIER, redirect_uri=CALLBACK)

    async def given(fresh: bool) -> Secret:
        return grant.tokens.access_token

    client = GraphClient(office.http, given, now=office.clock.now, base_url=office.base_url)
    assert office.address == await OutlookProvider(client).address()


async def test_permissions_that_the_person_unticked_are_named(office):
    office.sim.entra.limits[office.address] = frozenset({"User.Read", "Mail.Read"})
    consent = consent_at(office)

    grant = await consent.redeem(code=await sign_in(office, consent), verifier=VERIFIER, redirect_uri=CALLBACK)

    assert list(grant.missing_scopes) == ["Mail.ReadWrite"]


async def test_a_grant_that_does_not_last_is_named_as_a_missing_permission(scripted):
    scripted.say(200, token(scope="User.Read Mail.Read https://graph.microsoft.com/Mail.ReadWrite"))
    scripted.say(200, {"id": "oid", "mail": "Anna@Desk.test"})

    grant = await scripted_consent(scripted).redeem(code="c", verifier=VERIFIER, redirect_uri=CALLBACK)

    assert (list(grant.missing_scopes), grant.address) == (["offline_access"], "anna@desk.test")


@pytest.mark.parametrize("spoilt", ["code", "verifier", "redirect_uri", "used"])
async def test_a_code_that_does_not_fit_asks_to_start_again(office, spoilt):
    consent = consent_at(office)
    asked = {"code": await sign_in(office, consent), "verifier": VERIFIER, "redirect_uri": CALLBACK}
    if spoilt == "used":
        await consent.redeem(**asked)
    else:
        asked[spoilt] = f"{asked[spoilt]}x"

    with pytest.raises((BadRequest, Misconfigured)) as refused:
        await consent.redeem(**asked)

    assert VERIFIER not in str(refused.value)


async def test_refreshing_gives_new_tokens_and_the_newest_refresh_token(office):
    consent = consent_at(office)
    grant = await consent.redeem(code=await sign_in(office, consent), verifier=VERIFIER, redirect_uri=CALLBACK)

    fresh = await consent.refresh(grant.tokens)

    assert grant.tokens.access_token != fresh.access_token
    assert grant.tokens.refresh_token != fresh.refresh_token
    assert set(grant.tokens.scope.split()) == set(fresh.scope.split())


async def test_the_old_refresh_token_is_kept_when_no_new_one_is_given(scripted):
    scripted.say(200, token("fresh"))

    fresh = await scripted_consent(scripted).refresh(OLD)

    assert (Secret("fresh"), Secret("old-refresh"), "Mail.Read") == (
        fresh.access_token,
        fresh.refresh_token,
        fresh.scope,
    )
    assert NOW + timedelta(seconds=3599) == fresh.expires_at


async def test_secrets_travel_in_the_body_alone(scripted):
    scripted.say(200, token())

    await scripted_consent(scripted).refresh(OLD)

    (asked,) = scripted.asked
    assert asked.query == {}
    form = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
    assert form == {
        "grant_type": "refresh_token",
        "client_id": "app",
        "client_secret": "app-secret",
        "refresh_token": "old-refresh",
    }


async def test_without_a_refresh_token_a_person_is_needed():
    consent = GraphConsent(None, client_id="app", client_secret=Secret("s"), now=lambda: NOW)

    with pytest.raises(AccessRevoked, match="connect the mailbox again"):
        await consent.refresh(TokenSet(Secret("a"), None, NOW))


async def test_giving_back_can_be_repeated_and_ends_nobodys_sessions(scripted):
    consent = scripted_consent(scripted)

    await consent.revoke(OLD)
    await consent.revoke(OLD)

    assert scripted.asked == []


@pytest.mark.parametrize("aadsts", [50173, 700082])
async def test_a_revoked_grant_asks_for_a_person_and_says_why(office, aadsts):
    consent = consent_at(office)
    grant = await consent.redeem(code=await sign_in(office, consent), verifier=VERIFIER, redirect_uri=CALLBACK)
    office.sim.revoke(office.address, aadsts)

    with pytest.raises(AccessRevoked, match=f"connect the mailbox again.*AADSTS{aadsts}"):
        await consent.refresh(grant.tokens)


# what refusals mean


def said(error: str, *codes: int) -> bytes:
    return json.dumps({"error": error, "error_description": "words", "error_codes": list(codes)}).encode()


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, said("invalid_grant", 50173), AccessRevoked),
        (400, said("invalid_grant", 700082), AccessRevoked),
        (400, said("invalid_grant", 70043), AccessRevoked),
        (400, said("invalid_grant"), AccessRevoked),
        (400, said("invalid_grant", 65001), AccessRevoked),
        (400, said("interaction_required", 50076), AccessRevoked),
        (400, said("interaction_required", 53003), AccessRevoked),
        (400, said("consent_required", 65001), AccessRevoked),
        (400, said("login_required"), AccessRevoked),
        (400, said("access_denied", 65004), AccessRevoked),
        (401, said("invalid_client", 7000215), Misconfigured),
        (400, said("unauthorized_client", 70001), Misconfigured),
        (400, said("invalid_scope", 70011), Misconfigured),
        (400, said("invalid_request", 50011), Misconfigured),
        (400, said("unsupported_grant_type"), Misconfigured),
        (400, said("never_heard_of"), Misconfigured),
        (404, b"<html>", Misconfigured),
        (400, said("temporarily_unavailable", 50033), Unavailable),
        (400, said("server_error"), Unavailable),
        (503, said("temporarily_unavailable", 50087), Unavailable),
        (500, b"", Unavailable),
        (502, said("invalid_client"), Unavailable),
        (429, said("invalid_grant"), Throttled),
        (429, b"", Throttled),
        (400, said("invalid_grant", 50196), Throttled),
        (400, b'{"error": {"code": "odd"}}', Misconfigured),
        (400, b'{"error": "invalid_grant", "error_codes": null}', AccessRevoked),
        (400, b'{"error": "invalid_grant", "error_codes": "50173"}', AccessRevoked),
    ],
)
def test_each_refusal_has_its_remedy(status, body, kind):
    refused = oauth.refusal(status, body, None)

    assert kind is type(refused)
    assert "words" not in str(refused)


@pytest.mark.parametrize("status", [429, 503])
def test_a_time_that_was_named_is_kept(status):
    assert oauth.refusal(status, b"", 30.0).retry_after == 30.0


@pytest.mark.parametrize(
    "body", [b"<html>", b"{}", b"[]", b'{"access_token": ""}', b'{"access_token":"a","expires_in":"x"}']
)
async def test_an_answer_without_a_token_is_an_outage(scripted, body):
    scripted.say(200, body)

    with pytest.raises(Unavailable, match="without a token"):
        await scripted_consent(scripted).refresh(OLD)


# the app alone


async def test_an_apps_token_is_kept_until_shortly_before_its_end(scripted):
    now = [NOW]
    scripted.say(200, token("first")).say(200, token("second"))
    source = app_at(scripted, now=lambda: now[0])

    first = [await source(False), await source(False)]
    now[0] += timedelta(seconds=3599 - 240)

    assert [Secret("first")] * 2 == first
    assert Secret("second") == await source(False)
    assert len(scripted.asked) == 2


async def test_many_who_need_a_token_share_one_request(scripted):
    scripted.say(200, token())
    source = app_at(scripted)

    assert {Secret("access")} == set(await asyncio.gather(*(source(False) for _ in range(10))))
    assert len(scripted.asked) == 1


async def test_a_refused_token_is_replaced_but_not_over_and_over(scripted):
    now = [NOW]
    scripted.say(200, token("first")).say(200, token("second"))
    source = app_at(scripted, now=lambda: now[0])
    await source(False)
    now[0] += timedelta(minutes=1)

    replaced = [await source(True) for _ in range(5)]

    assert [Secret("second")] * 5 == replaced


async def test_a_refused_token_from_a_clock_that_was_ahead_is_replaced(scripted):
    """By our clock it comes from the future, and lives for a day."""
    now = [NOW + timedelta(days=1)]
    scripted.say(200, token("first")).say(200, token("second"))
    source = app_at(scripted, now=lambda: now[0])
    await source(False)
    now[0] = NOW

    assert [Secret("second")] * 3 == [await source(True) for _ in range(3)]


async def test_an_app_asks_for_what_the_administrator_allowed_it(scripted):
    scripted.say(200, token())

    await app_at(scripted)(False)

    (asked,) = scripted.asked
    form = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
    assert asked.path == "/desk.test/oauth2/v2.0/token"
    assert ("client_credentials", f"{scripted.origin}/.default") == (form["grant_type"], form["scope"])


async def test_a_wrong_secret_names_the_settings(office):
    office.sim.register_app("app", "another-secret")
    source = AppOnly(
        office.http,
        tenant="desk.test",
        client_id="app",
        client_secret=Secret("app-secret"),
        now=office.clock.now,
        login_url=office.base_url.removesuffix("/v1.0"),
    )

    with pytest.raises(Misconfigured, match=r"the secret is wrong.*AADSTS7000215") as refused:
        await source(False)

    assert "POSTROOM_GRAPH_CLIENT_ID" in str(refused.value)
    assert "app-secret" not in str(refused.value)


@pytest.mark.parametrize("tenant", ["common", "Organizations", "consumers"])
def test_an_app_needs_one_tenant(scripted, tenant):
    with pytest.raises(Misconfigured, match="one tenant"):
        app_at(scripted, tenant=tenant)
