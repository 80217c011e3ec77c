"""What every decision of a person shares: the document as they saw it, what speaks against booking, and its end."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns.documents import Extraction, Trade
from postroom.nouns.errors import NotFound, StaleRevision
from postroom.nouns.ids import DocumentId
from postroom.rooms.documents.rules import caution, checks
from postroom.rooms.documents.rules.changes import changed_since
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.rules.orders import PendingOrder
from postroom.rooms.documents.rules.routes import PostedStatus
from postroom.rooms.documents.store import beside, bookings, books, decisions, documents, invoices
from postroom.rooms.documents.store.beside import BesideQuestion
from postroom.rooms.documents.store.books import BookedTrade
from postroom.rooms.documents.store.documents import Document
from postroom.rooms.documents.store.invoices import BookedInvoice


async def document_as_seen(tx: Tx, who: TenantScope, document_id: UUID, revision: int | None) -> Document:
    """The document, unless it changed since revision `revision`; None asks for whatever it is now."""
    found = await documents.document(tx, DocumentId(document_id))
    if found is None:
        raise NotFound(f"There is no document {document_id}.")
    who.about(found.walk)
    if revision is not None and revision != found.revision:
        raise StaleRevision(changed_since(await decisions.since(tx, found.id, revision)))
    return found


async def orders_for(tx: Tx, found: Document, trade: Trade) -> Sequence[PendingOrder]:
    """The open orders that a trade of this document could be for."""
    question = BesideQuestion(found.id, Extraction(type="contract_note", trades=(trade,)), found.sender_email)
    return (await beside.beside(tx, question)).orders


async def settle(tx: Tx, who: TenantScope, found: Document) -> Status:
    """A document waits for a person as long as anything in it does."""
    trades = await books.trades_of_document(tx, found.id)
    invoice = await invoices.invoice_of_document(tx, found.id)
    parts: list[tuple[PostedStatus, str]] = [(trade.status, trade.because) for trade in trades]
    parts += [(invoice.status, invoice.because)] if invoice else []
    parts += [(entry.status, entry.because) for entry in await bookings.bookings_of_document(tx, found.id)]
    order: tuple[Literal["review", "confirmed", "duplicate", "rejected"], ...]
    order = ("review", "confirmed", "duplicate", "rejected")
    for status in order:
        if said := [because for each, because in parts if each == status]:
            await documents.set_status(tx, found.id, status, said[0], who.now, who.actor)
            return status
    return found.status


async def unbook(tx: Tx, who: TenantScope, found: Document, to: Literal["review", "rejected"], because: str) -> None:
    """Nothing of the document stays booked, and orders it filled are open again."""
    for trade in await books.trades_of_document(tx, found.id):
        if trade.status == "confirmed" and trade.order_id is not None:
            await books.release_order(tx, trade.order_id, trade.quantity or Decimal(0), who.now)
        await books.settle_trade(tx, trade.id, to, because, who.actor, who.now)
    if invoice := await invoices.invoice_of_document(tx, found.id):
        await invoices.settle_invoice(tx, invoice.id, to, because, who.actor, who.now)
    for entry in await bookings.bookings_of_document(tx, found.id):
        await bookings.settle_booking(tx, entry.id, to, because, who.actor, who.now)


async def invoice_cautions(tx: Tx, found: Document, booked: BookedInvoice) -> tuple[list[str], list[str]]:
    """What wants a reason before this is booked, and how it differs from the last one that was believed."""
    invoice = booked.as_invoice()  # its totals; lines may carry discounts that are not kept
    last = await invoices.last_confirmed(tx, found.id, found.sender_email, invoice.supplier)
    account = caution.changed_account(invoice, last, await invoices.accounts_of_sender(tx, found.sender_email))
    doubts = checks.doubts_of_invoice(invoice)
    return caution.cautions(found.trust, found.trust_because, account, doubts), caution.differences(invoice, last)


def trade_cautions(found: Document, trades: Sequence[BookedTrade]) -> list[str]:
    doubts = [doubt for trade in trades for doubt in checks.doubts_of_trade(trade.as_trade())]
    return caution.cautions(found.trust, found.trust_because, "", doubts)
