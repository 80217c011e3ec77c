"""Mappings: whose mail each mail is, and how that stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.clients import (
    AccountId,
    ClientCandidate,
    Clue,
    EngagementId,
    MappingId,
    MappingStatus,
    Suggestion,
    WorkItemId,
)
from postroom.nouns.ids import MailboxId, MessageId, TenantId, ThreadId, new_id
from postroom.rooms.clients.rules.suggesting import MappingPolicy
from postroom.rooms.clients.store.lookup import QUERIES, policy_from

MappingAction = Literal["confirm", "remap", "ignore"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a mapping says, as far as a decision changes it."""

    account_id: AccountId | None
    engagement_id: EngagementId | None
    work_item_id: WorkItemId | None
    confidence: Decimal
    status: MappingStatus
    requires_triage: bool
    ignore_reason: str | None
    decided_by: str | None
    decided_at: datetime | None

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "confidence": str(self.confidence)}

    def ids(self) -> dict[str, str | None]:
        """As a fact tells it: ids, and how it stands."""
        parts = {"account_id": self.account_id, "engagement_id": self.engagement_id, "work_item_id": self.work_item_id}
        return {name: str(value) if value else None for name, value in parts.items()} | {"status": self.status}


def decision_from(held: Mapping[str, Any]) -> Decision:
    """As it was kept in the history."""
    ids = {
        name: UUID(text) if (text := held[name]) else None for name in ("account_id", "engagement_id", "work_item_id")
    }
    return Decision(
        **ids,  # type: ignore[arg-type]  # each id is of its own kind
        confidence=Decimal(held["confidence"]),
        status=held["status"],
        requires_triage=held["requires_triage"],
        ignore_reason=held["ignore_reason"],
        decided_by=held["decided_by"],
        decided_at=datetime.fromisoformat(held["decided_at"]) if held["decided_at"] else None,
    )


@dataclass(frozen=True, slots=True)
class MappingRow:
    """A mapping as people see it."""

    id: MappingId
    message_id: MessageId
    thread_id: ThreadId | None
    mailbox_id: MailboxId
    sender_email: str | None
    sender_name: str | None
    subject: str | None
    snippet: str | None
    trust: str | None
    received_at: datetime
    account_id: AccountId | None
    account: str | None
    account_name: str | None
    engagement: str | None
    work_item: str | None
    confidence: Decimal
    status: MappingStatus
    requires_triage: bool
    reasons: list[str]
    objections: list[str]
    staleness: list[str]
    candidates: list[dict[str, Any]]
    ignore_reason: str | None
    decided_by: str | None
    decided_at: datetime | None
    version: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class LockedMapping:
    """A mapping that is about to be decided."""

    id: MappingId
    message_id: MessageId
    mailbox_id: MailboxId
    thread_id: ThreadId | None
    sender_email: str | None
    account_id: AccountId | None
    engagement_id: EngagementId | None
    work_item_id: WorkItemId | None
    confidence: Decimal
    status: MappingStatus
    requires_triage: bool
    ignore_reason: str | None
    decided_by: str | None
    decided_at: datetime | None
    candidates: list[dict[str, Any]]
    version: int

    def decision(self) -> Decision:
        names = Decision.__dataclass_fields__
        return Decision(**{name: getattr(self, name) for name in names})

    def clues(self) -> dict[AccountId, list[Clue]]:
        return {AccountId(UUID(each["account_id"])): clues_from(each) for each in self.candidates}


@dataclass(frozen=True, slots=True)
class PutMapping:
    id: MappingId
    account_id: AccountId | None
    was_status: MappingStatus | None
    was_account_id: AccountId | None


@dataclass(frozen=True, slots=True)
class MappingReach:
    """How many mails an act would touch besides the one it starts from."""

    thread: int
    waiting_from_sender: int
    both: int


@dataclass(frozen=True, slots=True)
class ClientOfMessage:
    message_id: MessageId
    id: MappingId
    status: MappingStatus
    account_id: AccountId | None
    account: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class WaitingMessage:
    message_id: MessageId
    id: MappingId
    received_at: datetime


@dataclass(frozen=True, slots=True)
class UnmappedMessage:
    id: MessageId
    received_at: datetime


@dataclass(frozen=True, slots=True)
class _PolicyRow:
    threshold: Decimal
    staleness_days: int
    multi_account_penalty: Decimal
    mixed_thread_penalty: Decimal
    subject_penalty: Decimal
    stale_penalty: Decimal
    silent_after_days: int
    left_out: list[UUID]


def clues_from(candidate: Mapping[str, Any]) -> list[Clue]:
    return [Clue(each["signal"], each["weight"], each["because"]) for each in candidate["clues"]]


def candidate_json(candidate: ClientCandidate) -> dict[str, Any]:
    return {
        "account_id": candidate.account.id,
        "account": candidate.account.code,
        "name": candidate.account.name,
        "status": candidate.account.status,
        "confidence": str(candidate.confidence),
        "clues": [asdict(clue) for clue in candidate.clues],
    }


