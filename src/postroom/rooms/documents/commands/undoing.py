"""Taking a decision back: exactly as it was before, or, later on, back to review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import InvoiceId, TradeId
from postroom.rooms.documents.commands.deciding import document_as_seen, unbook
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.store import bookings, books, decisions, documents, invoices, reviews
from postroom.rooms.documents.store.books import BookedTrade
from postroom.rooms.documents.store.decisions import PartBefore, ReviewDecision
from postroom.rooms.documents.store.documents import Document

OVER = ("confirmed", "rejected", "skipped", "duplicate")
FINAL = ("undone", "reopened", "retried")  # what went back stays back; what is being read is read


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was taken back: the decision, or "reopened" when it was an older one or none of a person's."""

    did: str
    status: Status


async def take_back(who: TenantScope, document_id: UUID, *, revision: int | None = None) -> TakenBack:
    """The last decision, if nothing happened since; else a document that is over goes back to review."""
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await document_as_seen(tx, who, document_id, revision)
        last = next(iter(await decisions.since(tx, found.id, found.revision - 1)), None)
        if last is not None and last.can_be_undone and last.did not in FINAL:
            return await _undo(tx, who, found, last)
        if found.status in OVER:
            return await _reopen(tx, who, found)
        raise Conflict(f"{found.filename} is {found.status}; there is nothing to take back.")


async def _undo(tx: Tx, who: TenantScope, found: Document, last: ReviewDecision) -> TakenBack:
    before = await decisions.trades_before(tx, found.id, last.revision)
    billed = await decisions.invoices_before(tx, found.id, last.revision)
    await _still_free(tx, before, billed, await decisions.bookings_before(tx, found.id, last.revision))
    await _move_orders(tx, who, await books.trades_of_document(tx, found.id), {each.id: each for each in before})
    kept = [each.id for each in (*before, *billed)]
    status = await decisions.restore(tx, found.id, last.revision, kept, who.actor, who.now)
    await decisions.note_undone(tx, found.id, last.did, who.actor, who.now)
    await _uncorrect(tx, who, found, last)
    await who.tell(tx, facts.DocumentUndone(document_id=found.id, did=last.did, status=status))
    return TakenBack(last.did, status)


async def _uncorrect(tx: Tx, who: TenantScope, found: Document, last: ReviewDecision) -> None:
    """Corrections are evidence, and only ever added to: taking one back is another, the other way round."""
    for each in await reviews.corrections_of_document(tx, found.id):
        if last.did == "corrected" and each.corrected_at == last.decided_at:
            await reviews.put_correction(
                tx,
                who.tenant_id,
                found.id,
                field=each.field,
                before=each.after,
                after=each.before,
                place=None,
                sender_email=each.sender_email,
                actor=who.actor,
                now=who.now,
                trade_id=each.trade_id,
                invoice_id=each.invoice_id,
                booking_id=each.booking_id,
            )


async def _still_free(
    tx: Tx, trades: Sequence[PartBefore], billed: Sequence[PartBefore], others: Sequence[PartBefore]
) -> None:
    """What would be booked again may have been booked from another document meanwhile."""
    twins = [await books.booked_twins(tx, TradeId(each.id), each.fingerprint) for each in trades]
    bills = [await invoices.booked_invoices(tx, InvoiceId(each.id), each.fingerprint) for each in billed]
    same = [await bookings.booked_twins(tx, each.id, each.fingerprint) for each in others]
    for part, taken in zip([*trades, *billed, *others], [*twins, *bills, *same], strict=True):
        for twin in taken:
            if part.status == "confirmed" and twin.instance == part.instance:
                raise Conflict(f"The same was booked from {twin.filename} meanwhile; this one stays as it is.")


async def _move_orders(
    tx: Tx, who: TenantScope, trades: Sequence[BookedTrade], before: Mapping[UUID, PartBefore]
) -> None:
    """Orders that the decision filled are open again, and the other way round."""
    for trade in trades:
        was = before.get(trade.id)
        if trade.status == "confirmed" and trade.order_id and (was is None or was.status != "confirmed"):
            await books.release_order(tx, trade.order_id, trade.quantity or Decimal(0), who.now)
        if was and was.status == "confirmed" and was.order_id and trade.status != "confirmed":
            await books.fill_orders(tx, [(was.order_id, was.quantity or Decimal(0))], who.now)


async def _reopen(tx: Tx, who: TenantScope, found: Document) -> TakenBack:
    await decisions.begin(tx, found.id, "reopened", "", who.actor, who.now)
    because = f"Put back to review by {spoken_actor(who.actor)}. Before: {found.because}"
    await unbook(tx, who, found, "review", because)
    await documents.set_status(tx, found.id, "review", because, who.now, who.actor)
    await who.tell(tx, facts.DocumentReopened(document_id=found.id, before=found.status))
    return TakenBack("reopened", "review")
