"""What failed: the figures, and asking for many once more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid4

import pytest

from makers import make_tenant
from postroom.engine import queue as lanes
from postroom.engine.work import TenantScope, Work
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.errors import AccessRevoked, BadRequest, Gone, NotFound, Unavailable
from postroom.nouns.jobs import Job

FAULTS = {
    "down": Unavailable("down"),
    "wrong": BadRequest("wrong"),
    "revoked": AccessRevoked("revoked"),
    "gone": Gone("gone"),
}


class Errand(Job, frozen=True):
    kind: ClassVar[str] = "test.errand"
    fault: str
    mailbox_id: UUID | None = None


@works(Errand)
async def errand(job: Errand, work: Work[Any]) -> None:
    if job.fault:
        raise FAULTS[job.fault]


class Office:
    def __init__(self, db, waker, tenant) -> None:
        self.db, self.waker, self.tenant = db, waker, tenant
        self.scope = TenantScope(db, waker, lambda fact: [], tenant, "anna", lambda: datetime.now(UTC))

    async def works(self, *jobs: Job) -> None:
        async with self.scope.finish() as tx:
            await self.scope.enqueue(tx, *jobs)
        await Worker(self.db, self.waker, Handlers([errand]), lambda fact: [], None).run_until_quiet()

    async def statistics(self, **about) -> lanes.RetryStatistics:
        now = datetime.now(UTC)
        async with self.scope.read() as tx:
            return await lanes.statistics(tx, now=now, since=now - timedelta(hours=1), **about)

    async def failed(self, **about) -> list[int]:
        async with self.scope.read() as tx:
            return await lanes.failed_jobs(tx, **about)


@pytest.fixture
def office(db, waker, owner_dsn) -> Office:
    return Office(db, waker, make_tenant(owner_dsn))


async def test_statistics_sort_failures_by_how_they_stand_and_by_class(office):
    await office.works(*(Errand(fault) for fault in ("", "down", "down", "wrong", "revoked", "gone")))

    assert await office.statistics() == lanes.RetryStatistics(
        total_failures=5,
        max_retries_reached=0,
        pending_retry=2,
        eligible_for_retry=1,
        refused_at_once=2,
        error_breakdown={"transient": 2, "retryable": 0, "non_retryable": 3, "rate_limited": 0},
    )


async def test_statistics_of_one_mailbox_leave_out_the_others(office):
    mailbox = uuid4()
    await office.works(Errand("wrong", mailbox), Errand("wrong", uuid4()), Errand("gone"))

    assert (await office.statistics(mailbox_id=mailbox)).total_failures == 1


async def test_another_tenants_failures_are_not_counted_and_not_retried(office, db, waker, owner_dsn):
    other = Office(db, waker, make_tenant(owner_dsn))
    await other.works(Errand("wrong"))
    theirs = await other.failed()

    outcome = await lanes.retry_many(office.scope, theirs)

    assert (await office.statistics()).total_failures == 0
    assert outcome.retried == 0
    assert await other.failed() == theirs


async def test_failed_jobs_are_found_by_class_and_mailbox(office):
    mailbox = uuid4()
    await office.works(Errand("down", mailbox), Errand("wrong", mailbox), Errand("down"))

    every = await office.failed()

    assert len(every) == 3
    assert await office.failed(error_class="transient", mailbox_id=mailbox) == [every[0]]
    assert await office.failed(kind="test.other") == []
    assert await office.failed(most=2) == every[:2]


async def test_retrying_many_names_those_that_could_not_be_retried(office):
    await office.works(Errand("wrong"), Errand("revoked"))
    known = await office.failed()

    outcome = await lanes.retry_many(office.scope, [*known, lanes.JobId(999_999), known[0]])

    assert (outcome.requested, outcome.retried) == (3, 2)
    assert [each.job_id for each in outcome.refused] == [999_999]
    assert "no job 999999" in outcome.refused[0].because


async def test_retrying_attempts_asks_for_each_of_their_jobs_once(office):
    await office.works(Errand("wrong"))
    await office.works(Errand("gone"))
    async with office.scope.read() as tx:
        over, wrong = [each.id for each in await lanes.attempts(tx, failed=True)]

    outcome = await lanes.retry_attempts(office.scope, [wrong, wrong, over, 999_999])

    assert (outcome.requested, outcome.retried) == (3, 1)
    assert [each.attempt_id for each in outcome.refused] == [over, 999_999]
    assert len(await office.failed()) == 0


async def test_attempts_are_found_by_how_they_ended_their_kind_and_time(office):
    await office.works(Errand(""), Errand("down"))
    now = datetime.now(UTC)

    async with office.scope.read() as tx:
        down = await lanes.attempts(tx, outcome="retry", kind="test.errand", since=now - timedelta(minutes=5))
        later = await lanes.attempts(tx, since=now + timedelta(minutes=5))
        same = await lanes.attempt(tx, down[0].id)
        with pytest.raises(NotFound, match="no attempt 999999"):
            await lanes.attempt(tx, 999_999)

    assert [each.outcome for each in down] == ["retry"]
    assert later == []
    assert same == down[0]


async def test_tries_and_queue_are_counted_for_one_tenant(office, db, waker, owner_dsn):
    await Office(db, waker, make_tenant(owner_dsn)).works(Errand("wrong"))
    await office.works(Errand(""), Errand("down"))
    now = datetime.now(UTC)

    async with office.scope.read() as tx:
        tries = await lanes.tries(tx, now - timedelta(hours=1))
        queue = await lanes.queue(tx, now)

    assert tries == lanes.TryCounts(attempts=2, failed=1, retried=1, by_provider=1)
    assert [(each.state, each.jobs) for each in queue] == [("later", 1)]
