"""A person decides whose mail it is: confirm, move elsewhere, set aside, take back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.clients import AccountId, EngagementId, MappingId, WorkItemId
from postroom.nouns.errors import BadRequest, Conflict, NotFound, StaleRevision
from postroom.nouns.ids import new_id
from postroom.rooms.clients.commands.book import account_that_stays
from postroom.rooms.clients.rules.learning import SignalOutcome, misled, outcomes
from postroom.rooms.clients.rules.staleness import NOTHING
from postroom.rooms.clients.rules.weights import CERTAIN
from postroom.rooms.clients.store import book, corrections, mappings
from postroom.rooms.clients.store.corrections import ChangeOfAct, NewChange
from postroom.rooms.clients.store.mappings import (
    Decision,
    LockedMapping,
    MappingAction,
    MappingReach,
    decision_from,
)

LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class MappingAct:
    """One decision, however many mails it touched. By its id it can be taken back."""

    id: UUID
    messages: int


@dataclass(frozen=True, slots=True)
class _Target:
    account_id: AccountId
    engagement_id: EngagementId | None
    work_item_id: WorkItemId | None


async def reach(who: TenantScope, mapping_id: UUID) -> MappingReach:
    """How many other mails a decision would touch, before it is made."""
    async with who.read() as tx:
        found = await mappings.reach(tx, MappingId(mapping_id))
    if found is None:
        raise NotFound(f"There is no mapping {mapping_id}.")
    return found


async def confirm_mapping(
    who: TenantScope,
    mapping_id: UUID,
    account: str,
    engagement: str | None = None,
    work_item: str | None = None,
    *,
    thread: bool = False,
    next_from_sender: bool = False,
    version: int | None = None,
) -> MappingAct:
    """It is this account's: as was suggested, or moved there from another.

    `thread`: all mails of its thread. `next_from_sender`: what waits of its sender, and what comes.
    """
    async with who.finish() as tx:
        target = await _target(tx, account, engagement, work_item)
        found = await _locked(tx, who, mapping_id, version, thread=thread, sender=next_from_sender)

        def decided(held: LockedMapping) -> tuple[MappingAction, Decision]:
            action: MappingAction = "remap" if held.account_id not in (None, target.account_id) else "confirm"
            return action, Decision(
                account_id=target.account_id,
                engagement_id=target.engagement_id,
                work_item_id=target.work_item_id,
                confidence=CERTAIN,
                status="confirmed",
                requires_triage=False,
                ignore_reason=None,
                decided_by=who.actor,
                decided_at=who.now,
            )

        act = await _decide(tx, who, found, decided, next_from_sender=next_from_sender)
        if next_from_sender:
            await corrections.put_choice(
                tx,
                who.tenant_id,
                _sender(found),
                act.id,
                who.actor,
                who.now,
                account_id=target.account_id,
                engagement_id=target.engagement_id,
            )
    return act


async def mark_ignored(
    who: TenantScope,
    mapping_id: UUID,
    reason: str,
    *,
    thread: bool = False,
    next_from_sender: bool = False,
    version: int | None = None,
) -> MappingAct:
    """It is no client's. The mail stays, with who set it aside, when and why."""
    because = " ".join(reason.split())
    if not because:
        raise BadRequest("Say why it is set aside.")
    if len(because) > LONGEST_REASON:
        raise BadRequest(f"A reason has up to {LONGEST_REASON} letters; this one has {len(because)}. Shorten it.")
    async with who.finish() as tx:
        found = await _locked(tx, who, mapping_id, version, thread=thread, sender=next_from_sender)

        def decided(held: LockedMapping) -> tuple[MappingAction, Decision]:
            del held
            return "ignore", Decision(
                account_id=None,
                engagement_id=None,
                work_item_id=None,
                confidence=NOTHING,
                status="ignored",
                requires_triage=False,
                ignore_reason=because,
                decided_by=who.actor,
                decided_at=who.now,
            )

        act = await _decide(tx, who, found, decided, next_from_sender=next_from_sender)
        if next_from_sender:
            sender = _sender(found)
            await corrections.put_choice(tx, who.tenant_id, sender, act.id, who.actor, who.now, reason=because)
    return act


