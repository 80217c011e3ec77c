"""When a delivery is tried again, when it is given up, and when an endpoint is left alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

MINUTE, HOUR = 60, 3600
# After each failure so long, as Standard Webhooks suggests: three days in all.
DELAYS_SECONDS = (5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
ENDPOINT_DELAYS_SECONDS = (0, 5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR)
LONGEST_WAIT_SECONDS = 24 * HOUR
JITTER = 0.1
DISABLED_AFTER = timedelta(days=5)
GONE = 410
Outcome = Literal["delivered", "refused", "failed", "gone"]


@dataclass(frozen=True, slots=True)
class Tried:
    """How one try went. `answer` is the status, if there was an answer; `error` a sentence, if it did not work."""

    answer: int | None
    error: str | None
    milliseconds: int
    retry_after: float | None = None

    @property
    def outcome(self) -> Outcome:
        if self.error is None:
            return "delivered"
        if self.answer == GONE:
            return "gone"
        return "failed" if self.answer is None or self.answer == 429 or self.answer >= 500 else "refused"


@dataclass(frozen=True, slots=True)
class NextTry:
    """None: it is given up."""

    at: datetime | None


def next_try(tries: int, tried: Tried, now: datetime, chance: float) -> NextTry:
    """`tries` counts this one too."""
    if tries > len(DELAYS_SECONDS):
        return NextTry(None)
    wait = max(DELAYS_SECONDS[tries - 1] * (1 + JITTER * chance), tried.retry_after or 0.0)
    return NextTry(now + timedelta(seconds=min(wait, LONGEST_WAIT_SECONDS)))


@dataclass(frozen=True, slots=True)
class EndpointHealth:
    """How an endpoint does: failures in a row, since when, and until when it is left alone."""

    failures: int
    failing_since: datetime | None
    wait_till: datetime
    disabled_because: str | None = None


def health_after(tried: list[Tried], failures: int, failing_since: datetime | None, now: datetime) -> EndpointHealth:
    """A batch with one success is an endpoint that works. When it answers nothing, the endpoint as a whole waits."""
    if any(each.outcome == "gone" for each in tried):
        return EndpointHealth(failures + 1, failing_since or now, now, "It answered 410: it is gone for good.")
    if any(each.outcome == "delivered" for each in tried):
        return EndpointHealth(0, None, now)
    since = failing_since or now
    if now - since >= DISABLED_AFTER:
        return EndpointHealth(failures + 1, since, now, f"Nothing could be delivered since {since:%Y-%m-%d %H:%M} UTC.")
    if any(each.outcome == "refused" for each in tried):
        return EndpointHealth(failures + 1, since, now)  # it is there, and says no to these; others may fare better
    asked = max((each.retry_after or 0.0 for each in tried), default=0.0)
    wait = max(ENDPOINT_DELAYS_SECONDS[min(failures + 1, len(ENDPOINT_DELAYS_SECONDS) - 1)], asked)
    return EndpointHealth(failures + 1, since, now + timedelta(seconds=min(wait, LONGEST_WAIT_SECONDS)))
