"""Invoices in the books."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from postroom.db.pool import Tx
from postroom.nouns.documents import Invoice, InvoiceLine, plain
from postroom.nouns.ids import DocumentId, InvoiceId, TenantId
from postroom.rooms.documents.rules.caution import LastConfirmed
from postroom.rooms.documents.rules.routes import Confirm, Duplicate, PostedStatus, Route
from postroom.rooms.documents.store.books import Booked, fields_from, fields_json, status_of
from postroom.rooms.documents.store.documents import MACHINE, QUERIES, clean, json_of


@dataclass(frozen=True, slots=True)
class BookedInvoice:
    id: InvoiceId
    document_id: DocumentId
    status: PostedStatus
    because: str
    number: str | None
    issue_date: date | None
    due_date: date | None
    supplier: str | None
    buyer: str | None
    currency: str | None
    net_total: Decimal | None
    tax_total: Decimal | None
    grand_total: Decimal | None
    iban: str | None
    tax_by_rate: dict[str, str]
    confidence: float
    fields: dict[str, Any]
    fingerprint: str | None
    instance: int
    duplicate_of: InvoiceId | None
    confirmed_by: str | None
    confirmed_at: datetime | None
    corrected_by: str | None
    corrected_at: datetime | None
    created_at: datetime

    def as_invoice(self, lines: Sequence[InvoiceLine] = ()) -> Invoice:
        values = {name: getattr(self, name) for name in Invoice.NAMES}
        rates = {Decimal(rate): Decimal(tax) for rate, tax in self.tax_by_rate.items()}
        fields = fields_from(self.fields, values)
        return Invoice(**values, lines=tuple(lines), tax_by_rate=rates, confidence=self.confidence, fields=fields)


async def accounts_of_sender(tx: Tx, sender_email: str | None) -> frozenset[str]:
    """Where this sender's invoices were to be paid to so far."""
    return frozenset(await tx.values(QUERIES.accounts_of_sender, sender_email=sender_email))


async def last_confirmed(
    tx: Tx, document_id: DocumentId, sender_email: str | None, supplier: str | None
) -> LastConfirmed | None:
    values = {"sender_email": sender_email, "supplier": supplier}
    return await tx.row(QUERIES.last_confirmed_invoice, LastConfirmed, document_id=document_id, **values)


async def put_invoice(
    tx: Tx,
    tenant_id: TenantId,
    document_id: DocumentId,
    invoice_id: InvoiceId,
    invoice: Invoice,
    fingerprint: str | None,
    route: Route,
    now: datetime,
) -> None:
    await tx.run(QUERIES.drop_invoice, document_id=document_id)
    sure = isinstance(route, Confirm)
    values = {name: getattr(invoice, name) for name in Invoice.NAMES}
    values |= {name: clean(text) for name, text in values.items() if isinstance(text, str)}
    values |= {"tax_by_rate": json_of({plain(rate): plain(tax) for rate, tax in invoice.tax_by_rate.items()})}
    values |= {"duplicate_of": route.of if isinstance(route, Duplicate) else None}
    values |= {"confirmed_by": MACHINE if sure else None, "confirmed_at": now if sure else None, "now": now}
    await tx.run(
        QUERIES.put_invoice,
        id=invoice_id,
        tenant_id=tenant_id,
        document_id=document_id,
        status=status_of(route),
        because=clean(route.because),
        confidence=invoice.confidence,
        fields=json_of(fields_json(invoice.fields)),
        fingerprint=fingerprint,
        **values,
    )
    lines = [{"position": at, **line.as_json()} for at, line in enumerate(invoice.lines)]
    if lines:
        await tx.run(QUERIES.put_invoice_lines, tenant_id=tenant_id, invoice_id=invoice_id, lines=json_of(lines))


async def invoice_of_document(tx: Tx, document_id: DocumentId) -> BookedInvoice | None:
    return await tx.row(QUERIES.invoice_of_document, BookedInvoice, document_id=document_id)


async def invoice(tx: Tx, invoice_id: InvoiceId) -> BookedInvoice | None:
    return await tx.row(QUERIES.invoice, BookedInvoice, id=invoice_id)


async def invoices(tx: Tx, *, before: InvoiceId | None, most: int, status: str | None = None) -> list[BookedInvoice]:
    if status is not None:
        return await tx.rows(QUERIES.invoices_of_status, BookedInvoice, status=status, before=before, most=most)
    return await tx.rows(QUERIES.invoices, BookedInvoice, before=before, most=most)


async def invoice_lines(tx: Tx, invoice_id: InvoiceId) -> list[InvoiceLine]:
    return await tx.rows(QUERIES.invoice_lines, InvoiceLine, invoice_id=invoice_id)


async def correct_invoice(
    tx: Tx, invoice_id: InvoiceId, corrected: Invoice, fingerprint: str | None, because: str, actor: str, now: datetime
) -> None:
    values = {name: getattr(corrected, name) for name in Invoice.NAMES}
    values |= {"fields": json_of(fields_json(corrected.fields)), "confidence": corrected.confidence}
    values |= {"because": clean(because), "actor": actor, "now": now}
    await tx.run(QUERIES.correct_invoice, id=invoice_id, fingerprint=fingerprint, **values)


async def settle_invoice(
    tx: Tx,
    invoice_id: InvoiceId,
    status: PostedStatus,
    because: str,
    actor: str,
    now: datetime,
    *,
    instance: int | None = None,
) -> None:
    values = {"status": status, "because": clean(because), "actor": actor, "now": now, "instance": instance}
    await tx.run(QUERIES.settle_invoice, id=invoice_id, **values)


async def booked_invoices(tx: Tx, invoice_id: InvoiceId, fingerprint: str | None) -> list[Booked]:
    return await tx.rows(QUERIES.booked_invoice, Booked, id=invoice_id, fingerprint=fingerprint)
