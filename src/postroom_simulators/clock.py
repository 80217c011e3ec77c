"""The simulators' own time: it flows like real time and can be pushed forward."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class SimClock:
    """Real time plus an offset. `advance` moves a month in a moment."""

    def __init__(self) -> None:
        self._offset = 0.0

    def time(self) -> float:
        return time.time() + self._offset

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)

    def advance(self, by: timedelta) -> datetime:
        if by < timedelta(0):
            raise ValueError("The simulated clock only goes forward.")
        self._offset += by.total_seconds()
        return self.now()
