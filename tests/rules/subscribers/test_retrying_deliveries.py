"""When a delivery is tried again, and when an endpoint is left alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from postroom.rooms.subscribers.rules.retrying import DELAYS_SECONDS, Tried, health_after, next_try

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
FINE = Tried(200, None, 3)
HANGS = Tried(None, "It did not answer.", 15000)
BUSY = Tried(429, "It answered 429.", 3, retry_after=90.0)
BROKEN = Tried(500, "It answered 500.", 3)
REFUSES = Tried(400, "It answered 400.", 3)
GONE = Tried(410, "It answered 410.", 3)


@pytest.mark.parametrize(("number", "seconds"), list(enumerate(DELAYS_SECONDS, start=1)))
def test_each_failure_waits_longer_for_days(number, seconds):
    assert NOW + timedelta(seconds=seconds) == next_try(number, BROKEN, NOW, 0.0).at


def test_after_the_last_try_it_is_given_up():
    assert next_try(len(DELAYS_SECONDS) + 1, BROKEN, NOW, 0.0).at is None


def test_what_an_endpoint_asks_for_is_obeyed_up_to_a_day():
    assert NOW + timedelta(seconds=90) == next_try(1, BUSY, NOW, 0.0).at
    assert NOW + timedelta(days=1) == next_try(1, Tried(503, "busy", 1, 10**9), NOW, 0.0).at


@pytest.mark.parametrize(
    ("tried", "failures", "wait"),
    [
        ([FINE, HANGS], 3, 0),
        ([HANGS], 0, 5),
        ([HANGS, BROKEN], 1, 30),
        ([BROKEN], 50, 3600),
        ([BUSY], 0, 90),
        ([REFUSES], 4, 0),
    ],
)
def test_an_endpoint_that_answers_nothing_waits_as_a_whole(tried, failures, wait):
    health = health_after(tried, failures, None, NOW)

    assert NOW + timedelta(seconds=wait) == health.wait_till
    assert (0 if FINE in tried else failures + 1) == health.failures
    assert health.disabled_because is None


def test_an_endpoint_that_is_gone_or_fails_for_days_is_disabled():
    assert "410" in (health_after([GONE], 0, None, NOW).disabled_because or "")
    since = NOW - timedelta(days=5)
    assert "2026-02-25" in (health_after([BROKEN], 9, since, NOW).disabled_because or "")
    assert health_after([FINE], 9, since, NOW).disabled_because is None
