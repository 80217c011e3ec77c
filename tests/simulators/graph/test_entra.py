"""Sign-in and tokens: code with PKCE, refresh, app-only, refusals with their numbers."""

from __future__ import annotations

import base64
import hashlib
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest

from simulators.graph.office import ANNA, BERT

VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
BACK = "http://127.0.0.1:1/back?from=entra"
SCOPE = "openid profile offline_access https://graph.microsoft.com/Mail.Read User.Read"


async def authorize(desk, **changes: Any) -> Any:
    asked = {
        "client_id": "my-app",
        "response_type": "code",
        "redirect_uri": BACK,
        "scope": SCOPE,
        "state": "s1",
        "nonce": "n1",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "login_hint": ANNA,
        "auto": "1",
        **changes,
    }
    url = f"{desk.base}/common/oauth2/v2.0/authorize"
    async with desk.session.get(url, params=asked, allow_redirects=False) as answer:
        return answer.status, answer.headers.get("Location", ""), await answer.text()


async def token(desk, tenant: str = "common", **form: str) -> tuple[int, dict[str, Any]]:
    asked = {"client_id": "my-app", "client_secret": "any", **form}
    async with desk.session.post(f"{desk.base}/{tenant}/oauth2/v2.0/token", data=asked) as answer:
        return answer.status, await answer.json()


async def code_of(desk, **changes: Any) -> str:
    status, location, _ = await authorize(desk, **changes)
    assert status == 302
    return parse_qs(urlsplit(location).query)["code"][0]


async def signed_in(desk, **changes: Any) -> dict[str, Any]:
    status, body = await redeem(desk, await code_of(desk, **changes))
    assert status == 200
    return body


async def redeem(desk, made: str, **changes: str) -> tuple[int, dict[str, Any]]:
    form = {"grant_type": "authorization_code", "code": made, "redirect_uri": BACK, "code_verifier": VERIFIER}
    return await token(desk, **{**form, **changes})


async def test_the_page_lets_a_person_pick_a_mailbox_and_untick_permissions(desk):
    status, _, page = await authorize(desk, auto="0", login_hint="")
    assert status == 200
    assert ANNA in page
    assert 'name="consented" value="Mail.Read" checked' in page

    form = {"account": BERT, "ticked": "1", "consented": "User.Read", "client_id": "my-app"}
    form |= {"redirect_uri": BACK, "scope": SCOPE, "code_challenge": CHALLENGE, "code_challenge_method": "S256"}
    url = f"{desk.base}/common/oauth2/v2.0/authorize"
    async with desk.session.post(url, data=form, allow_redirects=False) as answer:
        code = parse_qs(urlsplit(answer.headers["Location"]).query)["code"][0]
    _, body = await redeem(desk, code)

    me = await desk.get("/me", token=body["access_token"])
    mail = await desk.get("/me/messages", token=body["access_token"])
    assert me.body["userPrincipalName"] == BERT
    assert "Mail.Read" not in body["scope"].split()
    assert (mail.status, mail.code) == (403, "ErrorAccessDenied")


async def test_a_person_can_be_told_to_grant_less_and_to_sign_in_at_once(desk):
    desk.sim.entra.limits[ANNA] = frozenset({"User.Read"})
    desk.sim.entra.auto_sign_in = True

    body = await signed_in(desk, auto="0")

    assert set(body["scope"].split()) == {"User.Read", "openid", "profile"}


async def test_the_way_back_keeps_query_and_state(desk):
    _, location, _ = await authorize(desk)

    query = parse_qs(urlsplit(location).query)
    assert (query["from"], query["state"]) == (["entra"], ["s1"])


async def test_declining_and_silent_sign_in_without_a_hint_come_back_as_errors(desk):
    _, declined, _ = await authorize(desk, decline="1")
    _, silent, _ = await authorize(desk, prompt="none", login_hint="")

    assert "error=access_denied" in declined
    assert "error=login_required" in silent


async def test_form_post_answers_with_a_form(desk):
    status, _, page = await authorize(desk, response_mode="form_post")

    assert status == 200
    assert 'method="post"' in page
    assert 'name="code"' in page


async def test_a_redeemed_code_gives_access_refresh_and_a_signed_id_token(desk):
    body = await signed_in(desk)

    assert (body["token_type"], body["expires_in"]) == ("Bearer", 3599)
    assert set(body["scope"].split()) == {"Mail.Read", "User.Read", "openid", "profile"}
    async with desk.session.get(f"{desk.base}/common/discovery/v2.0/keys") as answer:
        keys = jwt.PyJWKSet.from_dict(await answer.json())
    claims = jwt.decode(body["id_token"], keys.keys[0].key, algorithms=["RS256"], audience="my-app")
    assert (claims["nonce"], claims["preferred_username"]) == ("n1", ANNA)
    assert claims["iss"] == f"{desk.base}/{claims['tid']}/v2.0"
    me = await desk.get("/me", token=body["access_token"])
    assert me.body["id"] == claims["oid"]


