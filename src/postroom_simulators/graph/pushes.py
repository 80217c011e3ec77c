"""Notifications on their way out: batches, retries in simulated time, slow and dropped endpoints."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

import aiohttp
import msgspec
from yarl import URL

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.recorder import RecordedCall, Recorder
from postroom_simulators.schedule import SimSchedule

from .request import GraphError

Parcel = tuple[dict[str, Any], str | None]  # an item, and the proof that goes beside a rich one

_BATCH = 50  # items in one POST
_LANES = 4  # POSTs under way to one endpoint
_POSTS = 64  # POSTs under way to all of them: waiting for our own turn is not the endpoint's slowness
_HELD = 1.0  # a held-back item goes out after this long even when nothing follows it


@dataclass(slots=True)
class PushTiming:
    """The service's patience. Answers are timed in real seconds, everything else in simulated ones."""

    first: float = 3.0
    retry: float = 10.0
    validation: float = 10.0
    backoff: float = 10.0  # doubles with each attempt
    give_up: float = 4 * 3600.0
    window: float = 600.0
    fewest: int = 10  # answers needed before an endpoint is judged
    slow_share: float = 0.10
    drop_share: float = 0.15


@dataclass(slots=True)
class PushEndpoint:
    """One URL and how well it answers."""

    url: str
    queue: deque[Parcel] = field(default_factory=deque)
    busy: int = 0
    held: list[Parcel] = field(default_factory=list)
    answers: deque[tuple[float, float]] = field(default_factory=deque)  # when, how long
    state: str = "good"  # good, slow, drop
    till: float = 0.0

    def judge(self, now: float, took: float, timing: PushTiming) -> None:
        """Only latency counts, not the status."""
        self.answers.append((now, took))
        while self.answers and self.answers[0][0] < now - timing.window:
            self.answers.popleft()
        if len(self.answers) < timing.fewest or self.state == "drop":
            return
        share = 1 / len(self.answers)
        if sum(took >= timing.retry for _, took in self.answers) * share > timing.drop_share:
            self.state, self.till = "drop", now + timing.window
        elif sum(took >= timing.first for _, took in self.answers) * share > timing.slow_share:
            self.state, self.till = "slow", now + timing.window

    def refresh(self, now: float) -> str:
        if self.state != "good" and now >= self.till:
            self.state = "good"
            self.answers.clear()
        return self.state


def may_push(url: str) -> bool:
    """HTTPS anywhere, plain HTTP only to this machine."""
    parts = urlsplit(url)
    local = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and local))


