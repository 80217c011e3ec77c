"""Evidence found and ranked: BM25 over our own terms, headings counted in, with a share of the section and the thread.

The database finds candidates by the rarest terms of a question (`search_terms`); here they are ranked, by statistics
over the whole collection, so that what is found does not depend on how many were fetched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from postroom.mail.language import Language
from postroom.rooms.replies.rules.papers import EvidenceLine, Paper, Snippet
from postroom.rooms.replies.rules.questions import Question, Want
from postroom.rooms.replies.rules.slots import A_PART, BY_PARTS, Slot
from postroom.rooms.replies.rules.terms import CONCEPT, STEM, terms
from postroom.rooms.replies.rules.values import number_words, value_kinds

MOST_TERMS, FEWEST_TERMS = 24, 9
SMALLEST_COLLECTION = 40  # snippets


@dataclass(frozen=True, slots=True)
class Tuning:
    """Every constant of ranking and gate. Each was chosen with one folder left out, and holds on the other."""

    gate: float = 0.5  # share of the question, by rarity, that an answer has to cover
    sibling: float = 0.4  # of a later part of the same sentence, in the section that answers the first
    saturation: float = 1.2
    length: float = 0.35
    near: float = 0.7  # a word in another line of its paragraph, for the score
    heading: float = 0.9  # a word in a heading or title, against one in the line
    paragraph: float = 0.85  # a word in the same paragraph
    section: float = 0.5  # the section's share of the score
    elsewhere: float = 0.6  # coverage by a word that stands in the section only
    context: float = 0.3  # the share of what was said beside the question, and in the thread
    mail: float = 0.1  # the share of the rest of the mail
    number: float = 0.4  # of a number that is asked with: often an age, seldom the answer's
    wide: float = 0.9  # a word of the same wide meaning, against the word itself
    doubt: float = 0.4  # always uncovered, so that one common word alone opens nothing
    leaning: float = 0.5  # weight of the words that a question leans on
    want: float = 2.2  # weight of the kind of answer that is wanted, as rare as this
    rarest: float = 4.5  # no word weighs more: a folder of ten thousand snippets has rarer ones than one of fifty
    stranger: float = 0.5  # weight of a word without a known meaning, when the paper speaks another language
    light: float = 0.4  # weight of a word that describes the sender more than the matter
    calendar: float = 2.2  # of a day or month that is asked for
    loosely: float = 0.3  # weight of the sentence before, when a question leans on it
    second: float = 0.85  # of the best score and coverage: a passage that does as well is quoted beside it
    focus: float = 0.85  # what coverage is worth when the rarest word of the question is not there
    own_language: float = 1.06
    glossary: bool = True  # without it, only words themselves are compared
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

    def filled(self, held: Collection[str]) -> float:
        best = max((worth for key, worth in self.keys if key in held), default=0.0)
        if self.parts and best < BY_PARTS:
            filled = [part.filled(held) for part in self.parts]
            best = max(best, BY_PARTS * sum(filled) / len(filled) if all(filled) else A_PART * max(filled))
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
    return WeighedSlot(slot, rarest * kind, keys, parts)


def _is_used(key: str, tuning: Tuning) -> bool:
    return (tuning.glossary or CONCEPT not in key[:2]) and (tuning.stems or STEM not in key[:2])


def search_terms(question: Question, statistics: Statistics) -> list[str]:
    """The rarest terms of a question that stand anywhere, for finding candidates."""
    keys = {key for slot in (*question.slots, *question.before, *question.around) for key in _all_keys(slot)}
    there = sorted(
        (key for key in keys if statistics.frequency.get(key)), key=lambda key: (statistics.frequency[key], key)
    )
    return there[: max(FEWEST_TERMS, min(MOST_TERMS, len(there)))]


def question_keys(questions: Iterable[Question], context: Iterable[Slot]) -> list[str]:
    """Every term whose rarity matters to these questions."""
    slots = [slot for each in questions for slot in (*each.slots, *each.before, *each.around)]
    return sorted({key for slot in (*slots, *context) for key in _all_keys(slot)})


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
        self.leaning = tuning.loosely if question.loosely else tuning.leaning
        own = [weigh(slot, statistics, tuning) for slot in question.slots]
        self.own = [each for each in own if each.slot.kind != "number"]
        self.numbers = [each for each in own if each.slot.kind == "number"]
        self.before = [weigh(slot, statistics, tuning) for slot in question.before if slot.kind != "number"]
        self.around = [weigh(slot, statistics, tuning) for slot in question.around if slot.kind != "number"]
        said = {slot.text for slot in (*question.slots, *question.before, *question.around)}
        self.mail = [weigh(slot, statistics, tuning) for slot in context if slot.text not in said]

    def hits(self, indexed: IndexedSnippet) -> Iterable[Hit]:
        tuning = self.tuning
        shares = [
            (self.own, 1.0), (self.numbers, tuning.number), (self.before, self.leaning),
            (self.around, tuning.context), (self.mail, tuning.mail),
        ]  # fmt: skip
        section = sum(share * self._sum(slots, indexed.held) for slots, share in shares)
        if section <= 0:
            return
        for number, line in enumerate(indexed.lines):
            near = _near(indexed, number)
            own = sum(share * self._line_sum(slots, line.held, near, indexed.top) for slots, share in shares)
            wanted = self._wanted(line.line, indexed, number)
            score = own * self._normal(line.length) + tuning.section * section
            score += tuning.want * sum(wanted) / max(1, len(wanted)) if wanted else 0.0
            if indexed.snippet.language == self.question.language:
                score *= tuning.own_language
            coverage, missing = self._coverage(indexed, line.held, near, wanted)
            yield Hit(indexed, number, score, coverage, missing, not wanted or min(wanted) > 0)

    def _normal(self, length: int) -> float:
        tuning = self.tuning
        stretch = 1 - tuning.length + tuning.length * length / max(1.0, self.statistics.average_length)
        return (1 + tuning.saturation) / (1 + tuning.saturation * stretch)

    def _sum(self, slots: Sequence[WeighedSlot], held: frozenset[str]) -> float:
        return sum(slot.weight * slot.filled(held) for slot in slots)

    def _line_sum(
        self, slots: Sequence[WeighedSlot], held: frozenset[str], near: frozenset[str], top: frozenset[str]
    ) -> float:
        tuning = self.tuning
        return sum(
            slot.weight * max(slot.filled(held), tuning.near * slot.filled(near), tuning.heading * slot.filled(top))
            for slot in slots
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
        self, indexed: IndexedSnippet, held: frozenset[str], near: frozenset[str], wanted: Sequence[float]
    ) -> tuple[float, tuple[str, ...]]:
        tuning = self.tuning
        foreign = indexed.snippet.language != self.question.language
        total, filled = tuning.doubt, 0.0
        missing: list[str] = []
        for slots, share in ((self.own, 1.0), (self.before, self.leaning)):
            for slot in slots:
                weight = slot.weight * share * (tuning.stranger if foreign and not slot.slot.known else 1.0)
                best = max(
                    slot.filled(held), tuning.heading * slot.filled(indexed.top),
                    tuning.paragraph * slot.filled(near), tuning.elsewhere * slot.filled(indexed.held),
                )  # fmt: skip
                total += weight
                filled += weight * best
                if best < 0.5 and share == 1.0:
                    missing.append(slot.slot.text)
        if wanted:
            total += tuning.want
            filled += tuning.want * sum(wanted) / len(wanted)
        return (filled / total if total else 0.0) * self._focus(indexed), tuple(missing)

    def _focus(self, indexed: IndexedSnippet) -> float:
        """The rarest word is what the question is about: where it is missing, the rest counts for less."""
        foreign = indexed.snippet.language != self.question.language
        every = [*self.own, *(self.before if self.tuning.leaning == 1.0 or not self.own else [])]
        words = [slot for slot in every if slot.slot.kind == "word" and (slot.slot.known or not foreign)]
        if not words:
            return 1.0
        rarest = max(words, key=lambda slot: slot.weight)
        return 1.0 if rarest.filled(indexed.held) >= A_PART else self.tuning.focus


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
