"""Evidence made ready to be found: papers as terms, how rare each is, and what each word of a question weighs.

The database finds candidates by the rarest terms of a question (`search_terms`); `ranking` orders them, by statistics
over the whole collection, so that what is found does not depend on how many were fetched.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from postroom.mail.language import Language
from postroom.ports import Encoder
from postroom.rooms.replies.rules.papers import EvidenceLine, Paper, Snippet
from postroom.rooms.replies.rules.periods import Period
from postroom.rooms.replies.rules.questions import Question, Want
from postroom.rooms.replies.rules.slots import A_PART, BY_PARTS, NEAR, Slot, is_number_word
from postroom.rooms.replies.rules.terms import CONCEPT, STEM, terms
from postroom.rooms.replies.rules.values import value_kinds
from postroom.rooms.replies.rules.weights import FittedWeights

MOST_TERMS, FEWEST_TERMS = 24, 9
SMALLEST_COLLECTION = 40  # snippets


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is not fitted: the gate, and how much words weigh."""

    gate: float = 0.38  # the chance of being right from which on a passage is quoted
    sibling: float = 0.35  # of a later part of the same sentence, in the section that answers the first
    company: float = 0.3  # of a question in a mail of which another one is answered
    wide: float = 0.9  # a word of the same wide meaning, against the word itself
    rarest: float = 4.5  # no word weighs more: a folder of ten thousand snippets has rarer ones than one of fifty
    light: float = 0.4  # weight of a word that describes the sender more than the matter
    calendar: float = 1.0  # of a day or month that is asked for
    glossary: bool = True  # without it, only words themselves are compared
    stems: bool = True
    encoder: Encoder | None = None  # what tells how near texts are in meaning, where it is installed
    weights: FittedWeights | None = None  # None: those that were fitted on every open folder


TUNING = Tuning()


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of a tenant's whole collection: how many snippets, how long, and in how many each term stands."""

    snippets: int
    average_length: float
    frequency: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexedLine:
    line: EvidenceLine
    held: frozenset[str]
    length: int


@dataclass(frozen=True, slots=True)
class IndexedSnippet:
    """A snippet with its terms. `top` are those of headings and the paper's title."""

    snippet: Snippet
    lines: tuple[IndexedLine, ...]
    top: frozenset[str]
    held: frozenset[str]
    years: frozenset[int] = frozenset()

    def on(self, days: Period) -> IndexedSnippet:
        """Without lines that are over by then, or hold only later and do not say so themselves."""
        kept = tuple(each for each in self.lines if _holds(each.line.period, days))
        return self if len(kept) == len(self.lines) else replace(self, lines=kept, held=_held(self.top, kept))

    def is_same(self, other: IndexedSnippet) -> bool:
        return (self.snippet.source, self.snippet.number) == (other.snippet.source, other.snippet.number)


def _holds(period: Period | None, days: Period) -> bool:
    return period is None or not (period.is_over(days) or (period.is_to_come(days) and not period.itself))


def _held(top: frozenset[str], lines: Iterable[IndexedLine]) -> frozenset[str]:
    return top.union(*(line.held for line in lines))


def index_snippet(snippet: Snippet, title: str = "", years: frozenset[int] = frozenset()) -> IndexedSnippet:
    language = snippet.language
    top = frozenset(terms(" . ".join([title, *snippet.headings]), language))
    lines = tuple(_indexed(line, language) for line in snippet.lines)
    return IndexedSnippet(snippet, lines, top, _held(top, lines), years)


def _indexed(line: EvidenceLine, language: Language) -> IndexedLine:
    said = terms(f"{line.text} . {line.label}", language)
    return IndexedLine(line, frozenset(said), max(1, len(line.text.split())))


def index_papers(papers: Iterable[Paper]) -> list[IndexedSnippet]:
    return [index_snippet(each, paper.title, paper.years) for paper in papers for each in paper.snippets]


def statistics_of(indexed: Sequence[IndexedSnippet]) -> Statistics:
    frequency: Counter[str] = Counter()
    lengths = [line.length for each in indexed for line in each.lines]
    for each in indexed:
        frequency.update(each.held)
    return Statistics(len(indexed), sum(lengths) / max(1, len(lengths)), frequency)


def rarity_of(count: int, statistics: Statistics, tuning: Tuning) -> float:
    """A folder of three papers says little about which words are rare: it is taken for a larger one."""
    size = max(statistics.snippets, SMALLEST_COLLECTION)
    weight = math.log(1 + (size - min(count, size) + 0.5) / (count + 0.5))
    return min(weight, tuning.rarest, math.log(2 * size + 2))


