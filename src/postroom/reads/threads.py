"""Threads: what waits for somebody, by channel and state; all of them; and one with its conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.copilot import CopilotMode, StateKey
from postroom.nouns.ids import MailboxId, PersonId, ThreadId

QUERIES = sql.load(__package__ or "", "threads.sql")
SCAN = 5000  # threads that one search looks through at most
ANY_CHANNEL, DEFAULT_CHANNEL = "any", "default"
_DRAFTABLE = ("draft", "draftable")
_VERDICTS = {
    "draft_written": _DRAFTABLE,
    "draft_has_gaps": _DRAFTABLE,
    "draft_discarded": _DRAFTABLE,
    "permission_denied": _DRAFTABLE,
    "evidence_missing": ("needs_review", "evidence_missing"),
    "draft_conflict_user_edited": ("needs_review", "user_edited_draft"),
}


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A conversation in one mailbox and what became of it: a row of `thread_view`. No code: it was not triaged."""

    id: ThreadId
    mailbox_id: MailboxId
    mailbox: str
    provider_thread_id: str
    subject: str
    messages: int
    last_message_at: datetime
    reference_code: str | None
    state: StateKey | None
    action: str | None
    reason: str | None
    because: str | None
    language: str | None
    matched: list[dict[str, Any]] | None
    analysis: dict[str, Any] | None
    model: str | None
    error_code: str | None
    channel_id: UUID | None
    channel: str | None
    channel_because: str | None
    assigned_to: PersonId | None
    assignee: str | None
    snoozed_till: datetime | None
    not_for_us_at: datetime | None
    done_at: datetime | None
    newest_at: datetime | None
    newest_from: str | None
    label: str | None
    label_by_person: bool | None
    decided_at: datetime | None
    copilot: CopilotMode
    draft_response: str | None  # what was proposed for the newest message
    revision: int | None

    @property
    def verdict(self) -> tuple[str, str] | None:
        """Action and reason as other programs know them: `reason` tells people what became of the draft, too."""
        if self.action is None or self.reason is None:
            return None
        return _VERDICTS.get(self.reason, (self.action, self.reason))


@dataclass(frozen=True, slots=True)
class InboxFilter:
    """Which of the threads that wait. `channel` is an id, or `default`, or `any`."""

    state: str | None = None
    mailbox_id: UUID | None = None
    channel: str = ANY_CHANNEL
    assigned_to: UUID | None = None
    snoozed: bool = False


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A message of a thread, with what is new in it told from the rest."""

    ref: str
    message_id: UUID | None
    draft_ref: str | None
    outgoing: bool
    sender_email: str | None
    sender_name: str
    recipients: dict[str, Any]
    sent_at: datetime | None
    subject: str
    own_text: str
    forwarded_text: str
    quoted_text: str
    signature: str
    disclaimer: str
    automatic: str | None
    automatic_because: str | None
    forgotten_at: datetime | None


@dataclass(frozen=True, slots=True)
class InboxCount:
    state: StateKey
    channel_id: UUID | None
    snoozed: bool
    threads: int


@dataclass(frozen=True, slots=True)
class ThreadClient:
    id: UUID
    code: str
    name: str
    status: str


@dataclass(frozen=True, slots=True)
class ThreadDocument:
    id: UUID
    filename: str
    kind: str | None
    status: str


async def thread(tx: Tx, thread_id: UUID) -> ThreadRow | None:
    return await tx.row(QUERIES.thread, ThreadRow, thread_id=thread_id)


async def threads(
    tx: Tx, most: int, before: tuple[datetime, UUID] | None = None, *, mailbox_id: UUID | None = None
) -> list[ThreadRow]:
    """Latest first."""
    return await tx.rows(QUERIES.threads, ThreadRow, mailbox_id=mailbox_id, most=most, **_keyset(before))


async def inbox(
    tx: Tx, most: int, before: tuple[datetime, UUID] | None = None, wanted: InboxFilter | None = None
) -> list[ThreadRow]:
    """What waits for somebody, latest first."""
    return await tx.rows(QUERIES.inbox, ThreadRow, most=most, **asdict(wanted or InboxFilter()), **_keyset(before))


async def search(
    tx: Tx,
    words: str,
    most: int,
    before: tuple[datetime, UUID] | None = None,
    wanted: InboxFilter | None = None,
    *,
    waiting: bool = False,
) -> list[ThreadRow]:
    """By subject, sender or summary, latest first. `waiting`: only what waits for somebody, snoozed or in sight."""
    asked = {
        **asdict(wanted or InboxFilter()),
        "waiting": waiting,
        "words": sql.containing(words) or "%",
        "scan": SCAN,
        "most": most,
    }
    return await tx.rows(QUERIES.searched_threads, ThreadRow, **asked, **_keyset(before))


async def by_code(tx: Tx, code: str) -> list[ThreadRow]:
    return await tx.rows(QUERIES.thread_by_code, ThreadRow, code=code)


async def waiting(tx: Tx, most: int) -> list[UUID]:
    """In the order of the inbox."""
    return await tx.values(QUERIES.waiting_threads, most=most)


async def forged(tx: Tx, threads: Sequence[UUID]) -> set[UUID]:
    """Those of them with a mail that is not from whom it says."""
    return set(await tx.values(QUERIES.forged_threads, ids=list(threads)))


async def inbox_counts(tx: Tx) -> list[InboxCount]:
    return await tx.rows(QUERIES.inbox_counts, InboxCount)


async def turns(tx: Tx, thread_id: UUID) -> list[TurnRow]:
    """Oldest first."""
    return await tx.rows(QUERIES.turns, TurnRow, thread_id=thread_id)


async def clients_of_thread(tx: Tx, thread_id: UUID) -> list[ThreadClient]:
    return await tx.rows(QUERIES.clients_of_thread, ThreadClient, thread_id=thread_id)


async def documents_of_thread(tx: Tx, thread_id: UUID) -> list[ThreadDocument]:
    return await tx.rows(QUERIES.documents_of_thread, ThreadDocument, thread_id=thread_id)


def _keyset(before: tuple[datetime, UUID] | None) -> dict[str, Any]:
    return {"before_at": before[0] if before else None, "before_id": before[1] if before else None}
