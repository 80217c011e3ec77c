"""What applications do to a mailbox: how many requests at once, and whether they wait when they are told to."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from postroom_simulators.clock import SimClock

NOTICE = 0.25  # real seconds: a request that left before the refusal reached the client is no disobedience


@dataclass(slots=True)
class MailboxTraffic:
    """One application at one mailbox. Being throttled is a state of both, not of a request."""

    clock: SimClock
    requests: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    throttled: int = 0  # refusals that asked to wait: Graph's 429, Gmail's 403 and 429
    too_early: int = 0  # requests that came although the client had been told to wait
    reason: str = ""  # why it has to wait
    wait_till: float = 0.0  # simulated
    _told_at: float = math.inf  # real, of the refusal that named a time; infinite while none did

    @contextmanager
    def under_way(self) -> Iterator[None]:
        self.requests += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            yield
        finally:
            self.in_flight -= 1

    def waits(self) -> bool:
        """Whether it is throttled now; a request that should have known better is counted."""
        if self.clock.time() >= self.wait_till:
            return False
        if time.monotonic() - self._told_at > NOTICE:
            self.too_early += 1
        return True

    def throttle(self, till: float, reason: str) -> None:
        self.wait_till, self.reason, self._told_at = till, reason, math.inf

    def refused(self, *, named_a_time: bool = True) -> int:
        """Count a refusal; the whole seconds that are left to wait."""
        self.throttled += 1
        if named_a_time and math.isinf(self._told_at):
            self._told_at = time.monotonic()
        return max(1, math.ceil(self.wait_till - self.clock.time()))


class ProviderTraffic:
    """The traffic of one provider, by application and mailbox."""

    def __init__(self, clock: SimClock) -> None:
        self._clock = clock
        self._known: dict[tuple[str, str], MailboxTraffic] = {}

    def of(self, app: str, address: str) -> MailboxTraffic:
        key = (app, address.lower())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = MailboxTraffic(self._clock)
        return found

    def at(self, address: str) -> dict[str, Any]:
        """All applications together; the most in flight is the busiest one's, since limits count by application."""
        mine = [found for (_, where), found in self._known.items() if where == address.lower()]
        return {
            "requests": sum(one.requests for one in mine),
            "in_flight": sum(one.in_flight for one in mine),
            "most_in_flight": max((one.most_in_flight for one in mine), default=0),
            "throttled": sum(one.throttled for one in mine),
            "too_early": sum(one.too_early for one in mine),
            "waiting": any(one.wait_till > self._clock.time() for one in mine),
        }

    def clear(self) -> None:
        """Start counting anew; whoever has to wait still has to."""
        for one in self._known.values():
            one.requests = one.most_in_flight = one.throttled = one.too_early = 0
