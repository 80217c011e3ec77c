"""What failed and may be tried again, by the names that scripts and runbooks know."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.engine import queue as lanes
from postroom.engine.queue import AttemptRow
from postroom.engine.work import TenantScope

QUERIES = sql.load("postroom.engine")
WINDOW = timedelta(days=7)  # in which what was given up still counts


class IngestionRetryService:
    """For one tenant, in the name of whoever the desk acts for. Every try is recorded by the worker that makes it
    (`Worker.record_retry_attempt`), in the transaction that decides what happens next."""

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

    async def get_retry_statistics(self, mailbox_id: UUID | None = None) -> dict[str, Any]:
        """What failed and is not over, and what was given up in the last week, by how it stands and by class."""
        now = self._desk.now
        async with self._desk.read() as tx:
            return asdict(await lanes.statistics(tx, now=now, since=now - WINDOW, mailbox_id=mailbox_id))
