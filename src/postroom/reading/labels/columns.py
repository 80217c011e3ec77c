"""Labels to the values below them by the form of both: some columns are empty, some have no label."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

from postroom.reading.labels.words import NUMBER_FIELDS, PhraseHit, SpeltLine
from postroom.reading.page.tokens import Token, TokenKind, TokenLine, part

UNSUITED = -0.6
EMPTY_COLUMN = 0.35
UNKNOWN = -0.2  # a value under a word that means nothing: better than under none
FRACTIONS = 3  # decimals that counts have and money has not
SHORTEST_NAME = 3  # letters of a word that may head a column
NEAR = 0.05  # of a sum in the row: as far as charges take it from count times price


def in_order(header: Sequence[PhraseHit], tokens: Sequence[Token]) -> bool:
    """As many labels as values are no proof that they belong together if two of the values cannot be what they say."""
    money = any(token.currency for token in tokens)
    pairs = zip(header, tokens, strict=True)
    return sum(_suited(hit, token, money=money) <= UNSUITED for hit, token in pairs) < 2


def by_form(header: Sequence[PhraseHit], tokens: Sequence[Token]) -> list[tuple[PhraseHit, Token]]:
    """Labels to values in order where their numbers differ: some columns are empty, some have no label."""
    money = any(token.currency for token in tokens)
    header_span, token_span = max(header[-1].end, 1), max(tokens[-1].end, 1)
    width = len(tokens) + 1
    best = [[0.0] * width for _ in range(len(header) + 1)]
    for row in range(len(header) - 1, -1, -1):
        for column in range(len(tokens) - 1, -1, -1):
            here = best[row + 1][column + 1] + _suited(header[row], tokens[column], money=money)
            here -= abs(header[row].end / header_span - tokens[column].end / token_span)
            without = best[row + 1][column] - _empty(header[row])
            best[row][column] = max(here, without, best[row][column + 1] - EMPTY_COLUMN)
    pairs: list[tuple[PhraseHit, Token]] = []
    row = column = 0
    while row < len(header) and column < len(tokens):
        here = best[row + 1][column + 1] + _suited(header[row], tokens[column], money=money)
        here -= abs(header[row].end / header_span - tokens[column].end / token_span)
        if here >= best[row][column]:
            pairs.append((header[row], tokens[column]))
            row, column = row + 1, column + 1
        elif best[row + 1][column] - _empty(header[row]) >= best[row][column]:
            row += 1
        else:
            column += 1
    return pairs


def part_count(header: Sequence[PhraseHit], row: TokenLine) -> None:
    """`40 188,20` under `Antal Kurs` is a count and a price if a column would stay empty else, and a sum in the row is
    near to their product."""
    columns = [name for name in (_number_field(hit) for hit in header) if name]
    numbers = row.of(TokenKind.NUMBER)
    place = next((at for at, pair in enumerate(pairwise(columns)) if pair == ("quantity", "price")), None)
    if place is None or not place < len(numbers) < len(columns) or numbers[place].head is None:
        return
    token = numbers[place]
    assert token.head is not None
    product = float(token.head.value * token.also[0].value)
    if any(abs(float(other.number) - product) <= NEAR * product for other in numbers if other is not token):
        part(token, row)


def _number_field(hit: PhraseHit) -> str:
    """What kind of number a label calls for; nothing if it only names other things."""
    name, _ = max(hit.meaning, key=itemgetter(1), default=("", 0.0))
    return name if name in NUMBER_FIELDS and name != "other" else ""


def with_unknown(header: Sequence[PhraseHit], spelt: SpeltLine) -> list[PhraseHit]:
    """A header's labels and, as columns that mean nothing, the words that none of them holds."""
    return sorted([*header, *unknown(header, spelt)], key=lambda hit: hit.start)


def unknown(header: Sequence[PhraseHit], spelt: SpeltLine) -> list[PhraseHit]:
    return [
        PhraseHit(word, start, end, ())
        for word, (start, end) in zip(spelt.words, spelt.spans, strict=True)
        if len(word) >= SHORTEST_NAME and all(end <= hit.start or hit.end <= start for hit in header)
    ]


def _empty(hit: PhraseHit) -> float:
    """What it costs to leave a label without a value: words that mean nothing may stand over text."""
    return EMPTY_COLUMN if hit.meaning else 0.0


def _suited(hit: PhraseHit, token: Token, *, money: bool) -> float:
    """How well a value's form suits a label, whatever the label's field."""
    return max((_suits_field(name, token, money=money) for name, _ in hit.meaning), default=UNKNOWN)


def _suits_field(name: str, token: Token, *, money: bool) -> float:
    paid = token.currency is not None
    if name == "quantity":
        return (-1.0 if paid else 0.8) + (0.3 if token.decimals == 0 or token.decimals >= FRACTIONS else 0.0)
    if name == "fx":
        return -1.0 if paid or token.decimals == 0 else 0.6
    if name == "price":
        return (0.5 if paid else 0.3) if token.decimals else 0.0
    if name in ("gross", "net", "fee", "tax", "accrued"):
        return (0.8 if paid else -0.6 if money else 0.2) + (0.3 if token.decimals == 2 else -0.2)
    return 0.0
