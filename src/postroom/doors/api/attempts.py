"""Attempts: every try of every job, what failed, and trying again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Path, Query
from pydantic import ConfigDict, Field

from postroom.doors.api import bulk_retry
from postroom.doors.api.jobs import JobOut, job_of
from postroom.doors.api.paging import (
    BIGGEST,
    NO_NUL,
    Cursor,
    InBody,
    Limit,
    Moment,
    OutBody,
    PageOut,
    Word,
    by_number,
    page,
)
from postroom.doors.api.route import Operator, Reader, collection
from postroom.engine import queue as lanes
from postroom.nouns.errors import ErrorClass
from postroom.nouns.ids import JobId

router = collection("attempts")
Outcome = Literal["done", "retry", "throttled", "parked", "quarantined", "stopped", "lost", "released"]
Number = Annotated[int, Path(ge=1, le=BIGGEST)]
MOST_AT_ONCE = 500


class AttemptOut(OutBody):
    """One try of one job."""

    id: int
    job_id: int
    kind: str = Field(examples=["sync.fetch_message"])
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


class RetryStatisticsOut(OutBody):
    """What failed and is not over, and what was stopped in the window. The four parts add up to the total."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "total_failures": 42,
                    "max_retries_reached": 8,
                    "pending_retry": 15,
                    "eligible_for_retry": 14,
                    "refused_at_once": 5,
                    "error_breakdown": {"transient": 10, "retryable": 20, "non_retryable": 5, "rate_limited": 7},
                }
            ]
        }
    )

    total_failures: int
    max_retries_reached: int = Field(description="Put aside after their last retry.")
    pending_retry: int = Field(description="Their next try has its time.")
    eligible_for_retry: int = Field(description="Wait for a person, or run again at any moment.")
    refused_at_once: int = Field(description="No retry would have helped: put aside, or stopped within the window.")
    error_breakdown: dict[ErrorClass, int]


class RetryManyIn(InBody):
    """Which ones: those that are named, or all failed ones that match the rest."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"error_class": "transient"}]})

    attempt_ids: list[Annotated[int, Field(ge=1, le=BIGGEST)]] | None = Field(
        None, min_length=1, max_length=MOST_AT_ONCE
    )
    kind: str | None = Field(None, max_length=200, pattern=NO_NUL)
    mailbox_id: UUID | None = None
    error_class: ErrorClass | None = None
    limit: int = Field(100, ge=1, le=MOST_AT_ONCE)


class RefusedRetryOut(OutBody):
    job_id: int | None
    attempt_id: int | None
    because: str


class RetryManyOut(OutBody):
    """What became of retrying many."""

    requested: int
    retried: int
    refused: list[RefusedRetryOut]
    batch: str = Field(description="Ask `/attempts/batches/{batch}` how far they have come.")


class BatchProgressOut(OutBody):
    """How far many have come. Those that are neither done, failed nor later wait or run right now."""

    total: int = Field(description="A job that was asked for twice counts once.")
    done: int
    failed: int = Field(description="Put aside again, or given up.")
    later: int = Field(description="Failed for a passing reason; will be tried again by themselves.")
    over: bool = Field(description="Each one is done or has failed.")


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
    since: Moment | None = None,
) -> PageOut[AttemptOut]:
    async with who.scope.read() as tx:
        rows = await lanes.attempts(
            tx,
            failed=failed,
            outcome=outcome,
            error_class=error_class,
            kind=kind,
            mailbox_id=mailbox_id,
            job_id=JobId(job_id) if job_id is not None else None,
            since=since,
            before=by_number(cursor) or 2**62,
            most=limit + 1,
        )
    return page(rows, limit, AttemptOut.model_validate, lambda row: (row.id,))


@router.get("/attempts/statistics", summary="How many failed, and how")
async def statistics(
    who: Reader,
    mailbox_id: UUID | None = None,
    days: Annotated[int, Query(ge=1, le=30, description="The window for what was given up.")] = 7,
) -> RetryStatisticsOut:
    now = who.scope.now
    async with who.scope.read() as tx:
        counted = await lanes.statistics(tx, now=now, since=now - timedelta(days=days), mailbox_id=mailbox_id)
    return RetryStatisticsOut.model_validate(counted)


@router.get("/attempts/batches/{batch}", summary="How far many have come that were tried again")
async def get_progress(batch: Annotated[str, Path(max_length=80)], who: Reader) -> BatchProgressOut:
    return BatchProgressOut.model_validate(await bulk_retry.progress(who.scope, bulk_retry.RetryBatch.parse(batch)))


@router.get("/attempts/{attempt_id}", summary="One attempt")
async def get_attempt(attempt_id: Number, who: Reader) -> AttemptOut:
    async with who.scope.read() as tx:
        return AttemptOut.model_validate(await lanes.attempt(tx, attempt_id))


@router.post("/attempts/{attempt_id}/retry", summary="Try the job of a failed attempt once more", status_code=202)
async def retry(attempt_id: Number, who: Operator) -> JobOut:
    """404 when the job is over, 409 when it is about to run anyway."""
    async with who.scope.read() as tx:
        found = await lanes.attempt(tx, attempt_id)
    return job_of(await lanes.replay(who.scope, found.job_id))


@router.post("/attempts/retry", summary="Try many failed ones once more, with a summary", status_code=202)
async def retry_many(body: RetryManyIn, who: Operator) -> RetryManyOut:
    """Each by itself: one that cannot be tried again is named with the reason, and the others go on."""
    if body.attempt_ids is not None:
        begun = await bulk_retry.retry_attempts(who.scope, body.attempt_ids)
    else:
        async with who.scope.read() as tx:
            failed = await lanes.failed_jobs(
                tx, kind=body.kind, mailbox_id=body.mailbox_id, error_class=body.error_class, most=body.limit
            )
        begun = await bulk_retry.retry_jobs(who.scope, failed)
    refused = [RefusedRetryOut.model_validate(each) for each in begun.many.refused]
    return RetryManyOut(
        requested=begun.many.requested, retried=begun.many.retried, refused=refused, batch=str(begun.batch)
    )
