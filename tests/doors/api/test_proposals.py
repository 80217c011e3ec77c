"""Proposals and approval over HTTP, as other programs use them."""

from __future__ import annotations

from postroom.nouns.ids import new_id
from postroom.nouns.sending import SendingPolicy
from postroom.rooms.tenants import commands as tenants


async def may_send(api) -> None:
    await tenants.change_sending(api.house.scope(api.ours.tenant_id, "test"), SendingPolicy("on", undo_seconds=3600))


async def test_a_proposal_is_approved_by_its_hash_and_taken_back(api):
    await may_send(api)
    operator, place = api.by("operator"), f"/proposals/{api.ours['mail_proposal_id']}"
    shown = await api.get(place)
    assert ("waiting", "new", ["anna@client.example"], [], "Your stay", "We look forward to it.") == tuple(
        shown[name] for name in ("status", "kind", "to", "cc", "subject", "body")
    )

    wrong = await operator.post(f"{place}/approve", json={"hash": "sha256:" + "0" * 64})
    right = await operator.post(f"{place}/approve", json={"hash": shown["hash"]})
    back = await operator.post(f"{place}/revoke", json={"because": "Not yet."})

    assert (409, True) == (wrong.status_code, "Look again" in wrong.json()["detail"])
    assert (200, "approved", 1) == (right.status_code, right.json()["status"], len(right.json()["approvers"]))
    assert ("revoked", "Not yet.", []) == tuple(back.json()[name] for name in ("status", "because", "approvers"))


async def test_while_sending_is_off_an_approval_is_refused_with_the_reason(api):
    place = f"/proposals/{api.ours['mail_proposal_id']}"
    shown = await api.get(place)

    refused = await api.by("operator").post(f"{place}/approve", json={"hash": shown["hash"]})

    assert (409, "Sending is switched off for this tenant.") == (refused.status_code, refused.json()["detail"])
    assert "Sending is switched off for this tenant." == (await api.get(f"{place}/preview"))["objection"]


async def test_a_change_makes_another_hash_and_shows_what_is_different(api):
    await may_send(api)
    operator, place = api.by("operator"), f"/proposals/{api.ours['mail_proposal_id']}"
    before = await api.get(place)

    changes = {"hash": before["hash"], "cc": ["bo@client.example"], "body": "We look forward to it.\nAnna"}
    changed = await operator.patch(place, json=changes)
    again = await operator.patch(place, json=changes)
    stale = await operator.post(f"{place}/approve", json={"hash": before["hash"]})

    assert (200, 2) == (changed.status_code, changed.json()["version"])
    assert (409, 409) == (again.status_code, stale.status_code)
    seen = await api.get(f"{place}/preview")
    assert [{"name": "cc", "before": "", "after": "bo@client.example"}] == seen["since_last"]["fields"]
    assert ["Anna"] == [each["text"] for each in seen["since_last"]["lines"] if each["kind"] == "added"]
    assert (True, None, None) == (seen["may_approve"], seen["objection"], seen["since_machine"])


async def test_what_can_never_be_sent_is_refused_when_it_is_proposed(api):
    operator = api.by("operator")
    said = {"subject": "Rooms", "body": "They are free."}
    for to, why in (
        (["no-reply@client.example"], "takes no answers"),
        ([f"desk@{api.ours.name}.test"], "our own mailboxes"),
        (["nobody"], "not a mail address"),
        ([], "needs somebody"),
    ):
        answer = await operator.post("/proposals", json={**said, "to": to})
        assert (400, True) == (answer.status_code, why in answer.json()["detail"]), answer.json()


async def test_a_reply_goes_where_the_message_asks_for_answers_and_belongs_to_its_thread(api):
    made = await api.by("operator").post(
        "/proposals",
        json={"kind": "reply", "message_id": str(api.ours["message_id"]), "body": "Thank you, it is booked."},
    )

    assert 201 == made.status_code
    assert (["notes@broker.test"], "Re: Contract note", str(api.ours["thread_id"]), "program") == tuple(
        made.json()[name] for name in ("to", "subject", "thread_id", "origin")
    )
    [listed] = (await api.get("/proposals", thread_id=str(api.ours["thread_id"])))["items"]
    assert made.json()["id"] == listed["id"]


async def test_a_message_of_another_tenant_cannot_be_answered(api):
    refused = await api.by("operator").post(
        "/proposals", json={"kind": "reply", "message_id": str(api.theirs["message_id"]), "body": "Hello."}
    )
    assert 400 == refused.status_code


async def test_a_key_that_may_propose_cannot_approve(api):
    await may_send(api)
    program = api.by(await api.key("admin", ["proposals"]))
    place = f"/proposals/{api.ours['mail_proposal_id']}"
    hash_ = (await program.get(place)).json()["hash"]
    said = {"to": ["anna@client.example"], "subject": "Rooms", "body": "They are free."}

    assert 201 == (await program.post("/proposals", json=said)).status_code
    assert 403 == (await program.post(f"{place}/approve", json={"hash": hash_})).status_code
    blind = api.by(await api.key("admin", ["approvals"]))
    assert 403 == (await blind.post(f"{place}/approve", json={"hash": hash_})).status_code
    assert [403, 403] == [(await blind.post(f"{place}/{what}")).status_code for what in ("revoke", "look")]
    both = api.by(await api.key("operator", ["approvals", "proposals"]))
    assert 200 == (await both.post(f"{place}/approve", json={"hash": hash_})).status_code


async def test_only_of_what_is_unknown_can_be_said_whether_it_was_sent(api):
    place = f"/proposals/{api.ours['mail_proposal_id']}"
    operator = api.by("operator")
    assert 409 == (await operator.post(f"{place}/resolve", json={"outcome": "sent"})).status_code
    assert 409 == (await operator.post(f"{place}/look")).status_code
    assert 404 == (await operator.post(f"/proposals/{new_id()}/discard")).status_code


async def test_a_discarded_proposal_is_over(api):
    operator, place = api.by("operator"), f"/proposals/{api.ours['mail_proposal_id']}"
    assert "discarded" == (await operator.post(f"{place}/discard", json={"because": "No."})).json()["status"]
    assert 409 == (await operator.post(f"{place}/revoke")).status_code
    assert [] == (await api.get("/proposals", status="waiting"))["items"]


async def test_the_kill_switch_of_a_mailbox_is_a_switch_of_the_mailbox(api):
    place = f"/mailboxes/{api.ours['mailbox_id']}"
    assert "on" == (await api.get(place))["sending"]
    off = await api.by("admin").patch(place, json={"sending": "off"})
    assert (200, "off") == (off.status_code, off.json()["sending"])
