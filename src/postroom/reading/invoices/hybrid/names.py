"""Who bills and who is billed: whom a page shows there must be who the XML says."""

from __future__ import annotations

from collections.abc import Iterator, Set

from postroom.nouns.documents import Invoice
from postroom.reading.invoices.anywhere import WORDS, StatedAnywhere
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.gate import NAMED
from postroom.reading.invoices.layout import InvoiceSheet
from postroom.reading.invoices.parties import firms_at_the_head, names_at_the_head, parties
from postroom.reading.page.dates import fold

SHORTEST_NAME = 3  # letters of a word that tells one name from another
LEGAL_FORMS = frozenset((
    "gmbh", "mbh", "ag", "kg", "ohg", "ug", "se", "sa", "sas", "sarl", "srl", "spa", "bv", "nv", "ltd", "limited",
    "llc", "inc", "plc", "oy", "ab", "as", "aps", "sro", "co", "und", "and", "the",
))  # fmt: skip


def names_otherwise(sheet: InvoiceSheet, stated: Invoice, anywhere: StatedAnywhere) -> Iterator[str]:
    """Sentences about a party that the XML states and the page does not name, and the other way round."""
    if stated.supplier is None:
        yield "The XML states no supplier."
        return
    text = fold(sheet.tokens.text)
    shown = frozenset(WORDS.findall(text))
    if not _named(stated.supplier, text, shown):
        yield f"The XML states {stated.supplier} as supplier, whom its pages do not name."
    elif stated.buyer is not None and _words(stated.supplier) == _words(stated.buyer):
        yield f"The XML states {stated.supplier} as supplier and as buyer."
    else:
        yield from _others(sheet, stated, anywhere)
    if stated.buyer is not None and not _named(stated.buyer, text, shown) and _names_somebody(sheet, anywhere):
        yield f"The XML states {stated.buyer} as buyer, whom its pages do not name."


def _named(name: str, text: str, shown: Set[str]) -> bool:
    """All words of the name that tell it from others, and if none does, the name as it is."""
    telling = _telling(name)
    return telling <= shown if telling else f" {' '.join(_words(name))} " in f" {' '.join(WORDS.findall(text))} "


def _words(name: str) -> list[str]:
    return [fold(word) for word in WORDS.findall(name)]


def _telling(name: str) -> frozenset[str]:
    return frozenset(word for word in _words(name) if len(word) >= SHORTEST_NAME and word not in LEGAL_FORMS)


def _others(sheet: InvoiceSheet, stated: Invoice, anywhere: StatedAnywhere) -> Iterator[str]:
    """Whom the page shows as one party and the XML does not know, or knows as the other."""
    read = parties(sheet)
    exchanged = stated.buyer is not None and _is(read.supplier, stated.buyer) and _is(read.buyer, stated.supplier)
    told = set()
    for role, found, own, opposite in (
        ("supplier", read.supplier, stated.supplier, stated.buyer),
        ("buyer", read.buyer, stated.buyer, stated.supplier),
    ):
        if found is None or found.evidence not in NAMED or own is None or _same(found.value, own):
            continue
        swapped = opposite is not None and _same(found.value, opposite) and (exchanged or _is_told(found))
        if swapped or not _explained(found.value, anywhere):
            told.add(found.value)
            yield f"Its pages show {found.value} as {role}, the XML states {own}."
    for name in firms_at_the_head(sheet):
        if name not in told and not _explained(name, anywhere):
            told.add(name)
            yield f"Its pages name {name} at the head, whom the XML does not state."


def _is(found: InvoiceFinding[str] | None, name: str | None) -> bool:
    return found is not None and name is not None and _same(found.value, name)


def _is_told(found: InvoiceFinding[str]) -> bool:
    return found.evidence in ("label", "sender line")


def _same(one: str, other: str) -> bool:
    """Whether one name says no more than the other."""
    mine, theirs = _telling(one) or frozenset(_words(one)), _telling(other) or frozenset(_words(other))
    return mine <= theirs or theirs <= mine


def _explained(name: str, anywhere: StatedAnywhere) -> bool:
    return _telling(name) <= anywhere.words


def _names_somebody(sheet: InvoiceSheet, anywhere: StatedAnywhere) -> bool:
    """Whether the head holds words that may be a name and that the XML does not know."""
    return any(not _explained(name, anywhere) for name in names_at_the_head(sheet))
