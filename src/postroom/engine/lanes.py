"""Looking at the lanes, and what people may do about a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.work import Teller
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.facts import RetryRequested
from postroom.nouns.ids import JobId, TenantId

QUERIES = sql.load("postroom.engine")
StateName = Literal["ready", "running", "waiting", "later", "parked", "quarantined"]
STATES: tuple[StateName, ...] = ("ready", "running", "waiting", "later", "parked", "quarantined")


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job as it stands in its lane."""

    id: JobId
    tenant_id: TenantId
    kind: str
    key: str | None
    lane: str | None
    state: int
    priority: int
    args: dict[str, Any]
    mailbox_id: UUID | None
    correlation_id: UUID
    run_at: datetime
    created_at: datetime
    started_at: datetime | None
    tries: int
    waits: int
    hits: int
    epoch: int
    parked_for: str | None
    reason: str | None

    @property
    def state_name(self) -> StateName:
        return STATES[self.state]


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One try."""

    id: int
    job_id: JobId
    kind: str
    key: str | None
    mailbox_id: UUID | None
    outcome: str
    error_class: str | None
    error_code: str | None
    error: str | None
    retry_count: int
    next_retry_at: datetime | None
    max_retries_reached: bool
    correlation_id: UUID
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class Depth:
    """How many jobs are in a state, and how long the oldest has waited."""

    state: int
    jobs: int
    oldest: float

    @property
    def name(self) -> StateName:
        return STATES[self.state]


@dataclass(frozen=True, slots=True)
class WorkerRow:
    id: UUID
    name: str
    started_at: datetime
    lease_till: datetime


async def jobs(
    tx: Tx, *, states: Sequence[StateName] = (), kind: str | None = None, after: int = 0, most: int = 100
) -> list[JobRow]:
    numbers = [_number(state) for state in states] or None
    return await tx.rows(QUERIES.jobs, JobRow, states=numbers, kind=kind, after=after, most=most)


async def job(tx: Tx, job_id: JobId) -> JobRow:
    found = await tx.row(QUERIES.job, JobRow, job_id=job_id)
    if found is None:
        raise NotFound(f"There is no job {job_id}; finished ones are among the attempts.")
    return found


async def attempts(
    tx: Tx,
    *,
    failed: bool = False,
    error_class: str | None = None,
    mailbox_id: UUID | None = None,
    job_id: JobId | None = None,
    before: int = 2**62,
    most: int = 100,
) -> list[AttemptRow]:
    """Newest first."""
    return await tx.rows(
        QUERIES.attempts,
        AttemptRow,
        failed=failed,
        error_class=error_class,
        mailbox_id=mailbox_id,
        job_id=job_id,
        before=before,
        most=most,
    )


async def replay(desk: Teller, job_id: JobId) -> JobRow:
    """A person asks for one more try of something that waits, is parked or was put aside. Audited."""
    async with desk.finish() as tx:
        found = await job(tx, job_id)
        if not await tx.value(QUERIES.replay, tenant_id=desk.tenant_id, job_id=job_id):
            raise Conflict(f"Job {job_id} is {found.state_name}: only what waits or was put aside can be tried again.")
        await desk.tell(tx, RetryRequested(job_kind=found.kind, key=found.key))
    return found


async def unpark(tx: Tx, tenant_id: TenantId, parked_for: str) -> int:
    """A person acted: what was parked for this goes on. Returns how many."""
    freed: int = await tx.value(QUERIES.unpark, tenant_id=tenant_id, parked_for=parked_for)
    return freed


async def depths(db: Database) -> list[Depth]:
    async with db.front_desk() as tx:
        return await tx.rows(QUERIES.depth, Depth)


async def workers(db: Database) -> list[WorkerRow]:
    async with db.front_desk() as tx:
        return await tx.rows(QUERIES.workers, WorkerRow)


def _number(state: str) -> int:
    for number, name in enumerate(STATES):
        if name == state:
            return number
    raise BadRequest(f"{state!r} is not a state of a job; known are {', '.join(STATES)}.")
