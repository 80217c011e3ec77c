"""The lanes: coalescing, order, leases, fences, fairness."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import psycopg
import pytest

from makers import make_tenant
from postroom.db import address, sql
from postroom.db.errors import DatabaseAway
from postroom.db.pool import Database
from postroom.engine import queue as lanes
from postroom.engine.waker import Waker
from postroom.engine.work import ClaimLost, TenantScope
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.errors import AccessRevoked, BadRequest, Throttled
from postroom.nouns.jobs import Enqueue, Job, Priority

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


@pytest.fixture
def office(db, waker, owner_dsn) -> Office:
    return Office(db, waker, make_tenant(owner_dsn))


async def test_equal_waiting_jobs_are_one_job_that_counts_its_hits(office):
    await office.put(Sync("a"), Sync("a"), Sync("b"))
    await office.put(Sync("a"))

    assert await office.ask(ROWS) == ["test.sync:a:ready:2", "test.sync:b:ready:1"]


async def test_jobs_without_a_key_are_never_merged(office):
    await office.put(Note("x"), Note("x"))

    await office.worker().run_until_quiet()

    assert office.diary == ["x", "x"]


async def test_a_nudge_while_running_means_exactly_one_more_run(office):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    running = asyncio.create_task(office.worker().run_until_quiet())
    await office.started.get()
    for _ in range(5):
        await office.put(Sync("a"))
    office.pause["a"].set()

    await running

    assert office.diary == ["a", "a"]


async def test_one_at_a_time_per_lane_in_order_while_other_lanes_flow(office):
    office.pause["t1"] = asyncio.Event()
    await office.put(Letter("t", 1), Letter("t", 2), Letter("u", 1))
    running = asyncio.create_task(office.worker().run_until_quiet())
    first = {await office.started.get(), await office.started.get()}
    assert {"t1", "u1"} == first
    lane = sql.Query("lane", "SELECT state FROM postroom.job WHERE lane = 'thread:t' ORDER BY id")
    assert await office.ask(lane) == ["running", "waiting"]
    office.pause["t1"].set()

    await running

    assert office.diary[-1] == "t2"


async def test_what_a_job_puts_into_its_own_lane_queues_up_behind_what_waits_there(office):
    diary: list[int] = []

    @works(Letter)
    async def letter(job: Letter, work) -> None:
        diary.append(job.number)
        async with work.finish() as tx:
            if job.number == 1:
                await work.enqueue(tx, Letter("t", 3))

    await office.put(Letter("t", 1), Letter("t", 2))

    await Worker(office.db, office.waker, Handlers([letter]), lambda fact: [], None).run_until_quiet()

    assert diary == [1, 2, 3]


async def test_a_retry_that_holds_its_lane_blocks_it_and_merges_with_the_waiting_twin(office):
    office.failing["a"] = [Throttled("wait", retry_after=60)]
    await office.put(Sync("a"))
    await office.worker().run_until_quiet()
    await office.put(Sync("a"))

    assert await office.ask(ROWS) == ["test.sync:a:later:2"]
    await office.worker().run_until_quiet()
    assert office.diary == ["a"]  # the throttle is obeyed although a nudge came


async def test_a_retry_that_does_not_hold_its_lane_lets_the_next_pass(office):
    office.failing["t1"] = [Throttled("wait", retry_after=0.3)]
    await office.put(Letter("t", 1), Letter("t", 2))

    await office.worker().run_until_quiet(idle=0.6)

    assert office.diary == ["t1", "t2", "t1"]


async def test_a_failed_run_takes_in_its_waiting_twin_without_losing_the_nudge(office):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    running = asyncio.create_task(office.worker().run_until_quiet(idle=0.3))
    await office.started.get()
    await office.put(Sync("a"))
    office.failing["a"] = []
    office.pause["a"].set()
    await running
    assert office.diary == ["a", "a"]

    office.diary.clear()
    office.failing["a"] = [Throttled("once", retry_after=0)]
    await office.put(Sync("a"))
    await office.worker().run_until_quiet(idle=0.3)
    assert office.diary == ["a", "a"]
    assert await office.ask(ROWS) == []


async def test_urgent_goes_before_live_before_backfill(office):
    await office.put(
        Enqueue(Note("backfill"), priority=Priority.BACKFILL),
        Note("live"),
        Enqueue(Note("urgent"), priority=Priority.URGENT),
    )

    await office.worker(slots=1).run_until_quiet()

    assert office.diary == ["urgent", "live", "backfill"]


async def test_a_busy_tenant_does_not_starve_another(office, owner_dsn):
    other = make_tenant(owner_dsn)
    await office.put(*[Note(f"busy{n}") for n in range(50)])
    await office.put(Note("small"), tenant=other)

    await office.worker(slots=4).run_until_quiet()

    assert office.diary.index("small") < 8


async def test_a_tenant_with_slow_jobs_cannot_fill_the_whole_worker(office, owner_dsn):
    other = make_tenant(owner_dsn)
    office.pause["slow"] = asyncio.Event()
    await office.put(*[Note("slow") for _ in range(20)])
    running = asyncio.create_task(office.worker(slots=8).run_until_quiet())
    for _ in range(6):
        await office.started.get()
    await office.put(Note("quick"), tenant=other)

    assert await asyncio.wait_for(office.started.get(), 5) == "quick"
    office.pause["slow"].set()
    await running


async def test_a_job_for_later_waits_for_its_time_and_a_nudge_brings_it_forward(office):
    soon = datetime.now(UTC) + timedelta(hours=1)
    await office.put(Enqueue(Sync("a"), run_at=soon))
    await office.worker().run_until_quiet()
    assert office.diary == []

    await office.put(Sync("a"))
    await office.worker().run_until_quiet()
    assert office.diary == ["a"]


async def test_a_refused_job_is_quarantined_with_its_reason_and_can_be_replayed(office):
    office.failing["x"] = [BadRequest("The subject is missing.")]
    await office.put(Note("x"))
    await office.worker().run_until_quiet()
    assert await office.ask(STATES) == ["quarantined"]
    assert await office.ask(sql.Query("why", "SELECT reason FROM postroom.job")) == ["The subject is missing."]

    async with office.db.tenant(office.tenant) as tx:
        job = await tx.value(sql.Query("id", "SELECT id FROM postroom.job"))
        assert await tx.value(
            sql.Query("replay", "SELECT postroom.replay_job(%(t)s, %(j)s, NULL)"), t=office.tenant, j=job
        )
    await office.worker().run_until_quiet()

    assert office.diary == ["x", "x"]
    assert await office.ask(OUTCOMES) == ["quarantined", "done"]


async def test_what_waits_for_a_person_spends_no_attempt_and_goes_on_when_the_person_acted(office):
    office.failing["a"] = [AccessRevoked("Reconnect the mailbox.")]
    await office.put(Sync("a"))
    await office.worker().run_until_quiet()
    await office.put(Sync("a"))
    await office.worker().run_until_quiet()
    assert office.diary == ["a"]
    assert await office.ask(STATES) == ["parked"]
    assert await office.ask(sql.Query("tries", "SELECT tries FROM postroom.job")) == [0]

    async with office.db.tenant(office.tenant) as tx:
        parked_for = await tx.value(sql.Query("for", "SELECT parked_for FROM postroom.job"))
        await tx.value(sql.Query("unpark", "SELECT postroom.unpark(%(t)s, %(f)s)"), t=office.tenant, f=parked_for)
    await office.worker().run_until_quiet()

    assert office.diary == ["a", "a"]


async def test_a_worker_presumed_dead_cannot_record_anything_any_more(office, owner_dsn):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    stale = office.worker()
    running = asyncio.create_task(stale.run())
    await office.started.get()
    claimed = next(iter(stale._running.values()))
    with psycopg.connect(owner_dsn, autocommit=True) as owner:  # its heartbeat stopped long ago
        owner.execute("UPDATE postroom.worker SET lease_till = now() - interval '1 minute'")
        owner.execute("SELECT postroom.reap_workers(5)")

    from postroom.engine.work import Work

    with pytest.raises(ClaimLost):
        async with Work(office.db, office.waker, lambda fact: [], claimed, lambda: datetime.now(UTC), None).finish():
            pass
    office.pause["a"].set()
    stale.stop()
    await running
    assert "lost" in await office.ask(OUTCOMES)


async def test_the_job_of_a_dead_worker_is_taken_over(office, owner_dsn):
    await office.put(Sync("a"))
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.worker (id, name, lease_till) VALUES (gen_random_uuid(), 'dead', now() - interval '1 s')"
        )
        owner.execute(
            "UPDATE postroom.job SET state = 'running', epoch = 1, worker_id = (SELECT id FROM postroom.worker)"
        )
        owner.execute("SELECT postroom.reap_workers(5)")

    await office.worker().run_until_quiet()

    assert office.diary == ["a"]
    assert await office.ask(OUTCOMES) == ["lost", "done"]


async def test_a_job_that_keeps_killing_its_worker_is_quarantined(office, owner_dsn):
    await office.put(Note("poison"))
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        for _ in range(6):
            owner.execute(
                "INSERT INTO postroom.worker (id, name, lease_till) VALUES (gen_random_uuid(), 'dead', now() - interval '1 s')"
            )
            owner.execute(
                "UPDATE postroom.job SET state = 'running', epoch = epoch + 1, worker_id = (SELECT id FROM postroom.worker)"
            )
            owner.execute("SELECT postroom.reap_workers(5)")

    assert await office.ask(STATES) == ["quarantined"]


async def test_stopping_lets_running_jobs_end_and_takes_no_new_ones(office):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"), Sync("b"))
    worker = office.worker(slots=1)
    running = asyncio.create_task(worker.run())
    await office.started.get()
    worker.stop()
    office.pause["a"].set()
    await running

    assert office.diary == ["a"]
    assert await office.ask(ROWS) == ["test.sync:b:ready:1"]


async def test_what_does_not_end_within_the_grace_goes_back_and_spends_no_attempt(office):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    worker = office.worker(grace=timedelta(milliseconds=50))
    running = asyncio.create_task(worker.run())
    await office.started.get()
    worker.stop()
    await running

    assert await office.ask(OUTCOMES) == ["released"]
    office.pause["a"].set()
    await office.worker().run_until_quiet()
    assert office.diary == ["a", "a"]


async def test_a_stop_ends_within_the_ten_seconds_that_docker_gives(office):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    worker = office.worker()
    running = asyncio.create_task(worker.run())
    await office.started.get()
    worker.stop()
    async with asyncio.timeout(8):  # the rest is for what is closed after it
        await running

    assert await office.ask(OUTCOMES) == ["released"]


async def test_what_was_claimed_by_a_question_whose_answer_was_lost_is_done_all_the_same(office, monkeypatch):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    worker = office.worker()
    running = asyncio.create_task(worker.run())
    await office.started.get()
    ask, lost = office.db.desk_rows, []

    async def lose_one_answer(query, into, /, **values):
        found = await ask(query, into, **values)
        if query.name == "claim" and found and not lost:
            lost.extend(found)
            raise DatabaseAway("the connection was lost")
        return found

    monkeypatch.setattr(office.db, "desk_rows", lose_one_answer)
    await office.put(Sync("b"))
    async with asyncio.timeout(20):
        assert await office.started.get() == "b"
    office.pause["a"].set()
    worker.stop()
    await running

    assert [job.key for job in lost] == ["b"]
    assert office.diary == ["a", "b"]  # what was known went on undisturbed
    assert await office.ask(OUTCOMES) == ["released", "done", "done"]


async def test_a_run_whose_ending_cannot_be_written_is_given_back_when_the_database_answers(
    dsn, owner_dsn, monkeypatch
):
    monkeypatch.setitem(address.GUARDS, "lock_timeout", "100ms")
    async with contextlib.AsyncExitStack() as stack:
        db = await Database(dsn).open()
        stack.push_async_callback(db.close)
        waker = Waker(db)
        await waker.start()
        stack.push_async_callback(waker.stop)
        office = Office(db, waker, make_tenant(owner_dsn))
        office.pause["a"] = asyncio.Event()
        await office.put(Sync("a"))
        worker = office.worker(slots=2)
        running = asyncio.create_task(worker.run())
        await office.started.get()
        with psycopg.connect(owner_dsn) as owner:
            owner.execute("LOCK TABLE postroom.attempt IN ACCESS EXCLUSIVE MODE")
            office.pause["a"].set()
            while worker.running:  # noqa: ASYNC110 - neither "done" nor "failed" can be written
                await asyncio.sleep(0.01)
            assert await office.ask(ROWS) == ["test.sync:a:running:1"]
        async with asyncio.timeout(20):
            assert await office.started.get() == "a"
        worker.stop()
        await running

        assert await office.ask(OUTCOMES) == ["released", "done"]


async def test_counting_the_jobs_is_remembered_for_a_while_only_where_it_is_dear(office, monkeypatch):
    def counted(depths) -> int:
        return sum(depth.jobs for depth in depths)

    await office.put(Note("a"))
    before = counted(await lanes.depths(office.db))
    await office.put(Note("b"))
    assert counted(await lanes.depths(office.db)) == before + 1

    monkeypatch.setattr(lanes, "DEAR", 0.0)
    monkeypatch.setattr(lanes, "REMEMBER", 1_000_000)
    await lanes.depths(office.db)
    await office.put(Note("c"))

    assert counted(await lanes.depths(office.db)) == before + 1
