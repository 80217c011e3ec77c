"""Forms that come as all their labels and then all their values, line for line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.placement import SECURITY_NUMBERS
from postroom.reading.labels.turned import FIRM, alone, is_label
from postroom.reading.labels.words import DATE_FIELDS, NUMBER_FIELDS, PhraseHit
from postroom.reading.page.tokens import Token, TokenKind

FEWEST = 4  # lines of a stack
FEWEST_FITTING = 3  # labels that have a value of their kind just so far below
MOST = 30
ISIN = "isin"
_OTHERS = frozenset(("other", "other_date"))
_DATED, _NUMERIC = frozenset(DATE_FIELDS) - _OTHERS, frozenset(NUMBER_FIELDS) - _OTHERS


def stacked(reading: LabelledText) -> dict[int, Token]:
    """The lines whose labels stand as far above their values as those around them; empty for most papers."""
    found: dict[int, Token] = {}
    for first, length in _runs(reading):
        best: dict[int, Token] = {}
        for size in range(FEWEST, min(length, MOST) + 1):
            pairs = _fitting(reading, first + length - size, size)
            if pairs is not None and len(pairs) > len(best):
                best = pairs
        found |= best
    return found


def _runs(reading: LabelledText) -> Iterator[tuple[int, int]]:
    """Runs of lines without values, with the label that ends them: where they begin, and how many they are."""
    lines, begun = reading.text.lines, 0
    for index, line in enumerate(lines):
        if not line.tokens:
            continue
        length = index - begun
        while length >= FEWEST:
            if is_label(reading, begun + length - 1, 0):
                yield begun, length
                break
            length -= 1
        begun = index + 1


def _fitting(reading: LabelledText, first: int, size: int) -> dict[int, Token] | None:
    """Each label with the value as many lines below as the stack is high; None if one of them has none of its kind."""
    lines, found, named = reading.text.lines, dict[int, Token](), 0
    if first + 2 * size > len(lines):
        return None
    for index in range(first, first + size):
        below = lines[index + size]
        if ISIN in reading.spelt[index].words and SECURITY_NUMBERS.issuperset(reading.spelt[index].words):
            if not below.of(TokenKind.ISIN):
                return None
            named += 1
            continue
        if not is_label(reading, index, 0):
            continue
        wanted = _kinds(reading.labels[index])
        if not wanted:
            continue
        value = alone(below)
        if value is None or value.kind not in wanted:
            return None
        found[index] = value
    return found if len(found) + named >= FEWEST_FITTING and len(found) > 1 else None


def _kinds(hits: Sequence[PhraseHit]) -> frozenset[str]:
    """What its value may be; nothing where a number of a paper or account may stand there."""
    names = {name for hit in hits for name, weight in hit.meaning if weight >= FIRM}
    if not names.isdisjoint(_OTHERS):
        return frozenset()
    dated = {TokenKind.DATE} if names & _DATED else set[str]()
    return frozenset(dated | ({TokenKind.NUMBER, TokenKind.PERCENT} if names & _NUMERIC else set[str]()))
