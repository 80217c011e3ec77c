"""Gmail's quota: units per user and per project, by the minute of the simulated clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from postroom_simulators.clock import SimClock

QuotaTable = Literal["new", "old", "off"]

_MINUTE = 60.0
_PER_USER = {"new": 6_000, "old": 15_000}
_PER_PROJECT = 1_200_000


@dataclass(slots=True)
class _Window:
    till: float = 0.0
    spent: int = 0


@dataclass(slots=True)
class GmailQuota:
    """What was spent in the minute under way."""

    clock: SimClock
    table: QuotaTable = "new"
    _windows: dict[tuple[str, str], _Window] = field(default_factory=dict)

    def spend(self, project: str, user: str, cost: tuple[int, int]) -> float | None:
        """`cost` is the price in the old and in the new table; the end of the minute when it is too much."""
        if self.table == "off":
            return None
        units = cost[self.table == "new"]
        mine = self._window(project, user)
        ours = self._window(project, "")
        if mine.spent + units > _PER_USER[self.table]:
            return mine.till
        if ours.spent + units > _PER_PROJECT:
            return ours.till
        mine.spent += units
        ours.spent += units
        return None

    def _window(self, project: str, user: str) -> _Window:
        now = self.clock.time()
        window = self._windows.setdefault((project, user), _Window())
        if now >= window.till:
            window.till, window.spent = now + _MINUTE, 0
        return window
