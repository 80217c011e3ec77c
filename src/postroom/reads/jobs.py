"""Jobs that wait for a person or for their next try, and how far a bulk retry has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.queue import JobRow, StateName
from postroom.nouns.ids import JobId

QUERIES = sql.load(__package__ or "", "jobs.sql")


@dataclass(frozen=True, slots=True)
class RetryProgress:
    """How far many have come that were asked for again; a job asked for twice counts once."""

    total: int
    done: int
    failed: int
    later: int

    @property
    def over(self) -> bool:
        return self.done + self.failed >= self.total


async def aside(
    tx: Tx,
    *,
    state: StateName | None = None,
    kind: str | None = None,
    mailbox_id: UUID | None = None,
    before: int = 2**62,
    most: int = 100,
) -> list[JobRow]:
    values = {"state": state, "kind": kind, "mailbox_id": mailbox_id, "before": before}
    return await tx.rows(QUERIES.aside, JobRow, most=most, **values)


async def waiting(tx: Tx, mailbox_id: UUID | None = None, most: int = 50) -> list[JobRow]:
    return await tx.rows(QUERIES.waiting, JobRow, mailbox_id=mailbox_id, most=most)


async def jobs_of_message(tx: Tx, message_id: UUID, kinds: list[str]) -> list[JobId]:
    return [JobId(job) for job in await tx.values(QUERIES.jobs_of_message, message_id=message_id, kinds=kinds)]


async def newest_attempt(tx: Tx) -> int:
    number: int = await tx.value(QUERIES.newest_attempt)
    return number


async def retry_progress(tx: Tx, since: datetime, till: datetime, after: int, mark: str) -> RetryProgress:
    """How far the tries have come that somebody asked for within a moment."""
    found = await tx.row(QUERIES.retry_progress, RetryProgress, since=since, till=till, after=after, mark=mark)
    return found or RetryProgress(0, 0, 0, 0)
