"""A model's claims about an invoice, put to the same sums as our own reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from postroom.nouns.documents import DocumentText, Field, Invoice, Value
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.layout import InvoiceSheet, sheet_of
from postroom.reading.invoices.money import InvoiceTotals, totals
from postroom.reading.invoices.text import REQUIRED
from postroom.reading.invoices.words import flat
from postroom.reading.opinions.answers import Claims
from postroom.reading.opinions.ballot import UNMEASURED, Ballot
from postroom.reading.opinions.quotes import HeardClaim, Quotes

SAID = {"net_total": "net", "tax_total": "tax", "grand_total": "gross"}
CLOSING = ("sum and rate", "sum", "tax inside", "withheld")
CENT = Decimal("0.01")


def quoted(text: DocumentText, ballot: Ballot, claims: Claims) -> tuple[InvoiceSheet, dict[str, HeardClaim]]:
    sheet = sheet_of(text)
    return sheet, ballot.hear(Quotes(sheet.tokens), claims)


def needs_nothing_more(heard: Mapping[str, HeardClaim]) -> bool:
    return all(name in heard for name in REQUIRED)


def weigh_invoice(sheet: InvoiceSheet, ballot: Ballot, ours: Invoice, heard: Mapping[str, HeardClaim]) -> Invoice:
    """Our invoice with the model's view of it: filled, or with both values, or as it was."""
    fields = dict(ours.fields)
    rates = ours.tax_by_rate
    if any(name in heard and not _same(name, getattr(ours, name), heard[name].value) for name in SAID):
        first, second = totals(sheet), totals(sheet, _labels(heard))
        if second is not None and _closes(second) and not (first is not None and _closes(first)):
            _adopt(ballot, fields, second, heard)
            rates = second.by_rate
    for name, one in heard.items():
        if name not in ballot.differs and name not in ballot.filled:
            _compare(ballot, ours, fields, name, one)
    if not (ballot.filled or ballot.differs):
        return ours
    values: dict[str, Any] = {name: found.value for name, found in fields.items()}
    sure = min(fields[name].confidence if name in fields else 0.0 for name in REQUIRED)
    return replace(ours, **values, tax_by_rate=rates, fields=fields, confidence=sure)


def _labels(heard: Mapping[str, HeardClaim]) -> dict[tuple[int, int], str]:
    """Where a quote stands, and what it calls the number there."""
    return {
        (one.token.line, one.token.start): said
        for name, said in SAID.items()
        if (one := heard.get(name)) is not None and one.token is not None
    }


def _closes(sums: InvoiceTotals) -> bool:
    return sums.gross.evidence in CLOSING


def _adopt(ballot: Ballot, fields: dict[str, Field], second: InvoiceTotals, heard: Mapping[str, HeardClaim]) -> None:
    found: dict[str, InvoiceFinding[Decimal] | None] = {
        "grand_total": second.gross,
        "net_total": second.net,
        "tax_total": second.tax,
    }
    for name, one in found.items():
        ours = fields.get(name)
        if one is None or (ours is not None and _same(name, ours.value, one.value)):
            continue
        because = f"The sums close with what {ballot.model} quotes."
        theirs = Field(one.value, UNMEASURED, one.page, one.box, because)
        fields[name] = ballot.adopt(name, ours, theirs, heard[name].quote if name in heard else "")


def _compare(ballot: Ballot, invoice: Invoice, fields: dict[str, Field], name: str, heard: HeardClaim) -> None:
    value = getattr(invoice, name)
    if value is None:
        fields[name] = ballot.fill(name, heard)
    elif _same(name, value, heard.value):
        ballot.agree(name)
    else:
        fields[name] = ballot.beside(name, fields.get(name) or Field(value, invoice.confidence), heard)


def _same(name: str, ours: Value | None, theirs: Value) -> bool:
    """Names of firms with and without their legal form are one; a number is one whatever its blanks."""
    if ours is None:
        return False
    if isinstance(ours, Decimal) and isinstance(theirs, Decimal):
        return abs(abs(ours) - abs(theirs)) < CENT
    if isinstance(ours, str) and isinstance(theirs, str):
        one, other = _letters(ours), _letters(theirs)
        return one == other or (name in ("supplier", "buyer") and min(len(one), len(other)) > 3 and _within(one, other))
    return ours == theirs


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", flat(text))


def _within(one: str, other: str) -> bool:
    return one in other or other in one
