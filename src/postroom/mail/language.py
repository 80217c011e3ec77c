"""Which of our ten languages a text is written in, by its small words and its letters."""

from __future__ import annotations

import math
import tomllib
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
