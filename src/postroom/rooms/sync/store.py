"""Cursors, hints, messages and coverage in the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database, Tx
from postroom.engine.facts import as_json
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.errors import Unavailable
from postroom.nouns.ids import MailboxId, MessageId, TenantId, ThreadId, new_id
from postroom.nouns.provider_traits import SYNCED, traits
from postroom.nouns.providers import Cursor, Glimpse, MailboxEndpoint, ProviderName, ProviderRef
from postroom.rooms.sync.rules import PUSH_EXPECTED_WITHIN, Compared

QUERIES = sql.load(__package__ or "")
HINTS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class SyncState:
    """How far a mailbox was read: its cursor, its resync, its pushes."""

    id: MailboxId
    tenant_id: TenantId
    address: str
    provider: ProviderName
    access: str
    folder: str
    status: str
    paused: bool
    delivery: str
    silent_runs: int
    pipelines: list[str]
    copilot: CopilotMode
    connected_at: datetime
    cursor: Cursor | None
    synced_at: datetime | None
    resync_since: datetime | None
    resync_page: str | None
    resync_cursor: Cursor | None
    resync_found: int | None
    resync_attempts: int | None
    last_push_at: datetime | None
    in_outage: bool

    @property
    def is_open(self) -> bool:
        return traits(self.provider).is_synced and self.status not in {"paused", "disconnected", "token_refresh_failed"}

    @property
    def endpoint(self) -> MailboxEndpoint:
        return MailboxEndpoint(self.provider, self.access, self.address, self.folder, self.connected_at)


@dataclass(frozen=True, slots=True)
class Announced:
    """The outcome of announcing: whether it is news to us."""

    id: MessageId
    ref: ProviderRef
    is_new: bool
    state: str

    @property
    def waits(self) -> bool:
        """To be fetched: new, or back after it was gone."""
        return self.is_new or self.state == "announced"  # what failed waits for its job, or for a person


@dataclass(frozen=True, slots=True)
class AnnouncedMessage:
    """A message that was announced and is to be fetched."""

    id: MessageId
    mailbox_id: MailboxId
    provider_message_id: ProviderRef
    source: str
    announced_at: datetime
    provider: ProviderName
    pipelines: list[str]
    copilot: CopilotMode
    paused: bool
    mailbox_status: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message that became ours just now."""

    id: MessageId
    thread_id: ThreadId
    client_book: bool  # whether the tenant keeps one


@dataclass(frozen=True, slots=True)
class ReconcileRun:
    since: datetime
    started_at: datetime
    listed: int
    held: int
    failed: int
    unannounced: int
    missing: list[str]


@dataclass(frozen=True, slots=True)
class Hint:
    """A message that a notification named, and its state if we know it."""

    ref: ProviderRef
    state: str | None


@dataclass(frozen=True, slots=True)
class Moved:
    """Whether the cursor moved, and the hints that were taken with it."""

    moved: bool
    taken: list[dict[str, str | None]]

    @property
    def hints(self) -> list[Hint]:
        return msgspec.convert(self.taken, list[Hint])


@dataclass(frozen=True, slots=True)
class KnownRef:
    ref: str
    state: str


@dataclass(frozen=True, slots=True)
class PutAside:
    """A message whose job is put aside, and why."""

    id: MessageId
    reason: str | None


@dataclass(frozen=True, slots=True)
class NotTakenIn:
    """Messages of a mailbox that were announced and are not ours."""

    waiting: int
    failed: int


@dataclass(frozen=True, slots=True)
class Polled:
    messages: int
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class NotifiedMailbox:
    """A mailbox that notifications were for, and how many."""

    mailbox_id: MailboxId
    notifications: int


@dataclass(frozen=True, slots=True)
class StuckMessage:
    id: MessageId
    mailbox_id: MailboxId


async def sync_state(tx: Tx, mailbox_id: MailboxId) -> SyncState | None:
    return await tx.row(QUERIES.sync_state, SyncState, ids=[mailbox_id])


async def look_up_sync_state(db: Database, tenant_id: TenantId, mailbox_id: MailboxId) -> SyncState | None:
    """The same for who has no transaction: one trip for all who ask at this moment."""
    return await db.look_up(tenant_id, QUERIES.sync_state, SyncState, mailbox_id)


async def seed_cursor(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, cursor: Cursor, now: datetime) -> None:
    await tx.run(QUERIES.seed_cursor, tenant_id=tenant_id, mailbox_id=mailbox_id, cursor=cursor, now=now)


