"""What news asks for: announced, and a job for each message that is new, in the transaction that moves the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.nouns.ids import MailboxId
from postroom.nouns.jobs import Enqueue, Priority
from postroom.nouns.providers import Glimpse
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.definitions import SyncMailbox, SyncPorts, TakeIn, TakeInMany


async def take_page(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, items: rules.WorkItems, source: str) -> None:
    await announce(tx, work, mailbox_id, items.take_in, source)
    await store.tombstone(tx, work.tenant_id, mailbox_id, items.tombstones, work.now)


async def announce(
    tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, glimpses: Sequence[Glimpse], source: str
) -> None:
    announced = await store.announce(tx, work.tenant_id, mailbox_id, glimpses, source, work.now)
    known = {glimpse.ref: glimpse for glimpse in glimpses}
    letters = [TakeIn(mailbox_id, each.id, known.get(each.ref)) for each in announced if each.waits]
    await take_in_soon(tx, work, mailbox_id, letters, Priority.BACKFILL if source == "backfill" else Priority.LIVE)


async def take_in_soon(
    tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, letters: Sequence[TakeIn], priority: Priority
) -> None:
    """A few by themselves, many by the handful."""
    for some in rules.deal(letters):
        job = some[0] if len(some) == 1 else TakeInMany(mailbox_id, tuple(some))
        await work.enqueue(tx, Enqueue(job, priority=priority))


async def follow_hints(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId) -> None:
    """An id that a bell named and the cursor did not show is fetched by itself."""
    hints = await store.pending_hints(tx, mailbox_id)
    if not hints:
        return
    held = await store.held_refs(tx, work.tenant_id, mailbox_id, hints, even_gone=True)
    await announce(tx, work, mailbox_id, [Glimpse(ref) for ref in hints if ref not in held], "hint")
    await store.drop_hints(tx, mailbox_id, hints)
    if len(hints) == store.HINTS_AT_ONCE:
        await work.enqueue(tx, SyncMailbox(mailbox_id))
