"""The draft of a thread: what we know of it, what we mean to write, and what was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.mail.headers import addresses
from postroom.nouns.conversations import Turn
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.drafts import MARKER_VERSION, Draft, DraftMarkers, OutgoingMail
from postroom.nouns.ids import MailboxId, MessageId, TenantId, ThreadId, new_id
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, SENT, ProviderRef
from postroom.reads.papers import OutdatedQuote, outdated_quotes
from postroom.rooms.replies.rules.draft_plans import LIVE, DraftStatus
from postroom.rooms.replies.rules.edits import edit_distance
from postroom.rooms.replies.rules.ownership import draft_key
from postroom.rooms.replies.store import quotations

QUERIES = sql.load("postroom.rooms.replies")


@dataclass(frozen=True, slots=True)
class DraftIntent:
    """What we are about to write, kept before we write it: after a lost answer it says what to look for."""

    revision_id: UUID
    message_ref: ProviderRef
    message_id: MessageId | None
    to: tuple[str, ...]
    subject: str
    text: str
    html: str
    claims: list[dict[str, Any]]
    questions: list[str]
    blocked: list[dict[str, Any]]
    confidence: float
    gate: float
    model: str
    because: str
    updates: bool
    rests_on: list[dict[str, str]] = field(default_factory=list)  # what it quotes that stood in the papers

    @property
    def mail(self) -> OutgoingMail:
        return OutgoingMail(self.to, self.subject, self.text, self.html, answers=self.message_ref)

    def markers(self, key: str) -> DraftMarkers:
        return DraftMarkers(key, MARKER_VERSION, str(self.revision_id))


@dataclass(frozen=True, slots=True)
class DraftCase:
    """A thread as triage left it, and the draft it has."""

    thread_id: ThreadId
    mailbox_id: MailboxId
    thread_ref: ProviderRef
    status: str
    copilot: CopilotMode
    action: str | None
    reason: str | None
    newest_ref: ProviderRef | None
    newest_message_id: MessageId | None
    set_aside: bool
    slot_id: UUID | None
    held: Any
    intent: Any
    revision_id: UUID | None
    draft_status: DraftStatus | None
    answers: ProviderRef | None
    fingerprint: str | None
    edited_by: str | None
    proposed: str | None
    answered: list[str]
    ours: list[str] = field(default_factory=list)  # who answers for the mailbox
    outdated: str = ""  # what became of a paper that the draft quotes, where it may be written anew for that

    @property
    def is_reachable(self) -> bool:
        return self.status not in {"paused", "disconnected", "token_refresh_failed"}

    @property
    def writes_drafts(self) -> bool:
        return self.copilot == "drafts"

    @property
    def wants_a_look(self) -> bool:
        """A draft is to be written, or one of ours may still stand there, also where no more are written."""
        if not self.writes_drafts:
            return self.draft_status in LIVE or self.intent is not None
        return self.slot_id is not None or (self.action == "draft" and not self.set_aside)

    @property
    def key(self) -> str:
        return draft_key(self.mailbox_id, self.thread_id)

    @property
    def draft(self) -> Draft | None:
        """As the provider gave it back after our last write."""
        return msgspec.convert(self.held, Draft) if self.held else None

    @property
    def intended(self) -> DraftIntent | None:
        return msgspec.convert(self.intent, DraftIntent) if self.intent else None


@dataclass(frozen=True, slots=True)
class DraftToEdit:
    revision_id: UUID
    thread_id: ThreadId
    mailbox_id: MailboxId
    thread_ref: ProviderRef
    message_ref: ProviderRef
    message_id: MessageId | None
    status: DraftStatus
    fingerprint: str
    proposed: str
    because: str
    edited_by: str | None
    updated_at: datetime
    draft_key: str
    held: Any
    is_current: bool


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A draft as people find it: a row of `draft_view`."""

    id: UUID
    thread_id: ThreadId
    mailbox_id: MailboxId
    mailbox: str
    provider_thread_id: str
    message_id: MessageId | None
    message_ref: str
    provider_draft_id: str
    status: DraftStatus
    because: str
    fingerprint: str
    recipients: list[str]
    cc: list[str]
    subject: str
    proposed: str
    body: str
    claims: list[dict[str, Any]]
    questions: list[str]
    blocked: list[dict[str, Any]]
    confidence: float
    gate: float
    model: str
    edited_by: str | None
    final: str | None
    distance: float | None
    forgotten_at: datetime | None
    is_current: bool
    created_at: datetime
    updated_at: datetime
    outdated: tuple[OutdatedQuote, ...] = ()  # what it quotes, while it waits, of papers that do not say so today