async def test_without_the_scopes_there_is_no_refresh_and_no_id_token(desk):
    body = await signed_in(desk, scope="Mail.Read")

    assert not {"refresh_token", "id_token"} & set(body)


@pytest.mark.parametrize(
    ("wrong", "aadsts"),
    [
        ({"code_verifier": "w" * 43}, 501481),
        ({"redirect_uri": "http://127.0.0.1:1/elsewhere"}, 50011),
        ({"code": "unknown"}, 70000),
        ({"client_id": "someone-else"}, 70000),
        ({"grant_type": "password"}, 70003),
    ],
)
async def test_wrong_redemptions_are_refused_with_their_number(desk, wrong, aadsts):
    status, body = await redeem(desk, await code_of(desk), **wrong)

    assert (status, body["error_codes"]) == (400, [aadsts])
    assert body["error_description"].startswith(f"AADSTS{aadsts}: ")
    assert {"error", "timestamp", "trace_id", "correlation_id", "error_uri"} <= set(body)


async def test_a_code_works_once_and_for_ten_minutes(desk):
    code, late = await code_of(desk), await code_of(desk)
    await redeem(desk, code)

    _, again = await redeem(desk, code)
    desk.sim.clock.advance(timedelta(minutes=11))
    _, expired = await redeem(desk, late)

    assert (again["error_codes"], expired["error_codes"]) == ([54005], [70008])


async def test_refreshing_rotates_and_the_old_token_keeps_working(desk):
    first = (await signed_in(desk))["refresh_token"]

    _, second = await token(desk, grant_type="refresh_token", refresh_token=first)
    status, _ = await token(desk, grant_type="refresh_token", refresh_token=first)

    assert second["refresh_token"] != first
    assert status == 200


async def test_refreshing_cannot_widen_what_was_granted(desk):
    refresh = (await signed_in(desk))["refresh_token"]

    status, body = await token(desk, grant_type="refresh_token", refresh_token=refresh, scope="Mail.Send")

    assert (status, body["error"], body["error_codes"]) == (400, "consent_required", [65001])


async def test_access_tokens_end_with_the_simulated_hour(desk):
    access = (await signed_in(desk))["access_token"]
    assert (await desk.get("/me", token=access)).status == 200

    desk.sim.clock.advance(timedelta(hours=1))
    expired = await desk.get("/me", token=access)

    assert (expired.status, expired.code) == (401, "InvalidAuthenticationToken")


@pytest.mark.parametrize(
    ("aadsts", "error"),
    [(50173, "invalid_grant"), (700082, "invalid_grant"), (50076, "interaction_required"), (65001, "consent_required")],
)
async def test_a_revoked_grant_says_why_and_ends_access(desk, aadsts, error):
    body = await signed_in(desk)

    desk.sim.revoke(ANNA, aadsts)
    status, refused = await token(desk, grant_type="refresh_token", refresh_token=body["refresh_token"])

    assert (status, refused["error"], refused["error_codes"]) == (400, error, [aadsts])
    assert (await desk.get("/me", token=body["access_token"])).status == 401
    again = await signed_in(desk)
    assert (await desk.get("/me", token=again["access_token"])).status == 200


async def test_a_refresh_token_unused_for_ninety_days_is_dead(desk):
    refresh = (await signed_in(desk))["refresh_token"]

    desk.sim.clock.advance(timedelta(days=91))
    _, body = await token(desk, grant_type="refresh_token", refresh_token=refresh)

    assert body["error_codes"] == [700082]


async def test_scripted_failures_hit_the_next_requests_only(desk):
    desk.sim.entra.failing = [50033, 50196]
    form = {"grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"}

    first, second, third = [await token(desk, "desk.test", **form) for _ in range(3)]

    assert (first[0], first[1]["error"]) == (503, "temporarily_unavailable")
    assert second[1]["error_codes"] == [50196]
    assert third[0] == 200


async def test_an_app_alone_reads_any_mailbox_but_is_nobody(desk):
    form = {"grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"}
    _, body = await token(desk, "desk.test", **form)

    mail = await desk.get(f"/users/{ANNA}/messages", token=body["access_token"])
    me = await desk.get("/me/messages", token=body["access_token"])

    assert "refresh_token" not in body
    assert (mail.status, me.status) == (200, 400)
    assert me.body["error"]["message"] == "/me request is only valid with delegated authentication flow."


