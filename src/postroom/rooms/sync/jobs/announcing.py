"""Announces messages, with a job for each that is new, in the transaction that moves the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.nouns.ids import MailboxId
from postroom.nouns.jobs import Enqueue, Priority
from postroom.nouns.providers import Glimpse
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.definitions import FetchMessage, FetchMessages, SyncMailbox
from postroom.rooms.sync.ports import SyncPorts


async def take_page(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, items: rules.WorkItems, source: str) -> None:
    await announce(tx, work, mailbox_id, items.to_fetch, source)
    await store.tombstone(tx, work.tenant_id, mailbox_id, items.tombstones, work.now)


async def announce(
    tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, glimpses: Sequence[Glimpse], source: str
) -> None:
    announced = await store.announce(tx, work.tenant_id, mailbox_id, glimpses, source, work.now)
    known = {glimpse.ref: glimpse for glimpse in glimpses}
    messages = [FetchMessage(mailbox_id, each.id, known.get(each.ref)) for each in announced if each.waits]
    await fetch_soon(tx, work, mailbox_id, messages, Priority.BACKFILL if source == "backfill" else Priority.LIVE)


async def fetch_soon(
    tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, messages: Sequence[FetchMessage], priority: Priority
) -> None:
    """One by itself, several by the batch."""
    for some in rules.jobs_for(messages):
        job = some[0] if len(some) == 1 else FetchMessages(mailbox_id, tuple(some))
        await work.enqueue(tx, Enqueue(job, priority=priority))


async def follow_hints(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId) -> bool:
    """An id that a notification named and the cursor did not show is fetched by itself. Whether there was any."""
    hints = await store.take_hints(tx, work.tenant_id, mailbox_id)
    if not hints:
        return False
    await announce(tx, work, mailbox_id, [Glimpse(each.ref) for each in hints if each.state is None], "hint")
    if len(hints) == store.HINTS_AT_ONCE:
        await work.enqueue(tx, SyncMailbox(mailbox_id))
    return True
