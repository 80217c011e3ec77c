"""Messages, listed, searched and shown: each message with its mailbox and its status in every pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.ids import MailboxId, MessageId
from postroom.nouns.moments import in_utc

QUERIES = sql.load(__package__ or "", "messages.sql")
SCAN = 3000  # messages that one page of a search looks through at most


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message as people see it: a row of `message_view`."""

    id: MessageId
    mailbox_id: MailboxId
    mailbox: str
    provider_message_id: str
    state: str
    because: str | None
    source: str
    thread_id: UUID | None
    internet_message_id: str | None
    sender_email: str | None
    sender_name: str | None
    recipients: dict[str, Any]
    subject: str | None
    snippet: str | None
    labels: list[str]
    attachments: list[dict[str, Any]]
    automatic: str | None
    trust: str | None
    trust_because: str | None
    size: int | None
    received_at: datetime | None
    announced_at: datetime
    arrived_at: datetime | None
    removed_at: datetime | None
    forgotten_at: datetime | None
    listed_at: datetime  # received, or as long as the provider has not said when, announced
    status: dict[str, Any]

    @property
    def files(self) -> int:
        return len(self.attachments)


@dataclass(frozen=True, slots=True)
class _DocumentEnd:
    message_id: MessageId
    kind: str
    status: str


@dataclass(frozen=True, slots=True)
class Body:
    body: str | None
    body_html: str | None
    headers: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MessagePage:
    """One page of messages, and where the next begins."""

    messages: list[MessageRow]
    after: str | None
    looked_through: int = 0


@dataclass(frozen=True, slots=True)
class _SearchEnd:
    at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class Arrivals:
    messages: int
    median: float | None
    p95: float | None
    slowest: float | None


async def message(tx: Tx, message_id: UUID) -> MessageRow | None:
    return await tx.row(QUERIES.message, MessageRow, message_id=message_id)


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
    account_id: UUID | None = None,
) -> list[MessageRow]:
    """Newest first."""
    asked: dict[str, Any] = {"mailbox_id": mailbox_id, "thread_id": thread_id}
    asked |= {"provider_message_id": provider_message_id}
    asked |= {"state": state, "since": since, "until": until, "most": most, **_keyset(before)}
    if account_id is not None:
        whose = {"account_id": account_id, "status": status, "pipeline": pipeline}
        return await tx.rows(QUERIES.messages_of_client, MessageRow, **whose, **asked)
    if status is None:
        return await tx.rows(QUERIES.messages, MessageRow, **asked)
    return await tx.rows(QUERIES.messages_of_status, MessageRow, status=status, pipeline=pipeline, **asked)


async def search(
    tx: Tx,
    *,
    mailbox_id: UUID | None = None,
    state: str | None = None,
    status: str | None = None,
    words: str | None = None,
    account_id: UUID | None = None,
    before: str = "",
    most: int = 50,
) -> MessagePage:
    """Newest first. A search looks through so many messages a page, and says where to look on."""
    start = from_cursor(before)
    if not words and (not state or account_id):
        found = await messages(
            tx, most, start, mailbox_id=mailbox_id, status=status, state=state, account_id=account_id
        )
        return MessagePage(found, _cursor_after(found, most))
    where = {"mailbox_id": mailbox_id, "account_id": account_id, **_keyset(start), "scan": SCAN}
    like = sql.containing(words)
    asked = {"state": state, "status": status, "words": like, "most": most}
    found = await tx.rows(QUERIES.searched_messages, MessageRow, **asked, **where)
    if len(found) == most:
        return MessagePage(found, _cursor_after(found, most))
    end = await tx.row(QUERIES.searched_till, _SearchEnd, **where)
    return MessagePage(found, as_cursor(end.at, end.id) if end else None, SCAN if end else 0)


async def body(tx: Tx, message_id: UUID) -> Body | None:
    return await tx.row(QUERIES.body, Body, message_id=message_id)


async def fetched_files(tx: Tx, message_id: UUID) -> list[str]:
    """Which of its files were fetched and kept, by their hash."""
    return await tx.values(QUERIES.fetched_files, message_id=message_id)


async def mailbox_of(tx: Tx, address: str) -> UUID | None:
    """The mailbox of an address; of several, the one that was connected last."""
    found: UUID | None = await tx.value(QUERIES.mailbox_of, address=address.lower())
    return found


async def arrivals(tx: Tx, since: datetime, *, from_provider: bool) -> Arrivals:
    found = await tx.row(QUERIES.arrivals, Arrivals, since=since, from_provider=from_provider)
    return found or Arrivals(0, None, None, None)


def as_cursor(at: datetime, row: UUID) -> str:
    return f"{at.isoformat()}~{row}"


def from_cursor(text: str) -> tuple[datetime, UUID] | None:
    at, _, row = text.partition("~")
    try:
        return in_utc(datetime.fromisoformat(at)), UUID(row)
    except ValueError:
        return None


def _cursor_after(found: list[MessageRow], most: int) -> str | None:
    return as_cursor(found[-1].listed_at, found[-1].id) if len(found) == most else None


def _keyset(before: tuple[datetime, UUID] | None) -> dict[str, Any]:
    return {"before_at": before[0] if before else None, "before_id": before[1] if before else None}


async def document_ends(tx: Tx, ids: Sequence[MessageId]) -> dict[MessageId, list[dict[str, str]]]:
    """Kind and status of the documents that came with each message."""
    found: dict[MessageId, list[dict[str, str]]] = {}
    for row in await tx.rows(QUERIES.document_ends, _DocumentEnd, ids=list(ids)):
        found.setdefault(row.message_id, []).append({"kind": row.kind, "status": row.status})
    return found
