"""Whether lines of papers hold what a model says they do: each value with its unit, and clause by clause."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from postroom.mail.language import Language
from postroom.mail.sentences import tokens
from postroom.rooms.replies.rules.claims import Grounds, Quote
from postroom.rooms.replies.rules.marks import find_pattern, pattern_of
from postroom.rooms.replies.rules.reserved import reserved_topics, topics_told
from postroom.rooms.replies.rules.slots import slots_of
from postroom.rooms.replies.rules.terms import terms
from postroom.rooms.replies.rules.values import ValueKind, find_values, number_words, unit_words

# Shares of a clause's words, by form, stem or meaning; chosen by the table of paraphrases and inventions in its test.
HELD = 0.6  # by the lines it names or the sender's words
HELD_BY_LINES = 0.3  # by the lines alone: else a draft could grant whatever the sender asks for
_THE_SENDERS: frozenset[ValueKind] = frozenset({"date", "duration", "measure", "number"})
_PER = (
    r"per|pro|par|por|je|pr\.?|each|every|cada|jede[nrs]?|chaque|ogni|elke?|iedere"
    r"|na|za|om|al|alla|all'|an?|à|la|le|die|am|im"
)
_OTHER_DAYS = "The lines it names do not speak of these days."
_CLAUSE_ENDS = re.compile(r"[,;:.!?](?=\s|$)|[–—()|]")


@dataclass(frozen=True, slots=True)
class CitedGround:
    """What a statement may stand on: the lines it names with their languages, and what the sender wrote."""

    cited: tuple[Quote, ...]
    spoken: Mapping[Quote, Language]
    thread: str

    def terms(self, language: Language) -> frozenset[str]:
        return frozenset(term for quote in self.cited for term in terms(quote.quote, self.spoken.get(quote, language)))

    def said(self) -> str:
        return "\n".join(quote.quote for quote in self.cited)


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/holding.toml").read_text("utf-8"))


@cache
def _set(section: str, name: str = "words") -> frozenset[str]:
    return frozenset(tokens(_raw()[section][name]))


def unheld(statement: str, language: Language, held: CitedGround) -> str | None:
    """Why the statement says more than the lines it names; None if it does not."""
    return (
        _value_unheld(statement, language, held)
        or _unit_unheld(statement, held)
        or _free_unheld(statement, held)
        or _promise_unheld(statement, language, held)
        or _clause_unheld(statement, language, held)
    )


def _value_unheld(statement: str, language: Language, held: CitedGround) -> str | None:
    """What only the sender named is told back as what an answer depends on, never as a price or a time of ours."""
    lines, thread = Grounds(held.cited), Grounds((), held.thread)
    for value in find_values(statement):
        repeats = value.kind in _THE_SENDERS and _depends(statement[: value.start]) and thread.holds(value)
        if not lines.holds(value) and not repeats:
            return f"“{value.text.strip()}” does not stand in the lines it names."
    said = held.terms(language)
    for slot in slots_of(statement, language):
        told = slot.kind == "calendar" and not find_values(statement)
        spoken = slot.kind == "number" and slot.text.lower() in number_words()
        if (told or spoken) and not slot.filled(said) and not _depends(statement):
            return f"“{slot.text}” does not stand in the lines it names." if spoken else _OTHER_DAYS
    return None


def _depends(text: str) -> bool:
    """Whether the clause that ends here speaks of the sender's own plans: "if you come with", "for your"."""
    clause = tokens(_CLAUSE_ENDS.split(text)[-1] or text)
    return not _set("senders").isdisjoint(tokens(text)) and not _set("senders", "conditions").isdisjoint(clause)


@cache
def _unit_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    known = dict(unit_words())
    for name, words in _raw()["units"].items():
        known[name] = f"{known.get(name, '')} {words}"
    made = []
    for name, words in known.items():
        forms = "|".join(sorted((word for word in set(words.split()) if word != "time"), key=len, reverse=True))
        adverbs = "|".join(_raw()["adverbs"].get(name, "").split()) or "(?!)"
        pattern = rf"(?:(?<!\w)(?:{_PER})\s+|/\s?)(?:the\s+|la\s+|le\s+)?(?:{forms})(?!\w)|(?<!\w)(?:{adverbs})(?!\w)"
        made.append((name, re.compile(pattern, re.IGNORECASE)))
    return tuple(made)


