"""How many entries a paper's own structure shows, whatever was read of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set

from postroom.reading.entries.entry import EntryReading
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import Token, TokenKind

COLUMNS = 2  # labels of counts, prices and sums that make a line a header
REACH = 3  # lines between a header and its row
FIRM = 1.5
PLAIN = 3.0
FIRST_WORDS = 2
COUNTED = ("quantity", "price", "gross", "net")

PrintedValues = tuple[str, ...]


def shown(reading: LabelledText, whole: EntryReading, many: Sequence[EntryReading]) -> int:
    """The most entries that one of the structures shows: a header printed again over other values, or lines that
    begin with bought or sold and go on with a day and other values. Parts of one order are not counted."""
    if whole.flags.get("parts"):
        return max(len(many), 1)
    return max(_under_headers(reading), _begun(reading, whole), len(many), 1)


def _under_headers(reading: LabelledText) -> int:
    below: dict[tuple[str, ...], set[PrintedValues]] = defaultdict(set)
    for index, hits in enumerate(reading.labels):
        if not hits or reading.text.lines[index].of(TokenKind.NUMBER, TokenKind.DATE):
            continue
        named = {name for hit in hits for name, weight in hit.meaning if name in COUNTED and weight >= FIRM}
        if len(named) < COLUMNS or "quantity" not in named:
            continue
        row = _row_below(reading, index)
        if row:
            below[tuple(reading.spelt[index].words)].add(row)
    return max((len(rows) for rows in below.values()), default=0)


def _row_below(reading: LabelledText, index: int) -> PrintedValues:
    for line in reading.text.lines[index + 1 : index + 1 + REACH]:
        numbers = line.of(TokenKind.NUMBER)
        if len(numbers) >= COLUMNS:
            return _printed(numbers)
    return ()


def _begun(reading: LabelledText, whole: EntryReading) -> int:
    """Lines that begin with a plain word for what was done, hold a day and a number, and differ from each other."""
    found: set[PrintedValues] = set()
    for index, hits in enumerate(reading.topics):
        if not hits:
            continue
        line = reading.text.lines[index]
        days = line.of(TokenKind.DATE)
        if not days or not line.of(TokenKind.NUMBER):
            continue
        spans = reading.spelt[index].spans
        edge = spans[min(FIRST_WORDS, len(spans)) - 1][1]
        done = {name for hit in hits for name, weight in hit.meaning if weight >= PLAIN and hit.start < edge}
        if done & {"buy", "sell"} and not _was_acquired(whole, done, days):
            found.add(_printed(line.of(TokenKind.DATE, TokenKind.NUMBER)))
    return len(found)


def _was_acquired(whole: EntryReading, done: Set[str], days: Sequence[Token]) -> bool:
    """A sale lists the purchases that it ends: those are told for the tax, and happened before."""
    sold = whole.direction == "SELL" and "sell" not in done
    return sold and whole.trade_date is not None and all(day.day < whole.trade_date for day in days)


def _printed(tokens: Sequence[Token]) -> PrintedValues:
    return tuple(str(token.value) for token in tokens)
