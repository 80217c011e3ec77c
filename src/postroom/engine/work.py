"""What a job holds in its hands: read, ask, decide, and finish in one commit."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID, uuid4

import msgspec
import structlog

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database, Tx, note_open_transaction
from postroom.engine.company import Company, Recording
from postroom.engine.facts import Run, as_json, envelope
from postroom.engine.figures import count_told
from postroom.engine.in_flight import BytesInFlight
from postroom.engine.payloads import Payload, PayloadsInMemory
from postroom.engine.tracing import CARRIED, carried
from postroom.engine.waker import Waker
from postroom.nouns.facts import (
    AiCompleted,
    Fact,
    JobEnqueued,
    ProcessingCompleted,
    ProcessingStarted,
    RetrievalCompleted,
    RetrySucceeded,
)
from postroom.nouns.ids import JobId, TenantId
from postroom.nouns.jobs import Enqueue, Job
from postroom.nouns.walks import NO_MAIL, Walk

Outside = TypeVar("Outside")
Said = TypeVar("Said")
NextJobs = Callable[[Fact], Sequence[Job | Enqueue]]
CLAIM_LOST = "PR001"
LARGEST_PAYLOAD_BYTES = 256 * 1024
PAYLOADS_OF_A_TENANT_BYTES = 32 * 1024 * 1024
QUERIES = sql.load("postroom.engine")


@dataclass(frozen=True, slots=True)
class CarriedContent:
    """Bytes that arrived with their job."""

    content: bytes


class ClaimLost(Exception):
    """We were presumed dead and somebody else has the job: nothing of this run may be recorded."""


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A job in our hands, until the epoch changes."""

    id: JobId
    tenant_id: TenantId
    kind: str
    key: str | None
    lane: str | None
    args: dict[str, Any]
    tries: int
    waits: int
    epoch: int
    correlation_id: UUID
    created_at: datetime
    deaths: int = 0
    suspected: bool = False

    @property
    def asked_by(self) -> str | None:
        """The person who wants this try, if one does. It travels with the arguments: a worker of an older version,
        which knows nothing of it, still does the job."""
        return self.args.get("asked_by") if self.tries == 0 else None

    @property
    def trace(self) -> str | None:
        """The span that set it in motion, if traces are collected; it travels likewise."""
        return self.args.get(CARRIED)

    @property
    def run(self) -> Run:
        return Run(self.id, f"{self.id}.{self.epoch}", self.correlation_id)

    @property
    def walk(self) -> Walk:
        """The mail it is about, as far as it was told: so a run that fails before it looked tells of it too."""
        return Walk(self._named("mailbox_id"), self._named("thread_id"), self._named("message_id"))

    def _named(self, what: str) -> UUID | None:
        return UUID(said) if (said := self.args.get(what)) else None


@dataclass(slots=True)
class RunRecord:
    """What an auditor wants to know of a run that processes mail. A job without a stage leaves no record."""

    claimed: ClaimedJob
    started_at: datetime
    stage: str | None = None
    is_open: bool = False
    searched: int = 0
    evidence_ids: Sequence[str] = ()
    model: str = "rules"
    version: str | None = None
    answers: int = 0
    outcome: str = "done"
    because: str = ""

    def opening(self, walk: Walk) -> list[Fact]:
        if self.stage is None or self.is_open:
            return []
        self.is_open = True
        job, mail = self.claimed, _provider_ids(walk)
        about = {"job_kind": job.kind, "stage": self.stage, **mail}
        return [
            JobEnqueued(enqueued_at=job.created_at, **about),
            ProcessingStarted(started_at=self.started_at, retry_count=job.tries, **about),
        ]

    def beats(self, walk: Walk) -> list[Fact]:
        """What was looked up and who answered: always told, also when it was nothing and nobody."""
        if self.stage is None:
            return []
        mail = _provider_ids(walk)
        return [
            RetrievalCompleted(stage=self.stage, searched=self.searched, evidence_ids=list(self.evidence_ids), **mail),
            AiCompleted(stage=self.stage, model=self.model, version=self.version, answers=self.answers, **mail),
        ]

    def ending(self, walk: Walk, now: datetime) -> list[Fact]:
        if self.stage is None:
            return []
        told = ProcessingCompleted(
            job_kind=self.claimed.kind,
            stage=self.stage,
            outcome=self.outcome,
            because=self.because,
            started_at=self.started_at,
            finished_at=now,
            **_provider_ids(walk),
        )
        return [told]


