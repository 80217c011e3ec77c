"""What a mailbox was asked to send, and whether that was rash: the rule that walks of sending are held against."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from postroom.nouns.drafts import Draft, SentLookup
from postroom.nouns.errors import Gone, TimedOut, Unavailable

STILL_AT_WORK = timedelta(seconds=15)  # so long a provider may take to carry out a call that it did not answer


class SendCalls:
    """After a send that nobody knows the end of, the same draft is sent again only when a look found it unsent, late
    enough for the first call to be over."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._in_doubt: dict[str, datetime] = {}
        self.rash: list[str] = []

    async def send(self, draft: Draft, real: Callable[[Draft], Any]) -> Any:
        if draft.ref in self._in_doubt:
            self.rash.append(f"{draft.ref} was sent again at {self._clock()}, {draft.subject!r}")
        self._in_doubt[draft.ref] = self._clock()
        try:
            return await real(draft)
        except (TimedOut, Unavailable, Gone):
            raise
        except Exception:
            del self._in_doubt[draft.ref]  # it was refused: nothing went out
            raise

    async def look(self, draft: Draft, real: Callable[[Draft], Any]) -> SentLookup:
        found: SentLookup = await real(draft)
        began = self._in_doubt.get(draft.ref)
        if began is not None and found.state == "not_sent" and self._clock() >= began + STILL_AT_WORK:
            del self._in_doubt[draft.ref]
        return found

    def resolved(self) -> None:
        """A person looked and said what became of everything."""
        self._in_doubt.clear()
