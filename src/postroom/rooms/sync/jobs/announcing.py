"""Announces messages, with a job for those that are new, in the transaction that moves the cursor.

A few new ones are fetched before that transaction and recorded in it: the usual mail takes one job and one commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.nouns.ids import MailboxId, MessageId, new_id
from postroom.nouns.jobs import Enqueue, Priority
from postroom.nouns.providers import Glimpse, ProviderRef
from postroom.ports import MailProvider
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.definitions import FetchMessage, FetchMessages, SyncMailbox
from postroom.rooms.sync.jobs.fetching import FetchFailure, Outcome, ParsedMessage, fetch_each, record, tell_arrived
from postroom.rooms.sync.ports import SyncPorts

FetchedAhead = Mapping[MessageId, Outcome]
NOTHING: FetchedAhead = MappingProxyType({})


async def fetch_ahead(
    work: Work[SyncPorts], provider: MailProvider, state: store.SyncState, glimpses: Sequence[Glimpse], source: str
) -> FetchedAhead:
    """What the page brings, if it is little. What fails gets its job, which has the time to try again."""
    if work.was_begun_before or state.paused or not 0 < len(glimpses) <= rules.FETCHED_AT_ONCE:
        return NOTHING
    unsure = [glimpse.ref for glimpse in glimpses if not rules.came_since(glimpse, state.synced_at)]
    held = await store.look_up_known(work.db, work.tenant_id, state.id, unsure) if unsure else ()
    new = {MessageId(new_id()): glimpse for glimpse in glimpses if glimpse.ref not in held}
    waiting = [_announced(message_id, glimpse.ref, state, source, work) for message_id, glimpse in new.items()]
    outcomes = await fetch_each(work, provider, waiting, new)
    return {each.announced.id: each for each in outcomes if not isinstance(each, FetchFailure)}


def _announced(
    message_id: MessageId, ref: ProviderRef, state: store.SyncState, source: str, work: Work[SyncPorts]
) -> store.AnnouncedMessage:
    return store.AnnouncedMessage(
        id=message_id,
        mailbox_id=state.id,
        provider_message_id=ref,
        source=source,
        announced_at=work.now,
        provider=state.provider,
        pipelines=state.pipelines,
        copilot=state.copilot,
        paused=state.paused,
        mailbox_status=state.status,
    )


def parsed_ahead(ahead: FetchedAhead) -> list[ParsedMessage]:
    return [each for each in ahead.values() if isinstance(each, ParsedMessage)]


async def take_page(
    tx: Tx,
    work: Work[SyncPorts],
    mailbox_id: MailboxId,
    items: rules.WorkItems,
    source: str,
    ahead: FetchedAhead = NOTHING,
    ours: Mapping[MessageId, store.Arrived] = MappingProxyType({}),
) -> None:
    """`ours` are those that became ours in this transaction, of what was fetched ahead."""
    parsed = parsed_ahead(ahead)
    await tell_arrived(tx, work, parsed, [ours[each.announced.id] for each in parsed if each.announced.id in ours])
    ids = {each.announced.provider_message_id: each.announced.id for each in ahead.values()}
    waiting = [glimpse for glimpse in items.to_fetch if ids.get(glimpse.ref) not in ours]
    await announce(tx, work, mailbox_id, waiting, source, ahead)
    await store.tombstone(tx, work.tenant_id, mailbox_id, items.tombstones, work.now)


async def announce(
    tx: Tx,
    work: Work[SyncPorts],
    mailbox_id: MailboxId,
    glimpses: Sequence[Glimpse],
    source: str,
    ahead: FetchedAhead = NOTHING,
) -> None:
    ids = {each.announced.provider_message_id: each.announced.id for each in ahead.values()}
    known = {glimpse.ref: glimpse for glimpse in glimpses}
    announced = await store.announce(tx, work.tenant_id, mailbox_id, known.values(), source, work.now, ids)
    if ahead:  # one that somebody else announced meanwhile has another id, and its job
        await record(tx, work, [ahead[each.id] for each in announced if each.id in ahead])
    waiting = [each for each in announced if each.waits and each.id not in ahead]
    messages = [FetchMessage(mailbox_id, each.id, known.get(each.ref)) for each in waiting]
    await fetch_soon(tx, work, mailbox_id, messages, Priority.BACKFILL if source == "backfill" else Priority.LIVE)


async def fetch_soon(
    tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, messages: Sequence[FetchMessage], priority: Priority
) -> None:
    """One by itself, several by the batch."""
    for some in rules.jobs_for(messages):
        job = some[0] if len(some) == 1 else FetchMessages(mailbox_id, tuple(some))
        await work.enqueue(tx, Enqueue(job, priority=priority))


async def follow_hints(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, hints: Sequence[store.Hint]) -> None:
    """An id that a notification named and the cursor did not show is fetched by itself."""
    unknown = [Glimpse(each.ref) for each in hints if each.state is None]
    await announce(tx, work, mailbox_id, unknown, "hint")
    if len(hints) == store.HINTS_AT_ONCE:
        await work.enqueue(tx, SyncMailbox(mailbox_id))