def _provider_ids(walk: Walk) -> dict[str, Any]:
    return {"provider_thread_id": walk.provider_thread_id, "provider_message_id": walk.provider_message_id}


@dataclass(frozen=True, slots=True)
class Closing:
    """What the end of a run commits beside what its room wrote."""

    run: dict[str, Any]
    facts: Sequence[dict[str, Any]]
    jobs: Sequence[dict[str, Any]]
    payloads: Sequence[Payload]


class TenantScope:
    """Somebody who acts for a tenant: opens transactions, tells facts, and sets their jobs in motion."""

    def __init__(
        self,
        db: Database,
        waker: Waker,
        next_jobs: NextJobs,
        tenant_id: TenantId,
        actor: str,
        clock: Callable[[], datetime],
    ) -> None:
        self.db, self.waker, self.tenant_id, self.actor = db, waker, tenant_id, actor
        self._next_jobs, self._clock = next_jobs, clock
        self._run = Run(correlation_id=uuid4())
        self.walk = NO_MAIL
        self._facts: list[dict[str, Any]] = []
        self._jobs: list[dict[str, Any]] = []
        self._payloads: list[Payload] = []

    @property
    def now(self) -> datetime:
        return self._clock()

    def about(self, walk: Walk) -> None:
        """What is told from now on is about this mail, and carries its ids."""
        self.walk = walk

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[Tx]:
        async with self.db.tenant(self.tenant_id) as tx:
            yield tx

    @contextlib.asynccontextmanager
    async def finish(self) -> AsyncIterator[Tx]:
        """State, facts and the next jobs, in one commit."""
        async with self._closing(self._record) as tx:
            yield tx

    async def tell(self, tx: Tx, fact: Fact, payload: bytes | None = None) -> None:
        """The fact, and the jobs it sets in motion, go with this transaction. A payload travels with the jobs that take
        one, if it is small and there is room; nothing may depend on it."""
        del tx  # named to say which transaction it belongs to
        self._facts.append(self._told(fact))
        for job in self._next_jobs(fact):
            self._add(job, payload)

    def _told(self, fact: Fact) -> dict[str, Any]:
        return envelope(fact, self.tenant_id, self.now, self.actor, self._run, self.walk)

    async def enqueue(self, tx: Tx, *jobs: Job | Enqueue) -> None:
        """Jobs that follow from no fact: continuations and the like."""
        del tx
        for job in jobs:
            self._add(job)

    def _add(self, job: Job | Enqueue, payload: bytes | None = None) -> None:
        row = as_row(job, self._run.correlation_id)
        wanted = job.job if isinstance(job, Enqueue) else job
        if payload and len(payload) <= LARGEST_PAYLOAD_BYTES and wanted.takes_payload and wanted.key is not None:
            row["carries"] = self._send_along(Payload(wanted.kind, wanted.key, payload))
        self._jobs.append(row)

    def _send_along(self, payload: Payload) -> bool:
        """Whether it travels in the database."""
        self._payloads.append(payload)
        return True

    def begin_to_close(self) -> None:
        """What a commit that failed was to tell is forgotten."""
        self._facts, self._jobs, self._payloads = [], [], []

    @contextlib.asynccontextmanager
    async def _closing(self, close: Callable[[Tx, str | None, str | None], None]) -> AsyncIterator[Tx]:
        self.begin_to_close()
        try:
            async with self.db.tenant(self.tenant_id) as tx:
                yield tx
                close(tx, _rows(self._facts), _rows(self._jobs))
                _carry(tx, self.tenant_id, self._payloads)
        except DatabaseError as problem:
            if problem.sqlstate == CLAIM_LOST:
                raise ClaimLost(str(problem)) from None
            raise
        count_told(self._facts)
        if self._facts or self._jobs:
            self.waker.ring()

    def _record(self, tx: Tx, facts: str | None, jobs: str | None) -> None:
        if facts:
            tx.close_with(QUERIES.tell_facts, tenant=self.tenant_id, facts=facts)
        if jobs:
            tx.close_with(QUERIES.enqueue, tenant_id=self.tenant_id, jobs=jobs)


