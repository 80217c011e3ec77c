"""A worker that stops, dies, or loses the database: leases, fences, and jobs given back."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from engine.office import OUTCOMES, ROWS, Office, Sync
from makers import make_tenant
from postroom.db import address
from postroom.db.errors import DatabaseAway
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import ClaimLost


async def test_a_worker_presumed_dead_cannot_record_anything_any_more(office, owner_dsn):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    stale = office.worker()
    running = asyncio.create_task(stale.run())
    await office.started.get()
    claimed = next(iter(stale._running.values()))
    with psycopg.connect(owner_dsn, autocommit=True) as owner:  # its heartbeat stopped long ago
        owner.execute("UPDATE postroom.worker SET lease_till = now() - interval '1 minute'")
        owner.execute("SELECT postroom.reap_workers()")

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
        owner.execute("SELECT postroom.reap_workers()")

    await office.worker().run_until_quiet()

    assert office.diary == ["a"]
    assert await office.ask(OUTCOMES) == ["lost", "done"]


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
