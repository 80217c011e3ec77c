"""What everyday words mean, whatever the language: `lexicon/vocabulary.txt`, a row a meaning, rows in groups.

A mail in one language teaches the classifier something about all of them, because it sees the row and not the word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from postroom.mail.language import Language
from postroom.mail.sentences import LONGEST, fold, tokens

ORDER: tuple[Language, ...] = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da")
COMPOUNDING: frozenset[Language] = frozenset({"de", "nl", "sv", "da"})  # "Kellertreppe" is a staircase too
_SHORTEST_HEAD = 4  # letters before the last part of a compound
_SHORTEST_TAIL = 4  # letters of a row's word that may stand at its end
_LONGEST_ENDING = 3  # letters after it: "Kellertreppen", but no age in "einschalten"


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    group: str


@dataclass(frozen=True, slots=True)
class _VocabularyWords:
    """One language: whole words, and beginnings of words."""

    whole: Mapping[str, tuple[Row, ...]]
    beginning: Mapping[str, tuple[Row, ...]]


def share_known(text: str, language: Language) -> float:
    """How many of its words the vocabulary of a language has."""
    said = [token for token in tokens(text[:LONGEST]) if token.isalpha()]
    return sum(bool(rows_of(token, (language,))) for token in said) / len(said) if said else 0.0


@lru_cache(32768)
def rows_of(token: str, languages: tuple[Language, ...]) -> tuple[Row, ...]:
    """The rows of a folded word in any of the languages, each once."""
    found: dict[str, Row] = {}
    for language in languages:
        for row in _in_language(token, language):
            found[row.name] = row
    return tuple(found.values())


def _in_language(token: str, language: Language) -> Iterator[Row]:
    words = _words()[language]
    if token in words.whole:
        yield from words.whole[token]
        yield from words.beginning.get(token, ())
        return
    for length in range(len(token), 1, -1):  # the longest beginning says most
        if token[:length] in words.beginning:
            yield from words.beginning[token[:length]]
            break
    if language in COMPOUNDING:
        yield from _last_part(token, words)


def _last_part(token: str, words: _VocabularyWords) -> Iterator[Row]:
    for start in range(_SHORTEST_HEAD, len(token) - _SHORTEST_TAIL + 1):
        tail = token[start:]
        for length in range(len(tail), max(_SHORTEST_TAIL, len(tail) - _LONGEST_ENDING) - 1, -1):
            if tail[:length] in words.beginning:
                yield from words.beginning[tail[:length]]
                return
        if len(tail) >= _SHORTEST_TAIL and tail in words.whole:
            yield from words.whole[tail]
            return


@cache
def _words() -> Mapping[Language, _VocabularyWords]:
    whole: dict[Language, dict[str, list[Row]]] = {language: defaultdict(list) for language in ORDER}
    beginning: dict[Language, dict[str, list[Row]]] = {language: defaultdict(list) for language in ORDER}
    for row, cells in vocabulary_rows():
        for language, cell in zip(ORDER, cells, strict=True):
            for word in cell.split():
                exact = word.endswith(".")
                (whole if exact else beginning)[language][fold(word.rstrip("."))].append(row)
    return {
        language: _VocabularyWords(
            {word: tuple(rows) for word, rows in whole[language].items()},
            {word: tuple(rows) for word, rows in beginning[language].items()},
        )
        for language in ORDER
    }


def vocabulary_rows() -> Iterator[tuple[Row, list[str]]]:
    """As written in the file: what a row is called, and its words, a cell a language."""
    text = resources.files("postroom.rooms.triage").joinpath("lexicon/vocabulary.txt").read_text("utf-8")
    group = ""
    for line in text.splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif line and not line.startswith("#"):
            cells = line.split(" | ")
            yield Row(cells[0].split()[0].rstrip("."), group), cells
