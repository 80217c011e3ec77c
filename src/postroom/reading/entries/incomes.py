"""Several entries of a kind that is booked apart, such as two dividends on one paper: cut where each begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from postroom.reading.entries.entry import EntryReading, read_entry
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import TokenKind, checks
from postroom.reading.sums.rules import SumRule

FIRST_WORDS = 3
PLAIN = 3.0  # the weight of a word that says one thing only
LONGEST = 60  # lines of one entry
MOST_STARTS = 120
FEWEST_NUMBERS = 2  # in a row that is an entry by itself
CENTS = 2  # decimals
CALLED = 1.0  # how plainly a label must name the count or the rate

Anchor = Callable[[LabelledText, int, str], bool]


@dataclass(slots=True)
class ListedEntries:
    """The entries of one kind, if there are several, and how many the paper's own structure shows."""

    entries: list[EntryReading] = field(default_factory=list)
    shown: int = 1


def read_several(reading: LabelledText, topic: str, rule: SumRule, whole: EntryReading) -> ListedEntries:
    """Several entries, or none if the paper is better read as one; then with how many seem to be there."""
    found: list[EntryReading] = []
    shown = 1
    named = bool(whole.flags.get("isins"))
    for lines in _cuts(reading, topic):
        blocks = [_read(reading, block, rule, whole) for block in lines]
        every = [entry for entry in blocks if _is_told(entry) and ("isin" in entry.tokens or not named)]
        shown = max(shown, len({(one.isin, one.pay_date, one.quantity, one.net) for one in every if is_proven(one)}))
        told = _distinct(every)
        if _worth(told) > _worth(found):
            found = told
    if len(found) > 1 and (all(map(is_proven, found)) or not is_proven(whole)):
        return ListedEntries(found, max(len(found), shown))
    return ListedEntries([], max(len(found), shown))


def _worth(found: Sequence[EntryReading]) -> tuple[int, int, int]:
    own = sum("isin" in entry.tokens and "settlement_date" in entry.tokens for entry in found)
    return sum(map(is_proven, found)), len(found), own


def _cuts(reading: LabelledText, topic: str) -> Iterator[list[range]]:
    """Ways to cut the paper: from one beginning to the next, and rows by themselves."""
    every = range(len(reading.text.lines))
    for anchor in (_titled, _names_security, _starts_with_date):
        starts = [index for index in every if anchor(reading, index, topic)]
        if not 1 < len(starts) <= MOST_STARTS:
            continue
        ends = [*starts[1:], len(every)]
        yield [range(start, min(end, start + LONGEST)) for start, end in zip(starts, ends, strict=True)]
        if all(len(reading.text.lines[start].of(TokenKind.NUMBER)) >= FEWEST_NUMBERS for start in starts):
            yield [range(start, start + 1) for start in starts]


def _titled(reading: LabelledText, index: int, topic: str) -> bool:
    topics, spans = reading.topics[index], reading.spelt[index].spans
    if not topics or not spans:
        return False
    edge = spans[min(FIRST_WORDS, len(spans)) - 1][1]
    return any(hit.start < edge and (topic, PLAIN) in hit.meaning for hit in topics)


def _names_security(reading: LabelledText, index: int, topic: str) -> bool:
    return any(checks(token.text) for token in reading.text.lines[index].of(TokenKind.ISIN))


def _starts_with_date(reading: LabelledText, index: int, topic: str) -> bool:
    tokens = reading.text.lines[index].tokens
    return bool(tokens) and tokens[0].kind is TokenKind.DATE and tokens[0].start <= FIRST_WORDS


def _read(reading: LabelledText, lines: range, rule: SumRule, whole: EntryReading) -> EntryReading:
    """One of them; what stands once for all it takes from the whole."""
    found = read_entry(reading, lines, rule, entry=True)
    found.currency = found.currency or whole.currency
    if found.pay_date is None and whole.pay_date is not None:
        found.settlement_date = whole.pay_date
    return found


def is_proven(entry: EntryReading) -> bool:
    """Whether its sums hold."""
    return bool(entry.flags.get("filled") and entry.flags.get("explained") and not entry.flags.get("trivial"))


def _is_told(entry: EntryReading) -> bool:
    """Whether it is an entry: its sums hold, or it has its own day, security and amount."""
    net = entry.tokens.get("net")
    if net is None or net.decimals != CENTS or entry.pay_date is None or entry.currency is None:
        return False
    called = max(entry.flags.get("quantity_label", 0.0), entry.flags.get("price_label", 0.0)) >= CALLED
    return (is_proven(entry) and called) or {"isin", "trade_date"} <= entry.tokens.keys()


def _distinct(found: Sequence[EntryReading]) -> list[EntryReading]:
    """A paper may tell the same entry twice, before and after tax: one day and one security have one, the proven."""
    kept: dict[tuple[object, ...], EntryReading] = {}
    for entry in sorted(found, key=is_proven, reverse=True):
        kept.setdefault((entry.isin, entry.pay_date), entry)
    return sorted(kept.values(), key=lambda entry: entry.lines)
