"""Which of our ten languages a text is written in, by its small words and its letters."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, get_args

from postroom.mail.sentences import tokens

Language = Literal["en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
LETTER_WEIGHT = 1.5  # of a letter that few of the languages have, as many small words as this
SHARPNESS = 1.2  # how fast more small words make us sure
_LONGEST = 6_000
# Measured on some 21,000 mails in the ten languages and texts in fifteen others: from so many words on, a smaller share
# of small words than this is another language. Short notes ("Meter 55120. Regards, Nowak") have few.
SMALL_WORDS = ((40, 0.22), (20, 0.17), (12, 0.1))
OTHER_LETTERS = frozenset("čšžřěůťďňľĺŕőűığşșțăđųūįėēģķļņơưþð")
FEW_SMALL_WORDS = 0.3  # with three words that have such a letter
OTHER_SCRIPT = 0.3  # of the letters
FEWEST_LETTERS = 8


@dataclass(frozen=True, slots=True)
class LanguageGuess:
    """The likeliest language first. `sure` is between 0 and 1; a short text without small words is English at 0."""

    language: Language
    sure: float
    ranked: tuple[Language, ...]


@dataclass(frozen=True, slots=True)
class _LanguageMarks:
    weights: Mapping[str, Mapping[Language, float]]
    letters: Mapping[str, tuple[Language, ...]]


@cache
def _marks() -> _LanguageMarks:
    raw = tomllib.loads(resources.files(__package__).joinpath("language.toml").read_text("utf-8"))
    spoken: dict[str, list[Language]] = {}
    for language in LANGUAGES:
        for word in dict.fromkeys(tokens(raw["words"][language])):
            spoken.setdefault(word, []).append(language)
    weights = {word: dict.fromkeys(known, 1 / len(known)) for word, known in spoken.items()}
    return _LanguageMarks(weights, {letter: tuple(known) for letter, known in raw["letters"].items()})


def ends_in_small_word(text: str) -> bool:
    """Whether its last word is a small one of any of the languages, so that more must follow."""
    return any(token in _marks().weights for token in tokens(text)[-1:])


def is_other_language(text: str) -> bool:
    """Whether it is written in none of the ten, as far as script, small words and letters tell; short notes do not."""
    looked_at = text[:_LONGEST]
    letters = [letter for letter in looked_at if letter.isalpha()]
    strange = sum(letter > "\u024f" and not "\u1e00" <= letter <= "\u1eff" for letter in letters)
    if len(letters) >= FEWEST_LETTERS and strange > OTHER_SCRIPT * len(letters):
        return True
    words = [token for token in tokens(looked_at) if token.isalpha()]
    if not words:
        return False
    known = Counter(language for word in words for language in _marks().weights.get(word, ()))
    share = max(known.values(), default=0) / len(words)
    if any(len(words) >= many and share < few for many, few in SMALL_WORDS):
        return True
    return (
        share < FEW_SMALL_WORDS and sum(not OTHER_LETTERS.isdisjoint(word) for word in looked_at.lower().split()) >= 3
    )


def detect(text: str, fallback: Language = "en") -> LanguageGuess:
    scores: dict[Language, float] = dict.fromkeys(LANGUAGES, 0.0)
    marks, looked_at = _marks(), text[:_LONGEST]
    for token in tokens(looked_at):
        for language, weight in marks.weights.get(token, {}).items():
            scores[language] += weight
    lower = looked_at.lower()
    for letter, known in marks.letters.items():
        if count := lower.count(letter):
            for language in known:
                scores[language] += LETTER_WEIGHT * math.log1p(count) / len(known)
    scores[fallback] += 0.01  # says which one when nothing speaks for any
    ranked = tuple(sorted(LANGUAGES, key=lambda language: -scores[language]))
    lead = scores[ranked[0]] - scores[ranked[1]]
    return LanguageGuess(ranked[0], round(1 - math.exp(-SHARPNESS * lead), 3), ranked)
