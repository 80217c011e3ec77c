"""Lists and counts as the pages show them. Each costs the same however much there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import TellingFact
from postroom.engine.queue import StateName
from postroom.nouns.ids import JobId, MailboxId, MessageId, TenantId

QUERIES = sql.load(__package__ or "")
SCAN = 3000  # rows that one page looks through at most when nothing but a scan can answer
SETTLED = timedelta(minutes=10)  # after that nothing is told any more with an earlier time


@dataclass(frozen=True, slots=True)
class OpenWork:
    """What waits for a person."""

    review: int
    unreadable: int
    aside: int
    mailboxes: int

    @property
    def documents(self) -> int:
        """Documents that somebody must look at: to review, or not readable by us."""
        return self.review + self.unreadable

    @property
    def total(self) -> int:
        return self.documents + self.aside + self.mailboxes


@dataclass(frozen=True, slots=True)
class DocumentTally:
    kind: str
    status: str
    count: int


@dataclass(frozen=True, slots=True)
class MessageListed:
    """A message in the list."""

    id: MessageId
    mailbox_id: MailboxId
    mailbox: str
    state: str
    because: str | None
    sender_email: str | None
    sender_name: str | None
    subject: str | None
    snippet: str | None
    files: int
    automatic: str | None
    trust: str | None
    received_at: datetime | None
    announced_at: datetime
    status: dict[str, Any]

    @property
    def cursor(self) -> str:
        return as_cursor(self.received_at, self.id)


@dataclass(frozen=True, slots=True)
class StuckJob:
    """A job that waits for a person, or for its next try."""

    id: JobId
    kind: str
    key: str | None
    state: StateName
    mailbox_id: UUID | None
    tries: int
    parked_for: str | None
    reason: str | None
    created_at: datetime
    run_at: datetime


@dataclass(frozen=True, slots=True)
class _Hour:
    hour: int
    count: int


@dataclass(frozen=True, slots=True)
class _Label:
    id: UUID
    label: str


@dataclass(frozen=True, slots=True)
class _End:
    received_at: datetime | None
    id: UUID


@dataclass(frozen=True, slots=True)
class MessagePage:
    """One page of messages, and where the next begins."""

    messages: list[MessageListed]
    after: str | None
    looked_through: int = 0


async def needs(tx: Tx) -> OpenWork:
    found = await tx.row(QUERIES.needs, OpenWork)
    assert found is not None
    return found


async def tally(tx: Tx) -> list[DocumentTally]:
    return await tx.rows(QUERIES.tally, DocumentTally)


def as_cursor(at: datetime | None, row: UUID) -> str:
    return f"{at.isoformat() if at else ''}~{row}"


def from_cursor(text: str) -> tuple[datetime, UUID] | None:
    at, _, row = text.partition("~")
    try:
        return datetime.fromisoformat(at), UUID(row)
    except ValueError:
        return None


async def messages(
    tx: Tx, *, mailbox_id: UUID | None, status: str | None, words: str | None, before: str, most: int = 50
) -> MessagePage:
    """Newest first. A search looks through so many messages a page, and says where to look on."""
    at = from_cursor(before)
    keyset = {"before_at": at[0] if at else None, "before_id": at[1] if at else None, "mailbox_id": mailbox_id}
    like = f"%{words}%" if words else None
    if status == "failed":
        found = await tx.rows(QUERIES.failed_messages, MessageListed, words=like, most=most, **keyset)
        return MessagePage(found, found[-1].cursor if len(found) == most else None)
    filtered = bool(status or words)
    scan = SCAN if filtered else most
    found = await tx.rows(QUERIES.messages, MessageListed, status=status, words=like, scan=scan, most=most, **keyset)
    if len(found) == most:
        return MessagePage(found, found[-1].cursor)
    end = await tx.row(QUERIES.scan_end, _End, scan=SCAN, **keyset) if filtered else None
    return MessagePage(found, as_cursor(end.received_at, end.id) if end else None, SCAN if end else 0)


async def facts(
    tx: Tx,
    *,
    kind: str | None = None,
    group: str | None = None,
    mailbox_id: UUID | None = None,
    actor: str | None = None,
    words: str | None = None,
    until: datetime | None = None,
    before: str = "",
    quiet: bool = False,
    most: int = 100,
) -> list[TellingFact]:
    """Newest first."""
    asked = {
        "mailbox_id": mailbox_id,
        "actor": f"%{actor}%" if actor else None,
        "words": f"%{words}%" if words else None,
    }
    scan = SCAN if any([kind, group, mailbox_id, actor, words, until, quiet]) else most
    if kind:
        at, row = _moment(before, until)
        values = {"kind": kind, "before_at": at, "before_id": row, "scan": scan, "most": most}
        return await tx.rows(QUERIES.facts_of_kind, TellingFact, **values, **asked)
    xid, last = _position(before)
    return await tx.rows(
        QUERIES.facts,
        TellingFact,
        group=group,
        until=until,
        quiet=quiet,
        before_xid=xid,
        before_id=last,
        scan=scan,
        most=most,
        **asked,
    )


def _position(text: str) -> tuple[int, int]:
    xid, _, row = text.partition("-")
    return (int(xid), int(row)) if xid.isdecimal() and row.isdecimal() else (2**62, 2**62)


def _moment(text: str, until: datetime | None) -> tuple[datetime, int]:
    at, _, row = text.partition("~")
    try:
        return datetime.fromisoformat(at), int(row)
    except ValueError:
        return until or datetime(9999, 1, 1, tzinfo=UTC), 0


async def walk_of_message(tx: Tx, message_id: UUID) -> list[TellingFact]:
    return await tx.rows(QUERIES.walk_of_message, TellingFact, message_id=message_id)


async def walk_of_document(tx: Tx, document_id: UUID) -> list[TellingFact]:
    return await tx.rows(QUERIES.walk_of_document, TellingFact, document_id=document_id)


async def labels(tx: Tx, facts: Sequence[TellingFact]) -> dict[UUID, str]:
    """Names of the mailboxes, messages and documents that these facts are about."""
    rows = await tx.rows(
        QUERIES.labels,
        _Label,
        messages=list({fact.message_id for fact in facts if fact.message_id}),
        documents=list({fact.document_id for fact in facts if fact.document_id}),
        mailboxes=list({fact.mailbox_id for fact in facts if fact.mailbox_id}),
    )
    return {row.id: row.label for row in rows}


@dataclass(frozen=True, slots=True)
class KeptOfMessage:
    """Which files were fetched, and whether its words are forgotten by now."""

    forgotten_at: datetime | None
    fetched: list[str]


async def kept_of_message(tx: Tx, message_id: UUID) -> KeptOfMessage:
    return await tx.row(QUERIES.kept_of_message, KeptOfMessage, message_id=message_id) or KeptOfMessage(None, [])


async def kinds(tx: Tx) -> list[str]:
    return await tx.values(QUERIES.kinds)


async def aside(
    tx: Tx,
    *,
    state: StateName | None = None,
    kind: str | None = None,
    mailbox_id: UUID | None = None,
    before: int = 2**62,
    most: int = 100,
) -> list[StuckJob]:
    values = {"state": state, "kind": kind, "mailbox_id": mailbox_id, "before": before}
    return await tx.rows(QUERIES.aside, StuckJob, most=most, **values)


async def waiting(tx: Tx, mailbox_id: UUID | None = None, most: int = 50) -> list[StuckJob]:
    return await tx.rows(QUERIES.waiting, StuckJob, mailbox_id=mailbox_id, most=most)


class Throughput:
    """Facts by the hour. An hour that is over is counted once and remembered, so a busy day costs no page anything."""

    def __init__(self) -> None:
        self._known: dict[tuple[TenantId, str, int], int] = {}

    async def last(
        self, tx: Tx, tenant_id: TenantId, kinds: Sequence[str], now: datetime, hours: int = 24
    ) -> dict[str, list[int]]:
        newest = int(now.timestamp() // 3600)
        span = range(newest - hours + 1, newest + 1)
        return {kind: await self._of(tx, tenant_id, kind, span, now) for kind in kinds}

    async def _of(self, tx: Tx, tenant_id: TenantId, kind: str, span: range, now: datetime) -> list[int]:
        missing = [hour for hour in span if (tenant_id, kind, hour) not in self._known]
        fresh: dict[int, int] = {}
        if missing:
            since, until = _hour_at(missing[0]), _hour_at(missing[-1] + 1)
            rows = await tx.rows(QUERIES.hours, _Hour, kind=kind, since=since, until=until)
            fresh = {row.hour: row.count for row in rows}
            self._remember(tenant_id, kind, missing, fresh, now)
        return [self._known.get((tenant_id, kind, hour), fresh.get(hour, 0)) for hour in span]

    def _remember(self, tenant: TenantId, kind: str, hours: list[int], counts: dict[int, int], now: datetime) -> None:
        if len(self._known) > 100_000:
            self._known.clear()
        for hour in hours:
            if _hour_at(hour + 1) + SETTLED < now:
                self._known[(tenant, kind, hour)] = counts.get(hour, 0)


def _hour_at(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * 3600, UTC)
