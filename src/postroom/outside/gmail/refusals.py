"""What Google's refusals mean for us: one table, by status and reason.

https://developers.google.com/gmail/api/guides/handle-errors
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import msgspec

from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Conflict,
    CursorExpired,
    Gone,
    Misconfigured,
    PermissionDenied,
    PostroomError,
    Throttled,
    TimedOut,
    Unavailable,
)
from postroom.outside.gmail import wire

LONGEST_WAIT = 3600.0
QUOTA = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "quotaExceeded"})
_RETRY_AFTER = re.compile(r"[Rr]etry after (\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))")
# A person reads it and the cause is in their Google project, so it is recognised by its text as well.
_ONE_CLIENT = "Only one user push notification client"
_TOPIC = "Error sending test message to Cloud PubSub"


class OnePushClient(Conflict):
    """Another topic of this project watches the mailbox: stop that watch, then watch."""


def refusal(status: int, body: bytes, *, call: str, now: datetime, asked_wait: float | None = None) -> PostroomError:
    error = error_of(body)
    reason = reason_of(error)
    text = error.get("message", "")
    why = f"{status} {reason or error.get('status', '')}".strip()
    if status == 429 or (status == 403 and (reason in QUOTA or _RETRY_AFTER.search(text))):
        return Throttled(f"Gmail asks us to slow down ({why}).", wait(text, asked_wait, now))
    if call == "watch" and (problem := _watch_refusal(text)):
        return problem
    if status == 401:
        return AccessRevoked("Google does not accept our access to this mailbox any more: connect it anew.")
    if status == 403:
        return _denied(reason, why)
    if status == 404:
        if call == "history.list":
            return CursorExpired("Gmail no longer knows our place in the mailbox's history: a resync is needed.")
        return Gone("Gmail does not have it (any more, or yet).")
    if status == 400 and reason == "failedPrecondition":
        return PermissionDenied(f"Google offers no mailbox for this account ({why}): switch Gmail on for it.")
    if status == 408:
        return TimedOut(f"Gmail did not finish in time ({why}).")
    if status == 409:
        return Conflict(f"It is there already ({why}).")
    if status >= 500:
        return Unavailable(f"Gmail is not available ({why}).")
    return BadRequest(f"Gmail does not accept {call} ({why}): {text[:200]}")


def error_of(body: bytes) -> wire.GoogleError:
    """`errors` or `status` may be missing; a proxy may have put in its own page."""
    try:
        return msgspec.json.decode(body, type=wire.GoogleRefusal)["error"]
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def reason_of(error: wire.GoogleError) -> str:
    return next((item["reason"] for item in error.get("errors", ()) if "reason" in item), "")


def wait(text: str, asked: float | None, now: datetime) -> float | None:
    """Google names the instant in the text; a header is honoured should it ever come."""
    if asked is not None:
        return min(asked, LONGEST_WAIT)
    named = _RETRY_AFTER.search(text)
    if named is None:
        return None
    try:
        instant = datetime.fromisoformat(named[1])
    except ValueError:
        return None
    return min(max((instant.astimezone(UTC) - now).total_seconds(), 0.0), LONGEST_WAIT)


def _watch_refusal(text: str) -> PostroomError | None:
    if _ONE_CLIENT in text:
        return OnePushClient("Another topic of the same Google project watches this mailbox.")
    if _TOPIC in text:
        return Misconfigured(
            "Gmail cannot publish to the topic in POSTROOM_GMAIL_TOPIC: create it in the project that owns the OAuth "
            "client, and grant roles/pubsub.publisher on it to gmail-api-push@system.gserviceaccount.com."
        )
    return None


def _denied(reason: str, why: str) -> PostroomError:
    if reason == "accessNotConfigured":
        return Misconfigured(f"The Gmail API is switched off in the Google project ({why}): enable it there.")
    if reason == "domainPolicy":
        return PermissionDenied(f"The administrator of this domain does not allow it ({why}): ask them to.")
    if reason in ("insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"):
        return PermissionDenied(f"A permission was not granted ({why}): connect the mailbox anew and tick all boxes.")
    return PermissionDenied(f"Gmail does not allow it ({why}).")
