"""What happens after a failed try: one pure function, its classes of errors and its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import ClassVar

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

NOT_YET = (2.0, 10.0, 60.0, 300.0)
# After each death of a worker that was at it. The first may be anybody's; whatever kills workers without its help has
# mostly passed by the last.
AFTER_DEATHS = tuple(timedelta(seconds=seconds) for seconds in (0, 2, 10, 30, 120))


class ErrorClassifier:
    """Which class an error is of: what may be tried again, how soon, and what never."""

    @staticmethod
    def classify(error: BaseException) -> ErrorClass:
        match error:
            case PostroomError():
                return error.error_class
            case TimeoutError() | ConnectionError():
                return "transient"
            case _:
                return "retryable"

    @staticmethod
    def code(error: BaseException) -> ErrorCode:
        match error:
            case PostroomError():
                return error.code
            case TimeoutError():
                return "provider_timeout"
            case ConnectionError():
                return "provider_unavailable"
            case _:
                return "unknown"


class RetryStrategy:
    """How often, and after how long: `min(base * 2^retry_count, 300 s)` plus up to a tenth of it."""

    MAX_RETRIES: ClassVar[int] = 5
    BASE_DELAY_SECONDS: ClassVar[float] = 2
    MAX_DELAY_SECONDS: ClassVar[float] = 300
    JITTER_FACTOR: ClassVar[float] = 0.1
    BASES: ClassVar[Mapping[ErrorClass, float]] = MappingProxyType(
        {"transient": 1.0, "retryable": BASE_DELAY_SECONDS, "rate_limited": 60.0}
    )

    @classmethod
    def calculate_delay(cls, error_class: ErrorClass, retry_count: int, chance: float) -> timedelta:
        """`chance` in [0, 1) decides the jitter."""
        plain = min(cls.BASES.get(error_class, 0.0) * 2 ** min(retry_count, 30), cls.MAX_DELAY_SECONDS)
        return timedelta(seconds=plain * (1 + cls.JITTER_FACTOR * chance))

    @classmethod
    def should_retry(cls, error_class: ErrorClass, retry_count: int) -> bool:
        return error_class != "non_retryable" and retry_count < cls.MAX_RETRIES


MOST_RETRIES = RetryStrategy.MAX_RETRIES
backoff = RetryStrategy.calculate_delay
error_class, error_code = ErrorClassifier.classify, ErrorClassifier.code


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
