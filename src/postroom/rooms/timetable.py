"""The clock, on one page: which jobs are due when (UTC), for every tenant."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.engine.timetable import CronLine
from postroom.rooms.clients.jobs import AgeContacts
from postroom.rooms.documents.jobs import ForgetOld
from postroom.rooms.mailboxes.jobs import KeepWatches, TidyConnections
from postroom.rooms.sync.jobs import PollMailboxes, ReconcileMailboxes

LINES: Sequence[CronLine] = (
    CronLine("poll", "* * * * *", PollMailboxes),
    CronLine("keep watches", "7 * * * *", KeepWatches),
    CronLine("tidy connections", "37 * * * *", TidyConnections),
    CronLine("reconcile", "23 */6 * * *", ReconcileMailboxes),
    CronLine("forget", "41 2 * * *", ForgetOld),
    CronLine("age contacts", "17 3 * * *", AgeContacts),
)
