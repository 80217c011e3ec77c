"""Things to do at a simulated time: pushing the clock forward brings them nearer."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable

from postroom_simulators.clock import SimClock

_LOOK = 0.03  # the clock may be pushed at any moment and tells nobody, so look this often while something waits


class Schedule:
    """Calls back when the simulated time has come."""

    def __init__(self, clock: SimClock) -> None:
        self._clock = clock
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._wake = asyncio.Event()

    def at(self, due: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._waiting, (due, next(self._order), action))
        self._wake.set()

    def __len__(self) -> int:
        return len(self._waiting)

    async def run(self) -> None:
        while True:
            self._wake.clear()
            now = self._clock.time()
            while self._waiting and self._waiting[0][0] <= now:
                heapq.heappop(self._waiting)[2]()
            await self._pause(now)

    async def _pause(self, now: float) -> None:
        try:
            async with asyncio.timeout(min(self._waiting[0][0] - now, _LOOK) if self._waiting else None):
                await self._wake.wait()
        except TimeoutError:
            pass
