"""Watches the event loop from a thread of its own, and says what held it up, with the stack."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from postroom.memory import keep_what_is_loaded

MOST_CPU_SECONDS = 0.05
SAMPLE_SECONDS = 0.01
BEAT_SECONDS = 0.005


@dataclass
class LoopWatch:
    """CPU of the loop's own thread is counted, not the clock: on a busy machine everything takes long."""

    stalls: list[tuple[float, str]] = field(default_factory=list)
    _beat: float = 0.0
    _over: bool = False

    def start(self) -> None:
        self._threshold = gc.get_threshold()
        keep_what_is_loaded()  # as the product does: the collector need not walk what the tests loaded
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread)
        self._tick()
        self._watcher = threading.Thread(target=self._watch, name="loop watch", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        self._over = True
        self._watcher.join()
        gc.unfreeze()
        gc.set_threshold(*self._threshold)

    def _tick(self) -> None:
        self._beat = time.clock_gettime(self._clock)
        if not self._over:
            self._loop.call_later(BEAT_SECONDS, self._tick)

    def _watch(self) -> None:
        seen = -1.0
        while not self._over:
            time.sleep(SAMPLE_SECONDS)
            spent, beat = time.clock_gettime(self._clock) - self._beat, self._beat
            if spent > MOST_CPU_SECONDS:
                stack = "".join(traceback.format_stack(sys._current_frames()[self._thread])[-12:])
                if beat == seen:
                    self.stalls[-1] = (spent, self.stalls[-1][1])
                else:
                    self.stalls.append((spent, stack))
                seen = beat


@contextlib.asynccontextmanager
async def unblocked_loop() -> AsyncIterator[None]:
    """Fails when anything inside kept the loop for more than 50 ms of CPU at a stretch."""
    watch = LoopWatch()
    watch.start()
    try:
        yield
    finally:
        watch.stop()
    told = [f"{spent * 1000:.0f} ms of CPU on the event loop:\n{stack}" for spent, stack in watch.stalls]
    assert not told, "\n".join(told)
