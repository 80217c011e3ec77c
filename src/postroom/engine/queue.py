"""Looking at the lanes, and what people may do about a job."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, get_args
from uuid import UUID
from weakref import WeakKeyDictionary

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.work import TenantScope
from postroom.nouns.errors import BadRequest, Conflict, ErrorClass, NotFound, PostroomError
from postroom.nouns.facts import RetryRequested
from postroom.nouns.ids import JobId, TenantId

QUERIES = sql.load("postroom.engine")
DEAR = 0.05  # seconds of counting
REVIVED_AT_ONCE = 500
REMEMBER = 100  # times as long as it took
_counted: WeakKeyDictionary[Database, tuple[float, list[QueueDepth]]] = WeakKeyDictionary()
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
    state: StateName
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
class QueueDepth:
    """How many jobs are in a state, and how long the oldest has waited."""

    state: StateName
    jobs: int
    oldest: float


@dataclass(frozen=True, slots=True)
class TryCounts:
    """How a tenant's tries went."""

    attempts: int
    failed: int
    retried: int
    by_provider: int


@dataclass(frozen=True, slots=True)
class FailureCount:
    """How many stand alike: their retries spent, refused at once, for later, or due."""

    stands: Literal["spent", "refused", "later", "due"]
    error_class: ErrorClass
    failures: int


