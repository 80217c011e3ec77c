"""Looking at documents, trades and invoices, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, get_args
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.mail.bodies import BODY
from postroom.nouns.confirming import GateVerdict
from postroom.nouns.documents import DocumentType, InvoiceLine
from postroom.nouns.errors import BadRequest, NotFound
from postroom.nouns.ids import DocumentId, InvoiceId, MessageId, TradeId
from postroom.ports import Sealing
from postroom.rooms.documents.commands.attachments import Fetching, fetch_attachment, fetch_body
from postroom.rooms.documents.commands.deciding import invoice_cautions, trade_cautions
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.rules.routes import PostedStatus
from postroom.rooms.documents.store import bookings as others
from postroom.rooms.documents.store import books, decisions, gate, reviews
from postroom.rooms.documents.store import documents as store
from postroom.rooms.documents.store import invoices as bills

T = TypeVar("T")
MOST = 200
WIDEST = 3000


class Viewing(Fetching, Protocol):
    """What showing a page asks of the outside."""

    @property
    def sealer(self) -> Sealing: ...


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Newest first. `next` is where the following page starts; None on the last."""

    items: Sequence[T]
    next: UUID | None


@dataclass(frozen=True, slots=True)
class Detail:
    """A document with all that came of it."""

    document: store.Document
    trades: Sequence[books.BookedTrade]
    invoice: bills.BookedInvoice | None
    lines: Sequence[InvoiceLine]
    corrections: Sequence[reviews.Correction]
    decisions: Sequence[decisions.ReviewDecision] = ()
    cautions: Sequence[str] = ()  # what wants a typed reason before it is booked
    differences: Sequence[str] = ()  # to the last invoice of the same sender or name that was believed
    gate: GateVerdict | None = None  # whether it could be confirmed by itself
    bookings: Sequence[others.BookedEntry] = ()  # entries of other kinds


@dataclass(frozen=True, slots=True)
class PageImage:
    content: bytes
    content_type: str


async def documents(
    who: TenantScope,
    *,
    status: str | None = None,
    kind: str | None = None,
    message_id: UUID | None = None,
    account_id: UUID | None = None,
    before: UUID | None = None,
    words: str | None = None,
    most: int = 50,
) -> Page[store.Listed]:
    _known(status, get_args(Status), "status")
    _known(kind, get_args(DocumentType), "kind")
    async with who.read() as tx:
        found = await store.documents(
            tx,
            before=DocumentId(before) if before else None,
            most=_most(most) + 1,
            status=status,
            kind=kind,
            message_id=MessageId(message_id) if message_id else None,
            words=words,
            account_id=account_id,
        )
    return _page(found, _most(most))


async def get_document(who: TenantScope, document_id: UUID) -> Detail:
    async with who.read() as tx:
        found = await store.document(tx, DocumentId(document_id))
        if found is None:
            raise NotFound(f"There is no document {document_id}.")
        invoice = await bills.invoice_of_document(tx, found.id)
        trades = await books.trades_of_document(tx, found.id)
        waiting = [trade for trade in trades if trade.status in ("review", "duplicate")]
        cautions, differences = (
            await invoice_cautions(tx, found, invoice) if invoice else (trade_cautions(found, waiting), [])
        )
        return Detail(
            found,
            trades,
            invoice,
            await bills.invoice_lines(tx, invoice.id) if invoice else (),
            await reviews.corrections_of_document(tx, found.id),
            await decisions.since(tx, found.id),
            cautions,
            differences,
            await gate.verdict(tx, found.id),
            await others.bookings_of_document(tx, found.id),
        )


async def next_in_review(who: TenantScope, after: UUID | None = None) -> DocumentId | None:
    """The document that has waited longest for a person, after a given one."""
    async with who.read() as tx:
        return await store.next_in_review(tx, DocumentId(after) if after else None)


async def previous_in_review(who: TenantScope, before: UUID) -> DocumentId | None:
    async with who.read() as tx:
        return await store.previous_in_review(tx, DocumentId(before))


async def tally(who: TenantScope) -> Sequence[store.Count]:
    async with who.read() as tx:
        return await store.tally(tx)


async def trades(
    who: TenantScope, *, status: str | None = None, before: UUID | None = None, most: int = 50
) -> Page[books.BookedTrade]:
    _known(status, get_args(PostedStatus), "status")
    async with who.read() as tx:
        found = await books.trades(tx, before=TradeId(before) if before else None, most=_most(most) + 1, status=status)
    return _page(found, _most(most))


async def invoices(
    who: TenantScope, *, status: str | None = None, before: UUID | None = None, most: int = 50
) -> Page[bills.BookedInvoice]:
    _known(status, get_args(PostedStatus), "status")
    async with who.read() as tx:
        found = await bills.invoices(
            tx, before=InvoiceId(before) if before else None, most=_most(most) + 1, status=status
        )
    return _page(found, _most(most))


async def bookings(
    who: TenantScope, *, status: str | None = None, before: UUID | None = None, most: int = 50
) -> Page[others.BookedEntry]:
    """Dividends, and whatever else is neither a trade nor an invoice."""
    _known(status, get_args(others.BookingStatus), "status")
    async with who.read() as tx:
        found = await others.bookings(tx, before=before, most=_most(most) + 1, status=status)
    return _page(found, _most(most))


async def original(who: TenantScope, outside: Viewing, document_id: UUID) -> tuple[store.Document, bytes]:
    """The file as it came: from the archive, from the upload that waits, or once more from its mail."""
    async with who.read() as tx:
        found = await store.document(tx, DocumentId(document_id))
        waiting = await store.upload(tx, DocumentId(document_id))
    if found is None:
        raise NotFound(f"There is no document {document_id}.")
    if waiting is not None:
        return found, waiting
    if found.archive_forgotten_at is not None:
        raise NotFound(f"{found.filename} was kept till {found.archive_forgotten_at:%Y-%m-%d}, as the settings say.")
    if found.archive_path is None and found.message_id is not None and found.attachment_path == BODY:
        return found, await fetch_body(who, outside, found.message_id, found.sha256)
    if found.archive_path is None and found.message_id is not None:
        return found, (await fetch_attachment(who, outside, found.message_id, found.sha256)).content
    if found.archive_path is None:
        raise NotFound(f"{found.filename} was not archived ({found.status}), and came with no mail.")
    return found, await outside.archive.get(found.archive_path)


async def page_image(
    who: TenantScope, outside: Viewing, document_id: UUID, page: int = 1, width: int = 1000
) -> PageImage:
    """One page to look at. A PNG's resolution says how many of its dots are a point, in which boxes are given; a file
    without printed pages is drawn as SVG, in points."""
    if page < 1 or not 50 <= width <= WIDEST:
        raise BadRequest(f"Pages count from 1, and a page is drawn 50 to {WIDEST} pixels wide.")
    _, content = await original(who, outside, document_id)
    async with who.read() as tx:
        sealed = await reviews.passwords(tx)
    secrets = [each.opened(outside.sealer, who.tenant_id) for each in sealed]
    image = await outside.reader.apage_image(content, page, width, secrets, tenant=who.tenant_id)
    return PageImage(image, "image/svg+xml" if image.startswith(b"<svg") else "image/png")


def _page(found: Sequence[T], most: int) -> Page[T]:
    items: Sequence[Any] = found[:most]
    return Page(items, items[-1].id if len(found) > most else None)


def _most(most: int) -> int:
    return max(1, min(most, MOST))


def _known(value: str | None, values: Sequence[str], what: str) -> None:
    if value is not None and value not in values:
        raise BadRequest(f"{value!r} is not a {what}; choose one of {', '.join(values)}.")
