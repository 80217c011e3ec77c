"""The scheduler: cron lines set jobs in motion, fired once each however many nodes run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from cronsim import CronSim

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.engine.facts import as_json
from postroom.engine.payloads import PAYLOADS_LAST
from postroom.engine.waker import Waker
from postroom.engine.work import as_row
from postroom.logs import words
from postroom.nouns.errors import PostroomError
from postroom.nouns.ids import TenantId
from postroom.nouns.jobs import Job

QUERIES = sql.load("postroom.engine")
LONGEST_NAP = 30.0
CLOCKS_DIFFER = timedelta(minutes=10)  # of several hosts, at the most
KEEP_ATTEMPTS_DAYS = 90
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class CronLine:
    """A line of the timetable: for every tenant, this job, at these times (UTC)."""

    name: str
    spec: str
    job: Callable[[], Job]


@dataclass(frozen=True, slots=True)
class UpkeepLine:
    """A line of the timetable for the house itself. `after_news`: when something was committed, at most so often."""

    name: str
    every_seconds: float
    does: Callable[[], Awaitable[object]]
    after_news: bool = False


@dataclass(frozen=True, slots=True)
class DueLine:
    name: str
    spec: str
    next_at: datetime


class Scheduler:
    """Fires what is due, and keeps the house. Safe on many nodes: rows are claimed, not remembered."""

    def __init__(
        self,
        db: Database,
        waker: Waker,
        lines: Sequence[CronLine],
        clock: Callable[[], datetime],
        upkeep: Sequence[UpkeepLine] = (),
    ) -> None:
        self.db, self.waker, self._clock, self._upkeep = db, waker, clock, upkeep
        self._lines = {line.name: line for line in lines}

    async def run(self) -> None:
        await self.announce()
        await asyncio.gather(self._fire(), *(self._keep(line) for line in self._upkeep))

    async def announce(self) -> None:
        async with self.db.front_desk() as tx:
            for line in self._lines.values():
                await tx.run(QUERIES.timetable_set, name=line.name, spec=line.spec, next_at=self._next(line.spec))

    async def put_right(self) -> None:
        """After the clock was ahead: lines would be due when it was, and not before. What a node fired whose clock is a
        little ahead of ours is not due once more."""
        specs, now = {name: line.spec for name, line in self._lines.items()}, self._clock()
        values = {
            "names": list(specs),
            "specs": list(specs.values()),
            "next_ats": [self._next(each) for each in specs.values()],
            "latest": [self._next(each, now + CLOCKS_DIFFER) for each in specs.values()],
        }
        async with self.db.front_desk() as tx:
            await tx.run(QUERIES.timetable_put_right, **values)

    async def tick(self) -> int:
        """Enqueue what is due; one commit says that it was fired and enqueues it."""
        async with self.db.front_desk() as tx:
            due = [line for line in await tx.rows(QUERIES.timetable_due, DueLine) if line.name in self._lines]
            tenants = await tx.values(QUERIES.tenants) if due else []
            rows = [as_row(self._lines[line.name].job(), None, TenantId(t)) for line in due for t in tenants]
            if rows:
                await tx.run(QUERIES.enqueue, tenant_id=None, jobs=as_json(rows))
            for line in due:
                await tx.run(QUERIES.timetable_next, name=line.name, next_at=self._next(line.spec, line.next_at))
        if due:
            self.waker.ring()
        return len(due)

    def _next(self, spec: str, *after: datetime) -> datetime:
        """After what is told as well: by the database's clock it may be later than by ours."""
        return next(CronSim(spec, max([self._clock(), *after])))

    async def _fire(self) -> None:
        while True:
            try:
                await self.put_right()
                await self.tick()
                async with self.db.front_desk() as tx:
                    wait = await tx.value(QUERIES.timetable_wait)
            except DatabaseError as problem:
                log.warning("timetable not read", **words(problem))
                wait = 5.0
            await asyncio.sleep(min(LONGEST_NAP, max(0.05, wait if wait is not None else LONGEST_NAP)))

    async def _keep(self, line: UpkeepLine) -> None:
        with self.waker.heard() as heard:
            while True:
                heard.clear()
                try:
                    await line.does()
                except (DatabaseError, OSError, PostroomError) as problem:
                    log.warning("upkeep failed", what=line.name, **words(problem))
                await asyncio.sleep(line.every_seconds)
                if line.after_news:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(heard.wait(), LONGEST_NAP)


async def keep_partitions(db: Database) -> None:
    """Those of the coming days are made, attempts that are too old dropped."""
    async with db.front_desk() as tx:
        await tx.value(QUERIES.keep_partitions, keep_days=KEEP_ATTEMPTS_DAYS)


async def learn_new_tables(db: Database) -> None:
    """What is looked for by an id is found by it also in the first minute of a new house, and of a restored one."""
    await db.desk_value(QUERIES.learn_new_tables)


async def drop_old_payloads(db: Database) -> None:
    """What nobody came for: its job is parked, was put aside, or is gone. Whoever wants it fetches it anew."""
    async with db.front_desk() as tx:
        await tx.run(QUERIES.drop_old_payloads, last=PAYLOADS_LAST)
