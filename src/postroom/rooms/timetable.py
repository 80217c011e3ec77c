"""The clock, on one page: which jobs are due when (UTC), for every tenant."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.engine.timetable import Line
from postroom.rooms.documents.jobs import ForgetOld
from postroom.rooms.mailboxes.jobs import KeepWatches, TidyConnections
from postroom.rooms.sync.jobs import PollMailboxes, ReconcileMailboxes

LINES: Sequence[Line] = (
    Line("poll", "* * * * *", PollMailboxes),
    Line("keep watches", "7 * * * *", KeepWatches),
    Line("tidy connections", "37 * * * *", TidyConnections),
    Line("reconcile", "23 */6 * * *", ReconcileMailboxes),
    Line("forget", "41 2 * * *", ForgetOld),
)
