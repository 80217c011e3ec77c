"""What is due at some simulated time; a step of the clock brings all of it forward."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections.abc import Callable
from itertools import count

from postroom_simulators.clock import SimClock

_TICK = 0.02  # how soon a push of the clock is noticed, in real seconds


class Agenda:
    """Calls back at simulated times. Sleeps when nothing is planned."""

    def __init__(self, clock: SimClock) -> None:
        self._clock = clock
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._ticker: asyncio.Task[None] | None = None

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._heap, (self._clock.time() + seconds, next(self._order), call))
        if self._ticker is None or self._ticker.done():
            self._ticker = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        while self._heap:
            now = self._clock.time()
            while self._heap and self._heap[0][0] <= now:
                heapq.heappop(self._heap)[2]()
            await asyncio.sleep(_TICK)

    async def stop(self) -> None:
        self._heap.clear()
        if self._ticker is not None:
            self._ticker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._ticker
            self._ticker = None
