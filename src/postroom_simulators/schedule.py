"""Things to do at a simulated time: pushing the clock forward brings them nearer."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections.abc import Callable
from itertools import count

from postroom_simulators.clock import SimClock

_LOOK = 0.02  # the clock may be pushed at any moment and tells nobody, so look this often while something waits


class SimSchedule:
    """Calls back when the simulated time has come. Costs nothing while nothing is planned."""

    def __init__(self, clock: SimClock) -> None:
        self._clock = clock
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._ticker: asyncio.Task[None] | None = None

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        self.at(self._clock.time() + seconds, action)

    def at(self, due: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._waiting, (due, next(self._order), action))
        if self._ticker is None or self._ticker.done():
            self._ticker = asyncio.get_running_loop().create_task(self._tick())

    def __len__(self) -> int:
        return len(self._waiting)

    async def stop(self) -> None:
        self._waiting.clear()
        if self._ticker is not None:
            self._ticker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._ticker
            self._ticker = None

    async def _tick(self) -> None:
        while self._waiting:
            now = self._clock.time()
            while self._waiting and self._waiting[0][0] <= now:
                heapq.heappop(self._waiting)[2]()
            if self._waiting:
                await asyncio.sleep(min(max(0.0, self._waiting[0][0] - now), _LOOK))