async def undo_mapping(who: TenantScope, mapping_id: UUID, version: int | None = None) -> MappingAct:
    """Take back the last decision about this mail, with all that it touched."""
    async with who.read() as tx:
        found = await mappings.mappings(tx, mapping_id=MappingId(mapping_id), most=1)
        if not found:
            raise NotFound(f"There is no mapping {mapping_id}.")
        _still_as_seen(found[0].version, version, found[0].decided_by, who.actor)
        act = await corrections.last_act(tx, MappingId(mapping_id))
    if act is None:
        raise Conflict("Nobody has decided about this mail, so there is nothing to take back.")
    return await undo_act(who, act)


async def undo_act(who: TenantScope, act_id: UUID) -> MappingAct:
    """Each mail is what it was before; one that was decided about again meanwhile stays as it is."""
    async with who.finish() as tx:
        await corrections.lock_act(tx, act_id)
        changes = await corrections.changes_of_act(tx, act_id)
        if not changes:
            raise Conflict("This was taken back already, or never decided.")
        back = [each for each in changes if not each.is_overtaken]
        if not back:
            raise Conflict("It was decided about again since; take that back first.")
        decisions = await _as_before(tx, back)
        await mappings.decide(tx, decisions, who.now)
        await corrections.mark_undone(tx, [each.id for each in back], who.actor, who.now)
        await corrections.undo_choice(tx, act_id, who.now)
        learnt = [SignalOutcome(**one).reversed() for each in back for one in each.outcomes]
        again = await corrections.last_outcomes(tx, [each.mapping_id for each in back])
        await corrections.put_tallies(tx, who.tenant_id, [*learnt, *again], who.now.date())
        for each, (_, decision) in zip(back, decisions, strict=True):
            told = facts.MappingUndone(
                mapping_id=each.mapping_id,
                message_id=each.message_id,
                mailbox_id=each.mailbox_id,
                thread_id=each.thread_id,
                act_id=act_id,
                before=decision_from(each.after).ids(),
                after=decision.ids(),
            )
            await who.tell(tx, told)
    return MappingAct(act_id, len(back))


async def _as_before(tx: Tx, changes: Sequence[ChangeOfAct]) -> list[tuple[MappingId, Decision]]:
    """What each mail was before; where its account was merged since, the one that stays."""
    held = [(each.mapping_id, decision_from(each.before)) for each in changes]
    stays = await book.merged_accounts(tx, [each.account_id for _, each in held if each.account_id])
    return [
        (mapping, replace(each, account_id=stays.get(each.account_id, each.account_id)) if each.account_id else each)
        for mapping, each in held
    ]


async def _target(tx: Tx, account: str, engagement: str | None, work_item: str | None) -> _Target:
    """The account, and of its work what is named; the engagement of a work item need not be named."""
    row = await account_that_stays(tx, account)
    account_id = row.id
    work = await book.engagement_by_code(tx, engagement) if engagement else None
    item = await book.work_item_by_code(tx, work_item) if work_item else None
    if engagement and (work is None or work.account_id != account_id):
        raise NotFound(f"{row.code} has no engagement {engagement}.")
    if work_item and (item is None or item.account_id != account_id or (work and item.engagement_id != work.id)):
        raise NotFound(f"{engagement or row.code} has no work item {work_item}.")
    engagement_id = item.engagement_id if item else work.id if work else None
    return _Target(account_id, engagement_id, item.id if item else None)


