"""Bought or sold: what the words say, most loudly in titles and softly in prose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from postroom.reading.labels.pairing import LabelledText
from postroom.reading.labels.words import PhraseHit

TITLE_WORDS = 8
PROSE_WORDS = 13


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
    best: dict[str, tuple[float, tuple[int, PhraseHit] | None]] = {"buy": (0.0, None), "sell": (0.0, None)}
    totals = {"buy": 0.0, "sell": 0.0}
    said = 0.0
    for order, index in enumerate(lines):
        both = {name for hit in reading.topics[index] for name, _ in hit.meaning}
        for hit in reading.topics[index]:
            for name, weight in hit.meaning:
                if name not in totals:
                    continue
                loud = weight * loudness(reading, index, order, hit)
                if {"buy", "sell"} <= both:
                    loud *= 0.3
                totals[name] += 0.25 * loud
                said = max(said, loud if weight >= 3.0 else 0.0)
                if loud > best[name][0]:
                    best[name] = (loud, (index, hit))
    buy, sell = best["buy"][0] + min(totals["buy"], 2.0), best["sell"][0] + min(totals["sell"], 2.0)
    return DirectionLean(buy, sell, best["buy"][1], best["sell"][1], said)


def loudness(reading: LabelledText, index: int, order: int, hit: PhraseHit) -> float:
    """How much words count: short lines and capitals are titles, long lines prose, later ones small print."""
    spans = reading.spelt[index].spans
    count = len(spans)
    text = reading.text.lines[index].text
    title = count <= TITLE_WORDS or (spans and hit.start <= spans[0][0]) or _in_capitals(text, hit)
    size = 1.0 if title else 0.7 if count <= PROSE_WORDS else 0.3
    place = 1.0 if order < 25 else 0.8 if order < 50 else 0.5
    return size * place


def _in_capitals(text: str, hit: PhraseHit) -> bool:
    """Words in capitals in a line that is not."""
    return text[hit.start : hit.end].isupper() and not text.isupper()
