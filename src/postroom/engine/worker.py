"""Takes jobs from the lanes and runs them, with a heartbeat, a time limit and a memory of what failed."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import random
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar
from uuid import UUID, uuid4

import msgspec
import structlog
from prometheus_client import Counter as Tally
from prometheus_client import Histogram

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database, one_plan_each
from postroom.engine import retry_policy as retry
from postroom.engine import tracing
from postroom.engine.company import Company
from postroom.engine.facts import CORRELATED, as_json, envelope
from postroom.engine.figures import count_told, count_try
from postroom.engine.in_flight import BytesInFlight
from postroom.engine.judging import judge
from postroom.engine.payloads import PayloadsInMemory
from postroom.engine.waker import Waker
from postroom.engine.work import ClaimedJob, ClaimLost, NextJobs, Work, as_row, finish_all
from postroom.logs import words
from postroom.nouns.errors import KilledItsWorkers
from postroom.nouns.jobs import Job

Outside = TypeVar("Outside")
J = TypeVar("J", bound=Job)
Handler = Callable[[Any, Work[Any]], Awaitable[None]]
SWEEP = 1.0  # how long a lost ring may delay work
GATHER = 0.02  # how long a busy worker waits for most of its slots: a claim of ten costs little more than one of one
HUNG_SECONDS = 180.0  # longer than any wait for the database: then it is reported, and may be restarted
GRACE = timedelta(seconds=6)  # what then still runs goes back; `docker stop` kills after ten seconds
LOOK = 0.25  # how long a busy worker may overlook that something is due
QUERIES = sql.load("postroom.engine")
NOBODY = UUID(int=0)
log = structlog.get_logger()

RUNS = Tally("postroom_runs", "Runs of jobs by how they ended", ["kind", "outcome"])
SECONDS = Histogram("postroom_run_seconds", "Time a run took", ["kind"])
WAITED = Histogram("postroom_wait_seconds", "Time from enqueueing to the start of the run", ["kind"])
_runs, _seconds, _waited = functools.cache(RUNS.labels), functools.cache(SECONDS.labels), functools.cache(WAITED.labels)


@dataclass(frozen=True, slots=True)
class DueJobs:
    """How many became ready, and when the next will."""

    woken: int
    next_in: float | None


def works(
    job_type: type[J],
    gives_up: Callable[[J, Work[Any], Exception], Awaitable[None]] | None = None,
) -> Callable[[Callable[[J, Work[Any]], Awaitable[None]]], Callable[[J, Work[Any]], Awaitable[None]]]:
    """Marks the function that does a kind of job, and what is written down when it is not begun any more."""

    def mark(handler: Callable[[J, Work[Any]], Awaitable[None]]) -> Callable[[J, Work[Any]], Awaitable[None]]:
        handler.does = job_type  # type: ignore[attr-defined]  # functions take attributes, their type does not say so
        handler.gives_up = gives_up  # type: ignore[attr-defined]  # as above
        return handler

    return mark


class Handlers:
    """Which function does which kind of job."""

    def __init__(self, handlers: Iterable[Handler]) -> None:
        self._by_kind: dict[str, tuple[type[Job], Handler]] = {}
        for handler in handlers:
            job_type: type[Job] = handler.does  # type: ignore[attr-defined]  # set by `works`
            if job_type.kind in self._by_kind:
                raise ValueError(f"Two functions do {job_type.kind}.")
            self._by_kind[job_type.kind] = (job_type, handler)

    @classmethod
    def of(cls, *modules: object) -> Handlers:
        """All functions marked with `works` in these modules."""
        return cls(value for module in modules for value in vars(module).values() if hasattr(value, "does"))

    def find(self, kind: str) -> tuple[type[Job], Handler] | None:
        return self._by_kind.get(kind)


class Worker(Generic[Outside]):
    """One process's share of the work. Start as many as you like, anywhere."""

    def __init__(
        self,
        db: Database,
        waker: Waker,
        handlers: Handlers,
        next_jobs: NextJobs,
        outside: Outside,
        *,
        slots: int = 16,
        lease: timedelta = timedelta(seconds=30),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        grace: timedelta = GRACE,
        in_flight: BytesInFlight | None = None,
    ) -> None:
        self.db, self.waker, self.handlers, self.next_jobs, self.outside = db, waker, handlers, next_jobs, outside
        self.slots, self.lease, self.grace, self._clock = slots, lease, grace, clock
        self.in_flight, self._payloads = in_flight or BytesInFlight(), PayloadsInMemory()
        self._company = Company(finish_all)
        self.cap = slots if slots < 4 else slots - slots // 4  # nobody fills the whole house
        self.id = uuid4()
        self._running: dict[asyncio.Task[None], ClaimedJob] = {}
        self._suspect = asyncio.Lock()
        self._stopping = False
        self._news, self._room = asyncio.Event(), asyncio.Event()
        self._after = NOBODY
        self._looked = -math.inf
        self._unsure = False
        self._beating: asyncio.Task[None] | None = None
        self._went_round_at: float | None = None

    def complaint(self) -> str | None:
        """For the health check: a worker that no longer looks for work, whatever it waits for."""
        if self._went_round_at is None:
            return None
        since = time.monotonic() - self._went_round_at
        return f"The worker has not looked for work for {since:.0f} s." if since > HUNG_SECONDS else None

    @property
    def running(self) -> int:
        """How many jobs it is at."""
        return len(self._running)

    def stop(self) -> None:
        """Take nothing new; `run` returns when what is running has ended."""
        self._stopping = True
        self._news.set()

    async def run(self) -> None:
        async with self._on_duty():
            while not self._stopping:
                self._went_round_at = time.monotonic()
                self._mind_the_heartbeat()
                self._news.clear()
                try:
                    wait = await self._round()
                except DatabaseError as problem:
                    log.warning("cannot take jobs", **words(problem))
                    wait = SWEEP
                await self._rest(min(wait, SWEEP))

    async def run_until_quiet(self, *, idle: float = 0.05) -> None:
        """For `--once` and tests: work until nothing is ready, running, or due soon."""
        loop = asyncio.get_running_loop()
        async with self._on_duty():
            quiet_since: float | None = None
            while True:
                self._news.clear()
                wait = await self._round()
                if self._running or wait < idle:
                    quiet_since, left = None, min(wait, SWEEP)
                elif quiet_since is None:
                    quiet_since, left = loop.time(), idle
                elif (left := quiet_since + idle - loop.time()) <= 0:
                    return
                await self._rest(left)

    @contextlib.asynccontextmanager
    async def _on_duty(self) -> AsyncIterator[None]:
        """Known to the others, with a heartbeat; on the way out everything that runs ends or is given back."""
        await self._register()
        self._beating = beat = asyncio.create_task(self._beat())
        beat.add_done_callback(lambda _: self._news.set())
        try:
            with self.waker.heard() as self._news:
                yield
        finally:
            self._went_round_at = None
            await self._wind_down()
            beat.cancel()
            await asyncio.gather(beat, return_exceptions=True)
            await self._leave()

    def _mind_the_heartbeat(self) -> None:
        """Without it our lease ends, and others take what we are at: better to end in order."""
        if self._beating is not None and self._beating.done():
            self._beating.result()
            raise RuntimeError("The heartbeat ended by itself.")

    async def _rest(self, longest: float) -> None:
        """Until there is news. While many jobs run, a moment longer: one claim serves all that ends or comes in it."""
        await _wait(self._news, longest)
        if self._crowded:
            self._room.clear()
            await _wait(self._room, GATHER)

    @property
    def _crowded(self) -> bool:
        return len(self._running) > self.slots // 4

    async def _round(self) -> float:
        """Fill the free slots; returns how long there is nothing to do unless the bell rings."""
        free = self.slots - len(self._running)
        if free == 0:
            return SWEEP
        if self._unsure:
            await self._give_back_unknown()
        claimed = await self._claim(free)
        for job in claimed:
            task = asyncio.create_task(self._follow(job))
            self._running[task] = job
            task.add_done_callback(self._ended)
        return SWEEP if len(claimed) == free else await self._look_at_the_clock()

    async def _look_at_the_clock(self) -> float:
        """What is due becomes ready; returns when to look again. Now and then is enough while there is work."""
        now = asyncio.get_running_loop().time()
        if self._running and now < self._looked + LOOK:
            return self._looked + LOOK - now
        self._looked = now
        [due] = await self.db.desk_rows(QUERIES.wake_due, DueJobs, most=500)
        if due.woken:
            return 0.0
        return max(0.0, due.next_in) if due.next_in is not None else math.inf

    async def _claim(self, most: int) -> list[ClaimedJob]:
        running = Counter(str(job.tenant_id) for job in self._running.values())
        self._unsure = True  # until the answer is here: the claim may be committed, and the answer lost
        jobs = await self.db.desk_rows(
            QUERIES.claim,
            ClaimedJob,
            worker=self.id,
            most=most,
            after=self._after,
            cap=self.cap,
            running=msgspec.json.encode(running).decode(),
        )
        self._unsure = False
        if jobs:
            self._after = jobs[-1].tenant_id
        return jobs

    async def _give_back_unknown(self) -> None:
        """What we hold without knowing it would stay ours, and undone, for as long as we live."""
        known = [job.id for job in self._running.values()]
        if lost := await self.db.desk_value(QUERIES.give_back_unknown, worker=self.id, known=known):
            log.warning("gave back what was claimed without an answer", jobs=lost)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._news.set()
        if not self._crowded:
            self._room.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._unsure = True  # its ending could not be written, so that we still hold it, and nobody works on it
            log.error("a run ended badly", **words(error))

    async def _follow(self, claimed: ClaimedJob) -> None:
        """Every log line of the run carries what it is about, so that one mail can be followed through them."""
        with structlog.contextvars.bound_contextvars(**about(claimed)):
            await self._run(claimed)

    async def _run(self, claimed: ClaimedJob) -> None:
        started = self._clock()
        _waited(claimed.kind).observe(max(0.0, (started - claimed.created_at).total_seconds()))
        hands = (self.outside, self.in_flight, self._payloads, self._company)
        work = Work(self.db, self.waker, self.next_jobs, claimed, self._clock, *hands)
        try:
            about: dict[str, str | int] = {"postroom.job": claimed.id, "postroom.tenant": str(claimed.tenant_id)}
            with tracing.span(claimed.kind, claimed.trace, about):
                await self._do(claimed, work)
            outcome = "done"
        except ClaimLost:
            outcome = "lost"
            log.warning("claim lost")
        except asyncio.CancelledError:
            await asyncio.shield(self._release(claimed))
            raise
        except Exception as error:  # noqa: BLE001 - every failure of a job is recorded and decided on
            outcome = await self.record_retry_attempt(claimed, error, work)
        if outcome == "done":
            count_try(claimed.args.get("mailbox_id"))
            (log.info if claimed.args.get("message_id") or work.walk.message_id else log.debug)("run done")
        _runs(claimed.kind, outcome).inc()
        _seconds(claimed.kind).observe((self._clock() - started).total_seconds())

    async def _release(self, claimed: ClaimedJob) -> None:
        try:
            await self._end(claimed, "released", None, timedelta(0), spends=False)
        except ClaimLost:
            pass
        except DatabaseError:
            self._unsure = True  # given back with the next claim; if none comes, the lease ends it

    async def _do(self, claimed: ClaimedJob, work: Work[Outside]) -> None:
        found = self.handlers.find(claimed.kind)
        if found is None:
            raise LookupError(f"Nobody here does {claimed.kind}: is an older version running beside a newer one?")
        job_type, handler = found
        work.record.stage = job_type.stage
        job = msgspec.convert(claimed.args, job_type, strict=False)
        if claimed.deaths > retry.MOST_RETRIES:
            killed = KilledItsWorkers(f"Its worker died {claimed.deaths} times.")
            if (gives_up := handler.gives_up) is not None:  # type: ignore[attr-defined]  # set by `works`
                await gives_up(job, work, killed)
            raise killed
        async with self._suspects_one_at_a_time(claimed):
            with (
                one_plan_each() if job_type.by_key else contextlib.nullcontext(),
                self._company.expects(work) if job_type.in_company else contextlib.nullcontext(),
            ):
                async with asyncio.timeout(job_type.time_limit.total_seconds()):
                    await handler(job, work)
                if not work.finished:
                    async with work.finish():
                        pass

    @contextlib.asynccontextmanager
    async def _suspects_one_at_a_time(self, claimed: ClaimedJob) -> AsyncIterator[None]:
        """Workers died of this job, or of one beside it: when it happens again, it shall be plain of which."""
        if not claimed.suspected:
            yield
            return
        async with self._suspect:
            if not await self.db.desk_value(QUERIES.begin_suspect, id=claimed.id, epoch=claimed.epoch):
                raise ClaimLost(f"Job {claimed.id} went to another worker before its turn.")
            yield

    async def record_retry_attempt(
        self, claimed: ClaimedJob, error: Exception, work: Work[Outside] | None = None
    ) -> str:
        """Of a try that did not work: its class, and what happens next. Returns the outcome."""
        walk = work.walk if work is not None else claimed.walk
        stage = work.record.stage if work is not None else None
        judged = judge(claimed, error, now=self._clock(), chance=random.random(), stage=stage, walk=walk)
        log.warning(
            "run failed",
            outcome=judged.outcome,
            error_class=judged.details["class"],
            code=judged.details["code"],
            text=judged.details["text"],
        )
        told = work.opening_facts() if work is not None else []
        told += [
            envelope(each, claimed.tenant_id, self._clock(), "postroom", claimed.run, walk) for each in judged.facts
        ]
        jobs = [as_row(job, claimed.correlation_id) for job in self.next_jobs(judged.failed)]
        try:
            await self._end(
                claimed,
                judged.outcome,
                judged.details,
                judged.delay,
                spends=judged.spends_attempt,
                facts=told,
                jobs=jobs,
                parked_for=judged.parked_for,
            )
        except ClaimLost:
            return "lost"
        count_try(claimed.args.get("mailbox_id"), judged.details["code"])
        return judged.outcome

    async def _end(
        self,
        claimed: ClaimedJob,
        outcome: str,
        details: dict[str, str] | None,
        delay: timedelta | None,
        *,
        spends: bool,
        facts: list[dict[str, Any]] | None = None,
        jobs: list[dict[str, Any]] | None = None,
        parked_for: str | None = None,
    ) -> None:
        try:
            async with self.db.tenant(claimed.tenant_id) as tx:
                await tx.run(
                    QUERIES.end_run,
                    tenant=claimed.tenant_id,
                    id=claimed.id,
                    epoch=claimed.epoch,
                    outcome=outcome,
                    error=as_json(details) if details else None,
                    delay=delay,
                    spends=spends,
                    parked_for=parked_for,
                    facts=as_json(facts) if facts else None,
                    jobs=as_json(jobs) if jobs else None,
                )
        except DatabaseError as problem:
            if problem.sqlstate == "PR001":
                raise ClaimLost(str(problem)) from None
            raise
        count_told(facts or ())
        self.waker.ring()

    async def _register(self) -> None:
        self.id = uuid4()
        name = f"{socket.gethostname()}:{os.getpid()}"
        async with self.db.front_desk() as tx:
            await tx.value(QUERIES.mind_the_clock, lease=self.lease, began=True)
            await tx.run(QUERIES.register, worker=self.id, name=name, lease=self.lease)
            self._payloads.alone = await tx.value(QUERIES.works_alone, worker=self.id)

    async def _leave(self) -> None:
        async with self.db.front_desk() as tx:
            await tx.run(QUERIES.leave, worker=self.id)

    async def _beat(self) -> None:
        """One row tells that all we hold is still ours. When it is gone we were presumed dead: let go of everything.

        Who was away that long itself cannot tell who died from who was away as well: a machine that slept, a clock that
        jumped ahead, a database that was down. They get the time of a lease to come back.
        """
        judges_from = -math.inf
        now = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(self.lease.total_seconds() / 3)
            try:
                async with self.db.front_desk() as tx:
                    if await tx.value(QUERIES.mind_the_clock, lease=self.lease, began=False):
                        log.warning("the clock was put back; what waits is looked at now")
                    if await tx.value(QUERIES.lapsed, worker=self.id) is not False:
                        judges_from = now() + self.lease.total_seconds()
                    alive = await tx.run(QUERIES.beat, worker=self.id, lease=self.lease)
                    self._payloads.alone = await tx.value(QUERIES.works_alone, worker=self.id)
                self._payloads.drop_old()
                if not alive:
                    log.warning("presumed dead; starting anew", worker=str(self.id))
                    for task in list(self._running):
                        task.cancel()
                    await self._register()
                if now() >= judges_from and await self.db.desk_value(QUERIES.reap, waits=list(retry.AFTER_DEATHS)):
                    self.waker.ring()
            except DatabaseError as problem:
                log.warning("heartbeat failed", **words(problem))

    async def _wind_down(self) -> None:
        if self._running:
            await asyncio.wait(list(self._running), timeout=self.grace.total_seconds())
        for task in list(self._running):
            task.cancel()
        if self._running:
            await asyncio.gather(*self._running, return_exceptions=True)


def about(claimed: ClaimedJob) -> dict[str, Any]:
    """What a log line of a run says of it: ids only."""
    ids = {name.removesuffix("_id"): claimed.args[name] for name in CORRELATED if claimed.args.get(name)}
    run = {"job": claimed.id, "kind": claimed.kind, "run": claimed.run.run_id, "tenant": str(claimed.tenant_id)}
    return {**run, "correlation": str(claimed.correlation_id), **ids}


async def _wait(event: asyncio.Event, longest: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(longest):
            await event.wait()
