"""Bought or sold: what the words say, most loudly in titles and softly in prose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from postroom.reading.labels import sentences
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import PhraseHit
from postroom.reading.page.tokens import TokenKind

TITLE_WORDS = 8
PROSE_WORDS = 13
FIRST_LINES = 25
NEXT_LINES = 50
PLAIN = 3.0
TELLING = (TokenKind.DATE, TokenKind.TIME, TokenKind.ISIN, TokenKind.NUMBER)


@dataclass(frozen=True, slots=True)
class DirectionLean:
    """Weight of the words for BUY and SELL, with the strongest phrase and its place for each."""

    buy: float
    sell: float
    buy_at: tuple[int, PhraseHit] | None = None
    sell_at: tuple[int, PhraseHit] | None = None
    said: float = 0.0
    """How loudly the plainest word for buying or selling stands there."""

    @property
    def margin(self) -> float:
        return self.buy - self.sell


def lean(reading: LabelledText, lines: Iterable[int]) -> DirectionLean:
    w = reading.weights
    best: dict[str, tuple[float, tuple[int, PhraseHit] | None]] = {"buy": (0.0, None), "sell": (0.0, None)}
    totals = {"buy": 0.0, "sell": 0.0}
    said = 0.0
    for order, index in enumerate(lines):
        hits = reading.topics[index]
        if not hits:
            continue
        both = {name for hit in hits for name, _ in hit.meaning}
        for hit in hits:
            for name, weight in hit.meaning:
                if name not in totals:
                    continue
                loud = weight * loudness(reading, index, order, hit)
                if {"buy", "sell"} <= both:
                    loud *= w["direction.both"]
                totals[name] += w["direction.again"] * loud
                said = max(said, loud if weight >= PLAIN else 0.0)
                if loud > best[name][0]:
                    best[name] = (loud, (index, hit))
    most = w["direction.most_again"]
    buy, sell = best["buy"][0] + min(totals["buy"], most), best["sell"][0] + min(totals["sell"], most)
    return DirectionLean(buy, sell, best["buy"][1], best["sell"][1], said)


def loudness(reading: LabelledText, index: int, order: int, hit: PhraseHit) -> float:
    """How much words count: short lines and capitals are titles, long lines prose, later ones small print."""
    w = reading.weights
    spans = reading.spelt[index].spans
    count = len(spans)
    text = reading.text.lines[index].text
    title = count <= TITLE_WORDS or (spans and hit.start <= spans[0][0]) or _in_capitals(text, hit)
    size = 1.0 if title else w["topic.line"] if count <= PROSE_WORDS else w["topic.prose"]
    if not title and _is_boilerplate(reading, index):
        size *= w["topic.boilerplate"]
    return size * (1.0 if order < FIRST_LINES else w["topic.next"] if order < NEXT_LINES else w["topic.late"])


def _is_boilerplate(reading: LabelledText, index: int) -> bool:
    """A sentence that tells of nothing that happened, or of a tax: `a sales tax-free service`."""
    begins = index - 1 if index and sentences.goes_on(reading, index - 1) else index
    if not any(token.kind in TELLING for line in reading.text.lines[begins : index + 1] for token in line.tokens):
        return True
    parts = (reading.parts.part(word) for word in reading.spelt[index].words)
    taxed = any(part is not None and part.head == "tax" for part in parts)
    return taxed and not any(token.kind is TokenKind.DATE for token in reading.text.lines[index].tokens)


def _in_capitals(text: str, hit: PhraseHit) -> bool:
    """Words in capitals in a line that is not: `we have SOLD`."""
    last = text[hit.start : hit.end].rpartition(" ")[2]
    return last.isupper() and len(last) > 1 and not text.isupper()
