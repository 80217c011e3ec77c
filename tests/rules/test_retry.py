"""The retry policy's table of cases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from postroom.db.errors import DatabaseAway
from postroom.engine.retry_policy import Again, Park, Quarantine, Stop, backoff, error_class, error_code, next_step
from postroom.nouns import errors

NO_JITTER = {"waits": 0, "chance": 0.0}


def seconds(step) -> float:
    assert isinstance(step, Again)
    return step.delay.total_seconds()


@pytest.mark.parametrize(
    ("error", "delays"),
    [
        (errors.Unavailable("down"), [1, 2, 4, 8, 16]),
        (errors.TimedOut("slow"), [1, 2, 4, 8, 16]),
        (TimeoutError(), [1, 2, 4, 8, 16]),
        (ConnectionResetError(), [1, 2, 4, 8, 16]),
        (DatabaseAway("gone"), [2, 4, 8, 16, 32]),
        (ValueError("a fault of ours"), [2, 4, 8, 16, 32]),
        (errors.NotYet("announced, not there"), [2, 10, 60, 300, 300]),
        (errors.CursorExpired("410"), [0, 0, 0, 0, 0]),
    ],
)
def test_what_may_pass_is_tried_five_times_more_and_then_put_aside(error, delays):
    assert delays == [seconds(next_step(error, tries=tries, **NO_JITTER)) for tries in range(5)]
    assert Quarantine(exhausted=True) == next_step(error, tries=5, **NO_JITTER)


def test_each_of_those_tries_spends_an_attempt():
    assert next_step(errors.Unavailable("down"), tries=0, **NO_JITTER).spends_attempt


def test_a_named_time_wins_is_obeyed_to_the_second_and_spends_no_attempt():
    throttled = errors.Throttled("slow down", retry_after=137)

    assert Again(timedelta(seconds=137), spends_attempt=False) == next_step(throttled, tries=9, waits=9, chance=0.9)


def test_throttling_without_a_time_backs_off_slowly_and_spends_no_attempt():
    waits = [next_step(errors.Throttled("slow down"), tries=5, waits=waits, chance=0.0) for waits in range(4)]

    assert [60, 120, 240, 300] == [seconds(step) for step in waits]
    assert not any(step.spends_attempt for step in waits)


@pytest.mark.parametrize("error", [errors.AccessRevoked("x"), errors.PermissionDenied("x"), errors.Misconfigured("x")])
def test_what_needs_a_person_is_parked_however_often(error):
    assert Park() == next_step(error, tries=99, **NO_JITTER)


@pytest.mark.parametrize("error", [errors.DraftTouched("x"), errors.Gone("x")])
def test_what_can_only_do_harm_again_stops(error):
    assert Stop() == next_step(error, tries=0, **NO_JITTER)


@pytest.mark.parametrize("error", [errors.BadRequest("x"), errors.Unreadable("x")])
def test_what_is_refused_is_quarantined_at_once(error):
    assert Quarantine(exhausted=False) == next_step(error, tries=0, **NO_JITTER)


@pytest.mark.parametrize(("count", "plain"), [(0, 2), (3, 16), (8, 300), (500, 300)])
def test_backoff_is_capped_and_jitter_is_at_most_a_tenth(count, plain):
    assert plain == backoff("retryable", count, 0.0).total_seconds()
    assert plain < backoff("retryable", count, 0.999).total_seconds() < plain * 1.1


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (errors.Throttled("x"), "rate_limited", "rate_limited"),
        (errors.Unavailable("x"), "transient", "provider_unavailable"),
        (errors.TimedOut("x"), "transient", "provider_timeout"),
        (TimeoutError(), "transient", "provider_timeout"),
        (errors.CursorExpired("x"), "non_retryable", "invalid_cursor"),
        (errors.AccessRevoked("x"), "non_retryable", "auth_revoked"),
        (errors.PermissionDenied("x"), "non_retryable", "permission_denied"),
        (errors.Gone("x"), "non_retryable", "message_not_found"),
        (errors.DraftTouched("x"), "non_retryable", "draft_conflict_user_edited"),
        (errors.BadRequest("x"), "non_retryable", "bad_request"),
        (KeyError("x"), "retryable", "unknown"),
    ],
)
def test_every_error_has_its_class_and_code(error, kind, code):
    assert (kind, code) == (error_class(error), error_code(error))
