"""What a sender's corrections taught: its own labels and habits, as data that any later document is read with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple

from postroom.nouns.documents import Box, DocumentText, Value
from postroom.reading.labels import pairing
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import DATE_FIELDS, NUMBER_FIELDS, SpeltLine, find, spell
from postroom.reading.page.tokens import TokenKind, tokenise

LONGEST_LABEL = 5  # words
SHORTEST_LABEL = 4  # letters
OF_TRADES = {
    "quantity": "quantity", "price": "price", "gross": "gross", "net": "net", "fees": "fee", "taxes": "tax",
    "trade_date": "trade_date", "settlement_date": "settlement_date",
}  # fmt: skip
OF_BOOKINGS = {
    "quantity": "holding", "gross": "gross", "net": "net", "fees": "fee", "taxes": "tax",
    "pay_date": "settlement_date", "ex_date": "ex_date",
}  # fmt: skip
OF_INVOICES = {
    name: f"invoice.{name}" for name in ("number", "issue_date", "due_date", "net_total", "tax_total", "grand_total")
}
AGREEING = 2  # documents that must agree on a word that names nothing yet
OVERRULING = 3  # … on one that names another field, and on a habit: two may be the same mistake
INVOICE = "invoice."
"""Begins the names of an invoice's fields among the labels: a net amount there is none of a trade."""
MOST_PLACES = 3  # of one value
_TRAILING = re.compile(r"[^\W\d_]+(?:[^\w]{1,3}[^\W\d_]+)*[^\w]*$")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What corrections say of a sender: that a phrase names a field or, without a phrase, that its trades are booked on
    the settlement day. It `overrules` a phrase that names another field for us, or a plainly printed day."""

    field: str
    phrase: str = ""
    overrules: bool = False
    mended: tuple[str, ...] = ()
    """Documents that a person corrected, and that it would have read right."""
    agreed: tuple[str, ...] = ()
    """Documents that were found right without it, in which it says the same."""

    @property
    def said(self) -> str:
        return said_of(self.phrase, self.field)

    @property
    def key(self) -> tuple[str, str]:
        return self.phrase, self.field

    @property
    def wanted(self) -> int:
        """How many documents must agree before others are read with it."""
        return OVERRULING if self.overrules else AGREEING

    @property
    def documents(self) -> int:
        """How many agree. A word for the gross amount often stands beside what is also the net one: no proof."""
        return len(self.mended) + (0 if self.overrules else len(self.agreed))

    @property
    def is_agreed(self) -> bool:
        return bool(self.mended) and self.documents >= self.wanted

    def told_by(self, mended: Sequence[str] = (), agreed: Sequence[str] = ()) -> Lesson:
        """With these documents as well, each once."""
        every = tuple(dict.fromkeys((*self.mended, *mended)))
        others = tuple(one for one in dict.fromkeys((*self.agreed, *agreed)) if one not in every)
        return replace(self, mended=every, agreed=others)

    def but(self, document: str) -> Lesson:
        mended, agreed = ([one for one in several if one != document] for several in (self.mended, self.agreed))
        return replace(self, mended=tuple(mended), agreed=tuple(agreed))


@dataclass(frozen=True, slots=True)
class DroppedLesson:
    """What was read with, until a document contradicted it."""

    field: str
    phrase: str
    document: str

    @property
    def said(self) -> str:
        return said_of(self.phrase, self.field)


def said_of(phrase: str, field: str) -> str:
    """A lesson as a sentence for people."""
    if not phrase:
        return "Its trade day is the settlement day."
    named = field.replace("_", " ").replace(".", "’s ")
    return f"“{phrase}” is {named}."


@dataclass(frozen=True, slots=True)
class SenderProfile:
    """Labels (phrase → field) and habits that a sender's documents are read with, and the evidence for them and for
    what may become one."""

    labels: Mapping[str, str] = field(default_factory=dict)
    trades_on_settlement_day: bool = False
    lessons: tuple[Lesson, ...] = ()
    dropped: tuple[DroppedLesson, ...] = ()

    def holds(self, lesson: Lesson) -> bool:
        """Whether documents are read with it."""
        if not lesson.phrase:
            return self.trades_on_settlement_day
        return self.labels.get(lesson.phrase) == lesson.field

    def reading_with(self, lesson: Lesson) -> SenderProfile:
        if not lesson.phrase:
            return replace(self, trades_on_settlement_day=True)
        return replace(self, labels={**self.labels, lesson.phrase: lesson.field})

    def reading_without(self, lesson: Lesson) -> SenderProfile:
        if not lesson.phrase:
            return replace(self, trades_on_settlement_day=False)
        return replace(self, labels={phrase: name for phrase, name in self.labels.items() if phrase != lesson.phrase})

    def noting(self, lesson: Lesson) -> SenderProfile:
        """With this evidence in place of what was known of the lesson."""
        if all(one.key != lesson.key for one in self.lessons):
            return replace(self, lessons=(*self.lessons, lesson))
        return replace(self, lessons=tuple(lesson if one.key == lesson.key else one for one in self.lessons))

    def forgetting(self, lesson: Lesson) -> SenderProfile:
        known = self.reading_without(lesson) if self.holds(lesson) else self
        return replace(known, lessons=tuple(one for one in self.lessons if one.key != lesson.key))

    def contradicted(self, lesson: Lesson, document: str) -> SenderProfile:
        """Without it, for good if nothing was read with it."""
        known = self.forgetting(lesson)
        if not self.holds(lesson):
            return known
        others = tuple(one for one in self.dropped if (one.phrase, one.field) != lesson.key)
        return replace(known, dropped=(*others, DroppedLesson(lesson.field, lesson.phrase, document)))

    def without(self, document: str) -> SenderProfile:
        """As if this document had said nothing: what rests on too few others is read with no more."""
        known = self
        for lesson in self.lessons:
            left = lesson.but(document)
            if left == lesson:
                continue
            known = known.noting(left) if left.mended else known.forgetting(lesson)
            if not left.is_agreed and known.holds(left):
                known = known.reading_without(left)
        return known

    @property
    def entry_labels(self) -> Mapping[str, str]:
        """Those of trades, dividends and the like."""
        return {phrase: name for phrase, name in self.labels.items() if not name.startswith(INVOICE)}

    @property
    def invoice_labels(self) -> Mapping[str, str]:
        """Those of invoices, by the invoice's own names."""
        found = ((phrase, name) for phrase, name in self.labels.items() if name.startswith(INVOICE))
        return {phrase: name.removeprefix(INVOICE) for phrase, name in found}

    def as_json(self) -> dict[str, Any]:
        return {
            "labels": dict(self.labels),
            "trades_on_settlement_day": self.trades_on_settlement_day,
            "lessons": [asdict(one) for one in self.lessons],
            "dropped": [asdict(one) for one in self.dropped],
        }

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> SenderProfile:
        known = {*NUMBER_FIELDS, *DATE_FIELDS, *OF_INVOICES.values()}
        labels = {str(phrase): str(name) for phrase, name in content.get("labels", {}).items() if name in known}
        lessons = tuple(_lesson(one) for one in content.get("lessons", ()) if one["field"] in known)
        dropped = tuple(DroppedLesson(**one) for one in content.get("dropped", ()) if one["field"] in known)
        return SenderProfile(labels, bool(content.get("trades_on_settlement_day", False)), lessons, dropped)


