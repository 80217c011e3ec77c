"""Sent mail and drafts of threads that we know, and how far they were read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.ids import MailboxId, TenantId, ThreadId
from postroom.nouns.providers import Cursor, Glimpse, ProviderName, ProviderRef

QUERIES = sql.load(__package__ or "", "outgoing.sql")
OPEN_THREADS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class KnownMessage:
    """A message that is ours, and the label that its thread should bear."""

    ref: ProviderRef
    thread_id: ThreadId
    thread_ref: ProviderRef
    removed: bool
    triaged: bool
    label: str | None
    label_intended: str | None


@dataclass(frozen=True, slots=True)
class OutgoingState:
    provider: ProviderName
    status: str
    copilot: CopilotMode
    cursor: Cursor | None

    @property
    def is_followed(self) -> bool:
        return self.copilot != "off" and self.status not in {"paused", "disconnected", "token_refresh_failed"}


@dataclass(frozen=True, slots=True)
class KnownThread:
    id: ThreadId
    ref: ProviderRef


@dataclass(frozen=True, slots=True)
class DroppedMessage:
    id: ThreadId
    thread_ref: ProviderRef
    ref: ProviderRef


async def known_messages(
    tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, refs: Sequence[ProviderRef]
) -> list[KnownMessage]:
    return await tx.rows(
        QUERIES.known_messages, KnownMessage, tenant_id=tenant_id, mailbox_id=mailbox_id, refs=list(refs)
    )


async def outgoing_state(tx: Tx, mailbox_id: MailboxId) -> OutgoingState | None:
    return await tx.row(QUERIES.outgoing_state, OutgoingState, mailbox_id=mailbox_id)


async def move_outgoing_cursor(
    tx: Tx, mailbox_id: MailboxId, was: Cursor | None, cursor: Cursor, now: datetime
) -> bool:
    return bool(await tx.run(QUERIES.move_outgoing_cursor, mailbox_id=mailbox_id, was=was, cursor=cursor, now=now))


async def known_threads(
    tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, refs: Sequence[ProviderRef]
) -> list[KnownThread]:
    return await tx.rows(
        QUERIES.known_threads, KnownThread, tenant_id=tenant_id, mailbox_id=mailbox_id, refs=list(refs)
    )


async def keep_outgoing(
    tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, seen: Sequence[Glimpse], now: datetime
) -> None:
    rows = [
        {"ref": one.ref, "thread_ref": one.thread_ref, "draft": one.is_draft, "version": one.version} for one in seen
    ]
    await tx.run(QUERIES.keep_outgoing, tenant_id=tenant_id, mailbox_id=mailbox_id, seen=as_json(rows), now=now)


async def drop_outgoing(tx: Tx, mailbox_id: MailboxId, refs: Sequence[ProviderRef]) -> list[DroppedMessage]:
    return await tx.rows(QUERIES.drop_outgoing, DroppedMessage, mailbox_id=mailbox_id, refs=list(refs))


async def open_threads(tx: Tx, mailbox_id: MailboxId) -> list[KnownThread]:
    return await tx.rows(QUERIES.open_threads, KnownThread, mailbox_id=mailbox_id, most=OPEN_THREADS_AT_ONCE)


async def followed(tx: Tx, before: datetime) -> list[MailboxId]:
    """Mailboxes whose Sent and Drafts were not read since."""
    return [MailboxId(each) for each in await tx.values(QUERIES.followed, before=before)]


async def is_awaited(tx: Tx, mailbox_id: MailboxId, since: datetime, most: int) -> bool:
    """Whether a draft was written there since, of the newest few mailboxes of the tenant, and no push tells of it."""
    return bool(await tx.value(QUERIES.is_awaited, mailbox_id=mailbox_id, since=since, most=most))


async def forget_outgoing(tx: Tx, before: datetime) -> int:
    return await tx.run(QUERIES.forget_outgoing, before=before)
