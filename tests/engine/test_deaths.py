"""Jobs whose workers die: who is blamed, who is put aside, and who goes on."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import psycopg
import pytest

from engine.office import OUTCOMES, STATES
from makers import make_tenant
from postroom.db import sql
from postroom.engine.retry_policy import AFTER_DEATHS, MOST_RETRIES
from postroom.engine.work import TenantScope, Work
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.errors import Throttled, Unavailable
from postroom.nouns.jobs import Job

FAILED = sql.Query("failed", "SELECT body FROM postroom.fact WHERE kind = 'attempt.failed' ORDER BY id")
COUNTS = sql.Query("counts", "SELECT ARRAY[tries, deaths] FROM postroom.job ORDER BY id")
WAITS = sql.Query("waits", "SELECT extract(epoch FROM run_at - now())::float8 FROM postroom.job WHERE state = 'later'")


class Task(Job, frozen=True):
    kind: ClassVar[str] = "test.task"
    stage: ClassVar[str | None] = "draft"
    name: str

    @property
    def key(self) -> str:
        return self.name


class Ward:
    """Workers that live until a job of theirs kills them; whoever ran beside it had not ended by then."""

    def __init__(self, db, waker, tenant, owner) -> None:
        self.db, self.waker, self.tenant, self.owner = db, waker, tenant, owner
        self.deadly: set[str] = set()
        self.failing: dict[str, list[Exception]] = {}
        self.killed = asyncio.Event()
        self.held: dict[str, asyncio.Event] = {}
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.done: list[str] = []

    async def put(self, *names: str) -> None:
        scope = TenantScope(self.db, self.waker, lambda fact: [], self.tenant, "test", lambda: datetime.now(UTC))
        async with scope.finish() as tx:
            await scope.enqueue(tx, *map(Task, names))

    def worker(self) -> Worker:
        @works(Task)
        async def task(job: Task, work: Work[Any]) -> None:
            await self.begun.put(job.name)
            if job.name in self.deadly:
                self.killed.set()
            for _ in range(5):  # time for the others to begin
                await asyncio.sleep(0)
            if self.killed.is_set():
                await asyncio.Event().wait()
            if job.name in self.held:
                await self.held[job.name].wait()
            if errors := self.failing.get(job.name):
                raise errors.pop(0)
            async with work.finish():
                self.done.append(job.name)

        return Worker(self.db, self.waker, Handlers([task]), lambda fact: [], None, grace=timedelta(0))

    async def one_dies(self) -> None:
        """A worker takes what there is; it dies, and is missed."""
        self.killed.clear()
        self.begun = asyncio.Queue()
        living = asyncio.create_task(self.worker().run())
        async with asyncio.timeout(20):
            await self.killed.wait()
        self.owner.execute("UPDATE postroom.worker SET lease_till = now() - interval '1 minute'")
        await self.reap()
        living.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await living

    async def reap(self) -> None:
        self.owner.execute("SELECT postroom.reap_workers(%s)", [list(AFTER_DEATHS)])

    async def time_passes(self) -> None:
        self.owner.execute("UPDATE postroom.job SET run_at = now() WHERE state = 'later'")

    async def one_works(self) -> None:
        self.killed.clear()
        await self.worker().run_until_quiet()

    async def ask(self, query: sql.Query) -> list[Any]:
        async with self.db.tenant(self.tenant) as tx:
            return await tx.values(query)


@pytest.fixture
def ward(db, waker, owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        yield Ward(db, waker, make_tenant(owner_dsn), owner)


async def test_a_job_that_keeps_killing_its_worker_is_quarantined_and_that_is_told(ward):
    ward.deadly.add("poison")
    await ward.put("poison")
    for _ in range(MOST_RETRIES + 1):
        await ward.one_dies()
        await ward.time_passes()

    await ward.one_works()

    assert await ward.ask(STATES) == ["quarantined"]
    assert await ward.ask(OUTCOMES) == ["lost"] * 6 + ["quarantined"]
    assert [("quarantined", "Its worker died 6 times.")] == [
        (told["outcome"], told["error"]) for told in await ward.ask(FAILED)
    ]


async def test_those_who_ran_beside_a_job_that_kills_its_worker_are_done(ward):
    """Also when they are on every worker that it kills: after two deaths, those who were there run one at a time."""
    innocent = ["before", "between", "after"]
    ward.deadly.add("poison")
    await ward.put("before", "between", "poison", "after")
    for _ in range(MOST_RETRIES + 1):
        await ward.one_dies()
        await ward.time_passes()

    await ward.one_works()

    assert sorted(innocent) == sorted(ward.done)
    assert await ward.ask(STATES) == ["quarantined"]


async def test_newcomers_do_not_wait_for_those_under_suspicion(ward):
    ward.deadly.add("suspect")
    await ward.put("suspect")
    for _ in range(2):
        await ward.one_dies()
        await ward.time_passes()
    ward.deadly.clear()
    ward.killed.clear()
    ward.begun = asyncio.Queue()
    ward.held["suspect"] = asyncio.Event()
    worker = ward.worker()
    running = asyncio.create_task(worker.run())
    async with asyncio.timeout(20):
        assert await ward.begun.get() == "suspect"
        await ward.put("newcomer")
        assert await ward.begun.get() == "newcomer"
    ward.held["suspect"].set()
    worker.stop()
    await running


async def test_who_waits_for_its_turn_while_a_worker_dies_is_not_blamed(ward):
    ward.deadly |= {"one", "another"}
    await ward.put("one", "another")
    for _ in range(3):
        await ward.one_dies()
        await ward.time_passes()

    assert [[0, 2], [0, 3]] == sorted(await ward.ask(COUNTS))


async def test_a_death_spends_no_try(ward):
    """Tries are for what can be told: five errors of a provider and a crash beside them put nothing aside."""
    ward.failing["a"] = [Unavailable("down") for _ in range(MOST_RETRIES)]
    await ward.put("a")
    for _ in range(MOST_RETRIES):
        await ward.one_works()
        await ward.time_passes()
    ward.deadly.add("a")
    await ward.one_dies()
    assert [[5, 1]] == await ward.ask(COUNTS)

    ward.deadly.clear()
    await ward.one_works()

    assert ward.done == ["a"]


async def test_what_was_begun_again_after_a_death_waits_longer_each_time(ward):
    ward.deadly.add("poison")
    await ward.put("poison")
    waits = []
    for _ in range(MOST_RETRIES + 1):
        await ward.one_dies()
        waits += [round(wait) for wait in await ward.ask(WAITS)]
        await ward.time_passes()

    assert [*(round(each.total_seconds()) for each in AFTER_DEATHS), 0] == pytest.approx(waits, abs=2)


async def test_stopping_in_order_blames_nobody(ward):
    ward.deadly.add("a")
    await ward.put("a")
    for _ in range(2):
        await ward.one_dies()
        await ward.time_passes()
    ward.killed.clear()
    worker = ward.worker()
    running = asyncio.create_task(worker.run())
    async with asyncio.timeout(20):
        await ward.killed.wait()
    worker.stop()
    await running

    assert [[0, 2]] == await ward.ask(COUNTS)


async def test_an_order_to_wait_does_not_clear_a_job_of_suspicion(ward):
    """Else one that kills every other time would circle for ever."""
    ward.deadly.add("a")
    await ward.put("a")
    await ward.one_dies()
    ward.deadly.clear()
    ward.failing["a"] = [Throttled("wait", retry_after=60)]
    await ward.one_works()

    assert [[0, 1]] == await ward.ask(COUNTS)
