"""The lanes: coalescing, order, priorities, fairness."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
from psycopg.types.json import Jsonb

from engine.office import OUTCOMES, ROWS, STATES, Letter, Note, Sync
from makers import make_tenant
from postroom.db import sql
from postroom.engine import queue as lanes
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.errors import AccessRevoked, BadRequest, Throttled
from postroom.nouns.jobs import Enqueue, Priority


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


async def test_a_busy_worker_sees_what_becomes_due(office):
    office.pause["long"] = asyncio.Event()
    office.failing["a"] = [Throttled("wait", retry_after=0.3)]
    await office.put(Note("long"), Sync("a"))
    worker = office.worker()
    running = asyncio.create_task(worker.run())
    for _ in range(3):
        await asyncio.wait_for(office.started.get(), 20)

    assert ["a", "a", "long"] == sorted(office.diary)
    office.pause["long"].set()
    worker.stop()
    await running


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


async def test_counting_the_jobs_is_remembered_for_a_while_only_where_it_is_dear(office, monkeypatch):
    def counted(depths) -> int:
        return sum(depth.jobs for depth in depths)

    monkeypatch.setattr(lanes, "DEAR", 60.0)
    await office.put(Note("a"))
    before = counted(await lanes.depths(office.db))
    await office.put(Note("b"))
    assert counted(await lanes.depths(office.db)) == before + 1

    monkeypatch.setattr(lanes, "DEAR", 0.0)
    monkeypatch.setattr(lanes, "REMEMBER", 1_000_000)
    await lanes.depths(office.db)
    await office.put(Note("c"))

    assert counted(await lanes.depths(office.db)) == before + 1


async def test_a_job_is_put_in_without_a_look_at_all_that_wait(office, owner_dsn):
    await office.put(*(Sync(f"box{number}") for number in range(300)))
    read = "SELECT seq_scan + seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = 'job'"
    with psycopg.connect(owner_dsn) as owner:
        for number in range(7):  # the first plans are made for the values, later ones for any
            jobs = Jsonb([{"kind": "test.sync", "key": f"new{number}", "lane": f"lane{number}", "args": {}}])
            owner.execute("SELECT postroom.enqueue(%s, %s)", [office.tenant, jobs])
        assert owner.execute(read).fetchone() == (0,)
