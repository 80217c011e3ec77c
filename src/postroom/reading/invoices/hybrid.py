"""A PDF that states an invoice as XML and shows one on its pages: both must tell the same, or a person decides."""

from __future__ import annotations

import re
from decimal import Decimal

from postroom.nouns.documents import DocumentText, Invoice, plain
from postroom.reading.invoices.text import read_text_invoice
from postroom.reading.page.dates import fold
from postroom.reading.page.tokens import TokenKind, TokenText, tokenise

SHORTEST_NAME = 3  # letters of a word that tells one supplier from another
NAMED = 0.5  # of the supplier's words must stand on the page
LEGAL_FORMS = frozenset((
    "gmbh", "mbh", "ag", "kg", "ohg", "ug", "se", "sa", "sas", "sarl", "srl", "spa", "bv", "nv", "ltd", "limited",
    "llc", "inc", "plc", "oy", "ab", "as", "aps", "sro", "co", "und", "and", "the",
))  # fmt: skip
CERTAIN = 0.9  # how sure a reading of the page must be to speak against the XML
_WORDS = re.compile(r"[^\W_]+")


def contradictions(document: DocumentText, stated: Invoice) -> tuple[str, ...]:
    """Sentences about what the page shows otherwise than the XML states, or does not show at all."""
    if not document.words:
        return ("There is no text on its pages to hold the XML against.",)
    page = tokenise(document)
    text = fold(page.text)
    found = [
        _number(stated.number, text),
        _total(stated.grand_total, page),
        _supplier(stated.supplier, text),
        _iban(stated.iban, text),
        _other_total(document, stated),
    ]
    return tuple(sentence for sentence in found if sentence)


def _number(number: str | None, text: str) -> str:
    if number is None or _letters(number) in _letters(text):
        return ""
    return f"The XML states the number {number}, which its pages do not show."


def _total(total: Decimal | None, page: TokenText) -> str:
    if total is None:
        return ""
    numbers = page.of(TokenKind.NUMBER)
    shown = {abs(token.number) for token in numbers} | {abs(other.value) for token in numbers for other in token.also}
    return "" if abs(total) in shown else f"The XML states a total of {plain(total)}, which its pages do not show."


def _supplier(supplier: str | None, text: str) -> str:
    words = [fold(word) for word in _WORDS.findall(supplier or "")]
    telling = [word for word in words if len(word) >= SHORTEST_NAME and word not in LEGAL_FORMS]
    shown = set(_WORDS.findall(text))
    if not telling or sum(word in shown for word in telling) >= NAMED * len(telling):
        return ""
    return f"The XML states {supplier} as supplier, whom its pages do not name."


def _iban(iban: str | None, text: str) -> str:
    if iban is None or _letters(iban) in _letters(text):
        return ""
    return f"The XML asks to pay to {iban}, which its pages do not show."


def _other_total(document: DocumentText, stated: Invoice) -> str:
    """A total that the page calls so beyond doubt, and that is another than the XML's."""
    read = read_text_invoice(document).invoice
    named = read.fields.get("grand_total")
    if named is None or read.grand_total is None or stated.grand_total is None or named.confidence < CERTAIN:
        return ""
    if abs(read.grand_total) == abs(stated.grand_total):
        return ""
    return f"Its pages show a total of {plain(read.grand_total)}, the XML states {plain(stated.grand_total)}."


def _letters(text: str) -> str:
    return "".join(_WORDS.findall(fold(text)))
