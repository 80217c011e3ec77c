"""Two papers that answer the same question with different values: shown to a person, never chosen silently."""

from __future__ import annotations

import re

from postroom.mail.sentences import tokens
from postroom.rooms.replies.rules.calendar_terms import calendar_terms
from postroom.rooms.replies.rules.questions import Question, Want
from postroom.rooms.replies.rules.ranking import Hit
from postroom.rooms.replies.rules.slots import Slot
from postroom.rooms.replies.rules.terms import CONCEPT, STEM
from postroom.rooms.replies.rules.values import FoundValue, ValueKind, find_values, times_words

AS_HIGH = 0.72  # of the best score
ALIKE = 0.75  # of the question's words: said by both lines, or by neither
HALF_ALIKE = 0.5  # of them, where both lines are nearly the same sentence
LIKE, SAME_SENTENCE = 0.5, 0.62  # of the words of the shorter line that the other one has too
DENIED = 0.5  # of them said by both, where one line denies what the other says
_ANY: tuple[ValueKind, ...] = ("money", "percent", "time", "date", "duration")
_KINDS: dict[Want, frozenset[ValueKind]] = {
    "money": frozenset(["money", "percent"]),
    "time": frozenset(["time", "date"]),
    "duration": frozenset(["duration"]),
    "count": frozenset(["number", "duration", "measure", "percent"]),
    "size": frozenset(["measure", "number"]),
    "contact": frozenset(["phone", "email"]),
}


def contradicts(question: Question, best: Hit, other: Hit) -> bool:
    """Both answer alike and speak of the same things, but share no value, or one denies what the other says."""
    if other.score < AS_HIGH * best.score:
        return False
    said = _said(question, best, other)
    if not any(first and second for first, second in said):
        return False
    alike = sum(first == second for first, second in said) / len(said)
    like = _likeness(best, other)
    same = (alike >= ALIKE and like >= LIKE) or (alike >= HALF_ALIKE and like >= SAME_SENTENCE)
    if same and any(_disjoint(best, other, kinds) for kinds in _kinds(question)):
        return True
    both = sum(first and second for first, second in said)
    whether = question.wants <= {"money"} and not question.firm  # "is it included in the fee" asks for no amount
    return whether and both >= max(2, DENIED * len(said)) and denies(best.line.text) != denies(other.line.text)


def _likeness(best: Hit, other: Hit) -> float:
    """How much of the shorter line the other one says too, by words or by meaning."""
    return max(_shared(_words(best, mark), _words(other, mark)) for mark in (STEM, CONCEPT))


def _shared(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(2, min(len(first), len(second)))


def _words(hit: Hit, mark: str) -> set[str]:
    return {key for key in hit.snippet.lines[hit.number].held if key[0] == mark and not key[1:].isdigit()}


def _kinds(question: Question) -> list[frozenset[ValueKind]]:
    """Where no kind of value is asked for, any kind may disagree."""
    return [_KINDS[want] for want in sorted(question.wants)] or [frozenset([kind]) for kind in _ANY]


def _said(question: Question, best: Hit, other: Hit) -> list[tuple[bool, bool]]:
    """Of each weighty word of the question, whether either line says it itself or under a heading of its own."""
    words = [slot for slot in (*question.slots, *question.before) if slot.kind == "word" and not slot.light]
    return [(_says(best, slot), _says(other, slot)) for slot in words]


def _says(hit: Hit, slot: Slot) -> bool:
    return slot.filled(hit.snippet.lines[hit.number].held | hit.snippet.top) >= 0.8


def _disjoint(best: Hit, other: Hit, kinds: frozenset[ValueKind]) -> bool:
    first, second = _values(best, kinds), _values(other, kinds)
    return bool(first) and bool(second) and not first & second


def _values(hit: Hit, kinds: frozenset[ValueKind]) -> set[str]:
    found: list[FoundValue] = find_values(hit.line.text)
    values = {each.same for each in found if each.kind in kinds}
    if "number" in kinds:
        values |= {f"times:{times_words()[word]}" for word in tokens(hit.line.text) if word in times_words()}
    if "date" in kinds and not any(slot.kind == "calendar" for slot in hit.asked.question.slots):
        values |= {term for term in calendar_terms(hit.line.text) if term.startswith("m:")}
    return values


_DENIALS = re.compile(
    r"(?<!\w)(?:not|no|never|cannot|nicht|kein\w*|ne|pas|aucun\w*|jamais|non|nessun\w*|ningún|ninguna|niet|geen|não|nenhum\w*|nie|żad\w*|inte|inga|ingen|ikke|intet)(?!\w)",
    re.IGNORECASE,
)


def denies(text: str) -> bool:
    """That something is not offered, or costs nothing, is an answer too."""
    return _DENIALS.search(text) is not None
