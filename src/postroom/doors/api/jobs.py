"""Jobs: work that waits, runs, or was put aside for a person."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query
from pydantic import Field

from postroom.doors.api.paging import BIGGEST, Cursor, Limit, OutBody, PageOut, Word, by_number, page
from postroom.doors.api.route import Operator, Reader, collection
from postroom.engine import queue as lanes
from postroom.nouns.ids import JobId

router = collection("jobs")
Number = Annotated[int, Path(ge=1, le=BIGGEST)]


class JobOut(OutBody):
    """Work that is not over. Finished work is among the attempts."""

    id: int
    kind: str = Field(examples=["sync.mailbox"])
    key: str | None
    lane: str | None
    state: lanes.StateName
    priority: int = Field(description="0 urgent, 1 live, 2 routine, 3 backfill.")
    args: dict[str, Any] = Field(description="What it is about; its shape goes by the kind.")
    mailbox_id: UUID | None
    correlation_id: UUID
    run_at: datetime
    created_at: datetime
    started_at: datetime | None
    tries: int
    waits: int
    hits: int = Field(description="How often it was asked for while it waited.")
    parked_for: str | None
    reason: str | None


@router.get("/jobs", summary="List jobs, oldest first")
async def list_jobs(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    state: Annotated[list[lanes.StateName] | None, Query(description="One or several.", max_length=6)] = None,
    kind: Word | None = None,
) -> PageOut[JobOut]:
    async with who.scope.read() as tx:
        rows = await lanes.jobs(tx, states=state or (), kind=kind, after=by_number(cursor) or 0, most=limit + 1)
    return page(rows, limit, job_of, lambda row: (row.id,))


@router.get("/jobs/{job_id}", summary="One job")
async def get_job(job_id: Number, who: Reader) -> JobOut:
    async with who.scope.read() as tx:
        return job_of(await lanes.job(tx, JobId(job_id)))


@router.post("/jobs/{job_id}/replay", summary="Start a job afresh that waits or was put aside", status_code=202)
async def replay(job_id: Number, who: Operator) -> JobOut:
    """The job as it stood; it goes on under a new number. 409 when it is about to run anyway."""
    return job_of(await lanes.replay(who.scope, JobId(job_id)))


def job_of(row: lanes.JobRow) -> JobOut:
    return JobOut(**{name: getattr(row, name) for name in JobOut.model_fields})
