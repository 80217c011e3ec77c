"""What a mail means, by a small linear classifier over the features of `features.py`, weights as data.

The weights stand in `lexicon/meaning.tsv`, fitted by `benchmarks/evals/triage/fit.py` on texts written for it. A list
of concepts knows what it lists; the classifier knows what mails of a kind have in common ("the bar swung outwards").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from math import log
from typing import Literal, get_args

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence, sentences
from postroom.rooms.triage.rules.features import ANALYSIS_KINDS, TOPIC_KINDS, Found, Kinds, looks, of_word, scales_of
from postroom.rooms.triage.rules.topics import TOPICS, Topic

Intent = Literal["request", "question", "update", "complaint", "introduction", "other"]
INTENTS: tuple[Intent, ...] = get_args(Intent)
Urgency = Literal["low", "normal", "high", "critical"]
URGENCIES: tuple[Urgency, ...] = get_args(Urgency)
SENSITIVE = "sensitive"  # of whatever topic
TOPIC_LABELS: tuple[str, ...] = (*TOPICS, SENSITIVE)
LABELS: tuple[str, ...] = (*TOPIC_LABELS, *INTENTS, *URGENCIES)
# Log-odds, chosen on batches of mails that the classifier had not learnt from.
SURE_OF_TOPIC = -2.25  # from here on it decides alone
BY_CHANCE = 0.5  # what a mail of e times as many parts must say more
BY_ITSELF = 0.0  # a part of a mail that is as sure as this decides, however much stands around it
BEHIND = 1.0  # a topic that is so far behind the strongest is not named
PLEA = -1.0  # from here on a question is taken for a plea to be let off a rule
_SHOWN_WORDS = 4


@dataclass(frozen=True, slots=True)
class Meaning:
    """How strongly each label is meant, as log-odds, and the words that speak most for each topic."""

    odds: Mapping[str, float]
    words: Mapping[str, tuple[str, ...]]

    @property
    def strongest(self) -> Topic:
        return max(TOPICS, key=self.odds.__getitem__)

    @property
    def sensitive(self) -> float:
        return sensitivity(self.odds)

    @property
    def intent(self) -> Intent:
        """The likeliest; "may I still join, though it is late?" wants something done, however it is put."""
        likeliest = max(INTENTS, key=self.odds.__getitem__)
        pleads = self.strongest == "exception" and self.odds["exception"] >= PLEA
        return "request" if likeliest == "question" and pleads else likeliest

    def near(self, topic: str) -> bool:
        """Whether a topic is the strongest, or hardly weaker."""
        return self.odds[topic] >= self.odds[self.strongest] - BEHIND


def sensitivity(odds: Mapping[str, float]) -> float:
    """The strongest topic, and a little of all topics together: a mail may speak somewhat of two."""
    return (2 * max(map(odds.__getitem__, TOPICS)) + odds[SENSITIVE]) / 3


@lru_cache(256)
def meaning_of(text: str, languages: tuple[Language, ...]) -> Meaning:
    """Topics and intents are looked for in every few sentences too, for one sentence in a long mail is enough."""
    weights = _weights()
    seen = tuple(looks(text, languages))
    topics, analysis = map(weights.topics.odds, seen), map(weights.analysis.odds, seen)
    odds = {**topics_of_looks(tuple(topics)), **analysis_of_looks(tuple(analysis))}
    found = Meaning(odds, {})
    if found.sensitive < SURE_OF_TOPIC:
        return found
    return Meaning(odds, {topic: _speaking(text, topic) for topic in TOPICS if found.near(topic)})


def topics_of_looks(told: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The whole mail and its strongest part count alike; of many parts one is likely to say it by chance.

    But a part that says it plainly is not talked away by what stands around it.
    """
    whole, parts = told[0], told[1:] or told
    chance = BY_CHANCE * log(len(told))
    found = {SENSITIVE: whole[SENSITIVE] - chance}
    for topic in TOPICS:
        found[topic] = (whole[topic] + max(part[topic] for part in parts)) / 2 - chance
    alone = max(parts, key=sensitivity)
    plain = sensitivity(found) < SURE_OF_TOPIC and sensitivity(alone) >= BY_ITSELF
    return {label: alone[label] for label in TOPIC_LABELS} if plain else found


def analysis_of_looks(told: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """An intent stands in the whole mail, and half as much in its strongest part; urgency in the whole."""
    whole, parts = told[0], told[1:] or told
    return {**whole, **{intent: (2 * whole[intent] + max(part[intent] for part in parts)) / 3 for intent in INTENTS}}


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature says for each of some labels."""

    labels: tuple[str, ...]
    kinds: Kinds
    bias: tuple[float, ...]
    by_feature: tuple[
        Mapping[str, tuple[float, ...]], ...
    ]  # of each group of kinds: log-odds times how much the kind counts

    def odds(self, found: Found) -> dict[str, float]:
        totals = self.bias
        for weights, scale in zip(self.by_feature, scales_of(found, self.kinds), strict=True):
            if known := [each for each in map(weights.get, found) if each]:
                totals = tuple(before + scale * sum(column) for before, *column in zip(totals, *known, strict=True))
        return dict(zip(self.labels, totals, strict=True))


def _speaking(text: str, topic: Topic) -> tuple[str, ...]:
    """The sender's own words that count most, in the order in which they stand."""
    (weights,) = _weights().topics.by_feature
    label = TOPICS.index(topic)
    found = [
        (sum(weights[name][label] for name in of_word(token) if name in weights), at, word)
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


@dataclass(frozen=True, slots=True)
class _AllWeights:
    topics: Weights
    analysis: Weights


@cache
def _weights() -> _AllWeights:
    with resources.files("postroom.rooms.triage").joinpath("lexicon/meaning.tsv").open(encoding="utf-8") as file:
        head, first, *rows = (line.rstrip("\n") for line in file if not line.startswith("# "))
    if tuple(head.split("\t")[1:]) != LABELS:
        raise ValueError(f"lexicon/meaning.tsv was fitted for other labels: {head}")
    bias = tuple(int(value or 0) / SCALE for value in first.split("\t")[1:])
    topics = len(TOPIC_LABELS)
    of_topics, of_analysis = _CountedFeatures(TOPIC_KINDS), _CountedFeatures(ANALYSIS_KINDS)
    for row in rows:
        name, *values = row.split("\t")
        of_topics.add(name, values[:topics])
        of_analysis.add(name, values[topics:])
    return _AllWeights(
        Weights(TOPIC_LABELS, TOPIC_KINDS, bias[:topics], of_topics.found),
        Weights(LABELS[topics:], ANALYSIS_KINDS, bias[topics:], of_analysis.found),
    )


class _Hundredths(dict[str, float]):
    """What is written in the file, as log-odds times how much a kind counts. There are few: each is kept once."""

    def __init__(self, counts: float) -> None:
        super().__init__()
        self._counts = counts

    def __missing__(self, written: str) -> float:
        made = self[written] = int(written or 0) * self._counts / SCALE
        return made


class _CountedFeatures:
    """Of each group of kinds the features that say something of some labels."""

    def __init__(self, kinds: Kinds) -> None:
        self.found: tuple[dict[str, tuple[float, ...]], ...] = tuple({} for _ in kinds)
        self._by_kind = {
            kind: (found, _Hundredths(counts))
            for group, found in zip(kinds, self.found, strict=True)
            for kind, counts in group.items()
        }

    def add(self, name: str, values: Sequence[str]) -> None:
        if name[0] in self._by_kind and any(values):
            found, numbers = self._by_kind[name[0]]
            found[name] = tuple(map(numbers.__getitem__, values))
