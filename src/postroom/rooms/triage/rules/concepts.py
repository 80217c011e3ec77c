"""Finds a language's concepts in a sentence: phrases with stems, alternatives and gaps, for a few look-ups.

A word that says enough by itself is found at the end of a compound too ("Arbeitsunfall" is an accident).
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence, tokens

# Up to so many words in between; the longer one parts a verb from what belongs to it ("bestelle die Zeitung … ab").
GAPS = {"..": 3, "...": 8}
ANY = "_"
NEGATION_REACH = 4  # a "not" concerns what follows within so many words
NEGATION, NEEDLESS = "negation", "needless"
COMPOUNDING: frozenset[Language] = frozenset({"de", "nl", "sv", "da"})
# Concepts a word of which decides alone: only these are looked for inside a compound.
DECISIVE = frozenset({"refund", "cancel", "illness", "danger", "account_takeover", "law", "exception"})
SHORTEST_TAIL = 7  # letters of a listed word that may end a compound
_SHORTEST_HEAD = 4  # letters before it
_LONGEST_ENDING = 5  # letters after a stem in a compound (“-verletzungen”)
_CLAUSE_ENDS = re.compile(r"[,;:()–—]")


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
    words: tuple[_Word | int, ...]  # a number is a gap of up to so many words


@dataclass(slots=True)
class ConceptLexicon:
    """The phrases of one language, found by their first word."""

    by_word: dict[str, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    by_stem: dict[str, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    stem_lengths: tuple[int, ...] = ()
    tail_words: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    tail_stems: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def hits(self, sentence: Sentence) -> list[ConceptHit]:
        return _with_negations(self.found(sentence.tokens), sentence)

    def found(self, words: Sequence[str]) -> list[ConceptHit]:
        return [hit for at in range(len(words)) for hit in self._starting(words, at)]

    def knows(self, token: str) -> bool:
        """Whether a phrase may begin with this word."""
        return token in self.by_word or any(token[:length] in self.by_stem for length in self.stem_lengths)

    def _starting(self, words: Sequence[str], at: int) -> Iterator[ConceptHit]:
        token = words[at]
        for phrase in self.by_word.get(token, ()):
            yield from _matched(phrase, words, at)
        for length in self.stem_lengths:
            if length > len(token):
                break
            for phrase in self.by_stem.get(token[:length], ()):
                yield from _matched(phrase, words, at)
        if self.tail_words and len(token) >= _SHORTEST_HEAD + SHORTEST_TAIL:
            yield from (ConceptHit(concept, at, at) for concept in self._at_the_end_of(token))

    def _at_the_end_of(self, token: str) -> Iterator[str]:
        """The concepts of the last part of a compound."""
        for start in range(_SHORTEST_HEAD, len(token) - SHORTEST_TAIL + 1):
            tail = token[start:]
            yield from self.tail_words.get(tail, ())
            for length in range(max(SHORTEST_TAIL, len(tail) - _LONGEST_ENDING), len(tail) + 1):
                yield from self.tail_stems.get(tail[:length], ())

    def add_tails(self, concept: str, phrases: Iterable[str]) -> None:
        """Single words of a language that makes compounds."""
        for word, is_stem in single_words(phrases):
            if len(word) >= SHORTEST_TAIL:
                (self.tail_stems if is_stem else self.tail_words)[word].add(concept)


@dataclass(frozen=True, slots=True)
class MixedLexicon:
    """Several languages together, each kept once: people mix them."""

    parts: tuple[ConceptLexicon, ...]

    def hits(self, sentence: Sentence) -> list[ConceptHit]:
        found = dict.fromkeys(hit for part in self.parts for hit in part.found(sentence.tokens))
        return _with_negations(sorted(found, key=lambda hit: hit.first), sentence)


def _matched(phrase: _Phrase, words: Sequence[str], at: int) -> Iterator[ConceptHit]:
    last = _end(phrase.words, words, at)
    if last is not None:
        yield ConceptHit(phrase.concept, at, last)


def _end(pattern: Sequence[_Word | int], words: Sequence[str], at: int) -> int | None:
    """Where the phrase ends if it begins here."""
    for number, word in enumerate(pattern):
        if isinstance(word, int):
            rest = pattern[number + 1 :]
            ends = (_end(rest, words, at + skipped) for skipped in range(word + 1))
            return next((end for end in ends if end is not None), None)
        if at >= len(words) or not word.fits(words[at]):
            return None
        at += 1
    return at - 1


def _with_negations(found: list[ConceptHit], sentence: Sentence) -> list[ConceptHit]:
    negations = [hit for hit in found if hit.concept in {NEGATION, NEEDLESS}]
    return [_with_negation(hit, negations, sentence) for hit in found] if negations else found


def _with_negation(hit: ConceptHit, negations: Iterable[ConceptHit], sentence: Sentence) -> ConceptHit:
    """A "not" concerns what follows it, "no longer necessary" both sides; neither reaches into another clause."""
    if hit.concept in {NEGATION, NEEDLESS}:
        return hit
    return replace(hit, negated=True) if any(_concerns(each, hit, sentence) for each in negations) else hit


def _concerns(negation: ConceptHit, hit: ConceptHit, sentence: Sentence) -> bool:
    first, second = (negation, hit) if negation.last < hit.first else (hit, negation)
    if not 0 < second.first - first.last <= NEGATION_REACH or (first is hit and negation.concept == NEGATION):
        return False
    return not _CLAUSE_ENDS.search(sentence.text, sentence.spans[first.last][1], sentence.spans[second.first][0])


def read_phrase(concept: str, text: str) -> _Phrase:
    return _Phrase(concept, tuple(GAPS.get(part) or _word(part) for part in text.split()))


def single_words(phrases: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The words and the beginnings of words among them, each with whether it is a beginning."""
    for phrase in phrases:
        parts = read_phrase("", phrase).words
        if len(parts) == 1 and isinstance(parts[0], _Word):
            yield from ((word, False) for word in sorted(parts[0].exact))
            yield from ((stem, True) for stem in parts[0].stems)


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
            if isinstance(first, int) or first.anything:
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


def lexicon(*languages: Language) -> MixedLexicon:
    return MixedLexicon(tuple(map(lexicon_of, languages)))


@cache
def lexicon_of(language: Language) -> ConceptLexicon:
    concepts = concepts_of(language)
    made = make_lexicon(concepts)
    for concept in DECISIVE if language in COMPOUNDING else ():
        made.add_tails(concept, concepts[concept])
    return made
