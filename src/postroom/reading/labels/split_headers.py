"""Headers over two lines: `Buchungs- Preis- Betrag in Anteile` above `datum datum EUR`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from postroom.reading.labels import words
from postroom.reading.labels.words import PhraseHit, Phrases, SpeltLine
from postroom.reading.page.dates import fold
from postroom.reading.page.locale import CODES
from postroom.reading.page.tokens import TokenLine

FEWEST = 2  # words cut in two, that make a line the upper half of a header
_CUT = re.compile(r"[^\W\d_]{3,}-(?= |$)")
_WORD = re.compile(r"[^\W\d_]+(-(?= |$))?")
_CURRENCIES = frozenset(fold(code) for code in CODES)


def join(lines: Sequence[TokenLine], labels: list[list[PhraseHit]], phrases: Phrases) -> None:
    """The labels of such headers, with their halves put together, where the upper halves stand."""
    for index, line in enumerate(lines[:-1]):
        if "- " not in line.text or line.line.numbered or lines[index + 1].line.numbered:
            continue
        if len(_CUT.findall(line.text)) < FEWEST:
            continue
        whole = _whole(line.text, lines[index + 1].text)
        if whole is not None:
            labels[index], labels[index + 1] = words.find(whole, phrases), []


def _whole(upper: str, lower: str) -> SpeltLine | None:
    """The upper line's words, each that was cut with its other half. None if the halves do not come out even."""
    rest = [word for word in lower.split() if fold(word) not in _CURRENCIES]
    found, spans = list[str](), list[tuple[int, int]]()
    for word in _WORD.finditer(upper):
        half = ""
        if word[1]:
            if not rest or not rest[0].isalpha():
                return None
            half = rest.pop(0)
        found.append(fold(word[0].rstrip("-") + half))
        spans.append((word.start(), word.end() - len(word[1] or "")))
    return None if rest else SpeltLine(found, upper, _spans=spans)
