"""Holdings before and after: what stands between them by so much is the quantity."""

from __future__ import annotations

from collections.abc import Iterator, Set
from decimal import Decimal
from itertools import pairwise

from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import Token, TokenKind
from postroom.reading.sums.amounts import HELD

REACH = 8  # lines between the holding before and the one after
LONGEST_LIST = 60  # lines, where several movements stand between
IN_ROW = 2  # numbers
PROVEN = 3.2
MONEY = 2  # decimals


def note_movements(reading: LabelledText) -> None:
    """Evidence of quantity for each number by which a printed holding changes."""
    held: set[Decimal] = set()
    movements: set[Decimal] = set()
    for before, after in pairwise(_holdings(reading)):
        if before.number == after.number:
            continue
        moved = abs(after.number - before.number)
        near = _near(reading, before.line, after.line) if after.line - before.line <= REACH else ()
        tokens = [token for token in near if token.number == moved]
        if not tokens:
            tokens = _column_between(reading, before, after)
            movements |= {token.number for token in tokens}
        for token in tokens:
            reading.about(token).add("quantity", PROVEN, "")
        if tokens:
            held |= {before.number, after.number}
            movements.add(moved)
    _set_aside(reading, held - movements)


def _column_between(reading: LabelledText, before: Token, after: Token) -> list[Token]:
    """The last counts of the rows between two holdings, if together they make the difference."""
    if after.line - before.line > LONGEST_LIST:
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


def _holdings(reading: LabelledText) -> Iterator[Token]:
    """The first count behind a word for what is held."""
    for line in reading.text.lines:
        spelt = reading.spelt[line.index]
        numbers = [token for token in line.tokens if _counts(token)]
        if not numbers:
            continue
        for word, (start, _) in zip(spelt.words, spelt.spans, strict=True):
            if word in reading.lexicon.balances:
                behind = next((token for token in numbers if token.start > start), None)
                if behind is not None:
                    yield behind


def _near(reading: LabelledText, first: int, last: int) -> Iterator[Token]:
    for line in reading.text.lines[max(first - 1, 0) : last + 2]:
        yield from (token for token in line.tokens if _counts(token))


def _counts(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER and token.currency is None and token.decimals != MONEY
