"""What is done after a send whose answer was lost: look in Sent first, and never send on a guess."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from postroom.nouns.drafts import SentState

AfterLooking = Literal["sent", "send", "look_later", "give_back", "unknown"]
# A call that timed out may still be at work at the provider: until then a draft that stands there proves nothing.
SETTLED_AFTER = timedelta(seconds=15)
LOOKS_SECONDS = (5, 15, 60, 180, 600)  # the copy in Sent may come late
MOST_SENDS = 3


@dataclass(frozen=True, slots=True)
class Looking:
    """What to do, why, and when to look next if that is what is to be done."""

    doing: AfterLooking
    because: str
    at: datetime | None = None


def after_looking(
    found: SentState, *, sends: int, looks: int, called_at: datetime, stopped: str | None, now: datetime
) -> Looking:
    """`looks` counts this one; `stopped` says why nothing may be sent just now, if so."""
    if found == "sent":
        return Looking("sent", "It was found in Sent.")
    if found == "not_sent":
        return _not_sent(sends, called_at, stopped, now)
    if looks <= len(LOOKS_SECONDS):
        return Looking("look_later", _NEITHER, now + timedelta(seconds=LOOKS_SECONDS[looks - 1]))
    return Looking("unknown", f"{_NEITHER} It was looked for {looks} times.")


_NEITHER = "It stands neither in Drafts nor in Sent."


def _not_sent(sends: int, called_at: datetime, stopped: str | None, now: datetime) -> Looking:
    if now < called_at + SETTLED_AFTER:
        return Looking(
            "look_later", "It stands in Drafts, but the call may still be at work.", called_at + SETTLED_AFTER
        )
    if stopped is not None:
        return Looking("give_back", f"It still stands in Drafts, so nothing was sent. {stopped}")
    if sends >= MOST_SENDS:
        return Looking("give_back", f"It still stands in Drafts after {sends} tries, so nothing was sent.")
    return Looking("send", "It still stands in Drafts, so nothing was sent.")
