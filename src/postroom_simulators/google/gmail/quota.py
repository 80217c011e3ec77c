"""Gmail's quota: units per user and per project, by the minute of the simulated clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from postroom_simulators.clock import SimClock
from postroom_simulators.google import errors

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
    """Refuses in turn with 403 and 429: the real one does both."""

    clock: SimClock
    table: QuotaTable = "new"
    refusals: int = 0
    _windows: dict[tuple[str, str], _Window] = field(default_factory=dict)

    def spend(self, project: str, user: str, cost: tuple[int, int], times: int = 1) -> None:
        """`cost` is the price in the old and in the new table."""
        if self.table == "off":
            return
        units = cost[self.table == "new"] * times
        mine = self._window(project, user)
        ours = self._window(project, "")
        if mine.spent + units > _PER_USER[self.table]:
            raise self.refusal(mine.till)
        if ours.spent + units > _PER_PROJECT:
            raise self.refusal(ours.till)
        mine.spent += units
        ours.spent += units

    def refusal(self, till: float) -> errors.GoogleApiError:
        self.refusals += 1
        return errors.rate_limited(till, code=403 if self.refusals % 2 else 429)

    def _window(self, project: str, user: str) -> _Window:
        now = self.clock.time()
        window = self._windows.setdefault((project, user), _Window())
        if now >= window.till:
            window.till, window.spent = now + _MINUTE, 0
        return window
