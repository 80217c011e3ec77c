"""What a page bills line by line: as many lines, and the amounts, as the XML states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from postroom.nouns.documents import Invoice, InvoiceLine, plain
from postroom.reading.invoices.anywhere import WORDS, StatedAnywhere
from postroom.reading.invoices.layout import InvoiceSheet
from postroom.reading.invoices.money import InvoiceTotals
from postroom.reading.invoices.rows import line_items
from postroom.reading.invoices.words import labels_in
from postroom.reading.page.dates import fold

SHORTEST_WORD = 3
_CENT = Decimal("0.01")
_SCALES = (Decimal("0.001"), Decimal("0.01"), Decimal(100), Decimal(1000))


def lines_otherwise(
    sheet: InvoiceSheet, sums: InvoiceTotals | None, stated: Invoice, anywhere: StatedAnywhere
) -> Iterator[str]:
    """Sentences about lines that the page proves, by their own arithmetic or by adding up, and the XML lacks."""
    if not stated.lines:
        return
    items = [item for item in line_items(sheet, sums) if not _is_a_sum(item)]
    if _add_up(items, stated) and not _extra_only(items, stated, anywhere):
        if len(items) != len(stated.lines):
            yield f"Its pages bill {_lines(len(items))}, the XML {len(stated.lines)}."
        elif (odd := _unmatched(items, stated)) is not None:
            yield f"Its pages bill {_called(odd)}, which the XML does not state."
    shown = frozenset(WORDS.findall(fold(sheet.tokens.text)))
    for item in items:
        if because := _against(item, stated, anywhere, shown):
            yield because


def _is_a_sum(item: InvoiceLine) -> bool:
    """`Nettobetrag 246,00` over the total was taken for a line."""
    labels = [label for label in labels_in(item.description) if label.start == 0]
    return item.quantity is None and any(label.strength(kind) for label in labels for kind in ("net", "tax", "gross"))


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _called(item: InvoiceLine) -> str:
    total = plain(item.total) if item.total is not None else ""
    return f"“{item.description}” for {total}" if item.description else f"{total}"


def _add_up(items: Sequence[InvoiceLine], stated: Invoice) -> bool:
    totals = [item.total for item in items if item.total is not None]
    wanted = [abs(one) for one in (stated.net_total, stated.grand_total, _whole(stated.lines)) if one is not None]
    made = abs(sum(totals, Decimal(0)))
    return bool(totals) and len(totals) == len(items) and any(abs(made - one) <= _CENT for one in wanted)


def _whole(lines: Sequence[InvoiceLine]) -> Decimal:
    return sum((line.total for line in lines if line.total is not None), Decimal(0))


def _extra_only(items: Sequence[InvoiceLine], stated: Invoice, anywhere: StatedAnywhere) -> bool:
    """Whether all lines of the XML are there, and beside them only what it states elsewhere, such as freight, or lines
    that charge nothing."""
    shown = Counter(abs(item.total) for item in items if item.total)
    for line in stated.lines:
        found = next((one for one in _totals(line) if shown[one] > 0), None)
        if found is None and line.total:
            return False
        if found is not None:
            shown[found] -= 1
    return all(one in anywhere.money for one in shown.elements())


def _unmatched(items: Sequence[InvoiceLine], stated: Invoice) -> InvoiceLine | None:
    left = list(stated.lines)
    for item in items:
        match = next((line for line in left if item.total is not None and abs(item.total) in _totals(line)), None)
        if match is None:
            return item
        left.remove(match)
    return None


def _totals(line: InvoiceLine) -> set[Decimal]:
    """Its total, and with its tax."""
    if line.total is None:
        return set()
    total = abs(line.total)
    taxed = total * (1 + (line.tax_rate or Decimal(0)) / 100)
    return {total, taxed.quantize(_CENT), (taxed + Decimal("0.005")).quantize(_CENT)}


def _against(item: InvoiceLine, stated: Invoice, anywhere: StatedAnywhere, shown: frozenset[str]) -> str:
    if not item.total:
        return ""
    alike = [line for line in stated.lines if abs(item.total) in _totals(line)]
    if not alike:
        counted = item.quantity is not None and item.unit_price is not None and item.description
        odd = counted and abs(item.total) not in anywhere.money and _multiplies(item)
        return f"Its pages bill {_called(item)}, which the XML does not state." if odd else ""
    if _multiplies(item) and not any(_counts_alike(item, line) for line in alike):
        made = f"{plain(item.quantity)} × {plain(item.unit_price)}"
        return f"Its pages bill {made} for {plain(item.total)}, the XML {_made(alike[0])}."
    named = [line for line in alike if _words(line.description)]
    if named and _unknown(item, anywhere.words) and all(_unknown(line, shown) for line in named):
        return f"Its pages bill {_called(item)}, the XML {_called(named[0])}."
    return ""


def _unknown(line: InvoiceLine, known: frozenset[str]) -> bool:
    """Whether most words of what it is called are unknown to the other side."""
    words = _words(line.description)
    return 2 * len(words & known) < len(words)


def _multiplies(item: InvoiceLine) -> bool:
    if item.quantity is None or item.unit_price is None or item.total is None:
        return False
    return abs(abs(item.quantity * item.unit_price) - abs(item.total)) <= _CENT


def _counts_alike(item: InvoiceLine, line: InvoiceLine) -> bool:
    """One of the two numbers is the same: a price may be before a rebate, with tax, or for a hundred."""
    if line.quantity is None or line.unit_price is None or item.quantity is None or item.unit_price is None:
        return True
    mine, theirs = {abs(item.quantity), abs(item.unit_price)}, {abs(line.quantity), abs(line.unit_price)}
    return bool(mine & theirs) or any(abs(item.quantity) * one == abs(line.quantity) for one in _SCALES)


def _made(line: InvoiceLine) -> str:
    return f"{plain(line.quantity)} × {plain(line.unit_price)}"


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in WORDS.findall(fold(text)) if len(word) >= SHORTEST_WORD and not word.isdigit())