class Work(TenantScope, Generic[Outside]):
    """One run of one job."""

    def __init__(
        self,
        db: Database,
        waker: Waker,
        next_jobs: NextJobs,
        claimed: ClaimedJob,
        clock: Callable[[], datetime],
        outside: Outside,
        in_flight: BytesInFlight | None = None,
        in_memory: PayloadsInMemory | None = None,
        company: Company | None = None,
    ) -> None:
        super().__init__(db, waker, next_jobs, claimed.tenant_id, "postroom", clock)
        self.claimed, self.outside = claimed, outside
        self._company = company
        self.context: Context | None = None  # our own, when others' commit takes us along
        self.in_flight = in_flight or BytesInFlight()
        self._in_memory = in_memory or PayloadsInMemory()
        self._run = claimed.run
        self.walk = claimed.walk
        self.finished = False
        self.record = RunRecord(claimed, clock())
        self._kept = True

    def about(self, walk: Walk) -> None:
        """The facts, and the log lines of the run, carry the ids of the mail."""
        super().about(walk)
        ids = {"mailbox": walk.mailbox_id, "thread": walk.thread_id, "message": walk.message_id}
        structlog.contextvars.bind_contextvars(**{name: str(value) for name, value in ids.items() if value})

    @property
    def tries(self) -> int:
        """How many attempts were spent before this one."""
        return self.claimed.tries

    @property
    def was_begun_before(self) -> bool:
        """Something went wrong with it, or beside it: now is the time for the slow and careful way."""
        return self.claimed.tries > 0 or self.claimed.deaths > 0

    async def payload(self) -> bytes | None:
        """The bytes that travelled with this job, if they did: too many, too large or too old ones do not."""
        mine = self.claimed
        if (content := self._in_memory.get(mine.tenant_id, mine.kind, mine.key)) is not None:
            return content
        found = await self.db.look(self.tenant_id, QUERIES.payload, CarriedContent, id=mine.id)
        return found[0].content if found else None

    def _send_along(self, payload: Payload) -> bool:
        return not self._in_memory.keep(self.tenant_id, payload) and super()._send_along(payload)

    @contextlib.asynccontextmanager
    async def finish(self) -> AsyncIterator[Tx]:
        """The closing transaction: verdict, facts, next jobs and "done" commit together, or none of them."""
        async with self._closing(self._close) as tx:
            yield tx
            await self.sum_up(tx)
        self.is_over()

    async def finish_with_others(self, said: Said, record: Recording[Said]) -> None:
        """The closing transaction, in one commit with those of other runs that have come to the same point; or alone,
        where no other is about to, or their common one failed."""
        before = self._kept, self.record.is_open
        if self._company is None or not await self._company.closes(self, said, record):
            self.context, (self._kept, self.record.is_open) = None, before
            async with self.finish() as tx:
                await record(tx, [(self, said)])

    async def as_itself(self, doing: Coroutine[Any, Any, None]) -> None:
        """Its share of a commit with others, in its own log lines and its own trace."""
        if self.context is None:
            await doing
        else:
            self.context.run(note_open_transaction)
            await asyncio.create_task(doing, context=self.context)

    async def sum_up(self, tx: Tx) -> Closing:
        """All that is to be committed with the end of this run, its audit included."""
        mine = self.claimed
        self._facts[:0] = [*self.opening_facts(), *(self._told(fact) for fact in self.record.beats(self.walk))]
        self._facts += [self._told(fact) for fact in self.record.ending(self.walk, self.now)]
        if mine.asked_by is not None:
            await self.tell(tx, RetrySucceeded(job_kind=mine.kind, key=mine.key, asked_by=mine.asked_by))
        run = {"id": mine.id, "epoch": mine.epoch, "lane": mine.lane, "kept": self._kept}
        return Closing(run, self._facts, self._jobs, self._payloads)

    def is_over(self) -> None:
        """Its end is committed."""
        mine, self.finished = self.claimed, True
        self._in_memory.drop(mine.tenant_id, mine.kind, mine.key)

    def found_nothing(self) -> None:
        """A look that found nothing keeps no row among the attempts: there would be millions."""
        self._kept = False

    @contextlib.asynccontextmanager
    async def step(self) -> AsyncIterator[Tx]:
        """A commit on the way, for work that goes page by page. Refused when the claim was lost."""
        async with self._closing(self._continue) as tx:
            yield tx
            self._facts[:0] = self.opening_facts()

    def retrieved(self, evidence_ids: Iterable[object], *, searched: int) -> None:
        """What this run looked up, for the audit."""
        self.record.searched, self.record.evidence_ids = searched, [str(each) for each in evidence_ids]

    def answered_by(self, model: str, version: str | None = None, *, answers: int = 1) -> None:
        """Which model this run asked, for the audit."""
        self.record.model, self.record.version, self.record.answers = model, version, answers

    def concluded(self, outcome: str, because: str) -> None:
        """What came of this run, for the audit."""
        self.record.outcome, self.record.because = outcome, because

    def opening_facts(self) -> list[dict[str, Any]]:
        """Enqueued and started, once a run: with the first commit of it, so that they cost no commit of their own."""
        return [self._told(fact) for fact in self.record.opening(self.walk)]

    def _close(self, tx: Tx, facts: str | None, jobs: str | None) -> None:
        mine = self.claimed
        run = {"tenant": mine.tenant_id, "id": mine.id, "epoch": mine.epoch}
        tx.close_with(QUERIES.close_job, **run, lane=mine.lane, facts=facts, jobs=jobs, kept=self._kept)

    def _continue(self, tx: Tx, facts: str | None, jobs: str | None) -> None:
        mine = self.claimed
        run = {"tenant": mine.tenant_id, "id": mine.id, "epoch": mine.epoch}
        tx.close_with(QUERIES.continue_job, **run, facts=facts, jobs=jobs)