@dataclass(frozen=True, slots=True)
class WeighedSlot:
    """A slot with its weight in this collection, and what each of its terms is worth."""

    slot: Slot
    weight: float
    keys: tuple[tuple[str, float], ...]
    parts: tuple[WeighedSlot, ...] = ()
    near: tuple[str, ...] = ()

    def filled(self, held: Collection[str]) -> float:
        best = max((worth for key, worth in self.keys if key in held), default=0.0)
        if self.parts and best < BY_PARTS:
            filled = [part.filled(held) for part in self.parts]
            best = max(best, BY_PARTS * sum(filled) / len(filled) if all(filled) else A_PART * max(filled))
        if best < NEAR and any(key in held for key in self.near):
            return NEAR
        return best


def weigh(slot: Slot, statistics: Statistics, tuning: Tuning = TUNING) -> WeighedSlot:
    """How much a word tells: the rarer in the collection, the more, up to a bound.

    A word of wide meaning that stands there itself tells more than another one of the same meaning: a visitor is a
    guest, but not every guest is a visitor.
    """
    parts = tuple(weigh(part, statistics, tuning) for part in slot.parts) if tuning.glossary else ()
    used = [(key, strength) for key, strength in slot.keys if _is_used(key, tuning)]
    there = {key: statistics.frequency[key] for key, _ in used if statistics.frequency.get(key)}
    if there:
        rarest = rarity_of(min(there.values()), statistics, tuning)
        keys = tuple(
            (
                key,
                strength
                * (max(tuning.wide, rarity_of(there[key], statistics, tuning) / rarest) if key[0] == CONCEPT else 1.0),
            )
            for key, strength in used
            if key in there
        )
    else:
        rarest = max((part.weight for part in parts), default=rarity_of(0, statistics, tuning))
        keys = tuple(used)
    kind = tuning.light if slot.light else tuning.calendar if slot.kind == "calendar" else 1.0
    near = tuple(key for key in slot.near if statistics.frequency.get(key)) if tuning.glossary and not there else ()
    return WeighedSlot(slot, rarest * kind, keys, parts, near)


def _is_used(key: str, tuning: Tuning) -> bool:
    return (tuning.glossary or CONCEPT not in key[:2]) and (tuning.stems or STEM not in key[:2])


def search_terms(question: Question, statistics: Statistics) -> list[str]:
    """The rarest terms of a question that stand anywhere, for finding candidates."""
    slots = (*question.slots, *question.before, *question.around, *question.topic)
    keys = {key for slot in slots for key in _own_keys(slot)}
    unheard = [slot for slot in slots if not any(statistics.frequency.get(key) for key in _own_keys(slot))]
    keys |= {key for slot in unheard for key in slot.near}
    there = sorted(
        (key for key in keys if statistics.frequency.get(key)), key=lambda key: (statistics.frequency[key], key)
    )
    return there[: max(FEWEST_TERMS, min(MOST_TERMS, len(there)))]


def question_keys(questions: Iterable[Question], context: Iterable[Slot]) -> list[str]:
    """Every term whose rarity matters to these questions."""
    slots = [slot for each in questions for slot in (*each.slots, *each.before, *each.around, *each.topic)]
    return sorted({key for slot in (*slots, *context) for key in (*_own_keys(slot), *slot.near)})


def _own_keys(slot: Slot) -> Iterable[str]:
    yield from (key for key, _ in slot.keys)
    for part in slot.parts:
        yield from _own_keys(part)


_FREE = frozenset(["@free", "@included"])
_PRICE = "@price"
_DIGIT = re.compile(r"\d")  # in "the 27th" too
_BARE_NUMBER = re.compile(r"\d[\d., ]*(?:[-–]\s*)?")


def answers_want(
    line: EvidenceLine, held: frozenset[str], want: Want, language: Language, top: frozenset[str] = frozenset()
) -> bool:
    """Whether a line has the kind of value that is asked for. `top` are the terms of the headings above it."""
    kinds = value_kinds(line.text)
    if want == "money":
        return "money" in kinds or "percent" in kinds or bool(held & _FREE) or _is_priced(line, held | top)
    if want == "time":
        return bool(kinds & {"time", "date", "duration"}) or any(key.startswith(("d:", "m:")) for key in held)
    if want == "duration":
        return bool(kinds & {"duration", "time", "date"})
    if want == "contact":
        return bool(kinds & {"phone", "email", "link"})
    if want == "size":
        return bool(kinds & {"measure", "number", "percent"})
    if kinds or "@often" in held or _DIGIT.search(line.text):
        return True
    return any(is_number_word(word, language) for word in line.text.split())


def _is_priced(line: EvidenceLine, told: frozenset[str]) -> bool:
    """A row of a price list whose currency stands elsewhere, if anywhere: "Motorcycle | 33 | 47"."""
    return line.kind == "row" and _PRICE in told and any(_BARE_NUMBER.fullmatch(cell) for cell in line.cells[1:])
