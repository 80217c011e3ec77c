"""The jobs of this room."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from postroom.nouns.copilot import StateKey
from postroom.nouns.jobs import MailboxJob, Priority, RoutineJob, ThreadJob


class TriageThread(ThreadJob, frozen=True):
    """Something happened in a thread: read all of it, judge it, label it."""

    kind: ClassVar[str] = "triage.thread"
    stage: ClassVar[str | None] = "triage"


class SetThreadState(ThreadJob, frozen=True):
    """Show where a thread stands after what followed from its triage: a draft is there, or a person must see it.

    Work about a message that is not the newest any more does nothing.
    """

    kind: ClassVar[str] = "triage.set_state"
    state: StateKey | None
    reason: str
    because: str
    newest_ref: str | None = None  # the newest message that came, when this was decided
    error_code: str | None = None


class TriageMailbox(MailboxJob, frozen=True):
    """The copilot was switched, or may do more again: go through the threads of the last days."""

    kind: ClassVar[str] = "triage.mailbox"
    priority: ClassVar[Priority] = Priority.ROUTINE
    time_limit: ClassVar[timedelta] = timedelta(minutes=30)

    @property
    def lane(self) -> str:
        return f"triage.mailbox:{self.mailbox_id}"


class WakeThreads(RoutineJob, frozen=True):
    """Bring back what was snoozed till now."""

    kind: ClassVar[str] = "triage.wake"


class ForgetThreads(RoutineJob, frozen=True):
    """Let go of what threads say, as long ago as the tenant wants."""

    kind: ClassVar[str] = "triage.forget"
    priority: ClassVar[Priority] = Priority.BACKFILL
