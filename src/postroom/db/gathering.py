"""Questions that several ask at the same moment, asked once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
BURST_SECONDS = 0.1  # one question follows the other within this time


@dataclass(slots=True)
class _Round(Generic[K, V]):
    """What is asked together, and the answer to come."""

    asked: dict[K, None] = field(default_factory=dict)
    answer: asyncio.Task[Mapping[K, V]] | None = None


class SharedQuestion(Generic[K, V]):
    """Who asks in the same turn of the loop shares a question; in a burst, who asks within a moment."""

    def __init__(self, ask: Callable[[list[K]], Awaitable[Mapping[K, V]]], *, in_burst: float = 0.0) -> None:
        self._ask, self._in_burst = ask, in_burst
        self._round: _Round[K, V] | None = None
        self._ended = float("-inf")

    async def answers(self, *keys: K) -> dict[K, V]:
        """Those that have one. Whoever leaves takes nobody's answer along."""
        round_ = self._round
        if round_ is None or (round_.answer is not None and round_.answer.done()):  # it was stopped before it began
            round_ = self._round = _Round()
            round_.answer = asyncio.create_task(self._answer(round_))
            round_.answer.add_done_callback(_heard)
        round_.asked.update(dict.fromkeys(keys))
        assert round_.answer is not None
        found = await asyncio.shield(round_.answer)
        return {key: found[key] for key in keys if key in found}

    async def _answer(self, round_: _Round[K, V]) -> Mapping[K, V]:
        now = asyncio.get_running_loop().time
        try:
            await asyncio.sleep(self._in_burst if now() - self._ended < BURST_SECONDS else 0)
        finally:
            self._round = None
        try:
            return await self._ask(list(round_.asked))
        finally:
            self._ended = now()


def _heard(answer: asyncio.Task[Mapping[K, V]]) -> None:
    """When all who asked have left, nobody else would."""
    if not answer.cancelled():
        answer.exception()
