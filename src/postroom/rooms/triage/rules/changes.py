"""Who did what about a thread since somebody looked, in one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from postroom.nouns.actors import spoken_actor

_SET = {"done": "set it to done", "not_for_us": "said that it is not for us", "open": "opened it again"}


class ThreadChange(Protocol):
    """What a person did about a thread, as it is told to somebody else."""

    @property
    def kind(self) -> str: ...

    @property
    def how(self) -> str | None: ...

    @property
    def name(self) -> str | None: ...

    @property
    def actor(self) -> str: ...

    @property
    def told_at(self) -> datetime: ...


def sentence(change: ThreadChange) -> str:
    return f"{spoken_actor(change.actor)} {_did(change)} at {change.told_at:%H:%M} UTC."


def _did(change: ThreadChange) -> str:
    if change.kind == "thread.assigned":
        return f"gave it to {change.name}" if change.name else "took it from whoever saw to it"
    if change.kind == "thread.moved":
        return f"moved it to {change.name or 'Default'}"
    return _SET.get(change.how or "", "changed it")


def changed_since(people: Sequence[ThreadChange], wrote: str | None, at: datetime | None) -> str:
    """For somebody whose page is old; `wrote` is who wrote meanwhile, if a mail came."""
    told = [sentence(each) for each in people]
    if wrote and at:
        told.append(f"{wrote} wrote at {at:%H:%M} UTC.")
    said = " ".join(told) or "It was judged anew."
    return f"Changed while you looked. {said} Nothing of yours was saved: look again, then decide."
