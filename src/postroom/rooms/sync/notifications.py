"""Notifications: written down before the webhook is answered, sorted a moment later into hints, pushes, facts, jobs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import msgspec
import structlog

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.engine import tracing
from postroom.engine.facts import Run, as_json, envelope
from postroom.engine.waker import Waker
from postroom.engine.work import NextJobs, as_row
from postroom.logs import words
from postroom.nouns import facts
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import ProviderRef

QUERIES = sql.load("postroom.rooms.sync")
SORT_DELAY_SECONDS = 0.001  # the answer goes out first
SORT_INTERVAL_SECONDS = 0.1  # a burst is sorted in a few goes
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MailboxNotification:
    """A notification that was checked: for this mailbox, perhaps naming a message."""

    tenant_id: TenantId
    mailbox_id: MailboxId
    ref: ProviderRef | None = None


@dataclass(frozen=True, slots=True)
class TenantFact:
    """A fact that comes with the notifications, such as a lifecycle event."""

    tenant_id: TenantId
    fact: facts.Fact


@dataclass(slots=True)
class _Write:
    """What the next commit writes, and who waits for it."""

    notifications: list[MailboxNotification] = field(default_factory=list)
    facts: list[TenantFact] = field(default_factory=list)
    callers: list[asyncio.Future[None]] = field(default_factory=list)


@dataclass(slots=True)
class _Unsorted:
    """Notifications that are durable and not sorted yet."""

    ids: list[int] = field(default_factory=list)
    notifications: list[MailboxNotification] = field(default_factory=list)
    newest: datetime | None = None


class Intake:
    """Gathers what comes while a commit is under way, and writes it as the next one."""

    def __init__(self, db: Database, waker: Waker, next_jobs: NextJobs, clock: Callable[[], datetime]) -> None:
        self._db, self._waker, self._next_jobs, self._clock = db, waker, next_jobs, clock
        self._waiting = _Write()
        self._writer: asyncio.Task[None] | None = None
        self._unsorted = _Unsorted()
        self._sorter: asyncio.Task[None] | None = None

    async def put(self, notifications: Sequence[MailboxNotification], told: Sequence[TenantFact] = ()) -> None:
        """Returns when they are durable; raises when they could not be made so."""
        if not notifications and not told:
            return
        write = self._waiting
        write.notifications.extend(notifications)
        write.facts.extend(told)
        written = asyncio.get_running_loop().create_future()
        write.callers.append(written)
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
            write, self._waiting = self._waiting, _Write()
            problem: Exception | None = None
            try:
                await self._write(write)
            except Exception as failed:  # noqa: BLE001 - every caller of this commit must hear of it
                problem = failed
            for caller in write.callers:
                _answer(caller, problem)

    async def _write(self, write: _Write) -> None:
        """Notifications alone are kept as they are. A fact by itself is rare, and written as such at once."""
        now = self._clock()
        if write.facts:
            told = await _since_when(self._db, write.facts)
            meaning = self._meaning(write.notifications, now, now, told)
            await self._db.desk_value(QUERIES.take_notifications, **meaning)
            self._waker.ring()
            _warn_of_missed(told, now)
            return
        ids = await self._keep(write.notifications, now)
        self._unsorted.ids += ids
        self._unsorted.notifications += write.notifications
        self._unsorted.newest = now
        if self._sorter is None or self._sorter.done():
            self._sorter = asyncio.create_task(self._sort_all())

    async def _keep(self, notifications: Sequence[MailboxNotification], now: datetime) -> list[int]:
        if len(notifications) > 1:
            rows = [{"tenant_id": n.tenant_id, "mailbox_id": n.mailbox_id, "ref": n.ref} for n in notifications]
            return await self._db.desk_values(QUERIES.keep_notifications, now=now, notifications=as_json(rows))
        [only] = notifications
        ref = only.ref and only.ref.replace("\0", "\ufffd")
        where = {"tenant_id": only.tenant_id, "mailbox_id": only.mailbox_id}
        return await self._db.desk_values(QUERIES.keep_notification, now=now, ref=ref, **where)

    async def _sort_all(self) -> None:
        await asyncio.sleep(SORT_DELAY_SECONDS)
        while self._unsorted.ids:
            unsorted, self._unsorted = self._unsorted, _Unsorted()
            try:
                await self._sort(unsorted)
            except DatabaseError as problem:  # they are kept, and the next poll sorts them
                log.warning("notifications not sorted", **words(problem), count=len(unsorted.ids))
            await asyncio.sleep(SORT_INTERVAL_SECONDS)

    async def _sort(self, unsorted: _Unsorted) -> None:
        now = self._clock()
        with tracing.span("notification", None, {"postroom.notifications": len(unsorted.ids)}):
            meaning = self._meaning(unsorted.notifications, unsorted.newest or now, now)
        if await self._db.desk_value(QUERIES.sort_notifications, ids=unsorted.ids, **meaning):
            self._waker.ring()

    def _meaning(
        self,
        notifications: Sequence[MailboxNotification],
        pushed_at: datetime,
        now: datetime,
        told: Sequence[TenantFact] = (),
    ) -> dict[str, Any]:
        """What notifications ask for, as the database takes it."""
        counts = Counter((each.tenant_id, each.mailbox_id) for each in notifications)
        received = [
            TenantFact(t, facts.NotificationReceived(mailbox_id=m, notifications=n)) for (t, m), n in counts.items()
        ]
        every = [(uuid4(), each) for each in (*received, *told)]  # a notification, and all that follows from it
        hints = {(each.tenant_id, each.mailbox_id, each.ref) for each in notifications if each.ref}
        jobs = [as_row(job, chain, each.tenant_id) for chain, each in every for job in self._next_jobs(each.fact)]
        return {
            "now": now,
            "hints": _rows([{"tenant_id": t, "mailbox_id": m, "ref": ref} for t, m, ref in hints]),
            "pushes": _rows(
                [
                    {"tenant_id": t, "mailbox_id": m, "pushes": n, "received_at": pushed_at}
                    for (t, m), n in counts.items()
                ]
            ),
            "facts": as_json(
                [
                    envelope(each.fact, each.tenant_id, now, "provider", Run(correlation_id=chain))
                    for chain, each in every
                ]
            ),
            "jobs": _rows(jobs),
        }


def _answer(caller: asyncio.Future[None], problem: Exception | None) -> None:
    if caller.done():
        return  # who asked has left
    if problem is None:
        caller.set_result(None)
    else:
        caller.set_exception(problem)


def _rows(rows: Sequence[dict[str, Any]]) -> str | None:
    return as_json(rows) if rows else None


@dataclass(frozen=True, slots=True)
class _LastPush:
    mailbox_id: UUID
    last_push_at: datetime


async def _since_when(db: Database, told: Sequence[TenantFact]) -> list[TenantFact]:
    """A lifecycle event gets the range it is about: from the last push before it until now."""
    asked = [each.fact.mailbox_id for each in told if isinstance(each.fact, facts.WatchNoticed)]
    if not asked:
        return list(told)
    found = await db.desk_rows(QUERIES.last_pushes, _LastPush, mailboxes=asked)
    heard = {each.mailbox_id: each.last_push_at for each in found}
    return [
        TenantFact(each.tenant_id, msgspec.structs.replace(each.fact, since=heard.get(each.fact.mailbox_id)))
        if isinstance(each.fact, facts.WatchNoticed)
        else each
        for each in told
    ]


def _warn_of_missed(told: Sequence[TenantFact], now: datetime) -> None:
    """For whoever looks into it; the range is being reconciled."""
    for each in told:
        if isinstance(each.fact, facts.WatchNoticed) and each.fact.event == "missed":
            since = each.fact.since.isoformat() if each.fact.since else "the beginning"
            log.warning("notifications missed", mailbox=str(each.fact.mailbox_id), since=since, till=now.isoformat())
