"""A mistyped word that was meant to be a listed one: "cancle", "extention", "anuleren"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence, tokens
from postroom.rooms.triage.rules.concepts import DECISIVE, concepts_of, lexicon_of, single_words
from postroom.rooms.triage.rules.vocabulary import rows_of

SHORTEST = 6  # letters; shorter words have too many neighbours that mean something else
SHORTEST_STEM = 7
SAME_END = 2  # letters of a stem that must be right
SHORTEST_WITH_WRONG_LETTER = 9  # likewise, where a letter is wrong ("danser" is no danger)


def as_meant(sentence: Sentence, languages: tuple[Language, ...]) -> Sentence:
    """The sentence with such words put right among its tokens; its text stays as written."""
    meant = tuple(meant_word(token, languages) if len(token) >= SHORTEST else token for token in sentence.tokens)
    return sentence if meant == sentence.tokens else replace(sentence, tokens=meant)


@lru_cache(32768)
def meant_word(token: str, languages: tuple[Language, ...]) -> str:
    """The listed word that is one slip away, unless this is a word of its own."""
    if not token.isalpha() or token in _words_of_their_own() or rows_of(token, languages):
        return token
    if any(lexicon_of(language).knows(token) for language in languages):
        return token
    spoken = tuple(each for each in languages if each != "en") or languages  # English stands beside every language
    return next((found for language in spoken for found in _near(token, language)), token)


def _near(token: str, language: Language) -> Iterator[str]:
    listed = _listed(language)
    for length in range(len(token) - 1, len(token) + 2):
        yield from (word for word in listed.words.get((token[0], length), ()) if one_slip(token, word))
    for length in range(SHORTEST_STEM, len(token) + 2):
        for stem in listed.stems.get((token[0], length), ()):
            for taken in (length, length + 1, length - 1):
                same_end = token[:taken].endswith(stem[-SAME_END:])  # another ending makes another word
                if taken <= len(token) and same_end and one_slip(token[:taken], stem):
                    yield stem + token[taken:]


def one_slip(typed: str, meant: str) -> bool:
    """One letter too many, missing or wrong, or two changed round; nobody mistypes the first."""
    if typed == meant or typed[:1] != meant[:1]:
        return False
    shorter = min(len(typed), len(meant))
    same = next((at for at in range(shorter) if typed[at] != meant[at]), shorter)
    rest, wanted = typed[same:], meant[same:]
    return (
        rest[1:] == wanted
        or rest == wanted[1:]
        or (rest[1:] == wanted[1:] and len(meant) >= SHORTEST_WITH_WRONG_LETTER)
        or (rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:])
    )


@dataclass(frozen=True, slots=True)
class _Listed:
    """By first letter and length."""

    words: Mapping[tuple[str, int], Sequence[str]]
    stems: Mapping[tuple[str, int], Sequence[str]]


@cache
def _listed(language: Language) -> _Listed:
    words: dict[tuple[str, int], list[str]] = defaultdict(list)
    stems: dict[tuple[str, int], list[str]] = defaultdict(list)
    for concept in sorted(DECISIVE):
        for word, is_stem in single_words(concepts_of(language)[concept]):
            if len(word) >= SHORTEST:
                (stems if is_stem else words)[word[0], len(word)].append(word)
    return _Listed(words, stems)


@cache
def _words_of_their_own() -> frozenset[str]:
    text = resources.files("postroom.rooms.triage").joinpath("lexicon/lookalikes.txt").read_text("utf-8")
    return frozenset(token for line in text.splitlines() if not line.startswith("#") for token in tokens(line))
