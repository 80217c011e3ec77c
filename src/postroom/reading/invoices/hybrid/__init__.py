"""A PDF that states an invoice as XML and shows one on its pages: both must tell the same, or a person decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from postroom.nouns.documents import DocumentText, Invoice, plain
from postroom.reading.invoices import gate
from postroom.reading.invoices.accounts import accounts
from postroom.reading.invoices.anywhere import WORDS, StatedAnywhere
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.hybrid.days import days_otherwise
from postroom.reading.invoices.hybrid.lines import lines_otherwise
from postroom.reading.invoices.hybrid.names import names_otherwise
from postroom.reading.invoices.hybrid.sums import amounts_otherwise, rates_otherwise
from postroom.reading.invoices.layout import InvoiceSheet, sheet_of
from postroom.reading.invoices.money import InvoiceTotals, totals
from postroom.reading.invoices.papers import called, calls_back, settled
from postroom.reading.invoices.rows import line_items
from postroom.reading.invoices.text import Findings, findings
from postroom.reading.page.dates import fold
from postroom.reading.page.tokens import TokenKind

CERTAIN = {
    "number": ("strong beside", "strong below"),
    "currency": gate.PRINTED_CURRENCY,
    "net_total": ("sum and rate",),
    "tax_total": ("sum and rate",),
    "grand_total": ("sum and rate",),
}
"""What the reading of a page must rest on to speak against the XML."""
PAYABLE = ("gross", "paid", "left")
"""What amounts are called that change what is to be paid."""


def contradictions(document: DocumentText, stated: Invoice, anywhere: StatedAnywhere) -> tuple[str, ...]:
    """Sentences about what the page shows otherwise than the XML states, or does not show at all."""
    if not document.words:
        return ("There is no text on its pages to hold the XML against.",)
    sheet = sheet_of(document)
    sums = totals(sheet)
    text = fold(sheet.tokens.text)
    found = [
        _number(stated.number, text),
        _total(stated.grand_total, sheet),
        *names_otherwise(sheet, stated, anywhere),
        _iban(stated.iban, text),
        _kind(sheet),
        *_read_otherwise(sheet, sums, stated),
        *days_otherwise(sheet, stated, anywhere),
        *amounts_otherwise(sheet, stated, anywhere),
        *rates_otherwise(sheet, stated, anywhere),
        *lines_otherwise(sheet, sums, stated, anywhere),
        _other_currency(sheet, stated),
        _other_account(sheet, stated.iban),
    ]
    return tuple(dict.fromkeys(sentence for sentence in found if sentence))


def _number(number: str | None, text: str) -> str:
    """The whole number: `1` stands on every page."""
    if number is None or re.search(rf"(?<![^\W_]){_spaced(number)}(?![^\W_])", text):
        return ""
    return f"The XML states the number {number}, which its pages do not show."


def _spaced(number: str) -> str:
    return r"[\W_]*".join(re.escape(part) for part in WORDS.findall(fold(number)))


def _total(total: Decimal | None, sheet: InvoiceSheet) -> str:
    if total is None:
        return ""
    numbers = sheet.tokens.of(TokenKind.NUMBER)
    shown = {abs(token.number) for token in numbers} | {abs(other.value) for token in numbers for other in token.also}
    return "" if abs(total) in shown else f"The XML states a total of {plain(total)}, which its pages do not show."


def _iban(iban: str | None, text: str) -> str:
    if iban is None or _letters(iban) in _letters(text):
        return ""
    return f"The XML asks to pay to {iban}, which its pages do not show."


def _kind(sheet: InvoiceSheet) -> str:
    lines = sheet.plain_lines
    title = called(lines)
    return title.because if title.kind not in ("", "invoice") else calls_back(lines) or settled(lines)


def _read_otherwise(sheet: InvoiceSheet, sums: InvoiceTotals | None, stated: Invoice) -> Iterator[str]:
    """What the page, read as a printed invoice, says beyond doubt and the XML does not."""
    read = findings(sheet, sums)
    for name in CERTAIN:
        want, told = getattr(stated, name), _certain(read, name)
        if told is not None and want is not None and not _same(told.value, want):
            shown = "a total of" if name == "grand_total" else f"the {name.replace('_', ' ')}"
            yield f"Its pages show {shown} {_said(told.value)}, the XML states {_said(want)}."
    if sums is None or stated.grand_total is None:
        return
    known = {line.total for line in (*line_items(sheet, sums), *stated.lines)} | {stated.grand_total}
    known |= {stated.net_total, stated.tax_total}
    named = [one.value for one in gate.left_over(sheet, sums, known, PAYABLE)]
    if others := [other for other in named if other not in known]:
        yield f"Its pages also name {', '.join(map(str, others))} as an amount to pay."


def _certain(read: Findings, name: str) -> InvoiceFinding[Any] | None:
    found = read.get(name)
    return found if found is not None and found.evidence in CERTAIN[name] else None


def _same(shown: object, stated: object) -> bool:
    if isinstance(shown, Decimal) and isinstance(stated, Decimal):
        return abs(shown) == abs(stated)
    if isinstance(shown, str) and isinstance(stated, str):
        return _letters(shown) == _letters(stated)
    return shown == stated


def _said(value: object) -> str:
    return f"{plain(value) if isinstance(value, Decimal) else value}"


def _other_currency(sheet: InvoiceSheet, stated: Invoice) -> str:
    """Another currency beside the total, or no other than it anywhere."""
    numbers = sheet.tokens.of(TokenKind.NUMBER)
    beside = {token.currency for token in numbers if token.currency and abs(token.number) == stated.grand_total}
    shown = beside or {str(token.value) for token in sheet.tokens.of(TokenKind.CURRENCY)}
    if stated.currency is None or not shown or stated.currency in shown:
        return ""
    return f"Its pages show the currency {min(shown)}, the XML states {stated.currency}."


def _other_account(sheet: InvoiceSheet, iban: str | None) -> str:
    """Another account to pay to, whose check digits are right. An XML need not state any."""
    if iban is None:
        return ""
    others = [one.value for one in accounts(sheet) if one.evidence == "check digits" and one.value != iban]
    return f"Its pages also name the account {others[0]}, which the XML does not state." if others else ""


def _letters(text: str) -> str:
    return "".join(WORDS.findall(fold(text)))