async def move_cursor(
    tx: Tx,
    tenant_id: TenantId,
    mailbox_id: MailboxId,
    was: Cursor | None,
    cursor: Cursor,
    now: datetime,
    *,
    resyncing: bool = False,
    complete: bool = True,
    pushed: bool = False,
) -> Moved:
    """Forward only: from where we read, to what came next. `complete` when nothing older is left to read: then hints
    are taken, and whoever takes them follows them in the same commit. `pushed`: so was what a poll just found."""
    values = {"was": was, "cursor": cursor, "now": now, "most": HINTS_AT_ONCE}
    where = {"tenant_id": tenant_id, "mailbox_id": mailbox_id}
    how = {"resyncing": resyncing, "complete": complete, "pushed_after": now - PUSH_EXPECTED_WITHIN if pushed else None}
    [moved] = await tx.rows(QUERIES.move_cursor, Moved, **where, **values, **how)
    return moved


async def start_resync(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, since: datetime) -> None:
    await tx.run(QUERIES.start_resync, tenant_id=tenant_id, mailbox_id=mailbox_id, since=since)


async def note_unlisted(tx: Tx, mailbox_id: MailboxId, since: datetime, till: datetime) -> None:
    await tx.run(QUERIES.note_unlisted, mailbox_id=mailbox_id, since=since, till=till)


async def seed_resync(tx: Tx, mailbox_id: MailboxId, cursor: Cursor) -> None:
    await tx.run(QUERIES.seed_resync, mailbox_id=mailbox_id, cursor=cursor)


async def turn_resync_page(tx: Tx, mailbox_id: MailboxId, page: str, found: int) -> None:
    await tx.run(QUERIES.turn_resync_page, mailbox_id=mailbox_id, page=page, found=found)


async def end_resync(tx: Tx, mailbox_id: MailboxId, now: datetime) -> int | None:
    """How many were listed on the pages before; None when there was no resync to end."""
    found: int | None = await tx.value(QUERIES.end_resync, mailbox_id=mailbox_id, now=now)
    return found


async def announce(
    tx: Tx,
    tenant_id: TenantId,
    mailbox_id: MailboxId,
    glimpses: Iterable[Glimpse],
    source: str,
    now: datetime,
    ids: Mapping[ProviderRef, MessageId] | None = None,
) -> list[Announced]:
    """Write down what is there; only what is new to us is marked so. `ids` are those that were given already."""
    given = ids or {}
    rows = [
        {
            "id": given.get(glimpse.ref) or new_id(),
            "ref": glimpse.ref,
            "received_at": glimpse.received_at,
            "subject": glimpse.subject or None,
            "sender": glimpse.sender or None,
            "labels": sorted(glimpse.labels),
            "version": glimpse.version,
        }
        for glimpse in sorted(glimpses, key=lambda glimpse: glimpse.ref)
    ]
    if not rows:
        return []
    return await tx.rows(
        QUERIES.announce,
        Announced,
        tenant_id=tenant_id,
        mailbox_id=mailbox_id,
        glimpses=as_json(rows),
        source=source,
        now=now,
    )


async def look_up_known(
    db: Database, tenant_id: TenantId, mailbox_id: MailboxId, refs: Sequence[ProviderRef]
) -> set[ProviderRef]:
    """Those of them that we know, for who has no transaction."""
    values = {"tenant_id": tenant_id, "mailbox_id": mailbox_id, "refs": list(refs)}
    return {ProviderRef(each.ref) for each in await db.look(tenant_id, QUERIES.known_refs, KnownRef, **values)}


async def known_refs(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, refs: Iterable[str]) -> dict[str, str]:
    """The state of each that we know."""
    found = await tx.rows(QUERIES.known_refs, KnownRef, tenant_id=tenant_id, mailbox_id=mailbox_id, refs=list(refs))
    return {each.ref: each.state for each in found}


async def note_failed(tx: Tx, message_id: MessageId, because: str, now: datetime) -> None:
    """Put aside, with the job's reason: shown, and not held."""
    await tx.run(QUERIES.note_failed, message_id=message_id, because=because, now=now)


async def put_aside(tx: Tx, mailbox_id: MailboxId) -> list[PutAside]:
    return await tx.rows(QUERIES.put_aside, PutAside, mailbox_id=mailbox_id)


async def not_taken_in(tx: Tx, mailbox_id: MailboxId) -> NotTakenIn:
    return await tx.row(QUERIES.not_taken_in, NotTakenIn, mailbox_id=mailbox_id) or NotTakenIn(0, 0)


async def polled(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId) -> Polled:
    """What came since the last audit without a push."""
    found = await tx.row(QUERIES.polled, Polled, tenant_id=tenant_id, mailbox_id=mailbox_id)
    return found or Polled(0, None)


