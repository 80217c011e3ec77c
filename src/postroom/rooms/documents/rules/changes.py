"""Who changed what since somebody looked, in one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from postroom.nouns.actors import spoken_actor

VERBS = {
    "confirmed": "confirmed it",
    "corrected": "corrected it",
    "rejected": "rejected it",
    "entered": "entered it by hand",
    "retried": "had it read once more",
    "undone": "took the last decision back",
    "reopened": "put it back to review",
}


class Told(Protocol):
    """A decision as far as it is told to somebody else."""

    @property
    def did(self) -> str: ...

    @property
    def said(self) -> str: ...

    @property
    def actor(self) -> str: ...

    @property
    def decided_at(self) -> datetime: ...


def sentence(decision: Told) -> str:
    what = VERBS.get(decision.did, decision.did)
    detail = f": {decision.said}" if decision.said else ""
    return f"{spoken_actor(decision.actor)} {what} at {decision.decided_at:%H:%M} UTC{detail}.".replace("..", ".")


def changed_since(decisions: Sequence[Told]) -> str:
    """For somebody whose page is old."""
    told = " ".join(sentence(each) for each in decisions) or "It was read anew."
    return f"Changed while you looked. {told} Nothing of yours was saved: look again, then decide."