async def put_suggestion(
    tx: Tx,
    tenant_id: TenantId,
    message_id: MessageId,
    thread_id: ThreadId | None,
    sender: str | None,
    received_at: datetime,
    suggestion: Suggestion,
    decision: Decision,
    now: datetime,
) -> PutMapping | None:
    """None when a person has decided about it: that stays."""
    said = {"reasons": suggestion.reasons, "objections": suggestion.objections, "staleness": suggestion.staleness}
    return await tx.row(
        QUERIES.put_mapping,
        PutMapping,
        id=new_id(),
        tenant_id=tenant_id,
        message_id=message_id,
        thread_id=thread_id,
        sender_email=sender,
        received_at=received_at,
        now=now,
        candidates=as_json([candidate_json(each) for each in suggestion.candidates]),
        **{name: list(sentences) for name, sentences in said.items()},
        **asdict(decision),
    )


async def mappings(
    tx: Tx,
    *,
    mapping_id: MappingId | None = None,
    message_id: MessageId | None = None,
    account_id: AccountId | None = None,
    status: str | None = None,
    sender: str | None = None,
    before: UUID | None = None,
    most: int = 50,
) -> list[MappingRow]:
    """Newest first."""
    return await tx.rows(
        QUERIES.mappings,
        MappingRow,
        id=mapping_id,
        message_id=message_id,
        account_id=account_id,
        status=status,
        sender=sender,
        before_id=before,
        most=most,
    )


async def next_in_triage(tx: Tx, after: MappingId | None = None) -> MappingId | None:
    found: MappingId | None = await tx.value(QUERIES.next_in_triage, after=after)
    return found


async def previous_in_triage(tx: Tx, before: MappingId) -> MappingId | None:
    found: MappingId | None = await tx.value(QUERIES.previous_in_triage, before=before)
    return found


async def waiting_in_triage(tx: Tx) -> int:
    """Up to a thousand."""
    count: int = await tx.value(QUERIES.waiting_in_triage)
    return count


async def page_of_triage(tx: Tx, after: tuple[datetime, UUID], most: int) -> list[WaitingMessage]:
    """Those that wait for a person, oldest first."""
    return await tx.rows(QUERIES.page_of_triage, WaitingMessage, after_at=after[0], after_id=after[1], most=most)


async def page_of_unmapped(tx: Tx, since: datetime, before: tuple[datetime, UUID], most: int) -> list[UnmappedMessage]:
    """Newest first."""
    values = {"since": since, "before_at": before[0], "before_id": before[1], "most": most}
    return await tx.rows(QUERIES.page_of_unmapped, UnmappedMessage, **values)


async def lock(
    tx: Tx, mapping_id: MappingId, *, thread_id: ThreadId | None = None, sender: str | None = None
) -> list[LockedMapping]:
    """It, and with a thread or a sender also the others that one act reaches."""
    return await tx.rows(QUERIES.lock_mappings, LockedMapping, id=mapping_id, thread_id=thread_id, sender=sender)


async def is_ours(tx: Tx, sender: str) -> bool:
    """A mailbox's address, or one of the tenant's people."""
    return bool(await tx.value(QUERIES.is_ours, sender=sender))


async def reach(tx: Tx, mapping_id: MappingId) -> MappingReach | None:
    return await tx.row(QUERIES.reach, MappingReach, id=mapping_id)


async def decide(tx: Tx, decisions: Sequence[tuple[MappingId, Decision]], now: datetime) -> None:
    rows = [{"id": mapping, **decision.as_json()} for mapping, decision in decisions]
    await tx.run(QUERIES.decide_mappings, rows=as_json(rows), now=now)


async def policy(tx: Tx) -> MappingPolicy:
    row = await tx.row(QUERIES.policy, _PolicyRow)
    return policy_from(asdict(row) if row else None)


async def lock_policy(tx: Tx) -> None:
    await tx.run(QUERIES.lock_policy)


async def unknown_mailboxes(tx: Tx, mailboxes: Collection[UUID]) -> list[UUID]:
    """Those that are not the tenant's."""
    return await tx.values(QUERIES.unknown_mailboxes, mailboxes=list(mailboxes))


async def put_policy(tx: Tx, tenant_id: TenantId, policy: MappingPolicy, now: datetime) -> None:
    stale = policy.staleness
    await tx.run(
        QUERIES.put_policy,
        tenant_id=tenant_id,
        threshold=policy.threshold,
        staleness_days=stale.MAPPING_STALENESS_DAYS,
        multi_account_penalty=stale.MULTI_ACCOUNT_PENALTY,
        mixed_thread_penalty=stale.MIXED_THREAD_PENALTY,
        subject_penalty=stale.SUBJECT_CHANGE_PENALTY,
        stale_penalty=stale.STALE_MAPPING_PENALTY,
        silent_after_days=policy.silent_after_days,
        left_out=sorted(policy.left_out),
        now=now,
    )


async def forget(tx: Tx, since: datetime, most: int) -> int:
    return await tx.run(QUERIES.forget_mappings, since=since, most=most)


async def clients_of(tx: Tx, messages: Sequence[MessageId]) -> dict[MessageId, ClientOfMessage]:
    rows = await tx.rows(QUERIES.clients_of_messages, ClientOfMessage, ids=list(messages))
    return {row.message_id: row for row in rows}
