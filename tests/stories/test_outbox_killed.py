"""`kill -9` at every step of a send: one mail in Sent, with the approved words, at both providers."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from email.message import EmailMessage
from typing import Any

import pytest

from postroom.mail.parse import read_mail
from stories.client_desk import BOX, PROVIDERS, ClientDeskStory, open_client_desk
from stories.killing import presumed_dead
from stories.test_outbox import again, goes_out, newest, opens, says_yes, sent
from stories.test_replies import QUESTION

pytestmark = pytest.mark.programs

ROOM = "postroom.rooms.outbox"
ADAPTERS = {
    "outlook": {"sender": "postroom.outside.graph.sender:OutlookSender", "drafts": "postroom.outside.graph.drafts:OutlookDrafts", "shown": "_as_made"},
    "gmail": {"sender": "postroom.outside.gmail.sender:GmailSender", "drafts": "postroom.outside.gmail.drafts:GmailDrafts", "shown": "_as_written"},
}  # fmt: skip
STEPS = [
    (f"{ROOM}.jobs.sending:prepare", "after"),  # looked at, nothing written
    (f"{ROOM}.store.approvals:use", "after"),  # its approval is used, not committed
    (f"{ROOM}.store.sending:begin", "after"),  # begun, not committed
    ("{sender}.send_draft", "before"),  # committed, the provider was not asked
    ("{sender}.send_draft", "after"),  # sent, not recorded
    (f"{ROOM}.telling:sent", "after"),  # recorded, not committed
]
# A mail that is no draft in the mailbox yet becomes one first.
WRITING = [
    ("{drafts}.find_drafts", "after"),  # nothing there yet
    ("{drafts}.create_draft", "after"),  # there, and nobody knows
    ("{drafts}.{shown}", "before"),  # there, without its files where they are attached one by one
]
CONTENT = b"%PDF-1.4\n" + bytes(range(256)) * 40


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield await opens(opened)


async def answers(desk: ClientDeskStory, number: int) -> dict[str, Any]:
    await desk.receives(QUESTION, subject=f"Breakfast {number}")
    await desk.office.works_until("SELECT count(*) FROM postroom.proposal", number)
    return await newest(desk)


async def writes(desk: ClientDeskStory, number: int) -> dict[str, Any]:
    said = {"to": ["ada@client.test"], "subject": f"Room {number}", "body": f"Room {number} is free.\n\nNora"}
    return (await desk.asks("POST", "/proposals", said))[1]


async def forwards(desk: ClientDeskStory, number: int) -> dict[str, Any]:
    message = desk.office.ask("SELECT id FROM postroom.message WHERE subject = 'My passport'")
    if message is None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "ada@client.test", BOX, "My passport"
        mail["Message-ID"] = "<passport@client.test>"
        mail.set_content("Here it is.")
        mail.add_attachment(CONTENT, "application", "pdf", filename="passport.pdf")
        desk.delivers(mail.as_bytes())
        await desk.works()
        return await forwards(desk, number)
    said = {
        "kind": "forward",
        "message_id": str(message),
        "to": ["front@partner.test"],
        "body": f"Please check {number}.",
    }
    return (await desk.asks("POST", "/proposals", said))[1]


async def bytes_sent(desk: ClientDeskStory, proposal: dict[str, Any]) -> bytes:
    """As the provider hands it out."""
    mailbox = desk.office.own("SELECT tenant_id, id FROM postroom.mailbox WHERE address = %s", BOX)[0]
    fetched = await desk.office.house.outside.fetcher.fetch(*mailbox, proposal["provider_message_id"])
    return fetched.raw


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("proposes", [answers, writes, forwards])
async def test_a_worker_killed_at_any_step_of_a_send_leaves_one_mail_with_the_approved_words(
    desk, dsn, doomed, proposes
):
    steps = STEPS if proposes is answers else WRITING + STEPS
    victims = doomed(desk.office, dsn)
    for number, (where, when) in enumerate(steps, start=1):
        desk.office.own("DELETE FROM postroom.provider_quota")  # it comes back by the clock on the wall
        proposal = await proposes(desk, number)
        assert 200 == await says_yes(desk, proposal)
        # The victims live by the clock on the wall, which is behind that of the story.
        desk.office.own("UPDATE postroom.proposal SET send_at = now() WHERE status = 'approved'")
        desk.office.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")

        place = where.format(**ADAPTERS[desk.provider])
        assert -signal.SIGKILL == await victims.dies(place, when), f"it was not killed {when} {place}"
        presumed_dead(desk.office)
        for _ in range(3):
            await goes_out(desk, seconds=20)

        now = await again(desk, proposal)
        assert "sent" == now["status"], f"killed {when} {place}"
        mails = sent(desk)
        assert number == len(mails), f"killed {when} {place}"
        assert proposal["body"].split() == desk.person.text(mails[0]["id"]).split()
        files = [each.content for each in read_mail(await bytes_sent(desk, now)).attachments]
        assert ([CONTENT] if proposes is forwards else []) == files, f"killed {when} {place}"
        assert [] == desk.person.messages("drafts"), f"killed {when} {place}"
        told = "SELECT count(*) FROM postroom.fact WHERE kind = 'reply.sent' AND body ->> 'how' = 'approved'"
        assert number == desk.office.ask(told), f"killed {when} {place}"
