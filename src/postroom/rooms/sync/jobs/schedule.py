"""What the clock asks for: polling mailboxes not read for a while, and picking up what was left over."""

from __future__ import annotations

from datetime import timedelta

from postroom.engine import queue as lanes
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.rooms.sync import outgoing_store, rules, store
from postroom.rooms.sync.jobs.definitions import (
    FetchMessage,
    FollowOutgoing,
    PollMailboxes,
    ReconcileMailbox,
    ReconcileMailboxes,
    RetryPutAside,
    SyncMailbox,
)
from postroom.rooms.sync.ports import SyncPorts

LEFTOVER_AFTER = timedelta(seconds=10)  # a notification so old was left by a process that is gone
STUCK_AFTER = timedelta(minutes=30)
FOLLOW_EVERY = timedelta(
    seconds=50
)  # where the copilot is on: pushes tell of new mail, not of labels, moves and answers
SENT_KEPT_FOR = timedelta(days=30)


@works(PollMailboxes)
async def poll_mailboxes(job: PollMailboxes, work: Work[SyncPorts]) -> None:
    del job
    async with work.finish() as tx:
        for notified in await store.sort_leftover_notifications(
            tx, work.tenant_id, work.now - LEFTOVER_AFTER, work.now
        ):
            await work.tell(
                tx, facts.NotificationReceived(mailbox_id=notified.mailbox_id, notifications=notified.notifications)
            )
        due = await store.due_for_sync(tx, work.now - work.outside.poll_every, work.now)
        work.found_nothing()  # what it asks for has rows of its own
        unseen = await outgoing_store.followed(tx, work.now - FOLLOW_EVERY)
        await work.enqueue(tx, *(SyncMailbox(mailbox_id) for mailbox_id in dict.fromkeys([*due, *unseen])))
        await work.enqueue(tx, *(FollowOutgoing(mailbox_id) for mailbox_id in unseen))


@works(RetryPutAside)
async def retry_put_aside(job: RetryPutAside, work: Work[SyncPorts]) -> None:
    del job
    async with work.finish() as tx:
        if not await lanes.begin_again(tx, rules.RETRIED_AFTER, work.now):
            work.found_nothing()


@works(ReconcileMailboxes)
async def reconcile_mailboxes(job: ReconcileMailboxes, work: Work[SyncPorts]) -> None:
    del job
    async with work.finish() as tx:
        mailboxes = await store.served(tx)
        await work.enqueue(tx, *(ReconcileMailbox(mailbox_id) for mailbox_id in mailboxes))
        stuck = await store.stuck_messages(tx, work.now - STUCK_AFTER)
        await work.enqueue(tx, *(FetchMessage(each.mailbox_id, each.id) for each in stuck))
        await outgoing_store.forget_outgoing(tx, work.now - SENT_KEPT_FOR)
