"""Sensitive topics by meaning: concepts that stand together in a sentence make a frame, and frames make a topic."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise, product
from typing import Literal, get_args

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence, sentences
from postroom.rooms.triage.rules.concepts import ConceptHit, lexicon
from postroom.rooms.triage.rules.spelling import as_meant

Topic = Literal["refund_or_cancellation", "medical", "safety", "legal", "exception"]
TOPICS: tuple[Topic, ...] = get_args(Topic)
ENOUGH = 1.0  # weight that decides for a topic
UNSURE = 0.6  # weight that makes a person look, without naming a topic
_LONGEST_FRAME = 200
_MOST_PLACES = 6  # of one concept in one sentence that are tried against the others


@dataclass(frozen=True, slots=True)
class Frame:
    """Groups of concepts that mean something when they stand close together."""

    groups: tuple[frozenset[str], ...]
    weight: float = 1.0
    within: int = _LONGEST_FRAME


@dataclass(frozen=True, slots=True)
class TopicFrames:
    frames: tuple[Frame, ...]
    innocent: frozenset[str]


@dataclass(frozen=True, slots=True)
class TopicMatch:
    """A topic, how much speaks for it, and the sender's own words that do."""

    topic: str
    weight: float
    words: tuple[str, ...]

    @property
    def decides(self) -> bool:
        return self.weight >= ENOUGH


@cache
def frames() -> Mapping[Topic, TopicFrames]:
    text = resources.files("postroom.rooms.triage").joinpath("lexicon/frames.toml").read_text("utf-8")
    return {topic: _topic_frames(told) for topic, told in tomllib.loads(text)["topics"].items()}


def _topic_frames(told: dict[str, list[dict[str, float | list[str]]]]) -> TopicFrames:
    made = [
        Frame(
            tuple(frozenset(group.split("|")) for group in each["all"]),  # type: ignore[union-attr]  # TOML: a list
            float(each.get("weight", 1.0)),  # type: ignore[arg-type]  # TOML: a number
            int(each.get("within", _LONGEST_FRAME)),  # type: ignore[arg-type]  # likewise
        )
        for each in told["frames"]
    ]
    return TopicFrames(tuple(made), frozenset(map(str, told["innocent"])))


Said = tuple[str, float]  # the sender's words, and how much they weigh


@lru_cache(64)
def read(text: str, languages: tuple[Language, ...]) -> tuple[tuple[Sentence, tuple[ConceptHit, ...]], ...]:
    """The sentences with the concepts in each; a slip in a listed word is put right before anything is looked for."""
    words = lexicon(*languages)
    told = (as_meant(sentence, languages) for sentence in sentences(text))
    return tuple((sentence, tuple(words.hits(sentence))) for sentence in told)


def sensitive_topics(text: str, languages: tuple[Language, ...]) -> list[TopicMatch]:
    """In the order in which they are looked at, with what speaks for each; the weights of different words add up."""
    return added_up(said_in(sentence, hits) for sentence, hits in read(text, languages))


def said_in(sentence: Sentence, hits: Sequence[ConceptHit]) -> Mapping[str, Sequence[Said]]:
    """What one sentence says of each topic."""
    found = {topic: tuple(_said(known, sentence, hits)) for topic, known in frames().items()}
    return {topic: said for topic, said in found.items() if said}


def added_up(by_sentence: Iterable[Mapping[str, Sequence[Said]]]) -> list[TopicMatch]:
    told = tuple(by_sentence)
    found = [_match(topic, [said for each in told for said in each.get(topic, ())]) for topic in frames()]
    return [match for match in found if match.weight > 0]


def _match(topic: str, told: Iterable[Said]) -> TopicMatch:
    weights: dict[str, float] = {}
    for said, weight in told:
        weights[said] = max(weight, weights.get(said, 0.0))
    strongest = sorted(weights.items(), key=lambda each: -each[1])
    return TopicMatch(topic, round(sum(weights.values()), 3), tuple(said for said, _ in strongest[:5]))


def _said(known: TopicFrames, sentence: Sentence, hits: Sequence[ConceptHit]) -> Iterator[Said]:
    covered = {at for hit in hits if hit.concept in known.innocent for at in range(hit.first, hit.last + 1)}
    speaking = [hit for hit in hits if not hit.negated and not covered.intersection(range(hit.first, hit.last + 1))]
    for frame in known.frames:
        if (place := _place(frame, speaking)) is not None:
            yield sentence.words(*place), frame.weight


def _place(frame: Frame, hits: Sequence[ConceptHit]) -> tuple[int, int] | None:
    """The shortest stretch of the sentence in which every group has a word of its own."""
    groups = [[hit for hit in hits if hit.concept in group][:_MOST_PLACES] for group in frame.groups]
    best: tuple[int, int] | None = None
    for chosen in product(*groups):
        first, last = min(hit.first for hit in chosen), max(hit.last for hit in chosen)
        if last - first < frame.within and _apart(chosen) and (best is None or last - first < best[1] - best[0]):
            best = (first, last)
    return best


def _apart(chosen: Sequence[ConceptHit]) -> bool:
    ordered = sorted(chosen, key=lambda hit: hit.first)
    return all(left.last < right.first for left, right in pairwise(ordered))
