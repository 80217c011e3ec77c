"""Approvals: a person's yes to what they saw, and whom the tenant knows already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from postroom.db.pool import Tx
from postroom.mail.headers import addresses
from postroom.nouns.ids import TenantId, new_id
from postroom.rooms.outbox.rules.second_person import KnownPeople
from postroom.rooms.outbox.store.proposals import QUERIES


@dataclass(frozen=True, slots=True)
class ApprovalRow:
    """A yes; it is open until it is used or ended."""

    actor: str
    hash: str
    approved_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    ended_because: str | None
    used_at: datetime | None


async def put(
    tx: Tx, tenant_id: TenantId, proposal_id: UUID, hash_: str, actor: str, now: datetime, expires_at: datetime
) -> bool:
    """False when this person's yes is there already."""
    values = {"proposal_id": proposal_id, "hash": hash_, "actor": actor, "now": now, "expires_at": expires_at}
    return bool(await tx.run(QUERIES.put_approval, id=new_id(), tenant_id=tenant_id, **values))


async def people_behind(tx: Tx, actors: Sequence[str]) -> set[str]:
    """Two keys of one person are one person."""
    return set(await tx.values(QUERIES.people_behind, actors=list(actors)))


async def end(tx: Tx, proposal_id: UUID, because: str, now: datetime) -> int:
    return await tx.run(QUERIES.end_approvals, proposal_id=proposal_id, because=because, now=now)


async def end_expired(tx: Tx, proposal_id: UUID, now: datetime) -> int:
    return await tx.run(QUERIES.end_expired_approvals, proposal_id=proposal_id, now=now)


async def use(tx: Tx, proposal_id: UUID, hash_: str, now: datetime) -> list[str]:
    """Who agreed to exactly this; none of it can be used again."""
    return await tx.values(QUERIES.use_approvals, proposal_id=proposal_id, hash=hash_, now=now)


async def approvals(tx: Tx, proposal_id: UUID) -> list[ApprovalRow]:
    return await tx.rows(QUERIES.approvals, ApprovalRow, proposal_id=proposal_id)


async def known_people(tx: Tx, thread_id: UUID | None, recipients: Sequence[str]) -> KnownPeople:
    said = await tx.value(QUERIES.people_in_thread, thread_id=thread_id) if thread_id else []
    in_thread = frozenset(each.email for each in addresses(said or ()))
    written_to = await tx.values(QUERIES.known_addresses, addresses=list(recipients))
    return KnownPeople(in_thread, frozenset(written_to), frozenset(await tx.values(QUERIES.own_domains)))
