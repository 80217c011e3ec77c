"""Stems by Snowball, folded like everything that is compared."""

from __future__ import annotations

from functools import cache, lru_cache
from threading import Lock
from typing import Protocol

import snowballstemmer  # type: ignore[import-untyped]  # it has no stubs

from postroom.mail.language import Language
from postroom.mail.sentences import fold

_NAMES: dict[Language, str] = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian",
    "nl": "dutch", "pt": "portuguese", "pl": "polish", "sv": "swedish", "da": "danish",
}  # fmt: skip
LONGEST_WORD = 60
_ONE_AT_A_TIME = Lock()  # a stemmer keeps its word in itself: two threads would get each other's letters, and keep them


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - their name


@cache
def _stemmer(language: Language) -> _Stemmer | None:
    """An older library lacks Polish: surface forms are compared all the same."""
    name = _NAMES[language]
    return snowballstemmer.stemmer(name) if name in snowballstemmer.algorithms() else None


@lru_cache(65536)
def stem(word: str, language: Language) -> str:
    stemmer = _stemmer(language)
    lower = word.lower()[:LONGEST_WORD]
    if stemmer is None:
        return fold(lower)
    with _ONE_AT_A_TIME:
        return fold(stemmer.stemWord(lower))