async def tombstone(
    tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, refs: Sequence[ProviderRef], now: datetime
) -> None:
    if refs:
        await tx.run(QUERIES.tombstone, tenant_id=tenant_id, mailbox_id=mailbox_id, refs=list(refs), now=now)


async def announced_messages(
    db: Database, tenant_id: TenantId, message_ids: Sequence[MessageId]
) -> list[AnnouncedMessage]:
    """Those of them that still wait to be fetched."""
    return await db.look(tenant_id, QUERIES.announced, AnnouncedMessage, message_ids=list(message_ids))


async def arrive(tx: Tx, columns: Sequence[Mapping[str, Any]], now: datetime) -> list[Arrived]:
    """With their threads, those that became ours by this; the others were ours already."""
    if not columns:
        return []
    rows = [{**each, "thread_id": new_id()} for each in columns]
    return await tx.rows(QUERIES.arrive, Arrived, messages=as_json(rows), now=now)


async def take_in(tx: Tx, tenant_id: TenantId, columns: Sequence[Mapping[str, Any]], now: datetime) -> list[Arrived]:
    """The same for messages that nobody announced; each says its `mailbox_id`, its `ref` and its `source`."""
    if not columns:
        return []
    rows = [{**each, "thread_id": new_id()} for each in columns]
    try:
        return await tx.rows(QUERIES.take_in, Arrived, tenant_id=tenant_id, messages=as_json(rows), now=now)
    except DatabaseError as problem:
        if problem.constraint == "message_arrives_once":
            raise Unavailable("Somebody else announced this mail at the same moment: the sync begins anew.") from None
        raise


async def mark_gone(tx: Tx, message_id: MessageId, because: str, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.mark_gone, message_id=message_id, because=because, now=now))


async def sort_leftover_notifications(
    tx: Tx, tenant_id: TenantId, before: datetime, now: datetime
) -> list[NotifiedMailbox]:
    return await tx.rows(
        QUERIES.sort_leftover_notifications, NotifiedMailbox, tenant_id=tenant_id, before=before, now=now
    )


async def due_for_sync(tx: Tx, before: datetime, now: datetime) -> list[MailboxId]:
    values = {"before": before, "now": now, "providers": list(SYNCED)}
    return [MailboxId(each) for each in await tx.values(QUERIES.due_for_sync, **values)]


async def served(tx: Tx) -> list[MailboxId]:
    return [MailboxId(each) for each in await tx.values(QUERIES.served, providers=list(SYNCED))]


async def stuck_messages(tx: Tx, before: datetime) -> list[StuckMessage]:
    return await tx.rows(QUERIES.stuck_messages, StuckMessage, before=before)


async def start_reconcile(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, since: datetime, now: datetime) -> None:
    await tx.run(QUERIES.start_reconcile, tenant_id=tenant_id, mailbox_id=mailbox_id, since=since, now=now)


async def reconcile_page(tx: Tx, mailbox_id: MailboxId, *, compared: Compared, unannounced: int) -> None:
    missing = [glimpse.ref for glimpse in compared.missing]
    counts = {"listed": compared.listed, "held": compared.held, "failed": compared.failed}
    await tx.run(QUERIES.reconcile_page, mailbox_id=mailbox_id, unannounced=unannounced, missing=missing, **counts)


async def end_reconcile(tx: Tx, mailbox_id: MailboxId) -> ReconcileRun | None:
    return await tx.row(QUERIES.end_reconcile, ReconcileRun, mailbox_id=mailbox_id)


async def add_coverage(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, run: ReconcileRun, now: datetime) -> None:
    await tx.run(
        QUERIES.add_coverage,
        tenant_id=tenant_id,
        mailbox_id=mailbox_id,
        since=run.since,
        now=now,
        listed=run.listed,
        held=run.held,
        failed=run.failed,
        unannounced=run.unannounced,
        missing=run.missing,
    )


async def last_push(tx: Tx, mailbox_id: MailboxId) -> datetime | None:
    at: datetime | None = await tx.value(QUERIES.last_push, mailbox_id=mailbox_id)
    return at


async def set_delivery(tx: Tx, mailbox_id: MailboxId, delivery: str, silent_runs: int) -> None:
    await tx.run(QUERIES.set_delivery, mailbox_id=mailbox_id, delivery=delivery, silent_runs=silent_runs)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a provider listed against what we hold."""

    id: int
    mailbox_id: MailboxId
    since: datetime
    checked_at: datetime
    listed: int
    held: int
    failed: int
    unannounced: int
    missing: list[str]
    reasons: dict[str, Any]


async def coverages(tx: Tx, mailbox_id: UUID, most: int = 20) -> list[Coverage]:
    return await tx.rows(QUERIES.coverages, Coverage, mailbox_id=mailbox_id, most=most)