@dataclass(frozen=True, slots=True)
class RetryStatistics:
    """What failed and is not over, and what was stopped in the window. The four parts add up to the total.

    `refused_at_once` is what no retry would have helped. `error_breakdown` always has all four classes.
    """

    total_failures: int
    max_retries_reached: int
    pending_retry: int
    eligible_for_retry: int
    refused_at_once: int
    error_breakdown: dict[ErrorClass, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobOfAttempt:
    attempt_id: int
    job_id: JobId


@dataclass(frozen=True, slots=True)
class NotRetried:
    """One of many that could not be tried again, and why."""

    job_id: JobId | None
    attempt_id: int | None
    because: str


@dataclass(frozen=True, slots=True)
class RetriedMany:
    requested: int
    refused: list[NotRetried]

    @property
    def retried(self) -> int:
        return self.requested - len(self.refused)


@dataclass(frozen=True, slots=True)
class WorkerRow:
    id: UUID
    name: str
    started_at: datetime
    lease_till: datetime


async def jobs(
    tx: Tx, *, states: Sequence[StateName] = (), kind: str | None = None, after: int = 0, most: int = 100
) -> list[JobRow]:
    wanted = [_known(state) for state in states] or None
    return await tx.rows(QUERIES.jobs, JobRow, states=wanted, kind=kind, after=after, most=most)


async def job(tx: Tx, job_id: JobId) -> JobRow:
    found = await tx.row(QUERIES.job, JobRow, job_id=job_id)
    if found is None:
        raise NotFound(f"There is no job {job_id}; finished ones are among the attempts.")
    return found


async def attempts(
    tx: Tx,
    *,
    failed: bool = False,
    outcome: str | None = None,
    error_class: str | None = None,
    kind: str | None = None,
    mailbox_id: UUID | None = None,
    job_id: JobId | None = None,
    since: datetime | None = None,
    before: int = 2**62,
    most: int = 100,
) -> list[AttemptRow]:
    """Newest first."""
    return await tx.rows(
        QUERIES.attempts,
        AttemptRow,
        failed=failed,
        outcome=outcome,
        error_class=error_class,
        kind=kind,
        mailbox_id=mailbox_id,
        job_id=job_id,
        since=since,
        before=before,
        most=most,
    )


async def attempt(tx: Tx, attempt_id: int) -> AttemptRow:
    found = await tx.row(QUERIES.attempt, AttemptRow, attempt_id=attempt_id)
    if found is None:
        raise NotFound(_no_attempt(attempt_id))
    return found


async def tries(tx: Tx, since: datetime) -> TryCounts:
    return await tx.row(QUERIES.tries, TryCounts, since=since) or TryCounts(0, 0, 0, 0)


async def queue(tx: Tx, now: datetime) -> list[QueueDepth]:
    """Like `depths`, for one tenant."""
    found = await tx.rows(QUERIES.queue, QueueDepth, now=now)
    return sorted(found, key=lambda depth: STATES.index(depth.state))


async def statistics(tx: Tx, *, now: datetime, since: datetime, mailbox_id: UUID | None = None) -> RetryStatistics:
    """What failed and is not over, and what was stopped for good since then."""
    return counted(await tx.rows(QUERIES.failures, FailureCount, now=now, since=since, mailbox_id=mailbox_id))


def counted(failures: Iterable[FailureCount]) -> RetryStatistics:
    stands: Counter[str] = Counter()
    breakdown: Counter[ErrorClass] = Counter(dict.fromkeys(get_args(ErrorClass), 0))
    for each in failures:
        stands[each.stands] += each.failures
        breakdown[each.error_class] += each.failures
    return RetryStatistics(
        total_failures=stands.total(),
        max_retries_reached=stands["spent"],
        pending_retry=stands["later"],
        eligible_for_retry=stands["due"],
        refused_at_once=stands["refused"],
        error_breakdown=dict(breakdown),
    )


async def failed_jobs(
    tx: Tx,
    *,
    kind: str | None = None,
    mailbox_id: UUID | None = None,
    error_class: ErrorClass | None = None,
    most: int = 100,
) -> list[JobId]:
    """What failed, is not over, and can be tried again: the oldest first."""
    values = {"kind": kind, "mailbox_id": mailbox_id, "error_class": error_class}
    return await tx.values(QUERIES.failed_jobs, most=most, **values)


async def replay(scope: TenantScope, job_id: JobId) -> JobRow:
    """A person asks for one more try of something that waits, is parked or was put aside. Audited."""
    async with scope.finish() as tx:
        found = await job(tx, job_id)
        if not await tx.value(QUERIES.replay, tenant_id=scope.tenant_id, job_id=job_id, by=scope.actor):
            raise Conflict(f"Job {job_id} is {found.state}: only what waits or was put aside can be tried again.")
        await scope.tell(tx, RetryRequested(job_kind=found.kind, key=found.key))
    return found


async def retry_many(scope: TenantScope, job_ids: Iterable[JobId]) -> RetriedMany:
    """Each by itself: one that cannot be tried again is named with the reason, and keeps nobody else from it."""
    wanted = list(dict.fromkeys(job_ids))
    refused = [NotRetried(each, None, because) for each in wanted if (because := await _objection(scope, each))]
    return RetriedMany(len(wanted), refused)


async def retry_attempts(scope: TenantScope, attempt_ids: Iterable[int]) -> RetriedMany:
    """Likewise, for the jobs of these attempts; a job is asked for once, however many of its attempts are named."""
    wanted = list(dict.fromkeys(attempt_ids))
    async with scope.read() as tx:
        found = await tx.rows(QUERIES.jobs_of_attempts, JobOfAttempt, attempt_ids=wanted)
    jobs = {each.attempt_id: each.job_id for each in found}
    objections = {job_id: await _objection(scope, job_id) for job_id in dict.fromkeys(jobs.values())}
    refused = [
        NotRetried(jobs.get(each), each, because)
        for each in wanted
        if (because := objections[jobs[each]] if each in jobs else _no_attempt(each))
    ]
    return RetriedMany(len(wanted), refused)


async def _objection(scope: TenantScope, job_id: JobId) -> str | None:
    try:
        await replay(scope, job_id)
    except PostroomError as problem:
        return str(problem)
    return None


def _no_attempt(attempt_id: int) -> str:
    return f"There is no attempt {attempt_id}; old ones are forgotten after some weeks."


async def unpark(tx: Tx, tenant_id: TenantId, parked_for: str) -> int:
    """A person acted: what was parked for this goes on. Returns how many."""
    freed: int = await tx.value(QUERIES.unpark, tenant_id=tenant_id, parked_for=parked_for)
    return freed


async def begin_again(tx: Tx, gaps: Sequence[timedelta], now: datetime) -> int:
    """What was put aside and may yet work is tried anew, after the first gap, then the second, …; how many."""
    begun: int = await tx.value(QUERIES.due_again, gaps=list(gaps), now=now)
    return begun


async def revive(tx: Tx, mailbox_id: UUID) -> int:
    """What a mailbox's outage put aside goes on. Returns how many."""
    revived: int = await tx.value(QUERIES.revive, mailbox_id=mailbox_id, most=REVIVED_AT_ONCE)
    return revived


async def depths(db: Database) -> list[QueueDepth]:
    """Counted anew each time, unless that is dear: a million jobs take 0.3 s. Then it is remembered for a while."""
    now = time.monotonic  # uvloop's own clock stands still while one thing is done
    if (kept := _counted.get(db)) and now() < kept[0]:
        return kept[1]
    began = now()
    counted = await db.desk_rows(QUERIES.depth, QueueDepth)
    if (took := now() - began) > DEAR:
        _counted[db] = (now() + REMEMBER * took, counted)
    return counted


async def workers(db: Database) -> list[WorkerRow]:
    async with db.front_desk() as tx:
        return await tx.rows(QUERIES.workers, WorkerRow)


def _known(state: str) -> str:
    if state not in STATES:
        raise BadRequest(f"{state!r} is not a state of a job; known are {', '.join(STATES)}.")
    return state
