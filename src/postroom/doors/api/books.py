"""Trades, invoices and entries of other kinds: what documents say, and how sure we are of it."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field, PlainSerializer, WithJsonSchema

from postroom.doors.api.paging import Cursor, Limit, OutBody, PageOut, by_id, next_after
from postroom.doors.api.route import Reader, collection
from postroom.nouns.documents import Direction, InvoiceLine, plain
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import InvoiceId, TradeId
from postroom.rooms.documents import commands
from postroom.rooms.documents.rules.routes import PostedStatus
from postroom.rooms.documents.store import bookings, books, invoices
from postroom.rooms.documents.store.bookings import BookingStatus

trades = collection("trades")
bills = collection("invoices")
others = collection("bookings")

Amount = Annotated[
    Decimal,
    PlainSerializer(plain, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^-?\d+(\.\d+)?$", "examples": ["1234.56"]}),
]


class OtherReadingOut(OutBody):
    """What somebody else read there, and where: a model, or our own reading where the model's stands."""

    value: str | None
    by: str
    page: int | None = None
    box: list[float] | None = None


class FieldOut(OutBody):
    """One value as it was read: how sure we are, and where it stands (points from the page's top left corner)."""

    value: str | None
    confidence: float
    page: int | None = Field(None, description="Counts from 1.")
    box: list[float] | None = Field(None, description="Left, top, right, bottom.")
    candidates: list[OtherReadingOut] = Field(default=[], description="Other readings of it; a person decides.")


class TradeOut(OutBody):
    """One purchase or sale. `net` is the money moved on the account, in `currency`."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    document_id: UUID
    position: int
    status: PostedStatus
    because: str
    direction: Direction | None
    trade_date: date | None
    settlement_date: date | None
    quantity: Amount | None
    isin: str | None = Field(examples=["IE00B4L5Y983"])
    ticker: str | None
    name: str | None
    price: Amount | None
    currency: str | None
    gross: Amount | None
    fees: Amount | None
    taxes: Amount | None
    net: Amount | None
    confidence: float
    fields: dict[str, FieldOut]
    duplicate_of: UUID | None
    order_id: UUID | None
    order_because: str | None
    trade_key: str | None
    confirmed_by: str | None
    confirmed_at: datetime | None
    corrected_by: str | None
    corrected_at: datetime | None
    created_at: datetime


class InvoiceLineOut(OutBody):
    description: str
    quantity: Amount | None
    unit_price: Amount | None
    tax_rate: Amount | None
    total: Amount | None


class InvoiceOut(OutBody):
    id: UUID
    document_id: UUID
    status: PostedStatus
    because: str
    number: str | None
    issue_date: date | None
    due_date: date | None
    supplier: str | None
    buyer: str | None
    currency: str | None
    net_total: Amount | None
    tax_total: Amount | None
    grand_total: Amount | None
    iban: str | None
    tax_by_rate: dict[str, str]
    confidence: float
    fields: dict[str, FieldOut]
    duplicate_of: UUID | None
    confirmed_by: str | None
    confirmed_at: datetime | None
    corrected_by: str | None
    corrected_at: datetime | None
    created_at: datetime


class InvoiceDetailOut(InvoiceOut):
    lines: list[InvoiceLineOut]


class EntryOut(OutBody):
    """An entry of another kind, such as a dividend: its values by name."""

    id: UUID
    kind: str = Field(examples=["dividend"])
    status: str
    because: str
    values: dict[str, str | None] = Field(
        validation_alias="entry", examples=[{"isin": "DE0007164600", "net": "30", "currency": "EUR"}]
    )
    confidence: float
    fields: dict[str, FieldOut]
    confirmed_by: str | None
    confirmed_at: datetime | None
    corrected_by: str | None
    corrected_at: datetime | None


class BookingOut(EntryOut):
    """An entry in the book of all that is neither a trade nor an invoice, with the document that tells of it."""

    document_id: UUID
    position: int
    created_at: datetime


@trades.get("/trades", summary="List trades, newest first")
async def list_trades(
    who: Reader, limit: Limit = 50, cursor: Cursor = None, status: PostedStatus | None = None
) -> PageOut[TradeOut]:
    found = await commands.trades(who.scope, status=status, before=by_id(cursor), most=limit)
    return PageOut(items=[TradeOut.model_validate(each) for each in found.items], next=next_after(found.next))


@trades.get("/trades/{trade_id}", summary="One trade")
async def get_trade(trade_id: UUID, who: Reader) -> TradeOut:
    async with who.scope.read() as tx:
        found = await books.trade(tx, TradeId(trade_id))
    if found is None:
        raise NotFound(f"There is no trade {trade_id}.")
    return TradeOut.model_validate(found)


@bills.get("/invoices", summary="List invoices, newest first")
async def list_invoices(
    who: Reader, limit: Limit = 50, cursor: Cursor = None, status: PostedStatus | None = None
) -> PageOut[InvoiceOut]:
    found = await commands.invoices(who.scope, status=status, before=by_id(cursor), most=limit)
    return PageOut(items=[InvoiceOut.model_validate(each) for each in found.items], next=next_after(found.next))


@bills.get("/invoices/{invoice_id}", summary="One invoice with its lines")
async def get_invoice(invoice_id: UUID, who: Reader) -> InvoiceDetailOut:
    async with who.scope.read() as tx:
        found = await invoices.invoice(tx, InvoiceId(invoice_id))
        lines = await invoices.invoice_lines(tx, InvoiceId(invoice_id))
    if found is None:
        raise NotFound(f"There is no invoice {invoice_id}.")
    return invoice_of(found, lines)


def invoice_of(row: invoices.BookedInvoice, lines: list[InvoiceLine]) -> InvoiceDetailOut:
    shown = InvoiceOut.model_validate(row).model_dump()
    return InvoiceDetailOut(**shown, lines=[InvoiceLineOut.model_validate(each) for each in lines])


@others.get("/bookings", summary="List entries of other kinds, newest first")
async def list_bookings(
    who: Reader, limit: Limit = 50, cursor: Cursor = None, status: BookingStatus | None = None
) -> PageOut[BookingOut]:
    found = await commands.bookings(who.scope, status=status, before=by_id(cursor), most=limit)
    return PageOut(items=[BookingOut.model_validate(each) for each in found.items], next=next_after(found.next))


@others.get("/bookings/{booking_id}", summary="One entry")
async def get_booking(booking_id: UUID, who: Reader) -> BookingOut:
    async with who.scope.read() as tx:
        found = await bookings.booking(tx, booking_id)
    if found is None:
        raise NotFound(f"There is no booking {booking_id}.")
    return BookingOut.model_validate(found)
