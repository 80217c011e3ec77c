"""Finds a language's concepts in a sentence: phrases with stems, alternatives and gaps, for a few look-ups."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence, tokens

GAP = ".."  # up to so many words in between
LONGEST_GAP = 3
ANY = "_"
NEGATION_REACH = 4  # a "not" concerns what follows within so many words


@dataclass(frozen=True, slots=True)
class ConceptHit:
    """A concept in a sentence, from one token to another."""

    concept: str
    first: int
    last: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class _Word:
    """One place of a phrase: any of these words, any word with one of these beginnings, or any word at all."""

    exact: frozenset[str]
    stems: tuple[str, ...]
    anything: bool = False

    def fits(self, token: str) -> bool:
        return self.anything or token in self.exact or (bool(self.stems) and token.startswith(self.stems))


@dataclass(frozen=True, slots=True)
class _Phrase:
    concept: str
    words: tuple[_Word | None, ...]  # None is a gap


@dataclass(slots=True)
class ConceptLexicon:
    """The phrases of one language, found by their first word."""

    by_word: dict[str, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    by_stem: dict[str, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    stem_lengths: tuple[int, ...] = ()

    def hits(self, sentence: Sentence) -> list[ConceptHit]:
        found = [hit for at in range(len(sentence.tokens)) for hit in self._starting(sentence.tokens, at)]
        ends = sorted({hit.last for hit in found if hit.concept == "negation"})
        return [_with_negation(hit, ends) for hit in found]

    def _starting(self, words: Sequence[str], at: int) -> Iterator[ConceptHit]:
        token = words[at]
        for phrase in self.by_word.get(token, ()):
            yield from _matched(phrase, words, at)
        for length in self.stem_lengths:
            if length > len(token):
                break
            for phrase in self.by_stem.get(token[:length], ()):
                yield from _matched(phrase, words, at)


def _matched(phrase: _Phrase, words: Sequence[str], at: int) -> Iterator[ConceptHit]:
    last = _end(phrase.words, words, at)
    if last is not None:
        yield ConceptHit(phrase.concept, at, last)


def _end(pattern: Sequence[_Word | None], words: Sequence[str], at: int) -> int | None:
    """Where the phrase ends if it begins here."""
    for number, word in enumerate(pattern):
        if word is None:
            rest = pattern[number + 1 :]
            ends = (_end(rest, words, at + skipped) for skipped in range(LONGEST_GAP + 1))
            return next((end for end in ends if end is not None), None)
        if at >= len(words) or not word.fits(words[at]):
            return None
        at += 1
    return at - 1


def _with_negation(hit: ConceptHit, ends: Iterable[int]) -> ConceptHit:
    near = any(hit.first - NEGATION_REACH <= end < hit.first for end in ends)
    return ConceptHit(hit.concept, hit.first, hit.last, negated=True) if near and hit.concept != "negation" else hit


def read_phrase(concept: str, text: str) -> _Phrase:
    return _Phrase(concept, tuple(None if part == GAP else _word(part) for part in text.split()))


def _word(part: str) -> _Word:
    if part == ANY:
        return _Word(frozenset(), (), anything=True)
    choices = part.split("/")
    stems = tuple("".join(tokens(choice)) for choice in choices if choice.endswith("*"))
    return _Word(frozenset("".join(tokens(choice)) for choice in choices if not choice.endswith("*")), stems)


def make_lexicon(concepts: Mapping[str, Iterable[str]]) -> ConceptLexicon:
    made = ConceptLexicon()
    for concept, phrases in concepts.items():
        for text in phrases:
            phrase = read_phrase(concept, text)
            first = phrase.words[0]
            if first is None or first.anything:
                raise ValueError(f"A phrase begins with a word: {text!r} in {concept}.")
            for word in first.exact:
                made.by_word[word].append(phrase)
            for stem in first.stems:
                made.by_stem[stem].append(phrase)
    made.stem_lengths = tuple(sorted({len(stem) for stem in made.by_stem}))
    return made


@cache
def concepts_of(language: Language) -> Mapping[str, tuple[str, ...]]:
    """As written in the file; a concept that a language lacks is empty."""
    text = resources.files("postroom.rooms.triage").joinpath(f"lexicon/{language}.toml").read_text("utf-8")
    return {name: tuple(phrases) for name, phrases in tomllib.loads(text)["concepts"].items()}


@cache
def lexicon(*languages: Language) -> ConceptLexicon:
    """Of one language, or of several together: people mix them."""
    merged: dict[str, list[str]] = defaultdict(list)
    for language in languages:
        for name, phrases in concepts_of(language).items():
            merged[name] += [phrase for phrase in phrases if phrase not in merged[name]]
    return make_lexicon(merged)
