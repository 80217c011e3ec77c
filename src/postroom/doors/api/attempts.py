"""Attempts: every try of every job, what failed, and trying again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Path, Query
from pydantic import AwareDatetime, ConfigDict, Field

from postroom.db.pool import Tx
from postroom.doors.api import store
from postroom.doors.api.jobs import Job, job_of
from postroom.doors.api.paging import BIGGEST, NO_NUL, Cursor, Limit, Page, Shape, Wish, Word, by_number, page
from postroom.doors.api.route import Operator, Reader, collection
from postroom.doors.entry import Visitor
from postroom.engine import lanes
from postroom.nouns.errors import ErrorClass, NotFound, PostroomError
from postroom.nouns.ids import JobId

router = collection("attempts")
Outcome = Literal["done", "retry", "throttled", "parked", "quarantined", "stopped", "lost", "released"]
Number = Annotated[int, Path(ge=1, le=BIGGEST)]
REPLAYABLE = ("later", "parked", "quarantined")
MOST_AT_ONCE = 500
MOST_COUNTED = 100_000


class Attempt(Shape):
    """One try of one job."""

    id: int
    job_id: int
    kind: str = Field(examples=["sync.take_in"])
    key: str | None
    mailbox_id: UUID | None
    outcome: Outcome
    error_class: ErrorClass | None
    error_code: str | None
    error: str | None
    retry_count: int
    next_retry_at: datetime | None
    max_retries_reached: bool
    correlation_id: UUID
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime


class Statistics(Shape):
    """What failed and is not over, and what was given up in the window. The four parts add up to the total."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "total_failures": 42,
                    "max_retries_reached": 8,
                    "pending_retry": 15,
                    "eligible_for_retry": 14,
                    "given_up": 5,
                    "error_breakdown": {"transient": 10, "retryable": 20, "non_retryable": 5, "rate_limited": 7},
                }
            ]
        }
    )

    total_failures: int
    max_retries_reached: int = Field(description="Put aside after their last retry.")
    pending_retry: int = Field(description="Their next try has its time.")
    eligible_for_retry: int = Field(description="Wait for a person, or run again at any moment.")
    given_up: int = Field(description="Would never have worked; recorded and stopped, in the window.")
    error_breakdown: dict[ErrorClass, int]


