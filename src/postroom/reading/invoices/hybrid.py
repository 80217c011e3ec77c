"""A PDF that states an invoice as XML and shows one on its pages: both must tell the same, or a person decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from postroom.nouns.documents import DocumentText, Invoice, plain
from postroom.reading.invoices import gate
from postroom.reading.invoices.accounts import accounts
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.layout import InvoiceSheet, sheet_of
from postroom.reading.invoices.money import totals
from postroom.reading.invoices.papers import called, calls_back, settled
from postroom.reading.invoices.rows import line_items
from postroom.reading.invoices.text import Findings, findings
from postroom.reading.page.dates import fold
from postroom.reading.page.tokens import TokenKind

SHORTEST_NAME = 3  # letters of a word that tells one supplier from another
LEGAL_FORMS = frozenset((
    "gmbh", "mbh", "ag", "kg", "ohg", "ug", "se", "sa", "sas", "sarl", "srl", "spa", "bv", "nv", "ltd", "limited",
    "llc", "inc", "plc", "oy", "ab", "as", "aps", "sro", "co", "und", "and", "the",
))  # fmt: skip
CERTAIN = {
    "number": ("strong beside", "strong below"),
    "issue_date": ("labelled",),
    "due_date": ("labelled",),
    "currency": gate.PRINTED_CURRENCY,
    "net_total": ("sum and rate",),
    "tax_total": ("sum and rate",),
    "grand_total": ("sum and rate",),
}
"""What the reading of a page must rest on to speak against the XML."""
PAYABLE = ("gross", "paid", "left")
"""What amounts are called that change what is to be paid."""
_WORDS = re.compile(r"[^\W_]+")


def contradictions(document: DocumentText, stated: Invoice) -> tuple[str, ...]:
    """Sentences about what the page shows otherwise than the XML states, or does not show at all."""
    if not document.words:
        return ("There is no text on its pages to hold the XML against.",)
    sheet = sheet_of(document)
    text = fold(sheet.tokens.text)
    found = [
        _number(stated.number, text),
        _total(stated.grand_total, sheet),
        _supplier(stated, text),
        _iban(stated.iban, text),
        _kind(sheet),
        *_read_otherwise(sheet, stated),
        _other_account(sheet, stated.iban),
    ]
    return tuple(sentence for sentence in found if sentence)


def _number(number: str | None, text: str) -> str:
    """The whole number: `1` stands on every page."""
    if number is None or re.search(rf"(?<![^\W_]){_spaced(number)}(?![^\W_])", text):
        return ""
    return f"The XML states the number {number}, which its pages do not show."


def _spaced(number: str) -> str:
    return r"[\W_]*".join(re.escape(part) for part in _WORDS.findall(fold(number)))


def _total(total: Decimal | None, sheet: InvoiceSheet) -> str:
    if total is None:
        return ""
    numbers = sheet.tokens.of(TokenKind.NUMBER)
    shown = {abs(token.number) for token in numbers} | {abs(other.value) for token in numbers for other in token.also}
    return "" if abs(total) in shown else f"The XML states a total of {plain(total)}, which its pages do not show."


def _supplier(stated: Invoice, text: str) -> str:
    """All words of the name that tell it from others, and if none does, the name as it is."""
    if stated.supplier is None:
        return "The XML states no supplier."
    words = [fold(word) for word in _WORDS.findall(stated.supplier)]
    telling = [word for word in words if len(word) >= SHORTEST_NAME and word not in LEGAL_FORMS]
    shown = _WORDS.findall(text)
    if not (set(telling) <= set(shown) if telling else f" {' '.join(words)} " in f" {' '.join(shown)} "):
        return f"The XML states {stated.supplier} as supplier, whom its pages do not name."
    if stated.buyer is not None and words == [fold(word) for word in _WORDS.findall(stated.buyer)]:
        return f"The XML states {stated.supplier} as supplier and as buyer."
    return ""


def _iban(iban: str | None, text: str) -> str:
    if iban is None or _letters(iban) in _letters(text):
        return ""
    return f"The XML asks to pay to {iban}, which its pages do not show."


def _kind(sheet: InvoiceSheet) -> str:
    lines = sheet.plain_lines
    title = called(lines)
    return title.because if title.kind not in ("", "invoice") else calls_back(lines) or settled(lines)


def _read_otherwise(sheet: InvoiceSheet, stated: Invoice) -> Iterator[str]:
    """What the page, read as a printed invoice, says beyond doubt and the XML does not."""
    sums = totals(sheet)
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


def _other_account(sheet: InvoiceSheet, iban: str | None) -> str:
    """Another account to pay to, whose check digits are right. An XML need not state any."""
    if iban is None:
        return ""
    others = [one.value for one in accounts(sheet) if one.evidence == "check digits" and one.value != iban]
    return f"Its pages also name the account {others[0]}, which the XML does not state." if others else ""


def _letters(text: str) -> str:
    return "".join(_WORDS.findall(fold(text)))