@dataclass(frozen=True, slots=True)
class SentUnread:
    """A draft that a person sent, with the words that went out."""

    id: UUID
    proposed: str
    final: str


@dataclass(frozen=True, slots=True)
class DraftOutcomes:
    """What became of the drafts of some time; `median_distance` is of those that people changed."""

    written: int
    sent: int
    unchanged: int
    discarded: int
    changed: int
    median_distance: float | None


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What was said in a thread, as triage keeps it."""

    ref: ProviderRef
    outgoing: bool
    is_draft: bool
    sender_email: str | None
    sender_name: str
    recipients: dict[str, Any]
    sent_at: datetime | None
    subject: str
    own_text: str
    forwarded_text: str

    def turn(self) -> Turn:
        return Turn(
            ref=self.ref,
            sender=Address(self.sender_email, self.sender_name) if self.sender_email else None,
            to=tuple(addresses(self.recipients.get("to") or ())),
            reply_to=tuple(addresses(self.recipients.get("reply_to") or ())),
            sent_at=self.sent_at,
            subject=self.subject,
            labels=frozenset({SENT if self.outgoing else INBOX}),
            own_text=self.own_text,
            forwarded_text=self.forwarded_text,
        )


async def draft_case(tx: Tx, thread_id: ThreadId) -> DraftCase | None:
    return await tx.row(QUERIES.draft_case, DraftCase, thread_id=thread_id)


async def spoken(tx: Tx, thread_id: ThreadId) -> list[Turn]:
    """Oldest first, without drafts."""
    found = await tx.rows(QUERIES.spoken_turns, SpokenTurn, thread_id=thread_id)
    return [each.turn() for each in found if not each.is_draft]


async def intend(tx: Tx, tenant_id: TenantId, case: DraftCase, intent: DraftIntent, now: datetime) -> None:
    await tx.run(
        QUERIES.intend_draft,
        id=new_id(),
        tenant_id=tenant_id,
        mailbox_id=case.mailbox_id,
        thread_id=case.thread_id,
        key=case.key,
        intent=as_json(msgspec.to_builtins(intent)),
        now=now,
    )


async def drop_intent(tx: Tx, slot_id: UUID, now: datetime) -> None:
    await tx.run(QUERIES.drop_intent, slot_id=slot_id, now=now)


async def put_written(
    tx: Tx,
    tenant_id: TenantId,
    slot_id: UUID,
    intent: DraftIntent,
    draft: Draft,
    fingerprint: str,
    status: DraftStatus,
    because: str,
    now: datetime,
) -> None:
    """One that is a person's already is kept with the words that were found."""
    final = draft.text if status == "blocked_user_edited" else None
    await tx.run(
        QUERIES.put_revision,
        id=intent.revision_id,
        tenant_id=tenant_id,
        slot_id=slot_id,
        message_ref=intent.message_ref,
        message_id=intent.message_id,
        status=status,
        because=because,
        provider_draft_id=draft.ref,
        fingerprint=fingerprint,
        recipients=list(intent.to),
        cc=list(draft.cc),
        subject=intent.subject,
        body=intent.text,
        claims=as_json(intent.claims),
        questions=list(intent.questions),
        blocked=as_json(intent.blocked),
        confidence=intent.confidence,
        gate=intent.gate,
        model=intent.model,
        final=final,
        distance=None if final is None else edit_distance(intent.text, final),
        now=now,
    )
    held = {"held": as_json(msgspec.to_builtins(draft)), "held_ref": draft.message_ref}
    await tx.run(QUERIES.hold_draft, slot_id=slot_id, revision_id=intent.revision_id, now=now, **held)
    await quotations.put(tx, tenant_id, intent.revision_id, intent.rests_on)


