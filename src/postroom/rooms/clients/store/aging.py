"""Contacts that bounce, fell silent or turned up elsewhere, and what is proposed about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.clients import AccountId, ContactId
from postroom.nouns.ids import TenantId, new_id
from postroom.rooms.clients.rules.aging import ContactLife, ContactProposal, ProposalKind
from postroom.rooms.clients.store.book import QUERIES


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposal as people see it; `account` is where the contact would go, `accounts` where it is."""

    id: UUID
    contact_id: ContactId
    email: str
    name: str
    kind: ProposalKind
    account_id: AccountId | None
    account: str | None
    because: str
    status: Literal["open", "accepted", "dismissed"]
    made_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    accounts: list[str]


async def note_bounce(tx: Tx, emails: Sequence[str], because: str, at: datetime) -> int:
    return await tx.run(QUERIES.note_bounce, emails=list(emails), because=because, at=at)


async def lives(tx: Tx, after: str, most: int) -> list[ContactLife]:
    return await tx.rows(QUERIES.lives, ContactLife, after=after, most=most)


async def put_proposals(
    tx: Tx, tenant_id: TenantId, proposals: Sequence[ContactProposal], asked_since: datetime, now: datetime
) -> Counter[str]:
    """How many of each kind are new."""
    rows = [
        {
            "id": new_id(),
            "contact_id": each.contact_id,
            "kind": each.kind,
            "account_id": each.account_id,
            "because": each.because,
        }
        for each in proposals
    ]
    values = {"rows": as_json(rows), "asked_since": asked_since, "now": now}
    return Counter(await tx.values(QUERIES.put_proposals, tenant_id=tenant_id, **values))


async def proposals(
    tx: Tx, *, status: str | None = "open", before: UUID | None = None, most: int = 50
) -> list[ProposalRow]:
    return await tx.rows(QUERIES.proposals, ProposalRow, status=status, id=None, before_id=before, most=most)


async def proposal(tx: Tx, proposal_id: UUID) -> ProposalRow | None:
    return await tx.row(QUERIES.proposals, ProposalRow, status=None, id=proposal_id, before_id=None, most=1)


async def decide_proposal(tx: Tx, proposal_id: UUID, status: str, actor: str, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.decide_proposal, id=proposal_id, status=status, actor=actor, now=now))
