"""Columns that say bought or sold by a letter: `B/S`, `Buy(B) / Sell(S)`, `C/V`, and a letter alone in rows below."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from postroom.reading.labels.words import PhraseHit
from postroom.reading.page.tokens import TokenKind, TokenLine

ROWS = 40  # lines below a header
LOUD = 3.0  # as a word that says it plainly
PAIRS = ("B/S", "C/V", "A/V", "K/V", "K/S", "Z/S", "O/M")
"""Buy and Sell, Compra and Venta, Achat and Vente, Kauf and Verkauf, Kupno and Sprzedaż, Zakup, Osto and Myynti."""
_PAIR = re.compile(rf"(?<![\w/])(?:{'|'.join(PAIRS)})(?![\w/])")
_NAMED = re.compile(r"([^\W\d_]{3,}) ?\(([A-Z])\) ?[/|,] ?([^\W\d_]{3,}) ?\(([A-Z])\)")
_LETTER = re.compile(r"(?<![\w.,/&(-])[A-Z](?![\w.,/&)'’-])")


def noted(lines: Sequence[TokenLine], topics: Sequence[list[PhraseHit]]) -> None:
    """Adds to the topics of the rows below what their letter says; a row that has both letters says nothing."""
    for index, line in enumerate(lines):
        if "/" not in line.text or line.of(TokenKind.NUMBER):
            continue
        legend = _legend(line.text, topics[index])
        for below in range(index + 1, min(index + 1 + ROWS, len(lines)) if legend else 0):
            row = lines[below]
            if not row.of(TokenKind.NUMBER):
                continue
            said = [letter for letter in _LETTER.finditer(row.text) if letter[0] in legend]
            if len(said) == 1:
                meaning = ((legend[said[0][0]], LOUD),)
                topics[below].append(PhraseHit(said[0][0], said[0].start(), said[0].end(), meaning))


def _legend(text: str, hits: Sequence[PhraseHit]) -> Mapping[str, str]:
    """Which letter says what: two words that the header itself explains, or a pair that everybody knows."""
    if named := _NAMED.search(text):
        ways = {hit.start: name for hit in hits for name, _ in hit.meaning if name in ("buy", "sell")}
        first, second = ways.get(named.start(1)), ways.get(named.start(3))
        return {named[2]: first, named[4]: second} if first and second and first != second else {}
    if pair := _PAIR.search(text):
        return {pair[0][0]: "buy", pair[0][2]: "sell"}
    return {}
