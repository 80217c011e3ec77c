"""Holdings before and after: what stands between them by so much is the quantity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from decimal import Decimal
from itertools import pairwise, product

from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import Token, TokenKind
from postroom.reading.sums.amounts import HELD, MOVED

REACH = 8  # lines between the holding before and the one after
LONGEST_LIST = 60  # lines, where several movements stand between
IN_ROW = 2  # numbers
MOST_COUNTS = 3  # behind a word for what is held
PROVEN = 3.2
MONEY = 2  # decimals


def note_movements(reading: LabelledText) -> None:
    """Evidence of quantity for each number by which a printed holding changes."""
    held: set[Decimal] = set()
    movements: set[Decimal] = set()
    for one, other in pairwise(_holdings(reading)):
        before, after, tokens = _moved(reading, one, other)
        for token in tokens:
            reading.about(token).add("quantity", PROVEN, "")
            reading.about(token).add(MOVED, 1.0, "")
        if tokens:
            held |= {before.number, after.number}
            movements |= {token.number for token in tokens}
    _set_aside(reading, held - movements)
    _note_days(reading)


def _note_days(reading: LabelledText) -> None:
    """The day of a holding is none of a trade."""
    for line in reading.text.lines:
        words = reading.spelt[line.index].words
        if words and words[0] in reading.lexicon.balances and line.of(TokenKind.NUMBER):
            for token in line.of(TokenKind.DATE):
                reading.about(token).add("other_date", PROVEN, "")


def _column_between(reading: LabelledText, before: Token, after: Token) -> list[Token]:
    """The last counts of the rows between two holdings, if together they make the difference."""
    if not 1 < after.line - before.line <= LONGEST_LIST or before.number == after.number:
        return []
    rows = [
        (numbers[-1], _way(reading, line.index))
        for line in reading.text.lines[before.line + 1 : after.line]
        if len(numbers := line.of(TokenKind.NUMBER)) >= IN_ROW and _counts(numbers[-1])
    ]
    made = sum((token.number * (-1 if token.negative else way) for token, way in rows), Decimal(0))
    return [token for token, _ in rows] if made == after.number - before.number else []


def _way(reading: LabelledText, index: int) -> int:
    """Out for what a row, or the one above it, calls a sale."""
    said = {name for at in (index - 1, index) for hit in reading.topics[max(at, 0)] for name, _ in hit.meaning}
    return -1 if "sell" in said and "buy" not in said else 1


def _set_aside(reading: LabelledText, held: Set[Decimal]) -> None:
    """What is held is not what was traded, wherever it is printed again."""
    for token in reading.text.of(TokenKind.NUMBER) if held else ():
        if _counts(token) and token.number in held:
            reading.about(token).add(HELD, PROVEN, "")


def _moved(reading: LabelledText, one: Sequence[Token], other: Sequence[Token]) -> tuple[Token, Token, Sequence[Token]]:
    """Two holdings, and the numbers by which the one became the other."""
    for before, after in product(one, other):
        moved = abs(after.number - before.number)
        near = _near(reading, before.line, after.line) if after.line - before.line <= REACH else ()
        if moved and (tokens := [token for token in near if token.number == moved]):
            return before, after, tokens
    return one[0], other[0], _column_between(reading, one[0], other[0])


def _holdings(reading: LabelledText) -> Iterator[Sequence[Token]]:
    """The counts behind a word for what is held, the likeliest first."""
    for line in reading.text.lines:
        spelt = reading.spelt[line.index]
        numbers = [token for token in line.tokens if _counts(token)]
        if not numbers:
            continue
        for word, (start, _) in zip(spelt.words, spelt.spans, strict=True):
            if word in reading.lexicon.balances:
                behind = [token for token in numbers if token.start > start]
                if behind:
                    yield behind[:MOST_COUNTS]


def _near(reading: LabelledText, first: int, last: int) -> Iterator[Token]:
    for line in reading.text.lines[max(first - 1, 0) : last + 2]:
        yield from (token for token in line.tokens if _counts(token))


def _counts(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER and token.currency is None and token.decimals != MONEY
