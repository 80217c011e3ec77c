"""An invoice from its printed words, without templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from postroom.nouns.documents import DocumentText, Field, Invoice
from postroom.reading.invoices import gate
from postroom.reading.invoices.accounts import account
from postroom.reading.invoices.confidence import confidence
from postroom.reading.invoices.currencies import currency
from postroom.reading.invoices.einvoice import InvoiceReading, disagreements
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.identity import due_date, invoice_number, issue_date
from postroom.reading.invoices.layout import InvoiceSheet, sheet_of
from postroom.reading.invoices.money import InvoiceTotals, totals
from postroom.reading.invoices.papers import PaperCalled, called
from postroom.reading.invoices.parties import parties
from postroom.reading.invoices.rows import line_items

REQUIRED = ("number", "issue_date", "grand_total", "currency")


Findings = dict[str, InvoiceFinding[Any] | None]


def read_text_invoice(
    document: DocumentText, own: Sequence[str] = (), labels: Mapping[str, str] | None = None
) -> InvoiceReading:
    """Every field that the words support, each with its place and how often such evidence is right."""
    sheet = sheet_of(document, labels)
    sums = totals(sheet)
    title = called(sheet.plain_lines)
    found = findings(sheet, sums, own, title)
    fields = {name: _field(name, one) for name, one in found.items() if one is not None}
    lines = line_items(sheet, sums)
    explanation = gate.explained(sheet, found, sums, title, lines)
    invoice = Invoice(
        **{name: one.value if one else None for name, one in found.items()},
        lines=lines,
        tax_by_rate=sums.by_rate if sums else {},
        confidence=min(explanation.evidence.get(name, 0.0) for name in REQUIRED),
        fields=fields,
        explanation=explanation,
    )
    doubts = [f"{title.because} The money comes back."] if title.kind == "credit_note" else []
    if sums is not None and sums.gross.evidence != "withheld":
        doubts += [*([sums.doubt] if sums.doubt else []), *disagreements(invoice)]
    because = explanation.objections[0] if explanation.objections else gate.reason(invoice)
    return InvoiceReading(invoice, tuple(doubts), because=because)


def findings(
    sheet: InvoiceSheet, sums: InvoiceTotals | None, own: Sequence[str] = (), title: PaperCalled | None = None
) -> Findings:
    """The fields by name, each with the class of its evidence."""
    title = title or called(sheet.plain_lines)
    number = invoice_number(sheet, credit=title.kind == "credit_note")
    issued = issue_date(sheet, number)
    who = parties(sheet, own)
    return {
        "number": number,
        "issue_date": issued,
        "due_date": due_date(sheet, issued.value if issued else None),
        "supplier": who.supplier,
        "buyer": who.buyer,
        "currency": currency(sheet, sums.gross if sums else None),
        "net_total": sums.net if sums else None,
        "tax_total": sums.tax if sums else None,
        "grand_total": sums.gross if sums else None,
        "iban": account(sheet),
    }


def _field(name: str, found: InvoiceFinding[Any]) -> Field:
    return Field(found.value, confidence(name, found.evidence), found.page, found.box, found.because)
