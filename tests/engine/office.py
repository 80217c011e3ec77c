"""A tenant, three kinds of job, and a worker that keeps a diary of what ran."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import ClassVar

from postroom.db import sql
from postroom.engine.work import TenantScope
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.jobs import Job

STATES = sql.Query("states", "SELECT state FROM postroom.job ORDER BY id")
ROWS = sql.Query(
    "rows",
    "SELECT kind || ':' || coalesce(key, '') || ':' || state || ':' || hits FROM postroom.job ORDER BY id",
)
OUTCOMES = sql.Query("outcomes", "SELECT outcome FROM postroom.attempt ORDER BY id")


class Sync(Job, frozen=True):
    kind: ClassVar[str] = "test.sync"
    mailbox: str

    @property
    def key(self) -> str:
        return self.mailbox

    @property
    def lane(self) -> str:
        return f"mailbox:{self.mailbox}"


class Note(Job, frozen=True):
    kind: ClassVar[str] = "test.note"
    text: str


class Letter(Job, frozen=True):
    """Like a message: its retry does not hold the thread's lane."""

    kind: ClassVar[str] = "test.letter"
    holds_lane: ClassVar[bool] = False
    thread: str
    number: int

    @property
    def lane(self) -> str:
        return f"thread:{self.thread}"


class Office:
    """A tenant, a worker and a diary of what ran."""

    def __init__(self, db, waker, tenant) -> None:
        self.db, self.waker, self.tenant = db, waker, tenant
        self.diary: list[str] = []
        self.failing: dict[str, list[Exception]] = {}
        self.pause: dict[str, asyncio.Event] = {}
        self.started: asyncio.Queue[str] = asyncio.Queue()

    def worker(self, **options) -> Worker:
        @works(Sync)
        async def sync(job: Sync, work) -> None:
            await self._live(job.mailbox)

        @works(Note)
        async def note(job: Note, work) -> None:
            await self._live(job.text)

        @works(Letter)
        async def letter(job: Letter, work) -> None:
            await self._live(f"{job.thread}{job.number}")

        return Worker(self.db, self.waker, Handlers([sync, note, letter]), lambda fact: [], None, **options)

    async def _live(self, name: str) -> None:
        self.diary.append(name)
        await self.started.put(name)
        if errors := self.failing.get(name):
            raise errors.pop(0)
        if name in self.pause:
            await self.pause[name].wait()

    def teller(self, tenant=None) -> TenantScope:
        return TenantScope(
            self.db, self.waker, lambda fact: [], tenant or self.tenant, "test", lambda: datetime.now(UTC)
        )

    async def put(self, *jobs, tenant=None) -> None:
        teller = self.teller(tenant)
        async with teller.finish() as tx:
            await teller.enqueue(tx, *jobs)

    async def ask(self, query: sql.Query, tenant=None):
        async with self.db.tenant(tenant or self.tenant) as tx:
            return await tx.values(query)