class RetryMany(Wish):
    """Which ones: those that are named, or all failed ones that match the rest."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"error_class": "transient"}]})

    attempt_ids: list[Annotated[int, Field(ge=1, le=BIGGEST)]] | None = Field(
        None, min_length=1, max_length=MOST_AT_ONCE
    )
    kind: str | None = Field(None, max_length=200, pattern=NO_NUL)
    mailbox_id: UUID | None = None
    error_class: ErrorClass | None = None
    limit: int = Field(100, ge=1, le=MOST_AT_ONCE)


class Refused(Shape):
    job_id: int | None
    attempt_id: int | None
    because: str


class Summary(Shape):
    """What became of retrying many."""

    requested: int
    retried: int
    refused: list[Refused]


@router.get("/attempts", summary="List attempts, newest first")
async def list_attempts(
    who: Reader,
    *,
    limit: Limit = 50,
    cursor: Cursor = None,
    failed: Annotated[bool, Query(description="Only those that did not work.")] = False,
    outcome: Outcome | None = None,
    error_class: ErrorClass | None = None,
    kind: Word | None = None,
    mailbox_id: UUID | None = None,
    job_id: Annotated[int | None, Query(ge=1, le=BIGGEST)] = None,
    since: AwareDatetime | None = None,
) -> Page[Attempt]:
    async with who.desk.read() as tx:
        rows = await store.attempts(
            tx,
            limit + 1,
            by_number(cursor),
            failed=failed,
            outcome=outcome,
            error_class=error_class,
            kind=kind,
            mailbox_id=mailbox_id,
            job_id=job_id,
            since=since,
        )
    return page(rows, limit, Attempt.model_validate, lambda row: (row.id,))


@router.get("/attempts/statistics", summary="How many failed, and how")
async def statistics(
    who: Reader,
    mailbox_id: UUID | None = None,
    days: Annotated[int, Query(ge=1, le=30, description="The window for what was given up.")] = 7,
) -> Statistics:
    now = who.desk.now
    async with who.desk.read() as tx:
        failed = await store.failed_jobs(tx, MOST_COUNTED, now, mailbox_id=mailbox_id)
        stopped = await store.given_up(tx, now - timedelta(days=days), mailbox_id)
    return _counted(failed, stopped)


@router.get("/attempts/{attempt_id}", summary="One attempt")
async def get_attempt(attempt_id: Number, who: Reader) -> Attempt:
    return Attempt.model_validate(await _find(who, attempt_id))


@router.post("/attempts/{attempt_id}/retry", summary="Try the job of a failed attempt once more", status_code=202)
async def retry(attempt_id: Number, who: Operator) -> Job:
    """404 when the job is over, 409 when it is about to run anyway."""
    found = await _find(who, attempt_id)
    return job_of(await lanes.replay(who.desk, found.job_id))


@router.post("/attempts/retry", summary="Try many failed ones once more, with a summary", status_code=202)
async def retry_many(wish: RetryMany, who: Operator) -> Summary:
    """Each by itself: one that cannot be tried again is named with the reason, and the others go on."""
    chosen = await _chosen(who, wish)
    refused = [refusal for job, attempt in chosen if (refusal := await _retried(who, job, attempt))]
    return Summary(requested=len(chosen), retried=len(chosen) - len(refused), refused=refused)


async def _chosen(who: Visitor, wish: RetryMany) -> list[tuple[JobId | None, int | None]]:
    async with who.desk.read() as tx:
        if wish.attempt_ids is not None:
            return [(await _job_of(tx, attempt), attempt) for attempt in dict.fromkeys(wish.attempt_ids)]
        failed = await store.failed_jobs(
            tx, wish.limit, who.desk.now, kind=wish.kind, mailbox_id=wish.mailbox_id, error_class=wish.error_class
        )
    return [(job.id, None) for job in failed if job.state_name in REPLAYABLE]


async def _job_of(tx: Tx, attempt_id: int) -> JobId | None:
    rows = await store.attempts(tx, 1, attempt_id=attempt_id)
    return rows[0].job_id if rows else None


async def _retried(who: Visitor, job: JobId | None, attempt: int | None) -> Refused | None:
    if job is None:
        return Refused(job_id=None, attempt_id=attempt, because=f"There is no attempt {attempt}.")
    try:
        await lanes.replay(who.desk, job)
    except PostroomError as problem:
        return Refused(job_id=job, attempt_id=attempt, because=str(problem))
    return None


async def _find(who: Visitor, attempt_id: int) -> lanes.AttemptRow:
    async with who.desk.read() as tx:
        rows = await store.attempts(tx, 1, attempt_id=attempt_id)
    if not rows:
        raise NotFound(f"There is no attempt {attempt_id}; old ones are forgotten after some weeks.")
    return rows[0]


def _counted(failed: Iterable[store.FailedJob], stopped: Iterable[store.GivenUp]) -> Statistics:
    breakdown: Counter[ErrorClass] = Counter()
    stands: Counter[str] = Counter()
    for job in failed:
        breakdown[job.error_class] += 1
        stands[
            "aside"
            if job.state_name == "quarantined"
            else "later"
            if job.state_name == "later" and job.later
            else "due"
        ] += 1
    for each in stopped:
        breakdown[each.error_class] += each.failures
        stands["stopped"] += each.failures
    return Statistics(
        total_failures=sum(stands.values()),
        max_retries_reached=stands["aside"],
        pending_retry=stands["later"],
        eligible_for_retry=stands["due"],
        given_up=stands["stopped"],
        error_breakdown=dict(breakdown),
    )
