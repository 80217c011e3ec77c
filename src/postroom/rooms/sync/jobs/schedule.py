"""What the clock asks for: reading what was not read for a while, and picking up what was left lying."""

from __future__ import annotations

from datetime import timedelta

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.rooms.sync import store
from postroom.rooms.sync.jobs.definitions import (
    PollMailboxes,
    ReconcileMailbox,
    ReconcileMailboxes,
    SyncMailbox,
    SyncPorts,
    TakeIn,
)

UNSORTED = timedelta(seconds=10)  # a ring so old was left by a process that is gone
STUCK = timedelta(minutes=30)


@works(PollMailboxes)
async def poll_mailboxes(job: PollMailboxes, work: Work[SyncPorts]) -> None:
    del job
    async with work.step() as tx:
        await store.try_again_after_outage(tx)
    async with work.finish() as tx:
        for nudged in await store.sort_left_rings(tx, work.tenant_id, work.now - UNSORTED, work.now):
            await work.tell(tx, facts.MailboxNudged(mailbox_id=nudged.mailbox_id, notices=nudged.notices))
        due = await store.due_for_sync(tx, work.now - work.outside.poll_every)
        await work.enqueue(tx, *(SyncMailbox(mailbox_id) for mailbox_id in due))


@works(ReconcileMailboxes)
async def reconcile_mailboxes(job: ReconcileMailboxes, work: Work[SyncPorts]) -> None:
    del job
    async with work.finish() as tx:
        mailboxes = await store.served(tx)
        await work.enqueue(tx, *(ReconcileMailbox(mailbox_id) for mailbox_id in mailboxes))
        stuck = await store.stuck_messages(tx, work.now - STUCK)
        await work.enqueue(tx, *(TakeIn(each.mailbox_id, each.id) for each in stuck))
