"""What a tenant decides about mapping, and what people say to proposals about contacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.rooms.clients.commands.book import account_that_stays, move_contact
from postroom.rooms.clients.rules.staleness import StalenessConfig
from postroom.rooms.clients.rules.suggesting import MappingPolicy
from postroom.rooms.clients.rules.words import code_key
from postroom.rooms.clients.store import aging, book, mappings
from postroom.rooms.clients.store.aging import ProposalRow

PENALTIES = {
    "multi_account_penalty": "MULTI_ACCOUNT_PENALTY",
    "mixed_thread_penalty": "MIXED_THREAD_PENALTY",
    "subject_penalty": "SUBJECT_CHANGE_PENALTY",
    "stale_penalty": "STALE_MAPPING_PENALTY",
}


async def mapping_policy(who: TenantScope) -> MappingPolicy:
    async with who.read() as tx:
        return await mappings.policy(tx)


async def put_mapping_policy(tx: Tx, who: TenantScope, wanted: MappingPolicy) -> MappingPolicy:
    """It counts for mail that comes, and for what waits. One change at a time for a tenant. Safe to repeat."""
    checked = check_policy(wanted)
    await mappings.lock_policy(tx)
    before = await mappings.policy(tx)
    if before != checked:
        if unknown := await mappings.unknown_mailboxes(tx, checked.left_out - before.left_out):
            raise NotFound(f"There is no mailbox {unknown[0]}.")
        await mappings.put_policy(tx, who.tenant_id, checked, who.now)
        told = facts.MappingPolicyChanged(before=told_policy(before), after=told_policy(checked))
        await who.tell(tx, told)
    return checked


async def change_mapping_policy(who: TenantScope, wanted: MappingPolicy) -> None:
    async with who.finish() as tx:
        await put_mapping_policy(tx, who, wanted)


async def adjust_mapping_policy(who: TenantScope, changes: Mapping[str, Any]) -> MappingPolicy:
    """Some of it, by the names of `policy_values`; the rest stays as it is."""
    async with who.finish() as tx:
        await mappings.lock_policy(tx)
        return await put_mapping_policy(tx, who, adjusted_policy(await mappings.policy(tx), changes))


def adjusted_policy(held: MappingPolicy, changes: Mapping[str, Any]) -> MappingPolicy:
    values = {**policy_values(held), **changes}
    penalties = {attribute: values[name] for name, attribute in PENALTIES.items()}
    staleness = StalenessConfig(values["staleness_days"], **penalties)
    return MappingPolicy(values["threshold"], staleness, values["silent_after_days"], frozenset(values["left_out"]))


def policy_values(policy: MappingPolicy) -> dict[str, Any]:
    stale = policy.staleness
    return {
        "threshold": policy.threshold,
        "staleness_days": stale.MAPPING_STALENESS_DAYS,
        **{name: getattr(stale, attribute) for name, attribute in PENALTIES.items()},
        "silent_after_days": policy.silent_after_days,
        "left_out": sorted(policy.left_out),
    }


def check_policy(wanted: MappingPolicy) -> MappingPolicy:
    stale = wanted.staleness
    if not Decimal("0.5") <= wanted.threshold <= 1:
        raise BadRequest("The threshold is a share from 0.50 to 1.00: what is less likely than not is no mapping.")
    if not 1 <= stale.MAPPING_STALENESS_DAYS <= 3650:
        raise BadRequest("A mapping is old after 1 to 3,650 days.")
    if not 30 <= wanted.silent_after_days <= 3650:
        raise BadRequest("A contact is silent after 30 to 3,650 days.")
    for name, attribute in PENALTIES.items():
        if not 0 <= getattr(stale, attribute) <= 1:
            raise BadRequest(f"{name} is a share from 0.00 to 1.00.")
    cent = Decimal("0.01")
    penalties = {attribute: getattr(stale, attribute).quantize(cent) for attribute in PENALTIES.values()}
    return replace(wanted, threshold=wanted.threshold.quantize(cent), staleness=replace(stale, **penalties))


def told_policy(policy: MappingPolicy) -> dict[str, str]:
    values = policy_values(policy)
    return {name: str(value) for name, value in values.items()} | {"left_out": " ".join(map(str, values["left_out"]))}


async def proposals(
    who: TenantScope, *, status: str | None = "open", before: UUID | None = None, most: int = 50
) -> tuple[Sequence[ProposalRow], UUID | None]:
    """Contacts that bounce, fell silent or turned up elsewhere, newest first."""
    if status not in (None, "open", "accepted", "dismissed"):
        raise BadRequest(f"{status!r} is not a status; choose open, accepted or dismissed.")
    most = max(1, min(most, 200))
    async with who.read() as tx:
        found = await aging.proposals(tx, status=status, before=before, most=most + 1)
    return found[:most], found[most - 1].id if len(found) > most else None


async def accept_proposal(who: TenantScope, proposal_id: UUID) -> ProposalRow:
    """Retire the contact, or move it to where it turned up."""
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        found = await _open(await aging.proposal(tx, proposal_id), proposal_id)
        contact = await book.contact(tx, found.contact_id)
        assert contact is not None, "a proposal goes with its contact"
        if found.kind == "elsewhere" and found.account is not None:
            await move_contact(tx, who, contact, [code_key((await account_that_stays(tx, found.account)).code)])
        else:
            await move_contact(tx, who, contact, [])
            await book.retire_contact(tx, contact.id, who.now)
        return await _decide(tx, who, found, accepted=True)


async def dismiss_proposal(who: TenantScope, proposal_id: UUID) -> ProposalRow:
    """Nothing changes, and nobody is asked about it again for half a year."""
    async with who.finish() as tx:
        found = await _open(await aging.proposal(tx, proposal_id), proposal_id)
        return await _decide(tx, who, found, accepted=False)


async def _open(found: ProposalRow | None, proposal_id: UUID) -> ProposalRow:
    if found is None:
        raise NotFound(f"There is no proposal {proposal_id}.")
    if found.status != "open":
        raise Conflict(f"{spoken_actor(found.decided_by or '')} {found.status} this proposal already.")
    return found


async def _decide(tx: Tx, who: TenantScope, found: ProposalRow, *, accepted: bool) -> ProposalRow:
    status: Literal["accepted", "dismissed"] = "accepted" if accepted else "dismissed"
    if not await aging.decide_proposal(tx, found.id, status, who.actor, who.now):
        raise Conflict("Somebody decided about this proposal a moment ago. Look at it again.")
    told = facts.ContactProposalDecided(
        proposal_id=found.id, contact_id=found.contact_id, proposal=found.kind, accepted=accepted
    )
    await who.tell(tx, told)
    return replace(found, status=status, decided_by=who.actor, decided_at=who.now)
