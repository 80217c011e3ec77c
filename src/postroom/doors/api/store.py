"""The API's own table, and lists over what the rooms wrote. It writes `idempotency` and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import TellingFact
from postroom.nouns.ids import InvoiceId, JobId, TenantId
from postroom.rooms.documents.store.invoices import BookedInvoice
from postroom.rooms.sync.store import MessageRow, ThreadRow

QUERIES = sql.load(__package__ or "")
SCAN = 5000  # facts that one page looks through at most
BEYOND = (2**62, 2**62)


@dataclass(frozen=True, slots=True)
class HeldKey:
    """An idempotency key, with whose request holds it."""

    request: bytes
    claim: UUID
    answer: bytes | None


@dataclass(frozen=True, slots=True)
class Arrivals:
    messages: int
    median: float | None
    p95: float | None
    slowest: float | None


@dataclass(frozen=True, slots=True)
class RetryProgress:
    """How far many have come that were asked for again; a job asked for twice counts once."""

    total: int
    done: int
    failed: int
    later: int

    @property
    def over(self) -> bool:
        return self.done + self.failed >= self.total


@dataclass(frozen=True, slots=True)
class DocumentCount:
    kind: str
    status: str
    documents: int


async def claim_key(
    tx: Tx,
    tenant_id: TenantId,
    actor: str,
    key: str,
    request: bytes,
    claim: UUID,
    now: datetime,
    *,
    kept_since: datetime,
    dead_since: datetime,
) -> HeldKey:
    await tx.run(QUERIES.forget_keys, kept_since=kept_since)
    values = {"actor": actor, "key": key, "request": request, "claim": claim, "now": now}
    held = await tx.row(
        QUERIES.claim_key, HeldKey, tenant_id=tenant_id, kept_since=kept_since, dead_since=dead_since, **values
    )
    assert held is not None
    return held


async def release_key(tx: Tx, actor: str, key: str, claim: UUID) -> None:
    await tx.run(QUERIES.release_key, actor=actor, key=key, claim=claim)


async def keep_answer(tx: Tx, actor: str, key: str, claim: UUID, answer: bytes) -> None:
    await tx.run(QUERIES.keep_answer, actor=actor, key=key, claim=claim, answer=answer)


async def messages(
    tx: Tx,
    most: int,
    before: tuple[datetime, UUID] | None = None,
    *,
    mailbox_id: UUID | None = None,
    thread_id: UUID | None = None,
    provider_message_id: str | None = None,
    state: str | None = None,
    status: str | None = None,
    pipeline: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[MessageRow]:
    """Newest first."""
    return await tx.rows(
        QUERIES.messages if status is None else QUERIES.messages_of_status,
        MessageRow,
        mailbox_id=mailbox_id,
        thread_id=thread_id,
        provider_message_id=provider_message_id,
        state=state,
        status=status,
        pipeline=pipeline,
        since=since,
        until=until,
        most=most,
        **_keyset(before),
    )


async def mailbox_of(tx: Tx, address: str) -> UUID | None:
    """The mailbox of an address; of several, the one that was connected last."""
    found: UUID | None = await tx.value(QUERIES.mailbox_of, address=address.lower())
    return found


async def threads(
    tx: Tx, most: int, before: tuple[datetime, UUID] | None = None, *, mailbox_id: UUID | None = None
) -> list[ThreadRow]:
    return await tx.rows(QUERIES.threads, ThreadRow, mailbox_id=mailbox_id, most=most, **_keyset(before))


def _keyset(before: tuple[datetime, UUID] | None) -> dict[str, Any]:
    return {"before_at": before[0] if before else None, "before_id": before[1] if before else None}


async def jobs_of_message(tx: Tx, message_id: UUID, kinds: list[str]) -> list[JobId]:
    return [JobId(job) for job in await tx.values(QUERIES.jobs_of_message, message_id=message_id, kinds=kinds)]


async def newest_attempt(tx: Tx) -> int:
    number: int = await tx.value(QUERIES.newest_attempt)
    return number


async def progress(tx: Tx, since: datetime, till: datetime, after: int, mark: str) -> RetryProgress:
    """How far the tries have come that somebody asked for within a moment."""
    found = await tx.row(QUERIES.retry_progress, RetryProgress, since=since, till=till, after=after, mark=mark)
    return found or RetryProgress(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts; the last five are found by looking through the others."""

    kind: str | None = None
    message_id: UUID | None = None
    document_id: UUID | None = None
    mailbox_id: UUID | None = None
    thread_id: UUID | None = None
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def by_looking(self) -> bool:
        return any([self.mailbox_id, self.thread_id, self.actor, self.since, self.until])


@dataclass(frozen=True, slots=True)
class TransactionSpan:
    """Between which transactions facts of a time were told."""

    after_xid: int | None
    before_xid: int | None


@dataclass(frozen=True, slots=True)
class FactPlace:
    xid: int
    id: int


async def facts(
    tx: Tx, limit: int, before: tuple[int, int] | None, asked: FactFilter
) -> tuple[list[TellingFact], tuple[int, int] | None]:
    """A page, newest first, and where the next begins. It may be short, or empty, although there is a next one."""
    span = await _span(tx, asked.since, asked.until)
    start = min(before or BEYOND, (BEYOND[0] if span.before_xid is None else span.before_xid, BEYOND[1]))
    scan = SCAN if asked.by_looking else limit + 1
    where = {"before_xid": start[0], "before_id": start[1], "after_xid": span.after_xid or 0, "scan": scan}
    values = {**where, "kind": asked.kind, "message_id": asked.message_id, "document_id": asked.document_id}
    by_looking = {name: getattr(asked, name) for name in ("mailbox_id", "thread_id", "actor", "since", "until")}
    rows = await tx.rows(QUERIES.facts, TellingFact, most=limit + 1, **values, **by_looking)
    if len(rows) > limit:
        return rows[:limit], (rows[limit - 1].xid, rows[limit - 1].id)
    end = await tx.row(QUERIES.scan_end, FactPlace, **values) if asked.by_looking else None
    return rows, (end.xid, end.id) if end else None


async def _span(tx: Tx, since: datetime | None, until: datetime | None) -> TransactionSpan:
    if since is None and until is None:
        return TransactionSpan(None, None)
    return await tx.row(QUERIES.span, TransactionSpan, since=since, until=until) or TransactionSpan(None, None)


async def arrivals(tx: Tx, since: datetime, *, from_provider: bool) -> Arrivals:
    found = await tx.row(QUERIES.arrivals, Arrivals, since=since, from_provider=from_provider)
    return found or Arrivals(0, None, None, None)


async def documents(tx: Tx) -> list[DocumentCount]:
    return await tx.rows(QUERIES.documents, DocumentCount)


async def invoice(tx: Tx, invoice_id: InvoiceId) -> BookedInvoice | None:
    return await tx.row(QUERIES.invoice, BookedInvoice, id=invoice_id)
