"""How much hangs on words that only one broker uses: each broker's notes, read without its own words.

A word is an entry of the lexicon: a phrase, a part of compounds (`*spesen`) or a root. What only one broker's documents
use, a reader who never met that broker might not have listed; what others use too, he knows. `as printed` is harsher
than any stranger: a broker's own compounds are not understood even where their parts are common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from benchmarks.evals.trades_data import Case, wrong
from postroom.reading.confidence import Calibration
from postroom.reading.extractor import TextReading, judged, understand
from postroom.reading.labels import compounds as roots
from postroom.reading.labels import words
from postroom.reading.labels.compounds import LabelRoots
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import Lexicon, Phrases


@dataclass
class Forgetful:
    """Reads a broker's documents without what only that broker uses."""

    cases: Sequence[Case]

    @cached_property
    def entries(self) -> dict[str, frozenset[str]]:
        return _own(self.cases, _entries)

    @cached_property
    def printed(self) -> dict[str, frozenset[str]]:
        return _own(self.cases, _printed)

    def __post_init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], tuple[Lexicon, LabelRoots]] = {}
        self._harsh: dict[tuple[str, tuple[str, ...]], tuple[Lexicon, LabelRoots]] = {}

    def read(self, case: Case) -> TextReading:
        lexicon = case.read().reading.lexicon
        at = (case.broker, lexicon.languages)
        if at not in self._known:
            own = self.entries.get(case.broker, frozenset())
            self._known[at] = _without(lexicon, own), roots.roots(lexicon.languages, own)
        left, parts = self._known[at]
        return understand(case.document, lexicon=left, parts=parts)

    def twin(self, case: Case) -> Case:
        """The same document as a stranger reads it."""
        return replace(case, understood=self.read(case))

    def harsh_twin(self, case: Case) -> Case:
        return replace(case, understood=self.read_harshly(case))

    def read_harshly(self, case: Case) -> TextReading:
        lexicon = case.read().reading.lexicon
        at = (case.broker, lexicon.languages)
        if at not in self._harsh:
            own = self.printed.get(case.broker, frozenset())
            parts = replace(roots.roots(lexicon.languages), forgotten=own, heard={})
            self._harsh[at] = words.without(lexicon, own), parts
        left, parts = self._harsh[at]
        return understand(case.document, lexicon=left, parts=parts)


def forgetting(forgetful: Forgetful, single: Sequence[Case], calibration: Calibration) -> dict[str, Any]:
    """Fully right with all words, and with each broker's own words unknown."""
    return {
        "documents": len(single),
        "right": sum(_right(case, case.read(), calibration) for case in single),
        "right without": sum(_right(case, forgetful.read(case), calibration) for case in single),
        "right without, as printed": sum(_right(case, forgetful.read_harshly(case), calibration) for case in single),
        "entries forgotten": sum(map(len, forgetful.entries.values())),
        "phrases forgotten": sum(map(len, forgetful.printed.values())),
    }


def _right(case: Case, understood: TextReading, calibration: Calibration) -> bool:
    answer = judged(case.document, understood, calibration)
    return not wrong(answer.trades[0] if answer.trades else None, case.truth[0])


def _own(cases: Sequence[Case], used: Any) -> dict[str, frozenset[str]]:
    """What only one broker's documents use, by broker."""
    users: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        for entry in set(used(case.read().reading)):
            users[entry].add(case.broker)
    own: dict[str, set[str]] = defaultdict(set)
    for entry, brokers in users.items():
        if len(brokers) == 1:
            own[next(iter(brokers))].add(entry)
    return {broker: frozenset(entries) for broker, entries in own.items()}


def _printed(reading: LabelledText) -> Iterator[str]:
    for hits in (*reading.labels, *reading.topics):
        yield from (hit.phrase for hit in hits)


def _entries(reading: LabelledText) -> Iterator[str]:
    """Every entry of the lexicon that a document uses, however it is printed."""
    lexicon = reading.lexicon
    parts = roots.roots(lexicon.languages)
    for phrases in (lexicon.labels, lexicon.topics):
        for line, spelt in zip(reading.text.lines, reading.spelt, strict=True):
            for hit in words.found(line.line, spelt, phrases):
                yield _entry(hit.phrase, phrases)
    for spelt in reading.spelt:
        for word in spelt.words:
            yield from parts.used(word)


def _entry(phrase: str, phrases: Phrases) -> str:
    """The phrase itself, or the part of a compound that gave it its meaning."""
    first = phrase.split(" ")[0]
    if " " in phrase or any(known == (phrase,) for known, _ in phrases.by_first.get(first, ())):
        return phrase
    for size in range(min(len(phrase) - 2, 16), 2, -1):
        if phrase[-size:] in phrases.ends:
            return f"*{phrase[-size:]}"
        if phrase[:size] in phrases.beginnings:
            return f"{phrase[:size]}*"
    return phrase


def _without(lexicon: Lexicon, own: Set[str]) -> Lexicon:
    return replace(lexicon, labels=_fewer(lexicon.labels, own), topics=_fewer(lexicon.topics, own))


def _fewer(phrases: Phrases, own: Set[str]) -> Phrases:
    by_first = {
        first: [(known, meaning) for known, meaning in listed if " ".join(known) not in own]
        for first, listed in phrases.by_first.items()
    }
    return Phrases(
        by_first,
        {end: meaning for end, meaning in phrases.ends.items() if f"*{end}" not in own},
        {start: meaning for start, meaning in phrases.beginnings.items() if f"{start}*" not in own},
        phrases.closed,
    )
