"""Which line answers a question, by a fitted score over few features; and what tells whether it is an answer at all."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from postroom.mail.language import Language
from postroom.mail.sentences import fold
from postroom.ports import Encoder
from postroom.rooms.replies.rules.english import in_english
from postroom.rooms.replies.rules.papers import EvidenceLine
from postroom.rooms.replies.rules.questions import Question, Want
from postroom.rooms.replies.rules.search import (
    TUNING,
    IndexedLine,
    IndexedSnippet,
    Statistics,
    Tuning,
    WeighedSlot,
    answers_want,
    weigh,
)
from postroom.rooms.replies.rules.slots import Slot
from postroom.rooms.replies.rules.terms import PART, is_small, terms, tokenised, word_terms
from postroom.rooms.replies.rules.weights import LINE_FEATURES, FittedWeights, fitted

MOST_AHEAD = 4.0  # of the next best section; more tells no more
NAMED = 0.8  # of a word that the first cell of a row has to fill
YIELDS = 2.5  # above the best that holds today, for what holds only later
NEW = 2.0  # that what is new on the days asked about counts more
NEARLY = 2.0  # below the best score: a place that answers as well, and is quoted beside it
MOST_ENCODED = 40  # lines of a question, best first by its words, whose meaning is looked at
LONGEST_PARAGRAPH = 520  # letters that are quoted whole; of a longer one the line with its neighbours


@dataclass(frozen=True, slots=True)
class Hit:
    """A line of evidence for a question: how well it ranks, and how it was scored."""

    snippet: IndexedSnippet
    number: int  # of the line
    score: float
    features: tuple[float, ...]
    asked: PreparedQuestion
    satisfied: bool = True  # it has the kind of answer that is wanted

    @property
    def line(self) -> EvidenceLine:
        return self.snippet.lines[self.number].line

    @property
    def source(self) -> str:
        return self.snippet.snippet.source

    @property
    def is_to_come(self) -> bool:
        """It does not hold yet on the days that are asked about."""
        return self.line.period is not None and self.line.period.is_to_come(self.asked.question.days)

    @property
    def is_new_by_then(self) -> bool:
        """It does not hold today, but on the days that are asked about."""
        first, today = self.line.period and self.line.period.first, self.asked.question.today
        return bool(first and today and today < first) and not self.is_to_come

    def feature(self, name: str) -> float:
        return self.features[LINE_FEATURES.index(name)]

    @property
    def told(self) -> str:
        """The line under its headings, in English."""
        headings, language = " - ".join(self.snippet.snippet.headings[-2:]), self.snippet.snippet.language
        label = "" if self.line.label in self.line.text else self.line.label
        return f"{in_english(headings, language)}: {in_english(f'{label} {self.line.text}', language)}"


@lru_cache(16384)
def _content(heading: str, language: Language) -> tuple[tuple[str, ...], ...]:
    """The terms of each word of a heading, small words aside."""
    said = (token.bare for token in tokenised(heading))
    return tuple(word_terms(word, language) for word in said if not is_small(word, language))


def _spelt(*slots: Slot) -> frozenset[str]:
    return frozenset(fold(slot.text) for slot in slots)


class _Group:
    """The words of a question that stand on the same footing."""

    def __init__(self, slots: Sequence[WeighedSlot]) -> None:
        self.slots, self.total = slots, sum(slot.weight for slot in slots)

    def sum(self, held: Collection[str]) -> float:
        return sum(slot.weight * slot.filled(held) for slot in self.slots)


class PreparedQuestion:
    """A question made ready to be held against many snippets."""

    def __init__(self, question: Question, statistics: Statistics, context: Sequence[Slot], tuning: Tuning) -> None:
        self.question, self.statistics, self.tuning = question, statistics, tuning
        own, before = self._weighed(question.slots), self._weighed(question.before)
        self.own = [each for each in own if each.slot.kind == "word"]
        self.before = [each for each in before if each.slot.kind == "word"]
        self.calendar = _Group([each for each in (*own, *before) if each.slot.kind == "calendar"])
        self.numbers = _Group([each for each in own if each.slot.kind == "number"])
        said = _spelt(*question.slots, *question.before)
        named, beside = _spelt(*question.topic), _spelt(*question.around)
        self.topic = self._beside(question.topic, said)
        self.around = self._beside(question.around, said | named)
        self.mail = self._beside(context, said | named | beside)
        every = [*self.own, *self.before, *self.topic.slots, *self.around.slots]
        self.spoken = {key for slot in every for each in (slot, *slot.parts) for key, _ in each.keys}

    def _weighed(self, slots: Sequence[Slot]) -> list[WeighedSlot]:
        return [weigh(slot, self.statistics, self.tuning) for slot in slots]

    def _beside(self, slots: Sequence[Slot], said: Collection[str]) -> _Group:
        return _Group(self._weighed([slot for slot in slots if slot.kind == "word" and fold(slot.text) not in said]))

    def heard(self, slot: WeighedSlot) -> bool:
        """Whether any paper has the word, or all its parts."""
        known = any(self.statistics.frequency.get(key) for key, _ in slot.keys)
        return known or (bool(slot.parts) and all(self.heard(part) for part in slot.parts))

    def hits(self, indexed: IndexedSnippet, weights: FittedWeights) -> list[Hit]:
        """Every line of a snippet that has to do with the question."""
        own = [_Places(slot, indexed) for slot in self.own]
        before = [_Places(slot, indexed) for slot in self.before]
        groups = (self.around, self.topic, self.mail)
        anywhere = [group.sum(indexed.held) for group in groups]
        matched = any(each.section for each in (*own, *before)) or any(anywhere)
        if not matched and not self.calendar.sum(indexed.held) and not self.numbers.sum(indexed.held):
            return []
        foreign = indexed.snippet.language != self.question.language
        found = []
        heading = self._named(indexed.snippet.headings[-1] if indexed.snippet.headings else "", indexed)
        for number, line in enumerate(indexed.lines):
            near = _near(indexed, number)
            asked = _summed(own, line.held, near, foreign=foreign)
            led = _summed(before, line.held, near, foreign=foreign)
            beside: list[float] = []
            for group, whole in zip(groups, anywhere, strict=True):
                here = group.sum(line.held)
                beside += [_eased(here, group.total), _eased(whole - here, group.total)]
            wanted, satisfied = self._wanted(indexed, number)
            label = self._named(line.line.label or next(iter(line.line.cells), ""), indexed)
            features = (
                *asked, sum(asked[:4]) / max(0.5, sum(asked)),
                *self._led(led), *beside,
                self.calendar.sum(line.held), self.numbers.sum(line.held), wanted, 0.0 if foreign else 1.0,
                math.log(line.length / max(1.0, self.statistics.average_length)), float(line.line.kind == "row"),
                heading, label,
            )  # fmt: skip
            found.append(Hit(indexed, number, weights.score(features), features, self, satisfied))
        return found

    def _named(self, heading: str, indexed: IndexedSnippet) -> float:
        """How much of a heading the mail speaks of."""
        told = _content(heading, indexed.snippet.language)
        return sum(not self.spoken.isdisjoint(word) for word in told) / len(told) if told else 0.0

    def _led(self, parts: Sequence[float]) -> tuple[float, float, float, float]:
        """What a question before it asked counts in full; of what was only told before it, the more the less each."""
        here, beside = parts[0], sum(parts[1:4])
        if not self.question.loosely:
            return here, beside, 0.0, 0.0
        total = sum(slot.weight for slot in self.before)
        return 0.0, 0.0, _eased(here, total), _eased(beside, total)

    def _wanted(self, indexed: IndexedSnippet, number: int) -> tuple[float, bool]:
        """The share of the wanted kinds of answer in the line; whether all are in what would be quoted with it."""
        wants = self.question.wants
        if not wants:
            return 0.0, True
        line = indexed.lines[number]
        beside = [indexed.lines[at] for at in paragraph_of(indexed, number) if at != number]
        here = {want for want in wants if _answers(indexed, line, want)}
        near = {want for want in wants - here if any(_answers(indexed, each, want) for each in beside)}
        return len(here) / len(wants), here | near == wants


def _answers(indexed: IndexedSnippet, line: IndexedLine, want: Want) -> bool:
    return answers_want(line.line, line.held, want, indexed.snippet.language, indexed.top)


def _summed(
    places: Sequence[_Places], held: frozenset[str], near: frozenset[str], *, foreign: bool
) -> tuple[float, ...]:
    """The weight of these words by where they stand."""
    parts = [each.split(held, near, foreign=foreign) for each in places]
    return tuple(map(sum, zip(*parts, strict=True))) if parts else (0.0,) * 6


def _eased(value: float, total: float) -> float:
    """A long mail has many words that an answer may share: the more there are, the less each tells."""
    return value / math.sqrt(1 + total)


class _Places:
    """Where in a snippet a word stands."""

    def __init__(self, slot: WeighedSlot, indexed: IndexedSnippet) -> None:
        self.slot, self.top, self.section = slot, slot.filled(indexed.top), slot.filled(indexed.held)

    def split(self, held: frozenset[str], near: frozenset[str], *, foreign: bool) -> tuple[float, ...]:
        """Its weight by the nearest place in which it stands: line, heading, paragraph, section, nowhere."""
        weight = self.slot.weight
        line = self.slot.filled(held)
        top = max(0.0, self.top - line)
        so_far = line + top
        beside = max(0.0, self.slot.filled(near) - so_far) if near else 0.0
        so_far += beside
        section = max(0.0, self.section - so_far)
        missing = max(0.0, 1 - so_far - section)
        strange = foreign and not self.slot.slot.known
        return (
            weight * line, weight * top, weight * beside, weight * section,
            0.0 if strange else weight * missing, weight * missing if strange else 0.0,
        )  # fmt: skip


def paragraph_of(indexed: IndexedSnippet, number: int) -> list[int]:
    """The lines that are quoted with a line: its paragraph, of a long one only the neighbours."""
    own = [at for at, each in enumerate(indexed.lines) if each.line.paragraph == indexed.lines[number].line.paragraph]
    if sum(len(indexed.lines[at].line.text) for at in own) <= LONGEST_PARAGRAPH:
        return own
    return [at for at in own if abs(at - number) <= 1]


def _near(indexed: IndexedSnippet, number: int) -> frozenset[str]:
    """The terms of the other lines of its paragraph."""
    paragraph = indexed.lines[number].line.paragraph
    beside = [each.held for at, each in enumerate(indexed.lines) if at != number and each.line.paragraph == paragraph]
    return frozenset[str]().union(*beside)


def rank(
    question: Question,
    candidates: Sequence[IndexedSnippet],
    statistics: Statistics,
    context: Sequence[Slot] = (),
    tuning: Tuning = TUNING,
) -> list[Hit]:
    """Every line of the candidates that has to do with the question, best first."""
    prepared, used = PreparedQuestion(question, statistics, context, tuning), tuning.weights or fitted()
    hits = sorted((hit for each in candidates for hit in prepared.hits(each.on(question.days), used)), key=_order)
    if tuning.encoder is not None and used.nearer is not None and hits:
        near = (replace(hit, score=used.nearer.score(hit.features)) for hit in with_nearness(hits, tuning.encoder))
        hits = sorted(near, key=_order)
    return _by_then(_now_first(hits))


def with_nearness(hits: Sequence[Hit], encoder: Encoder) -> list[Hit]:
    """The best lines with what an encoder says of them too; the rest is as far off as the farthest of these."""
    near = encoder.nearness([hit.told for hit in hits[:MOST_ENCODED]], _asked_texts(hits[0].asked.question))
    farthest = [min(column) for column in zip(*near, strict=True)]
    told = [*near, *([farthest] * (len(hits) - len(near)))]
    return [replace(hit, features=(*hit.features, *each)) for hit, each in zip(hits, told, strict=True)]


def _asked_texts(question: Question) -> list[str]:
    """The question alone, with the subject, with that and what was said before it; and the whole mail. In English."""
    alone, subject, lead, mail = (
        in_english(text, question.language) for text in (question.text, question.subject, question.lead, question.mail)
    )
    return [alone, f"{subject}: {alone}", f"{subject}: {lead} {alone}", f"{subject}: {mail}"]


def _by_then(hits: list[Hit]) -> list[Hit]:
    """Asked about a day to come, what is new by then takes the place of what its paper says without a day."""
    if not any(hit.is_new_by_then for hit in hits):
        return hits
    moved = sorted((replace(hit, score=hit.score + NEW * hit.is_new_by_then) for hit in hits), key=_order)
    best = moved[0]
    if not best.is_new_by_then or not best.asked.question.wants:
        return moved
    return [hit for hit in moved if hit.is_new_by_then or hit.source != best.source or not hit.satisfied]


def _now_first(hits: list[Hit]) -> list[Hit]:
    """What holds only later yields to what answers nearly as well and holds on the days asked about."""
    if not any(hit.is_to_come for hit in hits):
        return hits
    now = max((hit.score for hit in hits if hit.satisfied and not hit.is_to_come), default=-math.inf)
    return [hit for hit in hits if not hit.is_to_come or hit.score > now + YIELDS]


def _order(hit: Hit) -> tuple[float, str, int, int]:
    return -hit.score, hit.source, hit.snippet.snippet.number, hit.number


def passage_features(hit: Hit, hits: Sequence[Hit], mates: Sequence[Hit] = ()) -> tuple[float, ...]:
    """What tells whether the best line is an answer at all. `mates` are what is best for the mail's other questions."""
    asked, held = hit.asked, hit.snippet.held
    line = hit.snippet.lines[hit.number].held | hit.snippet.top
    paragraph = line | _near(hit.snippet, hit.number)
    words = [*asked.own, *asked.before]
    story = [*words, *asked.around.slots, *asked.topic.slots]
    subject = [*asked.topic.slots, *(slot for slot in asked.own if slot.slot in asked.question.topic)]
    foreign = hit.snippet.snippet.language != asked.question.language
    unheard = [slot for slot in asked.own if (slot.slot.known or not foreign) and not asked.heard(slot)]
    return (
        math.sqrt(max(0.0, hit.score)),
        _ahead(hit, hits),
        _share(words, paragraph),
        _share(asked.around.slots, line),
        _share(story, line),
        _share(subject, held) if subject else _share(words, held),
        sum(slot.weight for slot in unheard) / max(0.5, sum(slot.weight for slot in words)),
        1.0 if asked.question.firm and not hit.satisfied else 0.0,
        1.0 if _in_strange_row(hit) else 0.0,
        1.0 if any(_is_name(slot, asked.question) and not asked.heard(slot) for slot in words) else 0.0,
        1.0 if any(_is_subject(slot, asked.question) for slot in unheard) else 0.0,
        hit.feature("heading_named"),
        1.0 if hit.satisfied else 0.0,
        0.0 if is_touched(hit) else 1.0,
        max((_beside(hit, mate) for mate in mates), default=0.0),
        0.0 if mates else 1.0,
    )


