"""A tenant's own sensitive words: they only add caution."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from postroom.mail.sentences import tokens
from postroom.nouns.conversations import Turn
from postroom.nouns.errors import BadRequest
from postroom.nouns.versions import version_of
from postroom.rooms.triage.rules.topics import ENOUGH, TOPICS, Topic, TopicMatch

MOST_WORDS = 200
LONGEST_WORD = 80


@dataclass(frozen=True, slots=True)
class OwnTopic:
    """A topic of the tenant's. `counts_as` is the reason a thread then has; a star ends the beginning of a word."""

    id: UUID
    name: str
    counts_as: Topic
    words: tuple[str, ...]
    active: bool = True

    @property
    def version(self) -> str:
        """Of what people change about it by hand."""
        return version_of([self.name, self.counts_as, self.words])

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "counts_as": self.counts_as, "words": list(self.words), "active": self.active}


def clean_topic(topic_id: UUID, name: str, counts_as: str, words: Sequence[str], *, active: bool = True) -> OwnTopic:
    if not name.strip():
        raise BadRequest("A topic needs a name.")
    if counts_as not in TOPICS:
        raise BadRequest(f"{counts_as!r} is no topic it can count as: say one of {', '.join(TOPICS)}.")
    kept = tuple(dict.fromkeys(" ".join(each.split()) for each in words if each.strip()))
    if not kept:
        raise BadRequest("A topic needs at least one word.")
    if len(kept) > MOST_WORDS or any(len(each) > LONGEST_WORD for each in kept):
        raise BadRequest(f"A topic has up to {MOST_WORDS} words or phrases of up to {LONGEST_WORD} letters.")
    for each in kept:
        if not tokens(each.rstrip("*")):
            raise BadRequest(f"{each!r} is no word.")
    return OwnTopic(topic_id, name.strip(), counts_as, kept, active)


def own_matches(latest: Turn, topics: Sequence[OwnTopic]) -> list[TopicMatch]:
    """In what the sender newly wrote, subject included, and in what it forwards."""
    active = [topic for topic in topics if topic.active]
    if not active:
        return []
    stands = _Stands(tokens(" \n ".join((latest.subject, latest.own_text, latest.forwarded_text))))
    found = [(topic, tuple(word for word in topic.words if stands(word))) for topic in active]
    return [TopicMatch(topic.counts_as, ENOUGH, words) for topic, words in found if words]


class _Stands:
    """Whether a phrase stands in a text: looked for at its rarest word only, since a tenant may list thousands."""

    def __init__(self, said: tuple[str, ...]) -> None:
        self._said = said
        self._places: dict[str, list[int]] = {}
        for at, word in enumerate(said):
            self._places.setdefault(word, []).append(at)
        self._words = sorted(self._places)

    def __call__(self, phrase: str) -> bool:
        wanted = tokens(phrase.rstrip("*"))
        starts = phrase.endswith("*")
        whole = wanted[:-1] if starts else wanted
        if not whole:
            return self._any_starts(wanted[-1])
        rarest = min(range(len(whole)), key=lambda at: len(self._places.get(whole[at], ())))
        places = self._places.get(whole[rarest], ())
        return any(self._stands_at(at - rarest, wanted, starts=starts) for at in places if at >= rarest)

    def _any_starts(self, beginning: str) -> bool:
        at = bisect_left(self._words, beginning)
        return at < len(self._words) and self._words[at].startswith(beginning)

    def _stands_at(self, at: int, wanted: tuple[str, ...], *, starts: bool) -> bool:
        window = self._said[at : at + len(wanted)]
        if len(window) < len(wanted) or window[:-1] != wanted[:-1]:
            return False
        return window[-1].startswith(wanted[-1]) if starts else window[-1] == wanted[-1]
