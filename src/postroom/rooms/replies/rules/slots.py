"""The words of a question as slots that an answer has to fill: each by its form, its stem, its meaning or its parts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from postroom.mail.language import Language
from postroom.mail.sentences import fold
from postroom.rooms.replies.rules.calendar_terms import calendar_terms, is_day_or_month
from postroom.rooms.replies.rules.stems import stem
from postroom.rooms.replies.rules.terms import (
    CONCEPT,
    PART,
    STEM,
    SURFACE,
    compound_parts,
    concepts_of_part,
    infinitive,
    is_small,
    is_whole,
    light_concepts,
    meanings,
    near_concepts,
    phrase_at,
    rejoined,
    tokenised,
)
from postroom.rooms.replies.rules.values import number_words

SlotKind = Literal["word", "number", "calendar"]
BY_MEANING = 0.9  # a word of the same meaning is nearly the word itself
BY_PARTS = 0.85  # all parts of a compound are there, but apart
A_PART = 0.4  # only one of them
IN_SEASON = 0.7  # a month of the season or feast that is asked for
NEAR = 0.25  # a word of a meaning that lies near
INSIDE = 0.85  # a word that is only a part of a longer one

SEASONS: Mapping[str, tuple[str, ...]] = {
    "christmas": ("m:12",),
    "easter": ("m:4",),
    "spring": ("m:4", "m:5"),
    "summer": ("m:6", "m:7", "m:8"),
    "autumn": ("m:9", "m:10", "m:11"),
    "winter": ("m:12", "m:1", "m:2"),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """One word of a question. `keys` are the terms that fill it, with how well; `parts` fill it together."""

    text: str
    kind: SlotKind
    keys: tuple[tuple[str, float], ...]
    parts: tuple[Slot, ...] = ()
    near: tuple[str, ...] = ()  # terms of what lies near its meaning
    known: bool = True  # the glossary knows what it means, so another language could have said it

    @property
    def light(self) -> bool:
        """It describes the sender more than the matter."""
        meant = {key for key, _ in self.keys if key.startswith(CONCEPT)}
        return bool(meant) and meant <= light_concepts()

    def filled(self, held: Collection[str]) -> float:
        best = max((strength for key, strength in self.keys if key in held), default=0.0)
        if self.parts and best < BY_PARTS:
            filled = [part.filled(held) for part in self.parts]
            best = max(best, BY_PARTS * sum(filled) / len(filled) if all(filled) else A_PART * max(filled))
        if best < NEAR and any(key in held for key in self.near):
            return NEAR
        return best


def slots_of(text: str, language: Language) -> tuple[Slot, ...]:
    """In the order of the text, each once; small words are none."""
    found: dict[str, Slot] = {}
    tokens = tokenised(text)
    stems = [stem(token.bare, language) for token in tokens]
    verbs = rejoined(text, tokens, language)
    at = 0
    while at < len(tokens):
        phrase = phrase_at(stems, at, language)
        if phrase is not None:
            words = " ".join(token.text for token in tokens[at : at + phrase[0]])
            parts = tuple(
                word_slot(token.bare, language)
                for token in tokens[at : at + phrase[0]]
                if not is_small(token.bare, language)
            )
            found.setdefault(
                words.lower(), Slot(words, "word", ((CONCEPT + phrase[1], 1.0),), parts, near_terms((phrase[1],)))
            )
            at += phrase[0]
            continue
        word = verbs.get(at, tokens[at].bare)
        folded = fold(word)
        if word.isdigit() or is_number_word(word, language):
            found.setdefault(word, Slot(word, "number", _number_keys(word.lower())))
        elif not is_small(word, language) and not is_day_or_month(word) and len(folded) > 1:
            found.setdefault(folded, word_slot(word, language))
        at += 1
    for kind in ("m:", "d:"):
        named = [term for term in dict.fromkeys(calendar_terms(text)) if term.startswith(kind)]
        if len(named) > 2:
            found.setdefault(kind, Slot(kind, "calendar", tuple((term, 1.0) for term in named)))
        else:
            found |= {term: Slot(term, "calendar", ((term, 1.0),)) for term in named}
    return tuple(found.values())


@lru_cache(1024)
def _number_keys(word: str) -> tuple[tuple[str, float], ...]:
    """As it is written, and as any language writes it in words or digits: five gigs are 5 GB."""
    value = int(word) if word.isdigit() else number_words().get(word)
    same = [each for each, number in number_words().items() if number == value]
    written = dict.fromkeys([word, *([str(value)] if value is not None else []), *same])
    return tuple((SURFACE + fold(each), 1.0) for each in written)


def is_number_word(word: str, language: Language) -> bool:
    """Numbers of all languages are one list: "to", "due" and "fire" are numbers, but not in English."""
    return word.lower() in number_words() and not is_small(word, language) and not meanings(word, language)


@lru_cache(16384)
def word_slot(word: str, language: Language) -> Slot:
    """A word that the glossary knows is not taken apart: a cot is neither a child nor a bed."""
    surface, own = fold(word).replace("-", ""), stem(word, language)
    known_as = meanings(word, language)
    keys = {SURFACE + surface: 1.0, STEM + own: 1.0} | {CONCEPT + each: BY_MEANING for each in known_as}
    keys |= {month: IN_SEASON for each in known_as for month in SEASONS.get(each, ())}
    if base := infinitive(word, language):
        keys |= {STEM + stem(base, language): BY_MEANING}
    split = () if is_whole(word, language) else compound_parts(word, language)
    parts = tuple(
        Slot(part, "word", _part_keys(part, language), known=bool(concepts_of_part(part, language))) for part in split
    )
    known = is_whole(word, language) or (bool(parts) and all(part.known for part in parts))
    return Slot(word, "word", _also_inside(keys), parts, near_terms(known_as), known)


def near_terms(concepts: Collection[str]) -> tuple[str, ...]:
    beside = dict.fromkeys(near for each in concepts for near in near_concepts().get(each, ()) if near not in concepts)
    return tuple(mark + near for near in beside for mark in (CONCEPT, PART + CONCEPT))


def _part_keys(part: str, language: Language) -> tuple[tuple[str, float], ...]:
    keys = {STEM + stem(part, language): 1.0, SURFACE + part: 1.0}
    return _also_inside(keys | {CONCEPT + each: BY_MEANING for each in concepts_of_part(part, language)})


def _also_inside(keys: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return (*keys.items(), *((PART + key, INSIDE * strength) for key, strength in keys.items()))
