"""Two papers that answer the same question with different values: shown to a person, never chosen silently."""

from __future__ import annotations

from postroom.mail.sentences import tokens
from postroom.rooms.replies.rules.questions import Question, Want
from postroom.rooms.replies.rules.ranking import Hit
from postroom.rooms.replies.rules.slots import Slot
from postroom.rooms.replies.rules.values import FoundValue, ValueKind, find_values, times_words

AS_HIGH = 0.75  # of the best score
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
    """Both answer the question alike, speak of the same things, and have no value of the wanted kind in common."""
    if other.score < AS_HIGH * best.score or not same_subject(question, best, other):
        return False
    return any(_disjoint(best, other, kinds) for kinds in _kinds(question))


def _kinds(question: Question) -> list[frozenset[ValueKind]]:
    """Where no kind of value is asked for, any kind may disagree."""
    return [_KINDS[want] for want in sorted(question.wants)] or [frozenset([kind]) for kind in _ANY]


def same_subject(question: Question, best: Hit, other: Hit) -> bool:
    """Both lines say every weighty word of the question themselves, or under a heading of their own."""
    words = [slot for slot in (*question.slots, *question.before) if slot.kind == "word" and not slot.light]
    return (
        bool(words)
        and all(_says(best, slot) == _says(other, slot) for slot in words)
        and any(_says(best, slot) for slot in words)
    )


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
    return values