async def end(
    tx: Tx, revision_id: UUID, status: DraftStatus, because: str, now: datetime, sent_ref: ProviderRef | None = None
) -> None:
    said = {"status": status, "because": because, "sent_ref": sent_ref}
    await tx.run(QUERIES.end_draft, revision_id=revision_id, now=now, **said)
    if status not in LIVE:
        await quotations.drop(tx, revision_id)


async def put_final(tx: Tx, revision_id: UUID, proposed: str, final: str, now: datetime) -> None:
    """What a person made of it: an example, and how far it went from what was proposed."""
    distance = edit_distance(proposed, final)
    await tx.run(QUERIES.put_final, revision_id=revision_id, final=final, distance=distance, now=now)


async def sent_unread(tx: Tx, thread_id: ThreadId) -> list[SentUnread]:
    return await tx.rows(QUERIES.sent_unread, SentUnread, thread_id=thread_id)


async def outcomes(tx: Tx, since: datetime) -> DraftOutcomes:
    found = await tx.row(QUERIES.draft_outcomes, DraftOutcomes, since=since)
    assert found is not None  # an aggregate is always one row
    return found


async def withheld_for_rights(tx: Tx, mailbox_id: MailboxId, after: UUID, most: int) -> list[ThreadId]:
    return list(await tx.values(QUERIES.withheld_for_rights, mailbox_id=mailbox_id, after=after, most=most))


async def draft_to_edit(tx: Tx, revision_id: UUID) -> DraftToEdit | None:
    return await tx.row(QUERIES.draft_to_edit, DraftToEdit, revision_id=revision_id)


async def put_edited(
    tx: Tx, held: DraftToEdit, draft: Draft, body: str, print_: str, actor: str, now: datetime
) -> bool:
    """False when the draft is over, or another one by now."""
    said: dict[str, Any] = {"body": body, "fingerprint": print_, "before": held.fingerprint, "actor": actor}
    said |= {"recipients": list(draft.to), "cc": list(draft.cc), "subject": draft.subject}
    said |= {"distance": edit_distance(held.proposed, body)}
    if not await tx.run(QUERIES.edited_revision, revision_id=held.revision_id, now=now, **said):
        return False
    kept = {"held": as_json(msgspec.to_builtins(draft)), "held_ref": draft.message_ref}
    return bool(await tx.run(QUERIES.hold_edited, revision_id=held.revision_id, now=now, **kept))


async def put_restored(tx: Tx, revision_id: UUID, draft: Draft, print_: str, because: str, now: datetime) -> bool:
    """False when it is not discarded any more, or was forgotten."""
    said = {"provider_draft_id": draft.ref, "fingerprint": print_, "because": because}
    if not await tx.run(QUERIES.restore_revision, revision_id=revision_id, now=now, **said):
        return False
    kept = {"held": as_json(msgspec.to_builtins(draft)), "held_ref": draft.message_ref}
    return bool(await tx.run(QUERIES.hold_edited, revision_id=revision_id, now=now, **kept))


async def drafts(
    tx: Tx,
    most: int,
    before: tuple[datetime, UUID] | None = None,
    *,
    draft_id: UUID | None = None,
    thread_id: UUID | None = None,
    status: str | None = None,
    changed: bool = False,
) -> Sequence[DraftRow]:
    """`changed`: only those that people made something else of."""
    at, last = before or (None, None)
    wanted = {"id": draft_id, "thread_id": thread_id, "status": status, "changed": changed}
    return await tx.rows(QUERIES.drafts, DraftRow, most=most, before_at=at, before_id=last, **wanted)


async def with_outdated(tx: Tx, rows: Sequence[DraftRow], today: date) -> list[DraftRow]:
    waiting = {each.id: each.body if each.final is None else each.final for each in rows if each.status in LIVE}
    found = await outdated_quotes(tx, waiting, today) if waiting else {}
    return [replace(each, outdated=found.get(each.id, ())) for each in rows]
