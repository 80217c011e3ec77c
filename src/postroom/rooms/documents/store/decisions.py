"""What people decided about a document, with the state before the last decision."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.ids import DocumentId, OrderId
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.rules.routes import PostedStatus
from postroom.rooms.documents.store.documents import QUERIES, clean

Did = Literal["confirmed", "corrected", "rejected", "entered", "retried", "undone", "reopened"]


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """Who did what, and which revision it made."""

    revision: int
    did: Did
    said: str
    actor: str
    decided_at: datetime
    can_be_undone: bool


@dataclass(frozen=True, slots=True)
class PartBefore:
    """A trade or an invoice as it stood before the last decision."""

    id: UUID
    status: PostedStatus
    quantity: Decimal | None
    order_id: OrderId | None
    fingerprint: str | None
    instance: int


async def begin(tx: Tx, document_id: DocumentId, did: Did, said: str, actor: str, now: datetime) -> None:
    """Before anything of it is written: the state as it is now is what undoing goes back to."""
    values = {"did": did, "said": clean(said), "actor": actor, "now": now}
    await tx.run(QUERIES.begin_decision, document_id=document_id, **values)


async def note_undone(tx: Tx, document_id: DocumentId, said: str, actor: str, now: datetime) -> None:
    await tx.run(QUERIES.note_undone, document_id=document_id, said=clean(said), actor=actor, now=now)


async def word(tx: Tx, document_id: DocumentId, revision: int, said: str) -> None:
    await tx.run(QUERIES.word_decision, document_id=document_id, revision=revision, said=clean(said))


async def since(tx: Tx, document_id: DocumentId, after: int = 0) -> list[ReviewDecision]:
    return await tx.rows(QUERIES.decisions, ReviewDecision, document_id=document_id, after=after)


async def trades_before(tx: Tx, document_id: DocumentId, revision: int) -> list[PartBefore]:
    return await tx.rows(QUERIES.trades_before, PartBefore, document_id=document_id, revision=revision)


async def invoices_before(tx: Tx, document_id: DocumentId, revision: int) -> list[PartBefore]:
    return await tx.rows(QUERIES.invoices_before, PartBefore, document_id=document_id, revision=revision)


async def bookings_before(tx: Tx, document_id: DocumentId, revision: int) -> list[PartBefore]:
    return await tx.rows(QUERIES.bookings_before, PartBefore, document_id=document_id, revision=revision)


async def restore(
    tx: Tx, document_id: DocumentId, revision: int, kept: Collection[UUID], actor: str, now: datetime
) -> Status:
    """Everything as it stood before that decision; what it made first is gone again."""
    values = {"document_id": document_id, "revision": revision, "now": now}
    await tx.run(QUERIES.restore_trades, kept=list(kept), **values)
    await tx.run(QUERIES.restore_invoices, kept=list(kept), **values)
    await tx.run(QUERIES.restore_bookings, **values)
    status: Status = await tx.value(QUERIES.restore_document, actor=actor, **values)
    return status
