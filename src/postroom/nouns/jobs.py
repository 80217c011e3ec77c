"""What a job is: a verb, what it is about, and how it wants to be treated."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import IntEnum
from typing import ClassVar

import msgspec

from postroom.nouns.ids import DocumentId, MailboxId, ThreadId


class Priority(IntEnum):
    """Smaller goes first. Live mail never waits behind history."""

    URGENT = 0
    LIVE = 1
    ROUTINE = 2
    BACKFILL = 3


class Job(msgspec.Struct, frozen=True):
    """Work to do. Equal waiting jobs are one job; jobs of one lane run one at a time, in order."""

    kind: ClassVar[str]
    priority: ClassVar[Priority] = Priority.LIVE
    holds_lane: ClassVar[bool] = True  # while waiting for a retry, do others of the lane wait too?
    time_limit: ClassVar[timedelta] = timedelta(minutes=5)
    by_key: ClassVar[bool] = False  # its statements find rows by their keys, so that one plan serves them all
    in_company: ClassVar[bool] = False  # its runs may close in one commit with others of their kind
    takes_payload: ClassVar[bool] = False  # bytes that are told with its fact may travel with it
    stage: ClassVar[str | None] = None  # of the processing of mail: its runs are audited from enqueueing to their end

    @property
    def key(self) -> str | None:
        """Two waiting jobs of one kind and key are one. `None`: never merged."""
        return None

    @property
    def lane(self) -> str | None:
        """Jobs of one lane run one at a time. `None`: with nobody in particular."""
        return None


class RoutineJob(Job, frozen=True):
    """What the clock asks for: after live work, and one waiting at a time for each tenant."""

    priority: ClassVar[Priority] = Priority.ROUTINE

    @property
    def key(self) -> str:
        return "all"


class MailboxJob(Job, frozen=True):
    """Work about a whole mailbox: one of its kind waits at a time."""

    mailbox_id: MailboxId

    @property
    def key(self) -> str:
        return str(self.mailbox_id)


class DocumentJob(Job, frozen=True):
    """Work about one document: one of its kind waits at a time."""

    document_id: DocumentId

    @property
    def key(self) -> str:
        return str(self.document_id)


class ThreadJob(Job, frozen=True):
    """One at a time for each thread, whoever works on it: triage, and what follows from it."""

    mailbox_id: MailboxId
    thread_id: ThreadId

    @property
    def key(self) -> str:
        return str(self.thread_id)

    @property
    def lane(self) -> str:
        return f"thread:{self.thread_id}"


class Enqueue(msgspec.Struct, frozen=True):
    """A job together with when, and how urgently, it is wanted."""

    job: Job
    run_at: datetime | None = None
    priority: Priority | None = None
    after: timedelta | None = None  # from now, where nobody knows what time it is
