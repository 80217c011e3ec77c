"""Bells, written down before they are answered: the notices of a few milliseconds are one commit."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Database
from postroom.engine.bell import Bell
from postroom.engine.facts import Run, as_json, envelope
from postroom.engine.work import NextJobs, as_row
from postroom.nouns import facts
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import ProviderRef

QUERIES = sql.load("postroom.rooms.sync")


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
    written: asyncio.Future[None] | None = None


class Intake:
    """Gathers what comes while a commit is under way, and writes it as the next one."""

    def __init__(self, db: Database, bell: Bell, next_jobs: NextJobs, clock: Callable[[], datetime]) -> None:
        self._db, self._bell, self._next_jobs, self._clock = db, bell, next_jobs, clock
        self._waiting = _Batch()
        self._writer: asyncio.Task[None] | None = None

    async def put(self, rings: Sequence[Ring], told: Sequence[Told] = ()) -> None:
        """Returns when it is durable; raises when it could not be made so."""
        if not rings and not told:
            return
        batch = self._waiting
        batch.rings.extend(rings)
        batch.told.extend(told)
        if batch.written is None:
            batch.written = asyncio.get_running_loop().create_future()
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        await asyncio.shield(batch.written)

    async def _write_all(self) -> None:
        """One commit after the other, each with everything that came meanwhile."""
        while self._waiting.written is not None:
            batch, self._waiting = self._waiting, _Batch()
            assert batch.written is not None
            try:
                await self._write(batch)
            except Exception as problem:  # noqa: BLE001 - every caller of this batch must hear of it
                batch.written.set_exception(problem)
                batch.written.exception()  # heard, even if the caller left
            else:
                batch.written.set_result(None)

    async def _write(self, batch: _Batch) -> None:
        now = self._clock()
        counts = Counter((ring.tenant_id, ring.mailbox_id) for ring in batch.rings)
        nudges = [Told(t, facts.MailboxNudged(mailbox_id=m, notices=n)) for (t, m), n in counts.items()]
        hints = {(ring.tenant_id, ring.mailbox_id, ring.ref) for ring in batch.rings if ring.ref}
        told = nudges + await _since_when(self._db, batch.told)
        rows = [envelope(each.fact, each.tenant_id, now, "provider", Run()) for each in told]
        jobs = [as_row(job, None, each.tenant_id) for each in told for job in self._next_jobs(each.fact)]
        named = [{"tenant_id": t, "mailbox_id": m, "ref": ref} for t, m, ref in sorted(hints, key=str)]
        pulses = [{"tenant_id": t, "mailbox_id": m, "pushes": n} for (t, m), n in counts.items()]
        await self._db.desk_value(
            QUERIES.take_bells,
            now=now,
            hints=as_json(named) if named else None,
            pulses=as_json(pulses) if pulses else None,
            facts=as_json(rows),
            jobs=as_json(jobs) if jobs else None,
        )
        self._bell.ring()


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
