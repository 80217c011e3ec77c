"""What Google's refusals mean: pure."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from postroom.nouns import errors
from postroom.outside.gmail.refusals import LONGEST_WAIT, OnePushClient, refusal

NOW = datetime(2026, 9, 11, 19, 59, 30, tzinfo=UTC)


def refused(status, reason="", text="It did not work.", call="messages.get", **more):
    error = {"code": status, "message": text} | ({"errors": [{"reason": reason}]} if reason else {})
    return refusal(status, json.dumps({"error": error}).encode(), call=call, now=NOW, **more)


@pytest.mark.parametrize(
    ("status", "reason", "expected"),
    [
        (400, "invalidArgument", errors.BadRequest),
        (400, "failedPrecondition", errors.PermissionDenied),
        (401, "authError", errors.AccessRevoked),
        (403, "rateLimitExceeded", errors.Throttled),
        (403, "userRateLimitExceeded", errors.Throttled),
        (403, "dailyLimitExceeded", errors.Throttled),
        (403, "quotaExceeded", errors.Throttled),
        (403, "insufficientPermissions", errors.PermissionDenied),
        (403, "forbidden", errors.PermissionDenied),
        (403, "domainPolicy", errors.PermissionDenied),
        (403, "accessNotConfigured", errors.Misconfigured),
        (403, "", errors.PermissionDenied),
        (404, "notFound", errors.Gone),
        (408, "", errors.TimedOut),
        (409, "alreadyExists", errors.Conflict),
        (413, "uploadTooLarge", errors.BadRequest),
        (429, "rateLimitExceeded", errors.Throttled),
        (429, "", errors.Throttled),
        (500, "backendError", errors.Unavailable),
        (503, "", errors.Unavailable),
    ],
)
def test_each_refusal_has_its_remedy(status, reason, expected):
    assert type(refused(status, reason)) is expected


def test_a_lost_place_in_history_asks_for_a_resync_and_a_lost_message_does_not():
    assert type(refused(404, "notFound", call="history.list")) is errors.CursorExpired
    assert type(refused(404, "notFound", call="messages.get")) is errors.Gone


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize("reason", ["rateLimitExceeded", ""])
def test_the_instant_in_the_text_is_when_to_come_back(status, reason):
    problem = refused(status, reason, "User-rate limit exceeded.  Retry after 2026-09-11T20:00:00.000Z")

    assert problem.retry_after == 30


def test_an_instant_in_the_past_means_now():
    assert refused(429, text="Retry after 2026-09-11T19:00:00.000Z").retry_after == 0


def test_a_wait_is_capped():
    far = (NOW + timedelta(days=40)).isoformat().replace("+00:00", "Z")

    assert refused(429, text=f"Retry after {far}").retry_after == LONGEST_WAIT


def test_a_throttle_that_names_no_time_leaves_it_to_the_engine():
    assert refused(429).retry_after is None
    assert refused(429, text="Retry after 2026-99-99T20:00:00Z").retry_after is None


def test_a_header_would_be_obeyed():
    assert refused(429, asked_wait=7.0).retry_after == 7


def test_a_second_push_client_is_told_apart():
    text = "Only one user push notification client allowed per developer (call /stop then try again)"

    assert isinstance(refused(400, "invalidArgument", text, call="watch"), OnePushClient)


@pytest.mark.parametrize(("status", "reason"), [(403, "forbidden"), (404, "notFound")])
def test_a_topic_gmail_may_not_publish_to_is_a_setting_to_correct(status, reason):
    text = (
        "Error sending test message to Cloud PubSub projects/p/topics/t : User not authorized to perform this action."
    )
    problem = refused(status, reason, text, call="watch")

    assert isinstance(problem, errors.Misconfigured)
    assert "gmail-api-push@system.gserviceaccount.com" in str(problem)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"error": "text"}', b"\xff"])
def test_a_body_that_is_not_googles_is_judged_by_its_status(body):
    assert type(refusal(502, body, call="watch", now=NOW)) is errors.Unavailable
    assert type(refusal(404, body, call="history.list", now=NOW)) is errors.CursorExpired
