"""A person says yes, and exactly that mail goes out once: at both providers, whatever happens on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from email.message import EmailMessage

import pytest

from postroom.nouns.ids import TenantId
from postroom.nouns.sending import SendingPolicy
from postroom.rooms.replies import commands as replies
from postroom.rooms.tenants import commands as tenants
from stories.client_desk import BOX, PROVIDERS, ClientDeskStory, open_client_desk
from stories.test_replies import PAPER, QUESTION, drafts

FAULTS = ("lost_request", "lost_response", "error_before", "error_after", "throttled")


async def opens(desk: ClientDeskStory) -> ClientDeskStory:
    """With papers to answer from, drafts and sending on, and no undo delay."""
    tenant = TenantId(desk.office.ask("SELECT tenant_id FROM postroom.mailbox"))
    scope = desk.office.house.scope(tenant, "person:test")
    await replies.add_evidence(scope, desk.office.house.outside.reader, "house.md", PAPER)
    await tenants.change_sending(scope, SendingPolicy("on", undo_seconds=0))
    await desk.switches("drafts")
    return desk


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield await opens(opened)


async def newest(desk: ClientDeskStory) -> dict:
    return (await desk.asks("GET", "/proposals?limit=1"))[1]["items"][0]


async def again(desk: ClientDeskStory, proposal: dict) -> dict:
    return (await desk.asks("GET", f"/proposals/{proposal['id']}"))[1]


async def says_yes(desk: ClientDeskStory, proposal: dict) -> int:
    return (await desk.asks("POST", f"/proposals/{proposal['id']}/approve", {"hash": proposal["hash"]}))[0]


async def goes_out(desk: ClientDeskStory, **later: float) -> None:
    """Time goes by, and all that is due then is done."""
    desk.later(**(later or {"seconds": 2}))
    desk.office.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
    desk.office.own("UPDATE postroom.provider_wait SET till = now() - interval '1 s'")
    desk.office.house.providers._waits._till.clear()  # the process counts seconds of its own
    await desk.works()


def sent(desk: ClientDeskStory) -> list[dict]:
    return desk.person.messages("sentitems")


async def test_a_yes_sends_exactly_what_was_approved_once(desk):
    key = await desk.receives(QUESTION)
    proposal = await newest(desk)
    assert ("waiting", ["anna@client.test"]) == (proposal["status"], proposal["to"])
    assert [] == sent(desk)

    assert 200 == await says_yes(desk, proposal)
    await goes_out(desk)
    await desk.a_minute_passes()

    [mail] = sent(desk)
    assert proposal["body"].split() == desk.person.text(mail["id"]).split()
    now = await again(desk, proposal)
    assert ("sent", "") == (now["status"], now["because"])
    assert ("sent", [], set()) == (
        desk.office.ask("SELECT status FROM postroom.draft_revision"),
        drafts(desk, key),
        desk.labels(key),
    )
    assert 1 == desk.office.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'reply.sent'")
    assert [] == desk.office.world.recorder.mistakes


@pytest.mark.parametrize("fault", FAULTS)
async def test_one_mail_goes_out_whatever_becomes_of_the_answer(desk, fault):
    await desk.receives(QUESTION)
    proposal = await newest(desk)
    planned = desk.office.world.faults.plan("*.send", fault)

    await says_yes(desk, proposal)
    for seconds in (2, 20, 60):
        await goes_out(desk, seconds=seconds)

    assert 1 == planned.hits
    assert ("sent", 1) == ((await again(desk, proposal))["status"], len(sent(desk)))


@pytest.mark.parametrize("fault", FAULTS[:4])
async def test_a_new_mail_goes_out_once_whatever_becomes_of_its_draft_and_send(desk, fault):
    said = {"to": ["ada@client.test"], "subject": "Your room", "body": "The room is free.\n\nYours, Nora"}
    status, proposal = await desk.asks("POST", "/proposals", said)
    assert 201 == status, proposal
    world = desk.office.world
    created = "gmail.drafts.create" if desk.provider == "gmail" else "graph.messages.create"
    planned = [world.faults.plan(created, fault), world.faults.plan("*.send", fault)]

    await says_yes(desk, proposal)
    for seconds in (2, 20, 60, 200):
        await goes_out(desk, seconds=seconds)

    assert [1, 1] == [each.hits for each in planned]
    [mail] = sent(desk)
    assert ("sent", said["body"].split()) == (
        (await again(desk, proposal))["status"],
        desk.person.text(mail["id"]).split(),
    )
    assert [] == desk.person.messages("drafts")


async def test_recipients_and_subject_of_a_draft_can_be_changed_and_that_goes_out(desk):
    await desk.receives(QUESTION)
    proposal = await newest(desk)
    await says_yes(desk, proposal)
    said = {"body": proposal["body"], "to": ["bo@client.test"], "cc": ["anna@client.test"], "subject": "Your breakfast"}

    named = {**said, "to": ["Bo Client <Bo@client.test>"]}
    status, draft = await desk.asks("PUT", f"/drafts/{proposal['draft_id']}", named)
    await desk.works()
    await desk.a_minute_passes()  # and the mailbox tells of the change

    assert (200, ["bo@client.test"], ["anna@client.test"]) == (status, draft["to"], draft["cc"])
    assert ("void", []) == ((await again(desk, proposal))["status"], sent(desk))
    anew = await newest(desk)
    assert said == {name: anew[name] for name in said}
    assert 200 == await says_yes(desk, anew)
    await goes_out(desk)
    now = await again(desk, anew)
    assert ("sent", "", 1) == (now["status"], now["because"], len(sent(desk)))
    assert "sent" == desk.office.ask("SELECT status FROM postroom.draft_revision")
    assert [] == desk.office.world.recorder.mistakes


async def test_an_edit_after_the_yes_is_never_sent(desk):
    key = await desk.receives(QUESTION)
    proposal = await newest(desk)
    await says_yes(desk, proposal)
    [draft] = drafts(desk, key)
    desk.later(seconds=2)
    desk.person.edit_draft(draft["id"], "Until noon, for you.")

    await goes_out(desk)
    await desk.a_minute_passes()

    now = await again(desk, proposal)
    assert ("void", []) == (now["status"], sent(desk))
    assert "Until noon, for you." in drafts(desk, key)[0]["words"]


async def test_an_edit_in_the_very_moment_of_the_send_is_said_aloud(desk):
    """No provider sends a draft only if it has a version: what lies in Sent is compared afterwards."""
    await desk.receives(QUESTION)
    proposal = await newest(desk)
    desk.office.world.faults.plan("*.send", "race")
    await says_yes(desk, proposal)
    for seconds in (2, 20):
        await goes_out(desk, seconds=seconds)

    now = await again(desk, proposal)
    assert 1 >= len(sent(desk))
    if now["status"] == "sent":
        assert "not word by word what was approved" in now["because"]
    else:
        assert [] == sent(desk)


async def test_mail_that_comes_after_the_yes_stops_it(desk):
    key = await desk.receives(QUESTION, subject="Breakfast")
    proposal = await newest(desk)
    await says_yes(desk, proposal)
    first = desk.office.ask("SELECT internet_message_id FROM postroom.message WHERE provider_message_id = %s", key)
    more = desk.office.mail("Never mind, we stay at home.", to=BOX, subject="Re: Breakfast")
    desk.delivers(b"In-Reply-To: " + first.encode() + b"\r\nReferences: " + first.encode() + b"\r\n" + more)

    await goes_out(desk)

    assert ("void", []) == ((await again(desk, proposal))["status"], sent(desk))


async def test_a_forward_takes_its_file_along_byte_for_byte(desk):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ada@client.test", BOX, "My passport"
    mail["Message-ID"] = "<passport@client.test>"
    mail.set_content("Here it is.")
    content = b"%PDF-1.4\n" + bytes(range(256)) * 40
    mail.add_attachment(content, "application", "pdf", filename="passport.pdf")
    key = desk.delivers(mail.as_bytes())
    await desk.works()
    message = str(desk.office.ask("SELECT id FROM postroom.message WHERE provider_message_id = %s", key))
    said = {"kind": "forward", "message_id": message, "to": ["front@partner.test"], "body": "Please check."}
    status, proposal = await desk.asks("POST", "/proposals", said)
    assert (201, ["passport.pdf"]) == (status, [each["filename"] for each in proposal.get("attachments", [])]), proposal

    await says_yes(desk, proposal)
    await goes_out(desk)

    now = await again(desk, proposal)
    assert ("sent", "", 1) == (now["status"], now["because"], len(sent(desk)))
    assert [] == desk.office.world.recorder.mistakes


async def test_two_workers_and_two_people_at_once_send_one_mail(desk):
    await desk.receives(QUESTION)
    proposal = await newest(desk)
    answers = await asyncio.gather(*(says_yes(desk, proposal) for _ in range(3)))
    desk.office.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
    await asyncio.gather(*(desk.office.house.worker().run_until_quiet(idle=0.3) for _ in range(2)))
    await goes_out(desk)

    assert 200 in answers
    assert set(answers) <= {200, 409}
    assert ("sent", 1) == ((await again(desk, proposal))["status"], len(sent(desk)))


async def test_the_kill_switch_stops_what_was_approved(desk):
    await desk.receives(QUESTION)
    proposal = await newest(desk)
    await says_yes(desk, proposal)
    mailbox = desk.office.ask("SELECT id FROM postroom.mailbox WHERE address = %s", BOX)
    assert 200 == (await desk.asks("PATCH", f"/mailboxes/{mailbox}", {"sending": "off"}))[0]

    await goes_out(desk)

    assert ("revoked", []) == ((await again(desk, proposal))["status"], sent(desk))
    assert 409 == await says_yes(desk, proposal)


async def test_a_delivery_report_comes_back_to_the_proposal(desk):
    await desk.receives(QUESTION)
    proposal = await newest(desk)
    await says_yes(desk, proposal)
    await goes_out(desk)
    named = desk.office.ask("SELECT internet_message_id FROM postroom.proposal")
    report = EmailMessage()
    report["From"], report["To"], report["Subject"] = "mailer-daemon@client.test", BOX, "Undelivered Mail"
    report["Message-ID"], report["In-Reply-To"], report["References"] = "<report@client.test>", named, named
    report["X-Failed-Recipients"] = "anna@client.test"
    report.set_content("Final-Recipient: rfc822; anna@client.test\nStatus: 5.1.1\n")
    desk.delivers(report.as_bytes())
    await desk.works()

    assert "It did not reach anna@client.test (status 5.1.1)." == (await again(desk, proposal))["bounce"]


async def test_while_sending_is_off_nothing_leaves(desk):
    tenant = TenantId(desk.office.ask("SELECT tenant_id FROM postroom.mailbox"))
    scope = desk.office.house.scope(tenant, "person:test")
    await tenants.change_sending(scope, replace(SendingPolicy(), undo_seconds=0))
    await desk.receives(QUESTION)
    proposal = await newest(desk)

    assert 409 == await says_yes(desk, proposal)
    await goes_out(desk)

    assert ("waiting", []) == ((await again(desk, proposal))["status"], sent(desk))