@contextlib.asynccontextmanager
async def finish_all(works: Sequence[Work[Any]]) -> AsyncIterator[Tx]:
    """The closing transactions of several runs of a tenant as one: of all of them, or of none."""
    first = works[0]
    for each in works:
        each.begin_to_close()
    try:
        async with first.db.tenant(first.tenant_id) as tx:
            yield tx
            closings = [await each.sum_up(tx) for each in works]
            told = [fact for each in closings for fact in each.facts]
            jobs = [job for each in closings for job in each.jobs]
            runs = as_json([each.run for each in closings])
            tx.close_with(QUERIES.close_jobs, tenant=first.tenant_id, runs=runs, facts=_rows(told), jobs=_rows(jobs))
            _carry(tx, first.tenant_id, [payload for each in closings for payload in each.payloads])
    except DatabaseError as problem:
        if problem.sqlstate == CLAIM_LOST:
            raise ClaimLost(str(problem)) from None
        raise
    count_told(told)
    if told or jobs:
        first.waker.ring()
    for each in works:
        each.is_over()


def _carry(tx: Tx, tenant_id: TenantId, payloads: Sequence[Payload]) -> None:
    if payloads:
        tx.close_with(
            QUERIES.carry_payloads,
            tenant=tenant_id,
            kinds=[each.kind for each in payloads],
            keys=[each.key for each in payloads],
            contents=[each.content for each in payloads],
            size=sum(len(each.content) for each in payloads),
            budget=PAYLOADS_OF_A_TENANT_BYTES,
        )


def as_row(wanted: Job | Enqueue, correlation_id: UUID | None, tenant_id: TenantId | None = None) -> dict[str, Any]:
    """A job as the lanes take it in."""
    order = wanted if isinstance(wanted, Enqueue) else Enqueue(wanted)
    job = order.job
    args = msgspec.to_builtins(job)
    return {
        "tenant_id": tenant_id,
        "kind": job.kind,
        "key": job.key,
        "lane": job.lane,
        "priority": int(job.priority if order.priority is None else order.priority),
        "holds_lane": job.holds_lane,
        "args": {**args, **carried()},
        "mailbox_id": args.get("mailbox_id"),
        "correlation_id": correlation_id,
        "run_at": order.run_at,
        **({"delay": order.after.total_seconds()} if order.after else {}),
    }


def _rows(rows: list[dict[str, Any]]) -> str | None:
    return as_json(rows) if rows else None
