"""Retry safety, point by point: classes, delays, the last retry, one correlation id, and what is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine.office import Note, Office
from makers import make_tenant
from postroom.db import sql
from postroom.engine import queue as lanes
from postroom.engine.retry_service import ErrorClassifier, IngestionRetryService, RetryStrategy
from postroom.engine.work import TenantScope
from postroom.nouns.errors import BadRequest, Conflict, NotFound, Throttled, Unavailable

TRIES = sql.Query(
    "tries", "SELECT outcome || ' ' || retry_count || ' ' || max_retries_reached FROM postroom.attempt ORDER BY id"
)
IDS = sql.Query("ids", "SELECT DISTINCT correlation_id FROM postroom.attempt")
TOLD = sql.Query("told", "SELECT kind FROM postroom.fact ORDER BY id")
HURRY = sql.Query("hurry", "UPDATE postroom.job SET run_at = now() WHERE state = 'later' RETURNING id")
LONG_AGO = sql.Query(
    "long ago", "UPDATE postroom.job SET run_at = now() - interval '2 days' WHERE state = 'quarantined' RETURNING id"
)
MOST = sql.Query("most", "SELECT postroom.most_retries()")
ASIDE = sql.Query("aside", "SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")


class Bureau(Office):
    @property
    def scope(self) -> TenantScope:
        return TenantScope(self.db, self.waker, lambda fact: [], self.tenant, "anna", lambda: datetime.now(UTC))

    @property
    def retries(self) -> IngestionRetryService:
        return IngestionRetryService(self.scope)

    async def tries(self, times: int = 1) -> None:
        for _ in range(times):
            await self.worker().run_until_quiet()
            await self.ask(HURRY)

    async def last(self) -> lanes.AttemptRow:
        [found] = await self.retries.get_failed_attempts_for_retry()
        return found


@pytest.fixture
def office(db, waker, owner_dsn) -> Bureau:
    return Bureau(db, waker, make_tenant(owner_dsn))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TimeoutError(), "transient"),
        (Unavailable("down"), "transient"),
        (ValueError("a fault of ours"), "retryable"),
        (BadRequest("no subject"), "non_retryable"),
        (Throttled("slow down"), "rate_limited"),
    ],
)
def test_error_classification(error, expected):
    assert expected == ErrorClassifier.classify(error)


@pytest.mark.parametrize(
    ("error_class", "expected"),
    [
        ("transient", [1, 2, 4, 8, 16]),
        ("retryable", [2, 4, 8, 16, 32]),
        ("rate_limited", [60, 120, 240, 300, 300]),
    ],
)
def test_exponential_backoff_calculation(error_class, expected):
    plain = [RetryStrategy.calculate_delay(error_class, count, 0.0) for count in range(5)]
    latest = [RetryStrategy.calculate_delay(error_class, count, 1.0) for count in range(5)]

    assert [timedelta(seconds=each) for each in expected] == plain
    assert [each * 1.1 for each in plain] == latest


async def test_max_retries_enforcement(office):
    office.failing["x"] = [Unavailable("down")] * 9
    await office.put(Note("x"))

    await office.tries(8)

    retried = [f"retry {count} false" for count in range(5)]
    assert [*retried, "quarantined 5 true"] == await office.ask(TRIES)
    statistics = await office.retries.get_retry_statistics()
    assert {
        "total_failures": 1,
        "max_retries_reached": 1,
        "pending_retry": 0,
        "eligible_for_retry": 0,
        "refused_at_once": 0,
        "error_breakdown": {"transient": 1, "retryable": 0, "non_retryable": 0, "rate_limited": 0},
    } == statistics
    assert [RetryStrategy.MAX_RETRIES] == await office.ask(MOST)


async def test_a_refusal_reaches_no_last_retry(office):
    office.failing["x"] = [BadRequest("no subject")]
    await office.put(Note("x"))

    await office.tries()

    assert ["quarantined 0 false"] == await office.ask(TRIES)


async def test_idempotent_retry_same_correlation_id(office):
    office.failing["x"] = [Unavailable("down"), BadRequest("no subject")]
    await office.put(Note("x"))
    await office.tries(2)
    await office.retries.manual_retry((await office.last()).id)

    await office.tries()

    assert ["x", "x", "x"] == office.diary
    assert 1 == len(await office.ask(IDS))


async def test_audit_event_generation_on_retry(office):
    office.failing["x"] = [Unavailable("down"), BadRequest("no subject")]
    await office.put(Note("x"))
    await office.tries(2)
    await office.retries.manual_retry((await office.last()).id)
    await office.tries()

    assert [
        "attempt.failed",
        "attempt.failed",
        "attempt.manual_retry_requested",
        "attempt.manual_retry_success",
    ] == await office.ask(TOLD)


async def test_a_retry_made_by_hand_is_recorded_like_a_workers(office):
    office.failing["x"] = [Unavailable("down")]
    await office.put(Note("x"))
    await office.worker().run_until_quiet()
    first = await office.last()

    recorded = await office.retries.record_retry_attempt(first.id, TimeoutError())

    assert ("retry", "transient", 1, False) == (
        recorded["outcome"],
        recorded["error_class"],
        recorded["retry_count"],
        recorded["max_retries_reached"],
    )
    assert ["retry 0 false", "retry 1 false"] == await office.ask(TRIES)
    assert ["attempt.failed", "attempt.failed"] == await office.ask(TOLD)
    await office.tries(2)
    with pytest.raises(NotFound):
        await office.retries.record_retry_attempt(first.id, TimeoutError())


async def test_a_job_that_runs_is_recorded_by_its_worker_alone(office):
    office.failing["x"] = [Unavailable("down")]
    await office.put(Note("x"))
    await office.worker().run_until_quiet()
    first = await office.last()
    await office.ask(HURRY)

    with pytest.raises(Conflict):
        await office.retries.record_retry_attempt(first.id, TimeoutError())


async def test_what_was_put_aside_is_tried_by_the_clock_so_many_times_and_no_more(office):
    office.failing["x"] = [Unavailable("down")] * 99
    await office.put(Note("x"))
    await office.tries(7)
    gaps = [timedelta(hours=1), timedelta(days=1)]
    begun = []
    for _ in range(4):
        async with office.scope.finish() as tx:
            begun.append(await lanes.begin_again(tx, gaps, datetime.now(UTC)))
        await office.tries(7)
        await office.ask(LONG_AGO)

    assert [0, 1, 1, 0] == begun
    assert [1] == await office.ask(ASIDE)


async def test_a_refusal_is_never_tried_by_the_clock(office):
    office.failing["x"] = [BadRequest("no subject")]
    await office.put(Note("x"))
    await office.tries()
    await office.ask(LONG_AGO)

    async with office.scope.finish() as tx:
        assert 0 == await lanes.begin_again(tx, [timedelta(hours=1)], datetime.now(UTC))