async def _locked(
    tx: Tx, who: TenantScope, mapping_id: UUID, version: int | None, *, thread: bool, sender: bool
) -> list[LockedMapping]:
    """The mail that was meant first, then the others that the act reaches."""
    wanted = MappingId(mapping_id)
    seen = await mappings.mappings(tx, mapping_id=wanted, most=1)
    reached = await mappings.lock(
        tx,
        wanted,
        thread_id=seen[0].thread_id if thread and seen else None,
        sender=seen[0].sender_email if sender and seen else None,
    )
    held = next((each for each in reached if each.id == wanted), None)
    if held is None:
        raise NotFound(f"There is no mapping {mapping_id}.")
    _still_as_seen(held.version, version, held.decided_by, who.actor)
    if sender and held.sender_email is None:
        raise BadRequest("The mail has no sender, so nothing can be decided for the next ones.")
    if sender and held.sender_email and await mappings.is_ours(tx, held.sender_email):
        raise BadRequest(f"{held.sender_email} is one of us and writes to every client: decide about each mail.")
    return [held, *(each for each in reached if each.id != held.id)]


def _still_as_seen(held: int, seen: int | None, decided_by: str | None, actor: str) -> None:
    """Somebody else's decision is not overruled unseen. What a machine looked at again meanwhile is no decision."""
    if seen is not None and held != seen and decided_by not in (None, actor):
        raise StaleRevision(f"{spoken_actor(decided_by or '')} decided about it a moment ago. Look at it again.")


def _sender(found: Sequence[LockedMapping]) -> str:
    sender = found[0].sender_email
    assert sender is not None, "checked when it was locked"
    return sender


async def _decide(
    tx: Tx,
    who: TenantScope,
    found: Sequence[LockedMapping],
    decided: Callable[[LockedMapping], tuple[MappingAction, Decision]],
    *,
    next_from_sender: bool,
) -> MappingAct:
    changes = []
    for held in found:
        action, after = decided(held)
        for_the_next = next_from_sender and held is found[0]  # kept in any case, so that it can be taken back
        if for_the_next or _says(after) != _says(held.decision()):
            wrong = misled(held.clues(), held.account_id, after.account_id)
            changes.append(NewChange(held, action, after, wrong, outcomes(held.clues(), after.account_id)))
    act_id = new_id()
    if not changes:
        return MappingAct(act_id, 0)
    unlearnt = [one.reversed() for one in await corrections.last_outcomes(tx, [each.mapping.id for each in changes])]
    await mappings.decide(tx, [(each.mapping.id, each.after) for each in changes], who.now)
    await corrections.put_changes(tx, who.tenant_id, act_id, changes, who.actor, who.now)
    learnt = [*unlearnt, *(outcome for each in changes for outcome in each.outcomes)]
    await corrections.put_tallies(tx, who.tenant_id, learnt, who.now.date())
    for each in changes:
        await who.tell(tx, _told(each, act_id, next_from_sender=next_from_sender))
    return MappingAct(act_id, len(changes))


def _says(decision: Decision) -> Decision:
    """Saying the same again changes nothing, whoever says it when."""
    return replace(decision, decided_by=None, decided_at=None)


def _told(change: NewChange, act_id: UUID, *, next_from_sender: bool) -> facts.MappingConfirmed | facts.MappingIgnored:
    held, before, after = change.mapping, change.mapping.decision().ids(), change.after.ids()
    if change.action == "ignore":
        return facts.MappingIgnored(
            mapping_id=held.id,
            message_id=held.message_id,
            mailbox_id=held.mailbox_id,
            thread_id=held.thread_id,
            act_id=act_id,
            before=before,
            after=after,
            reason=change.after.ignore_reason or "",
            next_from_sender=next_from_sender,
        )
    return facts.MappingConfirmed(
        mapping_id=held.id,
        message_id=held.message_id,
        mailbox_id=held.mailbox_id,
        thread_id=held.thread_id,
        act_id=act_id,
        before=before,
        after=after,
        misled=list(change.misled),
        next_from_sender=next_from_sender,
    )
