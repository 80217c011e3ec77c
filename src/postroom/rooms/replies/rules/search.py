"""Evidence found and ranked: BM25 over our own terms, headings counted in, with a share of the section and the thread.

The database finds candidates by the rarest terms of a question (`search_terms`); here they are ranked, by statistics
over the whole collection, so that what is found does not depend on how many were fetched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from postroom.mail.language import Language
from postroom.rooms.replies.rules.papers import EvidenceLine, Paper, Snippet
from postroom.rooms.replies.rules.questions import Question, Want
from postroom.rooms.replies.rules.slots import Slot
from postroom.rooms.replies.rules.terms import terms
from postroom.rooms.replies.rules.values import number_words, value_kinds

MOST_TERMS, FEWEST_TERMS = 24, 9


@dataclass(frozen=True, slots=True)
class Tuning:
    """Every constant of ranking and gate. Each was chosen with one folder left out, and holds on the other."""

    gate: float = 0.55  # share of the question, by rarity, that an answer has to cover
    sibling: float = 0.45  # of a later part of the same sentence, in the section that answers the first
    saturation: float = 1.2
    length: float = 0.35
    near: float = 0.7  # a word in another line of its paragraph, for the score
    heading: float = 0.9  # a word in a heading or title, against one in the line
    paragraph: float = 0.85  # a word in the same paragraph
    section: float = 0.5  # the section's share of the score
    elsewhere: float = 0.6  # coverage by a word that stands in the section only
    context: float = 0.3  # the thread's share of the score
    leaning: float = 0.5  # weight of the words that a question leans on
    want: float = 2.2  # weight of the kind of answer that is wanted, as rare as this
    rarest: float = 4.5  # no word weighs more: a folder of ten thousand snippets has rarer ones than one of fifty
    stranger: float = 0.5  # weight of a word without a known meaning, when the paper speaks another language
    light: float = 0.4  # weight of a word that describes the sender more than the matter
    focus: float = 0.8  # what coverage is worth when the rarest word of the question is not there
    own_language: float = 1.06
    glossary: bool = True
    stems: bool = True


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


@dataclass(frozen=True, slots=True)
class Hit:
    """A line of evidence for a question: how well it ranks, and how much of the question it covers."""

    snippet: IndexedSnippet
    number: int  # of the line
    score: float
    coverage: float
    missing: tuple[str, ...] = ()
    satisfied: bool = True  # it has the kind of answer that is wanted

    @property
    def line(self) -> EvidenceLine:
        return self.snippet.lines[self.number].line

    @property
    def source(self) -> str:
        return self.snippet.snippet.source


def index_snippet(snippet: Snippet, title: str = "", years: frozenset[int] = frozenset()) -> IndexedSnippet:
    language = snippet.language
    top = frozenset(terms(" . ".join([title, *snippet.headings]), language))
    lines = tuple(_indexed(line, language) for line in snippet.lines)
    return IndexedSnippet(snippet, lines, top, top.union(*(line.held for line in lines)), years)


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


def rarity(slot: Slot, statistics: Statistics, tuning: Tuning = TUNING) -> float:
    """How much a word tells: the rarer in the collection, the more, up to a bound."""
    count = max((statistics.frequency.get(key, 0) for key, _ in slot.keys), default=0)
    if not count and slot.parts:
        known = [max((statistics.frequency.get(key, 0) for key, _ in part.keys), default=0) for part in slot.parts]
        count = min(known)
    weight = math.log(1 + (statistics.snippets - count + 0.5) / (count + 0.5))
    return min(weight, tuning.rarest, math.log(2 * statistics.snippets + 2)) * (tuning.light if slot.light else 1.0)


def search_terms(question: Question, statistics: Statistics) -> list[str]:
    """The rarest terms of a question that stand anywhere, for finding candidates."""
    keys = {key for slot in (*question.slots, *question.before) for key in _all_keys(slot)}
    there = sorted(
        (key for key in keys if statistics.frequency.get(key)), key=lambda key: (statistics.frequency[key], key)
    )
    return there[: max(FEWEST_TERMS, min(MOST_TERMS, len(there)))]


def _all_keys(slot: Slot) -> Iterable[str]:
    yield from (key for key, _ in slot.keys)
    for part in slot.parts:
        yield from _all_keys(part)


def rank(
    question: Question,
    candidates: Sequence[IndexedSnippet],
    statistics: Statistics,
    context: Sequence[Slot] = (),
    tuning: Tuning = TUNING,
    *,
    alone: bool = True,
) -> list[Hit]:
    """Every line of the candidates that has to do with the question, best first.

    `alone` is False when what the question leans on was not found: then those words count in full.
    """
    if not alone:
        tuning = replace(tuning, leaning=1.0)
    weights = Weights(question, statistics, context, tuning)
    hits = [hit for each in candidates for hit in weights.hits(each)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.source, hit.snippet.snippet.number, hit.number))


class Weights:
    """A question made ready to be held against many snippets."""

    def __init__(self, question: Question, statistics: Statistics, context: Sequence[Slot], tuning: Tuning) -> None:
        self.question, self.statistics, self.tuning = question, statistics, tuning
        self.own = [(slot, rarity(slot, statistics, tuning)) for slot in question.slots if slot.kind != "number"]
        self.numbers = [(slot, rarity(slot, statistics, tuning)) for slot in question.slots if slot.kind == "number"]
        self.before = [(slot, rarity(slot, statistics, tuning)) for slot in question.before if slot.kind != "number"]
        said = {slot.text for slot, _ in (*self.own, *self.before)}
        self.around = [(slot, rarity(slot, statistics, tuning)) for slot in context if slot.text not in said]

    def hits(self, indexed: IndexedSnippet) -> Iterable[Hit]:
        leaning = self.tuning.leaning if self.question.leans else self.tuning.context
        shares = [(self.own, 1.0), (self.numbers, 0.6), (self.before, leaning), (self.around, self.tuning.context / 3)]
        section = sum(share * self._sum(slots, indexed.held) for slots, share in shares)
        if section <= 0:
            return
        for number, line in enumerate(indexed.lines):
            near = _near(indexed, number)
            own = sum(share * self._line_sum(slots, line.held, near, indexed.top) for slots, share in shares)
            wanted = self._wanted(line.line, indexed, number)
            score = own * self._normal(line.length) + self.tuning.section * section
            score += self.tuning.want * sum(wanted) / max(1, len(wanted)) if wanted else 0.0
            if indexed.snippet.language == self.question.language:
                score *= self.tuning.own_language
            coverage, missing = self._coverage(indexed, line.held, near, wanted, leaning)
            yield Hit(indexed, number, score, coverage, missing, not wanted or min(wanted) > 0)

    def _normal(self, length: int) -> float:
        tuning = self.tuning
        stretch = 1 - tuning.length + tuning.length * length / max(1.0, self.statistics.average_length)
        return (1 + tuning.saturation) / (1 + tuning.saturation * stretch)

    def _sum(self, slots: Sequence[tuple[Slot, float]], held: frozenset[str]) -> float:
        return sum(weight * slot.filled(held) for slot, weight in slots)

    def _line_sum(
        self, slots: Sequence[tuple[Slot, float]], held: frozenset[str], near: frozenset[str], top: frozenset[str]
    ) -> float:
        tuning = self.tuning
        return sum(
            weight * max(slot.filled(held), tuning.near * slot.filled(near), tuning.heading * slot.filled(top))
            for slot, weight in slots
        )

    def _wanted(self, line: EvidenceLine, indexed: IndexedSnippet, number: int) -> list[float]:
        """For each kind of answer that is wanted: whether the line has it, or a line that would be quoted with it."""
        beside = [
            each.line
            for at, each in enumerate(indexed.lines)
            if each.line.paragraph == line.paragraph and abs(at - number) <= 2 and at != number
        ]
        found = []
        for want in sorted(self.question.wants):
            here = 1.0 if answers_want(line, indexed.lines[number].held, want) else 0.0
            if not here and any(
                answers_want(each, indexed.lines[indexed_at(indexed, each)].held, want) for each in beside
            ):
                here = 0.6
            found.append(here)
        return found

    def _coverage(
        self,
        indexed: IndexedSnippet,
        held: frozenset[str],
        near: frozenset[str],
        wanted: Sequence[float],
        leaning: float,
    ) -> tuple[float, tuple[str, ...]]:
        tuning = self.tuning
        foreign = indexed.snippet.language != self.question.language
        total = filled = 0.0
        missing: list[str] = []
        for slots, share in ((self.own, 1.0), (self.before, leaning if self.question.bound else 0.0)):
            for slot, weight in slots:
                weight *= share * (tuning.stranger if foreign and not slot.known else 1.0)
                best = max(
                    slot.filled(held), tuning.heading * slot.filled(indexed.top),
                    tuning.paragraph * slot.filled(near), tuning.elsewhere * slot.filled(indexed.held),
                )  # fmt: skip
                total += weight
                filled += weight * best
                if best < 0.5 and share == 1.0:
                    missing.append(slot.text)
        if wanted:
            total += tuning.want
            filled += tuning.want * sum(wanted) / len(wanted)
        return (filled / total if total else 0.0) * self._focus(indexed), tuple(missing)

    def _focus(self, indexed: IndexedSnippet) -> float:
        """The rarest word is what the question is about: where it is missing, the rest counts for less."""
        foreign = indexed.snippet.language != self.question.language
        leant_on = self.before if self.tuning.leaning == 1.0 and self.question.bound else []
        every = [*self.own, *leant_on]
        words = [(slot, weight) for slot, weight in every if slot.kind == "word" and (slot.known or not foreign)]
        if not words:
            return 1.0
        slot, _ = max(words, key=lambda each: each[1])
        return 1.0 if slot.filled(indexed.held) >= 0.4 else self.tuning.focus


def indexed_at(indexed: IndexedSnippet, line: EvidenceLine) -> int:
    return next(at for at, each in enumerate(indexed.lines) if each.line is line)


def _near(indexed: IndexedSnippet, number: int) -> frozenset[str]:
    """The terms of the other lines of its paragraph."""
    paragraph = indexed.lines[number].line.paragraph
    beside = [each.held for at, each in enumerate(indexed.lines) if at != number and each.line.paragraph == paragraph]
    return frozenset[str]().union(*beside)


_FREE = frozenset(["@free", "@included"])


def answers_want(line: EvidenceLine, held: frozenset[str], want: Want) -> bool:
    """Whether a line has the kind of value that is asked for."""
    kinds = value_kinds(line.text)
    if want == "money":
        return "money" in kinds or "percent" in kinds or bool(held & _FREE)
    if want == "time":
        return bool(kinds & {"time", "date", "duration"}) or any(key.startswith(("d:", "m:")) for key in held)
    if want == "duration":
        return bool(kinds & {"duration", "time", "date"})
    if want == "contact":
        return bool(kinds & {"phone", "email", "link"})
    if want == "size":
        return bool(kinds & {"measure", "number", "percent"})
    return bool(kinds) or any(word in number_words() for word in line.text.lower().split()) or "@often" in held
