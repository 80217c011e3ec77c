"""Trying many again, and seeing how far they have come."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from postroom import reads
from postroom.engine import queue as lanes
from postroom.engine.work import TenantScope
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import JobId

SHAPE = re.compile(r"^(\d{1,17})-(\d{1,17})-(\d{1,18})-([0-9a-f]{12})$", re.ASCII)
PACE = 0.5  # seconds between two looks at most: work that is done tells no fact of it
PATIENCE = 900.0  # seconds after which nobody waits any longer for what will be tried later


@dataclass(frozen=True, slots=True)
class RetryBatch:
    """What somebody asked for within a moment: the facts of that moment name it, so nothing else is kept."""

    since: datetime
    till: datetime
    after: int  # the newest attempt before it
    mark: str  # of who asked: others may have asked in the same moment

    def __str__(self) -> str:
        return f"{_micros(self.since)}-{_micros(self.till)}-{self.after}-{self.mark}"

    @classmethod
    def parse(cls, text: str) -> RetryBatch:
        found = SHAPE.match(text)
        if found is None:
            raise NotFound(f"There is no batch {text[:80]!r}: take the name that retrying many answered with.")
        since, till, after = (int(part) for part in found.groups()[:3])
        return cls(_moment(since), _moment(till), after, found[4])


def _mark(actor: str) -> str:
    return hashlib.sha256(actor.encode()).hexdigest()[:12]


def _micros(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _moment(micros: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)


@dataclass(frozen=True, slots=True)
class BegunRetry:
    """What was asked for, and the batch to follow it by."""

    many: lanes.RetriedMany
    batch: RetryBatch


async def retry_jobs(scope: TenantScope, job_ids: Iterable[JobId]) -> BegunRetry:
    since, after = scope.now, await _newest(scope)
    return BegunRetry(await lanes.retry_many(scope, job_ids), RetryBatch(since, scope.now, after, _mark(scope.actor)))


async def retry_attempts(scope: TenantScope, attempt_ids: Iterable[int]) -> BegunRetry:
    since, after = scope.now, await _newest(scope)
    return BegunRetry(
        await lanes.retry_attempts(scope, attempt_ids), RetryBatch(since, scope.now, after, _mark(scope.actor))
    )


async def _newest(scope: TenantScope) -> int:
    async with scope.read() as tx:
        return await reads.jobs.newest_attempt(tx)


async def progress(scope: TenantScope, batch: RetryBatch) -> reads.jobs.RetryProgress:
    async with scope.read() as tx:
        found = await reads.jobs.retry_progress(tx, batch.since, batch.till, batch.after, batch.mark)
    if not found.total:
        raise NotFound("Nothing was asked for under this name.")
    return found


async def follow(scope: TenantScope, batch: RetryBatch) -> AsyncIterator[reads.jobs.RetryProgress]:
    """Every change, until all is over or will not be for long."""
    loop = asyncio.get_running_loop()
    last, give_up = None, loop.time() + PATIENCE
    with scope.waker.heard() as heard:
        while loop.time() < give_up:
            heard.clear()
            seen = await progress(scope, batch)
            if seen != last:
                yield seen
            if seen.over:
                return
            last = seen
            await asyncio.sleep(PACE / 5)  # a burst rings often
            try:
                await asyncio.wait_for(heard.wait(), PACE)
            except TimeoutError:
                continue
