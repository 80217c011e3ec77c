"""Who corrected a mapping, what that taught, and how it is undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.clients import (
    AccountId,
    EngagementId,
    MappingId,
    Signal,
)
from postroom.nouns.ids import MailboxId, MessageId, TenantId, ThreadId, new_id
from postroom.rooms.clients.rules.learning import SignalOutcome
from postroom.rooms.clients.rules.weights import SignalTally
from postroom.rooms.clients.store.lookup import QUERIES
from postroom.rooms.clients.store.mappings import Decision, LockedMapping, MappingAction


@dataclass(frozen=True, slots=True)
class MappingChange:
    """A decision of a person's."""

    id: UUID
    mapping_id: MappingId
    act_id: UUID
    action: MappingAction
    was_account_id: AccountId | None
    account_id: AccountId | None
    before: dict[str, Any]
    after: dict[str, Any]
    misled: list[str]
    outcomes: list[dict[str, Any]]
    changed_by: str
    changed_at: datetime
    undone_by: str | None
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewChange:
    mapping: LockedMapping
    action: MappingAction
    after: Decision
    misled: Sequence[Signal]
    outcomes: Sequence[SignalOutcome]


@dataclass(frozen=True, slots=True)
class ChangeOfAct:
    """One mail of an act. `is_overtaken` when somebody decided about it again."""

    id: UUID
    mapping_id: MappingId
    message_id: MessageId
    mailbox_id: MailboxId
    thread_id: ThreadId | None
    action: MappingAction
    before: dict[str, Any]
    after: dict[str, Any]
    outcomes: list[dict[str, Any]]
    version: int
    is_overtaken: bool


@dataclass(frozen=True, slots=True)
class _Learnt:
    mapping_id: MappingId
    outcomes: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _TallyRow:
    signal: Signal
    day: date
    rights: int
    wrongs: int


async def put_changes(
    tx: Tx, tenant_id: TenantId, act_id: UUID, changes: Sequence[NewChange], actor: str, now: datetime
) -> None:
    rows = [
        {
            "id": new_id(),
            "mapping_id": each.mapping.id,
            "action": each.action,
            "sender_email": each.mapping.sender_email,
            "was_account_id": each.mapping.account_id if each.mapping.account_id != each.after.account_id else None,
            "account_id": each.after.account_id,
            "before": each.mapping.decision().as_json(),
            "after": each.after.as_json(),
            "misled": list(each.misled),
            "outcomes": [asdict(outcome) for outcome in each.outcomes],
        }
        for each in changes
    ]
    values = {"rows": as_json(rows), "actor": actor, "now": now}
    await tx.run(QUERIES.put_mapping_changes, tenant_id=tenant_id, act_id=act_id, **values)


async def changes_of_mapping(tx: Tx, mapping_id: MappingId, most: int = 50) -> list[MappingChange]:
    return await tx.rows(QUERIES.changes_of_mapping, MappingChange, mapping_id=mapping_id, most=most)


async def last_outcomes(tx: Tx, ids: Sequence[MappingId]) -> list[SignalOutcome]:
    """What the decisions that these mappings rest on had taught."""
    rows = await tx.rows(QUERIES.last_outcomes, _Learnt, ids=list(ids))
    return [SignalOutcome(**each) for row in rows for each in row.outcomes]


async def last_act(tx: Tx, mapping_id: MappingId) -> UUID | None:
    found: UUID | None = await tx.value(QUERIES.last_act, mapping_id=mapping_id)
    return found


async def lock_act(tx: Tx, act_id: UUID) -> None:
    """Before its changes are read: whoever decides or takes back at this moment comes before us or after us."""
    await tx.values(QUERIES.lock_act, act_id=act_id)


async def changes_of_act(tx: Tx, act_id: UUID) -> list[ChangeOfAct]:
    return await tx.rows(QUERIES.changes_of_act, ChangeOfAct, act_id=act_id)


async def mark_undone(tx: Tx, ids: Sequence[UUID], actor: str, now: datetime) -> None:
    await tx.run(QUERIES.mark_undone, ids=list(ids), actor=actor, now=now)


async def put_choice(
    tx: Tx,
    tenant_id: TenantId,
    sender: str,
    act_id: UUID,
    actor: str,
    now: datetime,
    *,
    account_id: AccountId | None = None,
    engagement_id: EngagementId | None = None,
    reason: str = "",
) -> None:
    """For every mail of this sender from now on. The choice that held before ends."""
    await tx.run(QUERIES.end_choice, sender=sender, act_id=act_id, now=now)
    chosen = {"account_id": account_id, "engagement_id": engagement_id, "reason": reason}
    values = {"tenant_id": tenant_id, "sender": sender, "act_id": act_id, "actor": actor, "now": now}
    await tx.run(QUERIES.put_choice, id=new_id(), **values, **chosen)


async def undo_choice(tx: Tx, act_id: UUID, now: datetime) -> None:
    before: UUID | None = await tx.value(QUERIES.undo_choice, act_id=act_id, now=now)
    if before is not None:
        await tx.run(QUERIES.reopen_choice, id=before)


async def put_tallies(tx: Tx, tenant_id: TenantId, outcomes: Sequence[SignalOutcome], day: date) -> None:
    if outcomes:
        rows = [{"signal": each.signal, "rights": each.right, "wrongs": each.wrong} for each in outcomes]
        await tx.run(QUERIES.put_tallies, tenant_id=tenant_id, rows=as_json(rows), day=day)


async def tallies(tx: Tx, since: datetime) -> list[SignalTally]:
    rows = await tx.rows(QUERIES.tallies, _TallyRow, since=since.date())
    return [SignalTally(row.signal, datetime.combine(row.day, time(), UTC), row.rights, row.wrongs) for row in rows]
