"""Bytes that travel with a job: for minutes, within a budget, and nothing depends on them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

import psycopg
import pytest

from makers import make_tenant
from postroom.engine import payloads, scheduler, work
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns import facts
from postroom.nouns.errors import Unavailable
from postroom.nouns.ids import new_id
from postroom.nouns.jobs import Job
from rooms.documents.dealing import NOON


class Unpack(Job, frozen=True):
    kind: ClassVar[str] = "test.unpack"
    takes_payload: ClassVar[bool] = True
    number: str

    @property
    def key(self) -> str:
        return self.number


class Beside(Job, frozen=True):
    """Set in motion by the same fact, and takes nothing."""

    kind: ClassVar[str] = "test.beside"
    number: str

    @property
    def key(self) -> str:
        return self.number


class Depot:
    """A tenant whose facts send a job off with what is told with them."""

    def __init__(self, db, waker: Waker, tenant, owner_dsn: str) -> None:
        self.db, self.waker, self.tenant, self.owner_dsn = db, waker, tenant, owner_dsn
        self.got: list[bytes | None] = []
        self.failing = 0

    def next_jobs(self, fact: facts.Fact) -> list[Job]:
        if not isinstance(fact, facts.DocumentUploaded):
            return []
        return [Unpack(fact.filename), Beside(fact.filename)]

    async def sends(self, *contents: bytes | None) -> None:
        scope = TenantScope(self.db, self.waker, self.next_jobs, self.tenant, "test", lambda: NOON)
        async with scope.finish() as tx:
            for content in contents:
                number = str(new_id())
                await scope.tell(tx, facts.DocumentUploaded(document_id=new_id(), filename=number, size=1), content)

    async def works(self) -> None:
        @works(Unpack)
        async def unpack(job: Unpack, run) -> None:
            del job
            self.got.append(await run.payload())
            if self.failing:
                self.failing -= 1
                raise Unavailable("Not now.")

        @works(Beside)
        async def stand_beside(job: Beside, run) -> None:
            del job
            assert await run.payload() is None

        clock = lambda: datetime.now(tz=NOON.tzinfo)  # noqa: E731 - the worker's clock
        await Worker(
            self.db, self.waker, Handlers([unpack, stand_beside]), self.next_jobs, None, clock=clock
        ).run_until_quiet()

    def own(self, statement: str) -> list[tuple]:
        with psycopg.connect(self.owner_dsn, autocommit=True) as owner:
            found = owner.execute(statement)
            return found.fetchall() if found.description else []

    def held(self) -> int:
        return self.own("SELECT count(*) FROM postroom.job_payload")[0][0]


@pytest.fixture
def depot(db, waker, owner_dsn) -> Depot:
    return Depot(db, waker, make_tenant(owner_dsn), owner_dsn)


async def test_a_payload_arrives_with_its_job_and_goes_with_its_end(depot):
    await depot.sends(b"mail", None)
    assert 1 == depot.held()

    await depot.works()

    assert [None, b"mail"] == sorted(depot.got, key=bool)
    assert 0 == depot.held()


async def test_a_retry_still_has_it(depot):
    depot.failing = 1
    await depot.sends(b"mail")

    await depot.works()
    depot.own("UPDATE postroom.job SET run_at = now(), not_before = '-infinity' WHERE state = 'later'")
    await depot.works()

    assert [b"mail", b"mail"] == depot.got
    assert 0 == depot.held()


async def test_what_is_too_large_does_not_travel(depot, monkeypatch):
    monkeypatch.setattr(work, "LARGEST_PAYLOAD_BYTES", 4)
    await depot.sends(b"12345")

    await depot.works()

    assert [None] == depot.got


async def test_beyond_the_budget_of_a_tenant_jobs_travel_without(depot, monkeypatch):
    monkeypatch.setattr(work, "PAYLOADS_OF_A_TENANT_BYTES", 8)
    await depot.sends(b"12345")
    await depot.sends(b"67890")
    assert 1 == depot.held()

    await depot.works()

    assert [None, b"12345"] == sorted(depot.got, key=bool)


async def test_a_server_that_lost_them_costs_nothing_but_the_bytes(depot):
    """As after a crash: the table is not in the log."""
    await depot.sends(b"mail")
    depot.own("TRUNCATE postroom.job_payload")

    await depot.works()

    assert [None] == depot.got
    assert [("u",)] == depot.own("SELECT relpersistence FROM pg_class WHERE relname = 'job_payload'")


async def test_what_nobody_comes_for_is_dropped(depot, monkeypatch):
    await depot.sends(b"mail")
    await scheduler.drop_old_payloads(depot.db)
    assert 1 == depot.held()

    monkeypatch.setattr(scheduler, "PAYLOADS_LAST", timedelta(0))
    await scheduler.drop_old_payloads(depot.db)

    assert 0 == depot.held()


class Relay(Job, frozen=True):
    """A job that sends the next one off with bytes, as the one that fetches a mail does."""

    kind: ClassVar[str] = "test.relay"
    number: str

    @property
    def key(self) -> str:
        return self.number


class Line:
    """A worker whose first job hands bytes to its second."""

    def __init__(self, depot: Depot) -> None:
        self.depot, self.travelling, self.got = depot, [], []
        self.failing = 0
        self.worker = Worker(
            depot.db, depot.waker, Handlers([self._relay(), self._unpack()]), depot.next_jobs, None, clock=self._now
        )

    @staticmethod
    def _now() -> datetime:
        return datetime.now(tz=NOON.tzinfo)

    def _relay(self):
        @works(Relay)
        async def relay(job: Relay, run) -> None:
            async with run.finish() as tx:
                await run.tell(tx, facts.DocumentUploaded(document_id=new_id(), filename=job.number, size=1), b"mail")

        return relay

    def _unpack(self):
        @works(Unpack)
        async def unpack(job: Unpack, run) -> None:
            del job
            self.travelling.append(self.depot.held())
            self.got.append(await run.payload())
            if self.failing:
                self.failing -= 1
                raise Unavailable("Not now.")

        return unpack

    async def runs(self, number: str) -> None:
        scope = TenantScope(self.depot.db, self.depot.waker, lambda _: [], self.depot.tenant, "test", self._now)
        async with scope.finish() as tx:
            await scope.enqueue(tx, Relay(number))
        await self.worker.run_until_quiet()


@pytest.fixture
def line(depot, monkeypatch) -> Line:
    sent = facts.DocumentUploaded
    monkeypatch.setattr(depot, "next_jobs", lambda fact: [Unpack(fact.filename)] if isinstance(fact, sent) else [])
    return Line(depot)


async def test_a_worker_by_itself_keeps_bytes_in_memory(line):
    await line.runs("1")

    assert ([0], [b"mail"]) == (line.travelling, line.got)


async def test_beside_another_worker_they_travel_in_the_database(line, depot):
    depot.own("INSERT INTO postroom.worker VALUES (gen_random_uuid(), 'another', now(), now() + interval '1 hour')")

    await line.runs("1")

    assert ([1], [b"mail"]) == (line.travelling, line.got)


async def test_beyond_what_memory_may_hold_they_travel_in_the_database(line, monkeypatch):
    monkeypatch.setattr(payloads, "MOST_BYTES", 3)

    await line.runs("1")

    assert ([1], [b"mail"]) == (line.travelling, line.got)


async def test_a_retry_still_has_what_was_kept_in_memory(line, depot):
    line.failing = 1
    await line.runs("1")

    depot.own("UPDATE postroom.job SET run_at = now(), not_before = '-infinity' WHERE state = 'later'")
    await line.worker.run_until_quiet()

    assert [b"mail", b"mail"] == line.got


def test_memory_is_free_again_after_the_job_and_after_its_time(monkeypatch):
    monkeypatch.setattr(payloads, "MOST_BYTES", 8)
    now = [0.0]
    kept = payloads.PayloadsInMemory(lambda: now[0])
    kept.alone = True
    tenant = new_id()

    assert kept.keep(tenant, payloads.Payload("read", "1", b"12345"))
    assert not kept.keep(tenant, payloads.Payload("read", "2", b"12345"))
    kept.drop(tenant, "read", "1")
    assert kept.keep(tenant, payloads.Payload("read", "2", b"12345"))

    now[0] = payloads.PAYLOADS_LAST.total_seconds()
    kept.drop_old()

    assert kept.get(tenant, "read", "2") is None
    assert kept.keep(tenant, payloads.Payload("read", "3", b"12345678"))
