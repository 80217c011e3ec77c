"""Bells, written down before they are answered, and sorted a moment later into hints, pulses, facts and jobs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import structlog

from postroom.db import sql
from postroom.db.pool import Database
from postroom.engine.facts import Run, as_json, envelope
from postroom.engine.waker import Waker
from postroom.engine.work import NextJobs, as_row
from postroom.nouns import facts
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import ProviderRef

QUERIES = sql.load("postroom.rooms.sync")
BREATH = 0.001  # seconds before the first sorting: the answer goes out first
PACE = 0.05  # seconds between two sortings: a burst is sorted in a few goes
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Ring:
    """A notice that was checked: for this mailbox, perhaps naming a message."""

    tenant_id: TenantId
    mailbox_id: MailboxId
    ref: ProviderRef | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A fact that goes with the rings, such as a lifecycle event."""

    tenant_id: TenantId
    fact: facts.Fact


@dataclass(slots=True)
class _Batch:
    rings: list[Ring] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    callers: list[asyncio.Future[None]] = field(default_factory=list)


@dataclass(slots=True)
class _Pile:
    """Rings that are durable and not sorted yet."""

    ids: list[int] = field(default_factory=list)
    rings: list[Ring] = field(default_factory=list)
    newest: datetime | None = None


class Intake:
    """Gathers what comes while a commit is under way, and writes it as the next one."""

    def __init__(self, db: Database, waker: Waker, next_jobs: NextJobs, clock: Callable[[], datetime]) -> None:
        self._db, self._bell, self._next_jobs, self._clock = db, waker, next_jobs, clock
        self._waiting = _Batch()
        self._writer: asyncio.Task[None] | None = None
        self._pile = _Pile()
        self._sorter: asyncio.Task[None] | None = None

    async def put(self, rings: Sequence[Ring], told: Sequence[Told] = ()) -> None:
        """Returns when it is durable; raises when it could not be made so."""
        if not rings and not told:
            return
        batch = self._waiting
        batch.rings.extend(rings)
        batch.told.extend(told)
        written = asyncio.get_running_loop().create_future()
        batch.callers.append(written)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        await written

    async def sorted(self) -> None:
        """Returns when all that was put so far is sorted, or left to the next poll."""
        while self._sorter is not None and not self._sorter.done():
            await asyncio.wait([self._sorter])

    async def _write_all(self) -> None:
        """One commit after the other, each with everything that came meanwhile."""
        while self._waiting.callers:
            batch, self._waiting = self._waiting, _Batch()
            problem: Exception | None = None
            try:
                await self._write(batch)
            except Exception as failed:  # noqa: BLE001 - every caller of this batch must hear of it
                problem = failed
            for caller in batch.callers:
                _tell(caller, problem)

    async def _write(self, batch: _Batch) -> None:
        """Rings alone are kept as they are. What is a fact by itself is rare, and written as such at once."""
        now = self._clock()
        if batch.told:
            told = await _since_when(self._db, batch.told)
            await self._db.desk_value(QUERIES.take_bells, **self._meaning(batch.rings, now, now, told))
            self._bell.ring()
            _warn_of_missed(told, now)
            return
        ids = await self._keep(batch.rings, now)
        self._pile.ids += ids
        self._pile.rings += batch.rings
        self._pile.newest = now
        if self._sorter is None or self._sorter.done():
            self._sorter = asyncio.create_task(self._sort_all())

    async def _keep(self, rings: Sequence[Ring], now: datetime) -> list[int]:
        if len(rings) > 1:
            rows = [{"tenant_id": ring.tenant_id, "mailbox_id": ring.mailbox_id, "ref": ring.ref} for ring in rings]
            return await self._db.desk_values(QUERIES.keep_rings, now=now, rings=as_json(rows))
        [ring] = rings
        ref = ring.ref and ring.ref.replace("\0", "\ufffd")
        where = {"tenant_id": ring.tenant_id, "mailbox_id": ring.mailbox_id}
        return await self._db.desk_values(QUERIES.keep_ring, now=now, ref=ref, **where)

    async def _sort_all(self) -> None:
        await asyncio.sleep(BREATH)
        while self._pile.ids:
            pile, self._pile = self._pile, _Pile()
            try:
                await self._sort(pile)
            except (psycopg.Error, OSError) as problem:  # they are kept, and the next poll sorts them
                log.warning("rings not sorted", error=type(problem).__name__, rings=len(pile.ids))
            await asyncio.sleep(PACE)

    async def _sort(self, pile: _Pile) -> None:
        now = self._clock()
        meaning = self._meaning(pile.rings, pile.newest or now, now)
        if await self._db.desk_value(QUERIES.sort_rings, rings=pile.ids, **meaning):
            self._bell.ring()

    def _meaning(
        self, rings: Sequence[Ring], rang_at: datetime, now: datetime, told: Sequence[Told] = ()
    ) -> dict[str, Any]:
        """What rings ask for, as the database takes it."""
        counts = Counter((ring.tenant_id, ring.mailbox_id) for ring in rings)
        nudges = [Told(t, facts.MailboxNudged(mailbox_id=m, notices=n)) for (t, m), n in counts.items()]
        every = [*nudges, *told]
        hints = {(ring.tenant_id, ring.mailbox_id, ring.ref) for ring in rings if ring.ref}
        jobs = [as_row(job, None, each.tenant_id) for each in every for job in self._next_jobs(each.fact)]
        return {
            "now": now,
            "hints": _rows([{"tenant_id": t, "mailbox_id": m, "ref": ref} for t, m, ref in hints]),
            "pulses": _rows(
                [{"tenant_id": t, "mailbox_id": m, "pushes": n, "rang_at": rang_at} for (t, m), n in counts.items()]
            ),
            "facts": as_json([envelope(each.fact, each.tenant_id, now, "provider", Run()) for each in every]),
            "jobs": _rows(jobs),
        }


def _tell(caller: asyncio.Future[None], problem: Exception | None) -> None:
    if caller.done():
        return  # who asked has left
    if problem is None:
        caller.set_result(None)
    else:
        caller.set_exception(problem)


def _rows(rows: Sequence[dict[str, Any]]) -> str | None:
    return as_json(rows) if rows else None


@dataclass(frozen=True, slots=True)
class _Pulse:
    mailbox_id: UUID
    last_push_at: datetime


async def _since_when(db: Database, told: Sequence[Told]) -> list[Told]:
    """A lifecycle event gets the range it is about: from the last bell before it until now."""
    asked = [each.fact.mailbox_id for each in told if isinstance(each.fact, facts.WatchNoticed)]
    if not asked:
        return list(told)
    heard = {each.mailbox_id: each.last_push_at for each in await db.desk_rows(QUERIES.pulses, _Pulse, mailboxes=asked)}
    return [
        Told(each.tenant_id, msgspec.structs.replace(each.fact, since=heard.get(each.fact.mailbox_id)))
        if isinstance(each.fact, facts.WatchNoticed)
        else each
        for each in told
    ]


def _warn_of_missed(told: Sequence[Told], now: datetime) -> None:
    """For whoever looks into it; the range is being reconciled."""
    for each in told:
        if isinstance(each.fact, facts.WatchNoticed) and each.fact.event == "missed":
            since = each.fact.since.isoformat() if each.fact.since else "the beginning"
            log.warning("notifications missed", mailbox=str(each.fact.mailbox_id), since=since, till=now.isoformat())