async def test_an_app_alone_needs_a_tenant_and_the_default_scope(desk):
    scope = "https://graph.microsoft.com/.default"
    _, common = await token(desk, "common", grant_type="client_credentials", scope=scope)
    _, narrow = await token(desk, "desk.test", grant_type="client_credentials", scope="Mail.Read")

    assert (common["error_codes"], narrow["error_codes"]) == ([50059], [70011])


async def test_registered_apps_prove_themselves_and_unknown_ones_may_be_shut_out(desk):
    desk.sim.register_app("known", "right", "desk.test", redirect_uris=(BACK,))
    form = {"grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"}

    wrong = await token(desk, "desk.test", **form, client_id="known", client_secret="wrong")
    right = await token(desk, "desk.test", **form, client_id="known", client_secret="right")
    elsewhere = await authorize(desk, client_id="known", redirect_uri="http://127.0.0.1:1/other")
    desk.sim.entra.strict_apps = True
    unknown = await token(desk, "desk.test", **form, client_id="stranger")

    assert (wrong[0], wrong[1]["error"]) == (401, "invalid_client")
    assert right[0] == 200
    assert elsewhere[0] == 400
    assert unknown[1]["error"] == "unauthorized_client"


async def test_an_access_policy_leaves_an_app_only_some_mailboxes(desk):
    desk.sim.register_app("narrow", "s", only=frozenset({BERT}))
    token_ = desk.sim.issue_token(app="narrow")

    allowed = await desk.get(f"/users/{BERT}/messages", token=token_)
    blocked = await desk.get(f"/users/{ANNA}/messages", token=token_)

    assert (allowed.status, blocked.status, blocked.code) == (200, 403, "ErrorAccessDenied")
    assert "[RAOP] : Blocked by tenant configured AppOnly AccessPolicy settings." in blocked.body["error"]["message"]


async def test_a_person_cannot_reach_another_mailbox_without_the_shared_permission(desk):
    plain = desk.sim.issue_token(ANNA)
    shared = desk.sim.issue_token(ANNA, scopes=frozenset({"Mail.Read.Shared"}))

    assert (await desk.get(f"/users/{BERT}/messages", token=plain)).status == 403
    assert (await desk.get(f"/users/{BERT}/messages", token=shared)).status == 200


async def test_who_may_draft_may_not_therefore_send(desk):
    drafter = desk.sim.issue_token(ANNA, scopes=frozenset({"Mail.ReadWrite"}))
    draft = await desk.post("/me/messages", {"subject": "x"}, token=drafter)

    sent = await desk.post(f"/me/messages/{draft.body['id']}/send", token=drafter)

    assert (draft.status, sent.status) == (201, 403)


async def test_basic_permission_hides_content(desk):
    key = desk.deliver()
    basic = desk.sim.issue_token(ANNA, scopes=frozenset({"Mail.ReadBasic"}))

    shown = await desk.get(f"/me/messages/{key}", token=basic)
    files = await desk.get(f"/me/messages/{key}/attachments", token=basic)

    assert not {"body", "bodyPreview"} & set(shown.body)
    assert files.status == 403


async def test_unknown_mailboxes_are_invalid_users_unless_made_on_demand(desk):
    unknown = await desk.get("/users/nobody@desk.test/messages")
    desk.sim.auto_mailboxes = True
    made = await desk.get("/users/nobody@desk.test/messages")

    assert (unknown.status, unknown.code) == (404, "ErrorInvalidUser")
    assert made.status == 200


async def test_no_token_and_a_made_up_token_are_refused(desk):
    async with desk.session.get(f"{desk.base}/v1.0/me") as answer:
        assert answer.status == 401
    assert (await desk.get("/me", token="made-up")).status == 401


async def test_discovery_leads_to_the_endpoints(desk):
    async with desk.session.get(f"{desk.base}/common/v2.0/.well-known/openid-configuration") as answer:
        found = await answer.json()
    async with desk.session.get(f"{desk.base}/common/discovery/instance") as answer:
        instance = await answer.json()

    assert found["issuer"] == f"{desk.base}/{{tenantid}}/v2.0"
    assert found["token_endpoint"] == f"{desk.base}/common/oauth2/v2.0/token"
    assert instance["tenant_discovery_endpoint"].startswith(desk.base)


async def test_admin_consent_comes_back_with_the_tenant(desk):
    url = f"{desk.base}/desk.test/adminconsent"
    asked = {"client_id": "my-app", "redirect_uri": "http://127.0.0.1:1/back", "state": "s"}
    async with desk.session.get(url, params=asked, allow_redirects=False) as answer:
        query = parse_qs(urlsplit(answer.headers["Location"]).query)

    assert (query["admin_consent"], query["state"]) == (["True"], ["s"])
    assert "tenant" in query
