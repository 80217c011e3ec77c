"""What a mail means, by a small linear classifier: words, their beginnings, letters and concepts, weights as data.

The weights stand in `lexicon/meaning.tsv`, fitted by `benchmarks/evals/triage/fit.py` on texts written for it. A list
of concepts knows what it lists; the classifier knows what mails of a kind have in common ("the bar swung outwards").
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import Literal, get_args

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence, sentences
from postroom.rooms.triage.rules.concepts import lexicon
from postroom.rooms.triage.rules.topics import TOPICS, sensitive_topics

Intent = Literal["request", "question", "update", "complaint", "introduction", "other"]
INTENTS: tuple[Intent, ...] = get_args(Intent)
Urgency = Literal["low", "normal", "high", "critical"]
URGENCIES: tuple[Urgency, ...] = get_args(Urgency)
LABELS: tuple[str, ...] = (*TOPICS, *INTENTS, *URGENCIES)
# How much each kind of feature counts before a text is brought to one length: chosen on the texts for fitting.
KINDS: Mapping[str, float] = {"w": 1.5, "p": 1.0, "b": 0.7, "c": 0.5, "k": 1.0, "t": 1.5, "q": 1.0}
LENGTH = 4.0  # the length of every text's vector
PREFIX = 5  # letters that tell most words apart, whatever their ending
GRAMS = (4, 5)
WINDOW = 3  # sentences that are looked at together, beside the whole
_SHOWN_WORDS = 4

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Meaning:
    """How strongly each label is meant, as log-odds, and the words that speak most for each topic."""

    odds: Mapping[str, float]
    words: Mapping[str, tuple[str, ...]]


@lru_cache(256)
def meaning_of(text: str, languages: tuple[Language, ...]) -> Meaning:
    """Topics are looked for in every window, for one sentence in a long mail is enough; the rest in the whole."""
    weights, bias = _weights()
    whole, *windows = [features(part, languages) for part in windows_of(text)]
    odds = dict(zip(LABELS, _odds(whole, weights, bias), strict=True))
    for window in windows:
        for label, value in zip(LABELS, _odds(window, weights, bias), strict=True):
            if label in TOPICS:
                odds[label] = max(odds[label], value)
    return Meaning(odds, {topic: _speaking(text, topic) for topic in TOPICS if odds[topic] > 0})


def windows_of(text: str) -> Iterator[str]:
    yield text
    found = [sentence.text for sentence in sentences(text)]
    if len(found) > WINDOW:
        for first in range(len(found) - WINDOW + 1):
            yield " ".join(found[first : first + WINDOW])


def features(text: str, languages: Sequence[Language]) -> Features:
    """Each once, all together of one length, so that a long mail does not shout."""
    found = set(_features(text, tuple(languages)))
    length = math.sqrt(sum(KINDS[name[0]] ** 2 for name in found)) or 1.0
    return {name: KINDS[name[0]] * LENGTH / length for name in found}


def _features(text: str, languages: tuple[Language, ...]) -> Iterator[str]:
    words = lexicon(*languages)
    for sentence in sentences(text):
        yield from _of_words(sentence.tokens)
        for hit in words.hits(sentence):
            yield f"k:{'!' if hit.negated else ''}{hit.concept}"
    for match in sensitive_topics(text, languages):
        yield f"t:{match.topic}:{'sure' if match.decides else 'weak'}"
    if "?" in text:
        yield "q:?"


def _of_words(tokens: Sequence[str]) -> Iterator[str]:
    plain = ["#" if token.isdigit() else token for token in tokens]
    for token in plain:
        yield from _of_word(token)
    for left, right in pairwise(plain):
        yield f"b:{left[:PREFIX]} {right[:PREFIX]}"


@lru_cache(32768)
def _of_word(token: str) -> tuple[str, ...]:
    marked = f"^{token}$"
    grams = {f"c:{marked[at : at + size]}" for size in GRAMS for at in range(len(marked) - size + 1)}
    return (f"w:{token}", f"p:{token[:PREFIX]}", *sorted(grams))


def _odds(found: Features, weights: Mapping[str, Sequence[int]], bias: Sequence[float]) -> list[float]:
    sums = [0.0] * len(LABELS)
    for name, value in found.items():
        known = weights.get(name)
        if known is not None:
            for label, weight in enumerate(known):
                sums[label] += value * weight
    return [total / SCALE + start for total, start in zip(sums, bias, strict=True)]


def _speaking(text: str, topic: str) -> tuple[str, ...]:
    """The sender's own words that count most, in the order in which they stand."""
    weights, _ = _weights()
    label = LABELS.index(topic)
    found = [
        (sum(weights[name][label] * KINDS[name[0]] for name in _of_word(token) if name in weights), at, word)
        for at, (token, word) in enumerate(_as_written(sentences(text)))
    ]
    strongest: dict[str, tuple[float, int]] = {}
    for weight, at, word in sorted(found, reverse=True):
        if weight > 0 and len(strongest) < _SHOWN_WORDS:
            strongest.setdefault(word, (weight, at))
    return tuple(sorted(strongest, key=lambda word: strongest[word][1]))


def _as_written(found: Iterable[Sentence]) -> Iterator[tuple[str, str]]:
    for sentence in found:
        for at, token in enumerate(sentence.tokens):
            if len(token) > 3:  # shorter ones are seldom what a person would point at
                yield token, sentence.words(at, at)


SCALE = 100  # the file holds hundredths


@cache
def _weights() -> tuple[Mapping[str, tuple[int, ...]], tuple[float, ...]]:
    text = resources.files("postroom.rooms.triage").joinpath("lexicon/meaning.tsv").read_text("utf-8")
    head, first, *rows = (line.split("\t") for line in text.splitlines() if not line.startswith("# "))
    if tuple(head[1:]) != LABELS:
        raise ValueError(f"lexicon/meaning.tsv was fitted for other labels: {head[1:]}")
    bias = tuple(int(value or 0) / SCALE for value in first[1:])
    found: dict[str, tuple[int, ...]] = defaultdict(tuple)
    for name, *values in rows:
        found[name] = tuple(int(value or 0) for value in values)
    return dict(found), bias