def _lesson(content: Mapping[str, Any]) -> Lesson:
    return Lesson(**{**content, "mended": tuple(content["mended"]), "agreed": tuple(content["agreed"])})


class NamesBeside(NamedTuple):
    """The words that may be the name of a field, the longest first; `taken` are those that name another one for us."""

    field: str
    phrases: Sequence[str]
    taken: Collection[str]


def labels_beside(
    text: DocumentText, corrected: Mapping[str, Value], learnable: Mapping[str, str] = OF_TRADES
) -> Iterator[NamesBeside]:
    """Of each value that a person left in the form: its field, and the words beside it. What is nothing is called by
    nothing."""
    reading = pairing.pair(tokenise(text))
    for name, value in corrected.items():
        label = learnable.get(name)
        if label is not None and value != 0:
            phrases = list(dict.fromkeys(_names_beside(reading, value)))
            yield NamesBeside(label, phrases, [one for one in phrases if _names_another(reading, one, label)])


def _names_another(reading: LabelledText, phrase: str, label: str) -> bool:
    hits = find(SpeltLine(phrase.split(" "), phrase), reading.lexicon.labels)
    named = {name for hit in hits for name, _ in hit.meaning} - {"other", "other_date"}
    return bool(named) and label not in named and not label.startswith(INVOICE)


def _names_beside(reading: LabelledText, value: Value) -> Iterator[str]:
    """The words by which the value is called, wherever it stands: whole, and their ends."""
    for token in islice(_places(reading, value), MOST_PLACES):
        phrase = _words_before(reading, token) or _words_above(reading, token)
        words = phrase.split(" ") if phrase else []
        tails = [" ".join(words[-size:]) for size in dict.fromkeys((len(words), 2, 1)) if 0 < size <= len(words)]
        yield from (tail for tail in tails if len(tail) >= SHORTEST_LABEL)


class ValuePlace(NamedTuple):
    line: int
    start: int
    box: Box


def _places(reading: LabelledText, value: Value) -> Iterator[ValuePlace]:
    if isinstance(value, str):
        for line in reading.text.lines:
            at = line.text.find(value)
            if at >= 0:
                yield ValuePlace(line.index, at, line.line.box_of(at, at + len(value)))
    for token in reading.text.of(TokenKind.NUMBER, TokenKind.DATE):
        if isinstance(value, Decimal) and token.kind is TokenKind.NUMBER:
            if value == token.number or any(value == other.value for other in token.also):
                yield ValuePlace(token.line, token.start, token.box)
        elif isinstance(value, date) and token.kind is TokenKind.DATE and token.day == value:
            yield ValuePlace(token.line, token.start, token.box)


def _words_before(reading: LabelledText, token: ValuePlace) -> str | None:
    line = reading.text.lines[token.line]
    before = [other for other in line.tokens if other.end <= token.start]
    edge = max((other.end for other in before if other.kind is not TokenKind.CURRENCY), default=0)
    currency = [other for other in before if other.kind is TokenKind.CURRENCY and other.start >= edge]
    stop = currency[0].start if currency else token.start
    found = _TRAILING.search(line.text[edge:stop].rstrip(" :-+€$£"))
    return _phrase(found.group()) if found else None


def _words_above(reading: LabelledText, token: ValuePlace) -> str | None:
    left, _, right, _ = token.box
    for index in range(token.line - 1, max(token.line - 4, -1), -1):
        line = reading.text.lines[index].line
        over = [word.text for word in line.words if word.box[0] < right and word.box[2] > left]
        if over and (phrase := _phrase(" ".join(over))):
            return phrase
    return None


def _phrase(text: str) -> str | None:
    words = spell(text)[-LONGEST_LABEL:]
    return " ".join(words) if sum(map(len, words)) >= 3 else None
