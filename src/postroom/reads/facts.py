"""The audit trail, searched: facts by kind, time, mailbox, message or actor, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import TellingFact
from postroom.nouns.moments import in_utc

QUERIES = sql.load(__package__ or "", "facts.sql")
SCAN = 5000  # facts that one page looks through at most
BEYOND = (2**62, 2**62)


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


@dataclass(frozen=True, slots=True)
class _Label:
    id: UUID
    label: str


async def search(
    tx: Tx, limit: int, before: tuple[int, int] | None, asked: FactFilter
) -> tuple[list[TellingFact], tuple[int, int] | None]:
    """A page, newest first, and where the next begins. It may be short, or empty, although there is a next one."""
    span = await _span(tx, asked.since, asked.until)
    start = min(before or BEYOND, (BEYOND[0] if span.before_xid is None else span.before_xid, BEYOND[1]))
    scan = SCAN if asked.by_looking else limit + 1
    where = {"before_xid": start[0], "before_id": start[1], "after_xid": span.after_xid or 0, "scan": scan}
    values = {**where, "kind": asked.kind, "message_id": asked.message_id, "document_id": asked.document_id}
    by_looking = {name: getattr(asked, name) for name in ("mailbox_id", "thread_id", "actor", "since", "until")}
    rows = await tx.rows(QUERIES.searched_facts, TellingFact, most=limit + 1, **values, **by_looking)
    if len(rows) > limit:
        return rows[:limit], (rows[limit - 1].xid, rows[limit - 1].id)
    end = await tx.row(QUERIES.searched_till, FactPlace, **values) if asked.by_looking else None
    return rows, (end.xid, end.id) if end else None


async def _span(tx: Tx, since: datetime | None, until: datetime | None) -> TransactionSpan:
    if since is None and until is None:
        return TransactionSpan(None, None)
    return await tx.row(QUERIES.span, TransactionSpan, since=since, until=until) or TransactionSpan(None, None)


async def recent(
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
    """Newest first, by parts of names and words too. `quiet` leaves out what only machines care about."""
    asked = {
        "mailbox_id": mailbox_id,
        "actor": sql.containing(actor),
        "words": sql.containing(words),
    }
    scan = SCAN if any([kind, group, mailbox_id, actor, words, until, quiet]) else most
    if kind:
        at, row = _moment(before, until)
        values = {"kind": kind, "before_at": at, "before_id": row, "scan": scan, "most": most}
        return await tx.rows(QUERIES.facts_of_kind, TellingFact, **values, **asked)
    xid, last = _position(before)
    where = {"before_xid": xid, "before_id": last, "scan": scan, "most": most}
    return await tx.rows(QUERIES.recent_facts, TellingFact, group=group, until=until, quiet=quiet, **where, **asked)


def _position(text: str) -> tuple[int, int]:
    xid, _, row = text.partition("-")
    if not (xid.isdecimal() and row.isdecimal()):
        return BEYOND
    return min((int(xid), min(int(row), BEYOND[1])), BEYOND)


def _moment(text: str, until: datetime | None) -> tuple[datetime, int]:
    at, _, row = text.partition("~")
    try:
        return in_utc(datetime.fromisoformat(at)), min(int(row), 2**62)
    except ValueError:
        return until or datetime(9999, 1, 1, tzinfo=UTC), 0


async def walk_of_message(tx: Tx, message_id: UUID) -> list[TellingFact]:
    return await tx.rows(QUERIES.walk_of_message, TellingFact, message_id=message_id)


async def walk_of_thread(tx: Tx, thread_id: UUID) -> list[TellingFact]:
    """What was told of it and of its newest messages."""
    return await tx.rows(QUERIES.walk_of_thread, TellingFact, thread_id=thread_id)


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


async def kinds(tx: Tx) -> list[str]:
    return await tx.values(QUERIES.kinds)
