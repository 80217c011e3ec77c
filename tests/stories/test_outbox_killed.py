"""`kill -9` at every step of a send: one mail in Sent, with the approved words, at both providers."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import pytest

from stories.client_desk import PROVIDERS, ClientDeskStory, open_client_desk
from stories.test_killed import doomed, presumed_dead
from stories.test_outbox import again, goes_out, newest, opens, says_yes, sent
from stories.test_replies import QUESTION

pytestmark = pytest.mark.programs

ROOM = "postroom.rooms.outbox"
SENDERS = {
    "outlook": "postroom.outside.graph.sender:OutlookSender",
    "gmail": "postroom.outside.gmail.sender:GmailSender",
}
STEPS = [
    (f"{ROOM}.jobs.sending:prepare", "after"),  # looked at, nothing written
    (f"{ROOM}.store.approvals:use", "after"),  # its approval is used, not committed
    (f"{ROOM}.store.sending:begin", "after"),  # begun, not committed
    ("{sender}.send_draft", "before"),  # committed, the provider was not asked
    ("{sender}.send_draft", "after"),  # sent, not recorded
    (f"{ROOM}.telling:sent", "after"),  # recorded, not committed
]


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield await opens(opened)


async def test_a_worker_killed_at_any_step_of_a_send_leaves_one_mail_with_the_approved_words(desk, dsn):
    async with doomed(desk.office, dsn) as victims:
        for number, (where, when) in enumerate(STEPS, start=1):
            desk.office.own("DELETE FROM postroom.provider_quota")  # it comes back by the clock on the wall
            await desk.receives(QUESTION, subject=f"Breakfast {number}")
            proposal = await newest(desk)
            assert 200 == await says_yes(desk, proposal)
            # The victims live by the clock on the wall, which is behind that of the story.
            desk.office.own("UPDATE postroom.proposal SET send_at = now() WHERE status = 'approved'")
            desk.office.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")

            place = where.format(sender=SENDERS[desk.provider])
            assert -signal.SIGKILL == await victims.dies(place, when), f"it was not killed {when} {place}"
            presumed_dead(desk.office)
            for _ in range(3):
                await goes_out(desk, seconds=20)

            assert "sent" == (await again(desk, proposal))["status"], f"killed {when} {place}"
            mails = sent(desk)
            assert number == len(mails), f"killed {when} {place}"
            assert proposal["body"].split() == desk.person.text(mails[0]["id"]).split()
            told = "SELECT count(*) FROM postroom.fact WHERE kind = 'reply.sent' AND body ->> 'how' = 'approved'"
            assert number == desk.office.ask(told), f"killed {when} {place}"
