"""Mail for several mailboxes at the same moment is taken in together: in one commit, each mail once, whatever happens."""

from __future__ import annotations

import signal

import pytest

from postroom.engine import company
from postroom.nouns.ids import MailboxId
from postroom.outside.graph.provider import OutlookProvider
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.sync.jobs import SyncMailbox
from stories.killing import presumed_dead
from stories.office import DESK, Office

BOXES = [DESK, *(f"desk{number}@contoso.test" for number in range(4))]
HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
COMMITS = "SELECT count(DISTINCT xid) FROM postroom.fact WHERE kind = 'mail.message.received'"


@pytest.fixture
async def desks(office) -> Office:
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "test")
    for address in BOXES[1:]:
        office.world.add_mailbox(address)
        await mailboxes.connect_configured(
            scope, address=address, provider="outlook", access="app_only", folder="Inbox", connection={}
        )
    await office.works()
    return office


async def all_receive(office: Office, count: int = 2) -> None:
    """Without a push, so that all of them are looked at in the same moment."""
    office.world.faults.turn(drop=1.0)
    for address in BOXES:
        office.receives(count, to=address)
    await office.world.graph.settle()
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "test")
    async with scope.finish() as tx:
        every = [row[0] for row in office.own("SELECT id FROM postroom.mailbox")]
        await scope.enqueue(tx, *(SyncMailbox(MailboxId(each)) for each in every))


async def test_mail_of_five_mailboxes_at_the_same_moment_is_one_commit(desks, monkeypatch):
    monkeypatch.setattr(company, "WAITS_SECONDS", 5.0)  # however busy the machine is
    await all_receive(desks)

    await desks.works()

    assert (10, 10, 1) == (desks.arrived(), desks.count("mail.message.received"), desks.ask(COMMITS))
    assert 10 == desks.ask("SELECT sum(messages) FROM postroom.thread")
    told = desks.own(
        "SELECT mailbox_id, job_id, count(*) FROM postroom.fact WHERE kind = 'mail.message.received' GROUP BY 1, 2"
    )
    assert (5, [2] * 5) == (len({job for _, job, _ in told}), [count for *_, count in told])


async def test_a_mailbox_that_cannot_be_read_keeps_the_mail_of_no_other_waiting(desks, monkeypatch):
    monkeypatch.setattr(company, "WAITS_SECONDS", 5.0)
    changes = OutlookProvider.changes

    async def moody(self, since):
        if self._address == BOXES[2]:
            raise ValueError("This one defies us.")
        return await changes(self, since)

    monkeypatch.setattr(OutlookProvider, "changes", moody)
    await all_receive(desks)

    await desks.works()

    assert 8 == desks.arrived()
    monkeypatch.undo()
    desks.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
    await desks.works_until(HELD, 10)
    assert 10 == desks.count("mail.message.received")


@pytest.mark.programs
@pytest.mark.parametrize("step", ["take_in", "move_cursor"])
async def test_a_worker_killed_in_a_common_commit_neither_loses_nor_doubles_a_mail(desks, dsn, doomed, step):
    victims = doomed(desks, dsn)
    for number, when in enumerate(["before", "after", "after#3"] if step == "move_cursor" else ["after"], start=1):
        await all_receive(desks)

        assert -signal.SIGKILL == await victims.dies(f"postroom.rooms.sync.store:{step}", when)
        presumed_dead(desks)
        await desks.works_until(HELD, 10 * number)

        assert 10 * number == desks.count("mail.message.received"), f"killed {when} {step}"
    assert desks.ask("SELECT sum(messages) FROM postroom.thread") == desks.arrived()