class GraphPushes:
    """Sends items to endpoints. `put` never waits."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder, schedule: SimSchedule) -> None:
        self.timing = PushTiming()
        self.ssl: ssl.SSLContext | None = None
        self._clock, self._faults, self._recorder, self._schedule = clock, faults, recorder, schedule
        self._endpoints: dict[str, PushEndpoint] = {}
        self._session: aiohttp.ClientSession | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._turns = asyncio.Semaphore(_POSTS)

    async def start(self) -> None:
        connector = aiohttp.TCPConnector(limit=0)
        self._session = aiohttp.ClientSession(
            connector=connector, json_serialize=lambda v: msgspec.json.encode(v).decode()
        )

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
            self._session = None

    def endpoint(self, url: str) -> PushEndpoint:
        return self._endpoints.setdefault(url, PushEndpoint(url))

    def busy(self) -> int:
        """How many are delayed, held or under way; retries wait on the simulated clock and do not count."""
        return len(self._tasks) + self._waiting

    async def drained(self) -> None:
        while self.busy():
            await (asyncio.wait(self._tasks) if self._tasks else asyncio.sleep(0.005))

    def put(self, url: str, item: dict[str, Any], proof: str | None = None) -> None:
        """Queue one item, with the faults that are switched on."""
        switches = self._faults.switches
        if self._session is None:
            return
        if self._faults.strikes(switches.drop):
            self._note(url, 0, "dropped by fault")
            return
        if switches.delay:
            self._later(switches.delay, lambda: self._put(url, (item, proof)))
        else:
            self._put(url, (item, proof))

    def _put(self, url: str, parcel: Parcel) -> None:
        endpoint = self.endpoint(url)
        switches = self._faults.switches
        state = endpoint.refresh(self._clock.time())
        if state == "drop":
            self._note(url, 0, "dropped: endpoint too slow")
            return
        if state == "slow":
            self._schedule.after(self.timing.window, lambda: self._queue(endpoint, [parcel]))
            return
        if self._faults.strikes(switches.reorder):
            endpoint.held.append(parcel)
            self._later(_HELD, lambda: self._release(endpoint))
            return
        twice = [parcel, parcel] if self._faults.strikes(switches.duplicate) else [parcel]
        held, endpoint.held = endpoint.held, []
        self._queue(endpoint, twice + held)

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        self._waiting += 1

        def due() -> None:
            self._waiting -= 1
            call()

        self._schedule.after(seconds, due)

    def _release(self, endpoint: PushEndpoint) -> None:
        held, endpoint.held = endpoint.held, []
        if held:
            self._queue(endpoint, held)

    def _queue(self, endpoint: PushEndpoint, parcels: list[Parcel]) -> None:
        endpoint.queue.extend(parcels)
        if endpoint.busy < _LANES and self._session is not None:
            endpoint.busy += 1
            self._spawn(self._drain(endpoint))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _drain(self, endpoint: PushEndpoint) -> None:
        try:
            while endpoint.queue:
                batch = [endpoint.queue.popleft() for _ in range(min(_BATCH, len(endpoint.queue)))]
                await self._attempt(endpoint, batch, 0, self._clock.time())
        finally:
            endpoint.busy -= 1

    async def _attempt(self, endpoint: PushEndpoint, batch: list[Parcel], tried: int, since: float) -> None:
        patience = self.timing.retry if tried else self.timing.first
        async with self._turns:
            began = time.monotonic()
            status = await self._post(endpoint.url, _written(batch), patience)
        took = patience if status == -1 else time.monotonic() - began
        endpoint.judge(self._clock.time(), took, self.timing)
        self._note(endpoint.url, max(status, 0), f"{len(batch)} items, attempt {tried + 1}")
        if 200 <= status < 300:
            return
        wait = self.timing.backoff * 2**tried
        if self._clock.time() + wait - since > self.timing.give_up:
            self._note(endpoint.url, max(status, 0), f"given up: {len(batch)} items after {tried + 1} attempts")
            return
        self._schedule.after(wait, lambda: self._spawn(self._attempt(endpoint, batch, tried + 1, since)))

    async def _post(self, url: str, body: bytes, patience: float) -> int:
        """The status; -1 for no answer in time, 0 for no connection."""
        if self._session is None:
            return 0
        try:
            async with self._session.post(
                url,
                data=body,
                headers={"Content-Type": "application/json; charset=utf-8"},
                timeout=aiohttp.ClientTimeout(total=patience),
                ssl=self.ssl or True,
                allow_redirects=False,
            ) as answer:
                return answer.status
        except TimeoutError:
            return -1
        except aiohttp.ClientError:
            return 0

    async def validate(self, url: str, request_id: str) -> None:
        """The handshake: the endpoint must give back the token, decoded, as plain text, in time."""
        token = f"Validation: Testing client application reachability for subscription Request-Id: {request_id}"
        joined = f"{url}{'&' if urlsplit(url).query else '?'}validationToken={quote(token, safe='')}"
        if self._session is None:
            raise RuntimeError("The simulator is not started; call start() first.")
        try:
            async with self._session.post(
                URL(joined, encoded=True),
                headers={"Content-Type": "text/plain; charset=utf-8"},
                timeout=aiohttp.ClientTimeout(total=self.timing.validation),
                ssl=self.ssl or True,
                allow_redirects=False,
            ) as answer:
                self._note(url, answer.status, "validation")
                _accept(answer.status, answer.reason or "", answer.content_type, await answer.text(), token)
        except TimeoutError:
            self._note(url, 0, "validation timed out")
            raise GraphError(400, "ValidationError", "Subscription validation request timed out.") from None
        except aiohttp.ClientError:
            self._note(url, 0, "validation failed")
            raise _unreachable("BadGateway") from None

    def _note(self, url: str, status: int, note: str) -> None:
        self._recorder.record(RecordedCall(self._clock.time(), "push", "POST", url, status, note=note))


def _written(batch: list[Parcel]) -> bytes:
    body: dict[str, Any] = {"value": [item for item, _ in batch]}
    if proofs := sorted({proof for _, proof in batch if proof}):
        body["validationTokens"] = proofs
    return msgspec.json.encode(body)


def _unreachable(status: str) -> GraphError:
    return GraphError(
        400,
        "ValidationError",
        f"Subscription validation request failed. HTTP status code is '{status}'. "
        "Notification endpoint must respond with 200 OK to validation request.",
    )


def _accept(status: int, reason: str, content_type: str, body: str, token: str) -> None:
    if status != 200:
        raise _unreachable(reason.replace(" ", "") or str(status))
    if content_type != "text/plain":
        raise GraphError(400, "ValidationError", f"Subscription validation failed: content type is '{content_type}'.")
    if body != token:
        raise GraphError(
            400, "ValidationError", "Subscription validation failed: the validation token was not returned."
        )