def is_touched(hit: Hit) -> bool:
    """Something of what is asked stands there, not only what was said around it."""
    return not hit.asked.own or hit.feature("own_share") > 0


def _beside(hit: Hit, mate: Hit) -> float:
    """Another question of the mail leads to the same section, or to the same paper."""
    return 1.0 if mate.snippet.is_same(hit.snippet) else 0.5 if mate.source == hit.source else 0.0


def _in_strange_row(hit: Hit) -> bool:
    """One of several rows of a table, and the question names it by none of its words."""
    line, asked = hit.line, hit.asked
    if line.kind != "row" or sum(each.line.group == line.group for each in hit.snippet.lines) < 2:
        return False
    label = frozenset(terms(line.cells[0], hit.snippet.snippet.language))
    said = (asked.topic, asked.around, asked.calendar, asked.numbers)
    slots = [*asked.own, *asked.before, *(slot for group in said for slot in group.slots)]
    return not any(slot.filled(label) >= NAMED for slot in slots)


def _is_name(slot: WeighedSlot, question: Question) -> bool:
    """A word that only a name can be: with a capital inside a sentence, and in no glossary."""
    word = slot.slot.text
    if slot.slot.kind != "word" or slot.slot.known or not word[:1].isupper() or question.language == "de":
        return False
    return not question.text.lstrip(" ¿¡-\"'(").startswith(word)


def _is_subject(slot: WeighedSlot, question: Question) -> bool:
    """A word of the question that the subject of the mail names too."""
    named = {key for each in question.topic for key, _ in each.keys if key[0] != PART}
    return any(key in named for key, _ in slot.slot.keys)


def _ahead(hit: Hit, hits: Sequence[Hit]) -> float:
    """By how much it leads the next section; one that does as well speaks not against it, for it is quoted too."""
    others: dict[int, float] = {}
    for each in hits:
        if each.snippet is not hit.snippet:
            others.setdefault(id(each.snippet), hit.score - each.score)
            if len(others) == 2:
                break
    first, second = [*others.values(), MOST_AHEAD, MOST_AHEAD][:2]
    return min(MOST_AHEAD, second if abs(first) <= NEARLY else first)


def _share(slots: Sequence[WeighedSlot], held: Collection[str]) -> float:
    """How much of these words stands there, by their rarity."""
    return sum(slot.weight * slot.filled(held) for slot in slots) / max(0.5, sum(slot.weight for slot in slots))
