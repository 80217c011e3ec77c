"""What a caller may do: rights asked for one by one, tokens that end soon, and refusals that say so."""

from __future__ import annotations

from datetime import timedelta

import pytest

from simulators.graph.office import ANNA, BERT, IMMUTABLE
from simulators.graph.test_entra import signed_in, token

ME = f"/users/{ANNA}"
READ = "offline_access https://graph.microsoft.com/Mail.Read"
DRAFT = "offline_access https://graph.microsoft.com/Mail.ReadWrite"


@pytest.mark.parametrize(
    ("method", "path", "body", "enough"),
    [
        ("POST", "/messages", {"subject": "x"}, "Mail.ReadWrite"),
        ("PATCH", "/messages/{id}", {"subject": "x"}, "Mail.ReadWrite"),
        ("DELETE", "/messages/{id}", None, "Mail.ReadWrite"),
        ("POST", "/messages/{id}/move", {"destinationId": "archive"}, "Mail.ReadWrite"),
        ("POST", "/messages/{id}/createReply", {}, "Mail.ReadWrite"),
        ("POST", "/messages/{id}/createReplyAll", {}, "Mail.ReadWrite"),
        ("POST", "/messages/{id}/createForward", {}, "Mail.ReadWrite"),
        ("POST", "/messages/{id}/reply", {"comment": "x"}, "Mail.Send"),
        ("POST", "/sendMail", {"message": {"toRecipients": []}}, "Mail.Send"),
        ("GET", "/outlook/masterCategories", None, "MailboxSettings.Read"),
        ("POST", "/outlook/masterCategories", {"displayName": "x"}, "MailboxSettings.ReadWrite"),
    ],
)
async def test_a_call_without_its_right_is_denied(desk, method, path, body, enough):
    key = desk.deliver()
    every = frozenset({"Mail.Read", "Mail.ReadWrite", "Mail.Send", "MailboxSettings.Read", "MailboxSettings.ReadWrite"})
    lacking = every - {enough} - ({"MailboxSettings.ReadWrite"} if enough == "MailboxSettings.Read" else set())
    options = {"json": body} if body is not None else {}

    async def call(*scopes: str) -> tuple[int, str]:
        rights = desk.sim.issue_token(ANNA, scopes=frozenset(scopes))
        answer = await desk.call(method, ME + path.format(id=key), token=rights, headers=IMMUTABLE, **options)
        return answer.status, answer.code if answer.status >= 400 else ""

    assert (403, "ErrorAccessDenied") == await call(*lacking)
    assert (await call(enough))[1] in ("", "ErrorInvalidRecipients")


async def test_consent_grants_what_was_asked_for_and_a_later_one_adds_to_it(desk):
    first = await signed_in(desk, scope=READ)
    denied = await desk.post("/me/messages", {"subject": "x"}, token=first["access_token"])
    second = await signed_in(desk, scope=DRAFT)
    allowed = await desk.post("/me/messages", {"subject": "x"}, token=second["access_token"])

    assert ("Mail.Read", "Mail.ReadWrite") == (first["scope"], second["scope"])
    assert (403, 201) == (denied.status, allowed.status)


async def test_what_was_consented_to_later_can_be_refreshed_with_the_older_token(desk):
    first = await signed_in(desk, scope=READ)
    before, _ = await token(desk, grant_type="refresh_token", refresh_token=first["refresh_token"], scope=DRAFT)
    await signed_in(desk, scope=DRAFT)

    after, body = await token(desk, grant_type="refresh_token", refresh_token=first["refresh_token"], scope=DRAFT)
    unasked, same = await token(desk, grant_type="refresh_token", refresh_token=first["refresh_token"])

    assert (400, 200, 200) == (before, after, unasked)
    assert "Mail.ReadWrite" == body["scope"]
    assert {"Mail.Read", "Mail.ReadWrite"} == set(same["scope"].split())


async def test_what_another_person_allowed_is_not_ours(desk):
    mine = await signed_in(desk, scope=READ)
    await signed_in(desk, scope=DRAFT, login_hint=BERT)

    status, _ = await token(desk, grant_type="refresh_token", refresh_token=mine["refresh_token"], scope=DRAFT)

    assert 400 == status


async def test_tokens_can_be_made_to_end_soon(desk):
    desk.sim.faults.turn(token_life=60)
    person = await signed_in(desk)
    _, app = await token(
        desk, "desk.test", grant_type="client_credentials", scope="https://graph.microsoft.com/.default"
    )
    fresh = [(await desk.get(ME, token=one["access_token"])).status for one in (person, app)]
    desk.sim.clock.advance(timedelta(seconds=61))
    stale = [(await desk.get(ME, token=one["access_token"])).status for one in (person, app)]

    assert [60, 60] == [person["expires_in"], app["expires_in"]]
    assert ([200, 200], [401, 401]) == (fresh, stale)


async def test_mail_goes_out_only_under_an_address_of_the_mailbox(desk):
    desk.sim.add_alias(ANNA, "desk@desk.test")
    to = [{"emailAddress": {"address": BERT}}]

    def sent_as(address: str) -> dict:
        return {"message": {"from": {"emailAddress": {"address": address}}, "toRecipients": to, "subject": "x"}}

    alias = await desk.post(f"{ME}/sendMail", sent_as("Desk@desk.test"))
    stranger = await desk.post(f"{ME}/sendMail", sent_as("boss@desk.test"))
    shown = (await desk.get(f"{ME}?$select=mail,proxyAddresses")).body

    assert (202, 403, "ErrorSendAsDenied") == (alias.status, stranger.status, stranger.code)
    assert [f"SMTP:{ANNA}", "smtp:desk@desk.test"] == shown["proxyAddresses"]