def units_in(text: str) -> frozenset[str]:
    """What a price is for: "per night", "a month", "täglich"."""
    return frozenset(name for name, pattern in _unit_patterns() if pattern.search(text))


def priced(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Each amount with what it is for: by the words behind it, else by those before it."""
    amounts = [value for value in find_values(text) if value.kind == "money"]
    for at, value in enumerate(amounts):
        start = amounts[at - 1].end if at else 0
        end = amounts[at + 1].start if at + 1 < len(amounts) else len(text)
        yield value.same, units_in(text[value.end : end]) or units_in(text[start : value.start])


def _unit_unheld(statement: str, held: CitedGround) -> str | None:
    known = [each for quote in held.cited for each in priced(quote.quote)]
    asked = units_in(held.thread)
    for amount, units in priced(statement):
        said = [theirs for same, theirs in known if same == amount]
        if said and not any(units <= theirs and (units or theirs <= asked) for theirs in said):
            return "The lines it names give that amount for something else, such as another time or per head."
    return None


def is_free(text: str) -> bool:
    said = tokens(text)
    flat = f" {' '.join(said)} "
    for phrase in _raw()["free"]["not"]:
        flat = flat.replace(f" {phrase} ", " ")
    words = [pattern_of(word) for word in _raw()["free"]["words"].split()]
    return any(f" {phrase} " in flat for phrase in _raw()["free"]["phrases"]) or any(
        find_pattern(flat.split(), word) is not None for word in words
    )


def _free_unheld(statement: str, held: CitedGround) -> str | None:
    if not is_free(statement) or is_free(held.said()) or "money:0" in {same for same, _ in priced(held.said())}:
        return None
    return "That it costs nothing does not stand in the lines it names."


@cache
def _promises() -> tuple[tuple[tuple[str, ...], ...], ...]:
    return tuple(tuple(pattern_of(word) for word in words.split()) for words in _raw()["promises"].values())


def _promise_unheld(statement: str, language: Language, held: CitedGround) -> str | None:
    said, lines = tokens(statement), tokens(held.said())
    for words in _promises():
        told = next((at for word in words if (at := find_pattern(said, word)) is not None), None)
        if told is not None and all(find_pattern(lines, word) is None for word in words):
            return f"“{said[told[0]]}” promises what the lines it names do not."
    return _reserved_unheld(statement, language, held)


def _reserved_unheld(statement: str, language: Language, held: CitedGround) -> str | None:
    """A condition makes a paper's sentence a policy; in a model's words it may be invented like the rest."""
    told = reserved_topics(statement)
    known = [topics_told(quote.quote, held.spoken.get(quote, language)) for quote in held.cited]
    if told - frozenset().union(*known):
        return "It grants, waives or promises what the lines it names do not."
    return None


def _clauses(statement: str, language: Language) -> list[str]:
    """Split at marks and at "and"; values are left out, they are held by themselves."""
    text = statement
    for value in reversed(find_values(statement)):
        text = f"{text[: value.start]} {text[value.end :]}"
    joins = "|".join(_raw()["joins"][language].split())
    return [part for clause in _CLAUSE_ENDS.split(text) for part in re.split(rf"(?i)\s(?:{joins})\s", clause)]


def _clause_unheld(statement: str, language: Language, held: CitedGround) -> str | None:
    lines = held.terms(language)
    thread = frozenset(terms(held.thread, language))
    for clause in _clauses(statement, language):
        said = tokens(clause)
        depends = bool(said) and said[0] in _set("senders", "conditions")
        if not _stands(clause, language, lines | thread, HELD) or not (
            depends or _stands(clause, language, lines, HELD_BY_LINES)
        ):
            return f"“{clause.strip()}” does not stand in the lines it names."
    return None


def _stands(clause: str, language: Language, held: Collection[str], share: float) -> bool:
    words = [
        slot
        for slot in slots_of(clause, language)
        if slot.kind == "word" and not slot.light and slot.text.lower() not in _set("courtesies")
    ]
    return not words or sum(slot.filled(held) > 0 for slot in words) / len(words) >= share
