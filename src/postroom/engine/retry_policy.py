"""What happens after a failed try: one pure function and its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from postroom.nouns.errors import (
    CursorExpired,
    DraftTouched,
    ErrorClass,
    ErrorCode,
    Gone,
    NeedsPerson,
    NotYet,
    PostroomError,
    Refused,
    Throttled,
)

MOST_RETRIES = 5
LONGEST = 300.0
JITTER = 0.1
BASE: dict[ErrorClass, float] = {
    "transient": 1.0,
    "retryable": 2.0,
    "rate_limited": 60.0,
    "non_retryable": 0.0,
}
NOT_YET = (2.0, 10.0, 60.0, 300.0)


@dataclass(frozen=True, slots=True)
class Again:
    """Try again after a while."""

    delay: timedelta
    spends_attempt: bool


@dataclass(frozen=True, slots=True)
class Park:
    """Wait for a person."""


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Put aside with its reason; a person may replay it."""

    exhausted: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """Recorded, and over: trying again could only do harm."""


NextStep = Again | Park | Quarantine | Stop


def next_step(error: BaseException, *, tries: int, waits: int, chance: float) -> NextStep:
    """`tries` attempts were spent before this one; `chance` in [0, 1) decides the jitter."""
    match error:
        case Throttled(retry_after=float() | int() as seconds):
            return Again(timedelta(seconds=max(0.0, seconds)), spends_attempt=False)
        case Throttled():
            return Again(backoff("rate_limited", waits, chance), spends_attempt=False)
        case NeedsPerson():
            return Park()
        case DraftTouched() | Gone():
            return Stop()
        case Refused():
            return Quarantine(exhausted=False)
        case _:
            pass
    if tries >= MOST_RETRIES:
        return Quarantine(exhausted=True)
    match error:
        case CursorExpired():
            return Again(timedelta(0), spends_attempt=True)
        case NotYet():
            return Again(timedelta(seconds=NOT_YET[min(tries, len(NOT_YET) - 1)]), spends_attempt=True)
        case _:
            return Again(backoff(error_class(error), tries, chance), spends_attempt=True)


def backoff(kind: ErrorClass, count: int, chance: float) -> timedelta:
    """`min(base * 2^count, 300 s)` plus up to a tenth of it."""
    plain = min(BASE[kind] * 2 ** min(count, 30), LONGEST)
    return timedelta(seconds=plain * (1 + JITTER * chance))


def error_class(error: BaseException) -> ErrorClass:
    match error:
        case PostroomError():
            return error.error_class
        case TimeoutError() | ConnectionError():
            return "transient"
        case _:
            return "retryable"


def error_code(error: BaseException) -> ErrorCode:
    match error:
        case PostroomError():
            return error.code
        case TimeoutError():
            return "provider_timeout"
        case ConnectionError():
            return "provider_unavailable"
        case _:
            return "unknown"
