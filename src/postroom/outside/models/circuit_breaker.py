"""A model that is in trouble is left alone for a while, so that documents do not wait for it one after the other."""

from __future__ import annotations

from collections.abc import Callable

from postroom.nouns.errors import Throttled, Transient, Unavailable
from postroom.nouns.opinions import ModelAnswer
from postroom.ports import Model

REST = 30.0  # seconds
LONGEST_REST = 600.0


class CircuitBreaker:
    """Asks, unless the last answer was that there is none now."""

    def __init__(self, model: Model, clock: Callable[[], float]) -> None:
        """`clock` only goes forward: seconds since whenever."""
        self._model, self._clock = model, clock
        self._till, self._why = float("-inf"), ""

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, system: str, document: str) -> ModelAnswer:
        if self._clock() < self._till:
            raise Unavailable(f"{self._why} It is left alone for a while.")
        try:
            return await self._model.ask(system, document)
        except Transient as trouble:
            asked = trouble.retry_after if isinstance(trouble, Throttled) else None
            self._till = self._clock() + min(REST if asked is None else asked, LONGEST_REST)
            self._why = str(trouble)
            raise
