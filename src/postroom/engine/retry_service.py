"""What failed and may be tried again, by the names that scripts and runbooks know."""

from __future__ import annotations

import random
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from postroom.db import sql
from postroom.engine import queue as lanes
from postroom.engine.facts import as_json
from postroom.engine.judging import judge
from postroom.engine.queue import AttemptRow
from postroom.engine.retry_policy import ErrorClassifier, RetryStrategy
from postroom.engine.work import ClaimedJob, TenantScope
from postroom.nouns.errors import Conflict

__all__ = ["ErrorClassifier", "IngestionRetryService", "RetryStrategy"]
QUERIES = sql.load("postroom.engine")
WINDOW = timedelta(days=7)  # in which what was stopped for good still counts


class IngestionRetryService:
    """For one tenant, in the name of whoever the desk acts for. A worker records each of its tries itself, in the
    transaction that decides what happens next; `record_retry_attempt` is for those who try outside of the workers."""

    def __init__(self, scope: TenantScope) -> None:
        self._desk = scope

    async def get_failed_attempts_for_retry(self, mailbox_id: UUID | None = None, most: int = 100) -> list[AttemptRow]:
        """The last try of everything that failed and is not over; what was put aside included."""
        async with self._desk.read() as tx:
            jobs = await lanes.failed_jobs(tx, mailbox_id=mailbox_id, most=most)
            return await tx.rows(QUERIES.last_tries, AttemptRow, jobs=jobs)

    async def manual_retry(self, attempt_id: int) -> dict[str, Any]:
        """A person asks for one more try of the job that this was a try of. Told: requested, then success or failed."""
        asked = await lanes.retry_attempts(self._desk, [attempt_id])
        if asked.refused:
            return {"success": False, "attempt_id": attempt_id, "error": asked.refused[0].because}
        return {"success": True, "attempt_id": attempt_id}

    async def record_retry_attempt(self, attempt_id: int, error: Exception) -> dict[str, Any]:
        """Of a retry that somebody made by hand, and in vain: classified, counted, and followed by what is due next.

        `attempt_id` is any try of the job. Raises Conflict while a worker has it, NotFound when it is over.
        """
        scope = self._desk
        async with scope.read() as tx:
            job = (await lanes.attempt(tx, attempt_id)).job_id
        async with scope.finish() as tx:
            claimed = await tx.row(QUERIES.take_by_hand, ClaimedJob, job_id=job, worker=uuid4())
            if claimed is None:
                await lanes.job(tx, job)
                raise Conflict(f"Job {job} is about to run or running: its worker records the try.")
            judged = judge(claimed, error, now=scope.now, chance=random.random())
            for fact in judged.facts:
                await scope.tell(tx, fact)
            values = {"facts": None, "jobs": None, "parked_for": judged.parked_for, "spends": judged.spends_attempt}
            run = {"tenant": scope.tenant_id, "id": claimed.id, "epoch": claimed.epoch, "delay": judged.delay}
            await tx.run(QUERIES.end_run, outcome=judged.outcome, error=as_json(judged.details), **run, **values)
        return {
            "attempt_id": attempt_id,
            "outcome": judged.outcome,
            "error_class": judged.failed.error_class,
            "retry_count": judged.failed.retry_count,
            "next_retry_at": judged.failed.next_retry_at,
            "max_retries_reached": judged.outcome == "quarantined" and claimed.tries >= RetryStrategy.MAX_RETRIES,
        }

    async def get_retry_statistics(self, mailbox_id: UUID | None = None) -> dict[str, Any]:
        """What failed and is not over, and what was stopped in the last week, by how it stands and by class."""
        now = self._desk.now
        async with self._desk.read() as tx:
            return asdict(await lanes.statistics(tx, now=now, since=now - WINDOW, mailbox_id=mailbox_id))
