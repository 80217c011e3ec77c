"""Papers that print a value before its label: `1.685,10 EUR Kurswert`, or the value in the line above."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import DATE_FIELDS, NUMBER_FIELDS, PhraseHit
from postroom.reading.page.tokens import Token, TokenKind, TokenLine

FEWEST = 3  # values above their labels, one after the other
REACH = 3  # lines in which a label looks down for its value
MOST_WORDS = 7  # of a line that is a label
STRAY = 2  # words of such a line that no label holds
FIRM = 1.5
VALUES = (TokenKind.NUMBER, TokenKind.PERCENT, TokenKind.DATE)
BESIDE = (TokenKind.CURRENCY, TokenKind.TIME)
_NAMES = {TokenKind.DATE: frozenset(DATE_FIELDS)}
_NUMERIC = frozenset(NUMBER_FIELDS)


def turned(reading: LabelledText) -> dict[int, Token]:
    """The lines whose labels name what stands before them, or above, with that value; empty for most papers."""
    return _beside(reading) | _above(reading)


def _beside(reading: LabelledText) -> dict[int, Token]:
    """Lines that begin with a value and end with its label, where the next or the last one does so too, or where
    money stands there and the label has no value below it."""
    lines = reading.text.lines
    valued = [line for line in lines if line.tokens]
    found = {line.index: value for line in valued if (value := _before_label(reading, line)) is not None}
    return {
        index: value
        for index, value in found.items()
        if index - 1 in found or index + 1 in found or (value.currency and not _looks_down(lines, index))
    }


def _looks_down(lines: Sequence[TokenLine], index: int) -> bool:
    return any(line.tokens for line in lines[index + 1 : index + REACH])


def _above(reading: LabelledText) -> dict[int, Token]:
    """Labels under their values: runs of both in turn that begin with a value and end with a label."""
    lines = reading.text.lines
    found: dict[int, Token] = {}
    index = 0
    while index < len(lines):
        run = _run(reading, index) if lines[index].tokens else {}
        if len(run) >= FEWEST:
            found |= run
        index += max(2 * len(run), 1)
    return found


def _run(reading: LabelledText, first: int) -> dict[int, Token]:
    """Pairs of a value and the label below it, from a line on; none if another value follows the last label."""
    lines = reading.text.lines
    found: dict[int, Token] = {}
    index = first
    while index + 1 < len(lines):
        value = alone(lines[index])
        if value is None or lines[index + 1].tokens or not is_label(reading, index + 1, 0):
            break
        found[index + 1] = value
        index += 2
    if not found or (index < len(lines) and alone(lines[index]) is not None):
        return {}
    begun = first > 0 and not lines[first - 1].tokens and is_label(reading, first - 1, 0)
    return {} if begun else found


def _before_label(reading: LabelledText, line: TokenLine) -> Token | None:
    """The only value of a line that begins with it and ends with its label."""
    value = _only(line.tokens)
    if (
        value is None
        or value.kind is TokenKind.PERCENT
        or line.text[: min(token.start for token in line.tokens)].strip(" -+−–(")
    ):
        return None
    return value if is_label(reading, line.index, value.end) else None


def alone(line: TokenLine) -> Token | None:
    """The only value of a line that holds nothing else."""
    value = _only(line.tokens)
    if value is None:
        return None
    text = line.text
    for token in reversed(line.tokens):
        text = text[: token.start] + text[token.end :]
    return None if any(letter.isalnum() for letter in text) else value


def _only(tokens: Sequence[Token]) -> Token | None:
    value = None
    for token in tokens:
        if token.kind in VALUES:
            if value is not None:
                return None
            value = token
        elif token.kind not in BESIDE:
            return None
    return value


def is_label(reading: LabelledText, index: int, after: int) -> bool:
    """Whether what follows in a line is one label and little else."""
    spelt = reading.spelt[index]
    words = sum(start >= after for start, _ in spelt.spans)
    hits = [hit for hit in reading.labels[index] if hit.start >= after]
    held = sum(hit.phrase.count(" ") + 1 for hit in hits)
    return bool(hits) and words <= MOST_WORDS and words - held <= STRAY and any(_is_firm(hit) for hit in hits)


def _is_firm(hit: PhraseHit) -> bool:
    return any(weight >= FIRM for _, weight in hit.meaning)


def credit(reading: LabelledText, index: int, value: Token) -> None:
    names = _NAMES.get(value.kind, _NUMERIC)
    for hit in reading.labels[index]:
        for name, weight in hit.meaning:
            if name in names:
                reading.about(value).add(name, weight, hit.phrase)
