"""Bytes of mail in memory at once: a budget that fetching and reading share, which a few large mails would exceed."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import dataclass

MOST_BYTES = 32 << 20  # one of the largest, or hundreds of ordinary ones
UNCOUNTED_BYTES = 256 << 10  # what is smaller costs less than counting it


@dataclass(slots=True)
class _Holding:
    """What one mail takes of the budget."""

    size: int = 0


_held_here: ContextVar[_Holding | None] = ContextVar("bytes_held", default=None)


class BytesInFlight:
    """Whoever is about to have a large mail in memory waits till there is room. First come, first served."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._used = most, 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @property
    def used(self) -> int:
        return self._used

    @contextlib.asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """For one mail: what is admitted in here counts till the end of it."""
        mine = _Holding()
        token = _held_here.set(mine)
        try:
            yield
        finally:
            _held_here.reset(token)
            self._give_back(mine.size)

    async def admit(self, size: int) -> None:
        """So many bytes are on their way into memory: waits for room. One that is larger than all of it goes alone.

        Counts for the mail that is held here, and only once: what is there already waits for nobody, or two who wait
        for more could wait for each other.
        """
        mine = _held_here.get()
        if mine is None or size <= max(mine.size, UNCOUNTED_BYTES):
            return
        if mine.size == 0 and (self._waiting or not self._fits(size)):
            await self._wait(size)
        else:
            self._used += size - mine.size
        mine.size = size

    def _fits(self, size: int) -> bool:
        return self._used == 0 or self._used + size <= self._most

    async def _wait(self, size: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((size, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._give_back(size)  # it was our turn already
            else:
                self._let_in()  # who came after us need not wait for us
            raise

    def _give_back(self, size: int) -> None:
        if size:
            self._used -= size
            self._let_in()

    def _let_in(self) -> None:
        while self._waiting and (self._waiting[0][1].done() or self._fits(self._waiting[0][0])):
            size, turn = self._waiting.popleft()
            if not turn.done():  # else it was given up
                self._used += size
                turn.set_result(None)
