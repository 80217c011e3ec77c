"""The clock, on one page: which jobs are due when (UTC), for every tenant."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.engine.timetable import Line

LINES: Sequence[Line] = ()
