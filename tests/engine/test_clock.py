"""The machine's clock was a day ahead and was put right: what was written down meanwhile holds nothing up for a day.

To the database that is the same as moments that lie a day ahead of its clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from engine.office import OUTCOMES, Note, Office, Sync
from makers import make_tenant
from postroom.db import sql
from postroom.engine.budgets import MailboxWaits, QuotaBudget, RequestSlots
from postroom.engine.scheduler import CronLine, Scheduler
from postroom.engine.worker import Worker
from postroom.nouns.errors import Throttled, Unavailable
from postroom.nouns.ids import MailboxId, new_id
from postroom.rooms.mailboxes import store

LEASE = timedelta(seconds=0.3)
DUE_IN = sql.Query("due_in", "SELECT extract(epoch FROM run_at - now())::float8 FROM postroom.job ORDER BY id")


class Owner:
    """Moves what was written down a day ahead."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def was_ahead(self, table: str, *columns: str) -> None:
        moved = ", ".join(f"{each} = {each} + interval '1 day'" for each in columns)
        self._connection.execute(f"UPDATE postroom.{table} SET {moved}".encode())

    def does(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        cursor = self._connection.execute(statement.encode(), values)
        return cursor.fetchall() if cursor.description else []


@pytest.fixture
def owner(owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        yield Owner(connection)


@pytest.fixture
def mailbox(owner, owner_dsn) -> MailboxId:
    tenant, mailbox = make_tenant(owner_dsn), MailboxId(new_id())
    columns = "(id, tenant_id, address, provider, access)"
    owner.does(f"INSERT INTO postroom.mailbox {columns} VALUES (%s, %s, 'a@b.example', 'outlook', 'app_only')", mailbox, tenant)  # fmt: skip
    return mailbox


@asynccontextmanager
async def at_work(worker: Worker) -> AsyncIterator[None]:
    running = asyncio.create_task(worker.run())
    try:
        async with asyncio.timeout(30):
            yield
    finally:
        worker.stop()
        await running


async def until(seen: Callable[[], Any]) -> None:
    while not seen():  # noqa: ASYNC110 - the owner looks on, and nobody tells
        await asyncio.sleep(0.02)


async def test_the_jobs_of_a_worker_that_died_while_the_clock_was_ahead_are_taken_over(office: Office, owner):
    await office.put(Sync("a"))
    owner.does("INSERT INTO postroom.worker (id, name, lease_till) VALUES (gen_random_uuid(), 'dead', now())")
    owner.does("UPDATE postroom.job SET state = 'running', epoch = 1, worker_id = (SELECT id FROM postroom.worker)")
    owner.was_ahead("worker", "lease_till")

    async with at_work(office.worker(lease=LEASE)):
        assert "a" == await office.started.get()


async def test_a_worker_that_lives_while_the_clock_is_put_right_keeps_its_jobs(office: Office, owner):
    office.pause["a"] = asyncio.Event()
    await office.put(Sync("a"))
    lease = timedelta(seconds=3)
    async with at_work(office.worker(lease=lease)), at_work(office.worker(lease=lease)):
        assert "a" == await office.started.get()
        owner.was_ahead("worker", "lease_till")
        nobody_is_ahead = "SELECT bool_and(lease_till < now() + interval '1 hour') FROM postroom.worker"
        await until(lambda: owner.does(nobody_is_ahead) == [(True,)])
        office.pause["a"].set()
        await until(lambda: owner.does("SELECT count(*) FROM postroom.job") == [(0,)])

    assert await office.ask(OUTCOMES) == ["done"]


async def test_when_the_clock_jumps_ahead_the_living_do_not_take_each_other_for_dead(office: Office, owner):
    """Nor after a machine slept, or the database was down: all leases are over then, and the first to come sees that."""
    office.pause |= {"a": asyncio.Event(), "b": asyncio.Event()}
    await office.put(Sync("a"), Sync("b"))
    lease = timedelta(seconds=3)
    async with at_work(office.worker(lease=lease, slots=1)), at_work(office.worker(lease=lease, slots=1)):
        assert {"a", "b"} == {await office.started.get(), await office.started.get()}
        owner.does("UPDATE postroom.worker SET lease_till = now() - interval '1 hour'")
        renewed = "SELECT count(*) FROM postroom.worker WHERE lease_till > now()"
        await until(lambda: owner.does(renewed) == [(2,)])
        for each in office.pause.values():
            each.set()
        await until(lambda: owner.does("SELECT count(*) FROM postroom.job") == [(0,)])

    assert ["done", "done"] == await office.ask(OUTCOMES)


async def test_who_is_really_dead_is_missed_also_after_such_a_jump(office: Office, owner):
    await office.put(Sync("a"))
    owner.does("INSERT INTO postroom.worker (id, name, lease_till) VALUES (gen_random_uuid(), 'dead', now())")
    owner.does("UPDATE postroom.job SET state = 'running', epoch = 1, worker_id = (SELECT id FROM postroom.worker)")
    async with at_work(office.worker(lease=LEASE)):
        await until(lambda: owner.does("SELECT count(*) FROM postroom.worker") == [(2,)])
        owner.does("UPDATE postroom.worker SET lease_till = now() - interval '1 hour'")

        assert "a" == await office.started.get()


async def test_what_waits_for_its_retry_does_not_wait_a_day_longer(office: Office, owner):
    office.failing["a"] = [Unavailable("down")]
    await office.put(Sync("a"))
    await office.worker().run_until_quiet()
    owner.was_ahead("job", "run_at", "not_before")
    async with at_work(office.worker(lease=LEASE)):
        await until(lambda: owner.does("SELECT count(*) FROM postroom.worker") == [(1,)])
        owner.was_ahead("worker", "lease_till")  # it lived through it

        await until(lambda: office.diary == ["a", "a"])


async def test_a_service_that_was_down_while_the_clock_was_put_right_notices_by_its_last_tries(office: Office, owner):
    office.failing["a"] = [Unavailable("down")]
    await office.put(Sync("a"))
    await office.worker().run_until_quiet()
    owner.was_ahead("job", "run_at", "not_before")
    owner.was_ahead("attempt", "finished_at")

    async with at_work(office.worker()):
        await until(lambda: office.diary == ["a", "a"])


async def test_what_shall_be_done_tomorrow_is_not_hurried_by_a_start(office: Office, owner):
    await office.put(Note("a"))
    owner.does("UPDATE postroom.job SET state = 'later', run_at = now() + interval '1 day'")
    await office.worker().run_until_quiet()

    [left] = await office.ask(DUE_IN)
    assert timedelta(days=1).total_seconds() == pytest.approx(left, abs=600)


async def test_the_slots_of_a_process_that_died_are_lent_again(db, mailbox, owner):
    dead = RequestSlots(db, most=1)
    async with dead.use(mailbox):
        owner.was_ahead("provider_slot", "till")
        async with asyncio.timeout(10):
            async with RequestSlots(db, most=1).use(mailbox):
                assert [(1,)] == owner.does("SELECT count(*) FROM postroom.provider_slot")


async def test_the_quota_fills_again(db, mailbox, owner):
    await QuotaBudget(db, per_minute=60, chunk=60).spend(mailbox, 60)
    owner.was_ahead("provider_quota", "at")

    await QuotaBudget(db, per_minute=60, chunk=60).spend(mailbox, 60)
    with pytest.raises(Throttled):
        await QuotaBudget(db, per_minute=60, chunk=60).spend(mailbox, 60)


async def test_a_mailbox_is_not_left_alone_for_a_day_and_a_new_wait_counts(db, mailbox, owner):
    await MailboxWaits(db).told(mailbox, 30)
    owner.was_ahead("provider_wait", "till", "hour")
    await MailboxWaits(db).check(mailbox)

    await MailboxWaits(db).told(mailbox, 20)

    with pytest.raises(Throttled) as wait:
        await MailboxWaits(db).check(mailbox)
    assert 20 == pytest.approx(wait.value.retry_after, abs=10)


async def test_a_token_can_be_refreshed_although_somebody_seems_to_be_at_it_until_tomorrow(db, mailbox, owner):
    [(tenant,)] = owner.does("SELECT tenant_id FROM postroom.mailbox")
    async with db.tenant(tenant) as tx:
        assert await store.take_refresh(tx, tenant, mailbox)
    owner.was_ahead("mailbox_token", "refreshing_till")

    async with db.tenant(tenant) as tx:
        assert await store.take_refresh(tx, tenant, mailbox)
        assert not await store.take_refresh(tx, tenant, mailbox)


async def test_the_timetable_goes_on(db, waker, owner):
    node = Scheduler(db, waker, [CronLine("every minute", "* * * * *", lambda: Sync("a"))], lambda: datetime.now(UTC))
    await node.announce()
    owner.was_ahead("timetable", "next_at")
    running = asyncio.create_task(node.run())
    soon = "SELECT next_at <= now() + interval '1 minute' FROM postroom.timetable"

    async with asyncio.timeout(20):
        await until(lambda: owner.does(soon) == [(True,)])
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_line_that_another_node_fired_is_not_due_again_for_one_whose_clock_is_a_little_behind(db, waker, owner):
    new_year, moment = datetime(datetime.now(UTC).year, 1, 1, tzinfo=UTC), timedelta(seconds=1)
    lines = [CronLine("yearly", "0 0 1 1 *", lambda: Sync("a"))]
    ahead, behind = (Scheduler(db, waker, lines, lambda at=at: at) for at in (new_year + moment, new_year - moment))
    await ahead.announce()
    owner.does("UPDATE postroom.timetable SET next_at = %s", new_year)
    assert 1 == await ahead.tick()

    await behind.put_right()

    assert 0 == await behind.tick()


async def test_a_node_whose_clock_is_behind_the_databases_fires_a_line_once(db, waker, owner):
    new_year = datetime(datetime.now(UTC).year, 1, 1, tzinfo=UTC)
    lines = [CronLine("yearly", "0 0 1 1 *", lambda: Sync("a"))]
    node = Scheduler(db, waker, lines, lambda: new_year - timedelta(seconds=1))
    await node.announce()

    assert [1, 0] == [await node.tick(), await node.tick()]
