"""What a provider lets us do at once, shared by all workers: requests in flight, and units a minute.

A process borrows a slot, or a handful of units, uses it for many requests, and gives it back when idle; so the
database is asked now and then, not for every request. A process that dies gives back by its lease.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID, uuid4

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.gathering import SharedQuestion
from postroom.db.pool import Database
from postroom.engine.facts import as_json
from postroom.nouns.errors import NotFound, Throttled
from postroom.nouns.ids import MailboxId

QUERIES = sql.load("postroom.engine")
LEASE = timedelta(seconds=20)
IDLE = 0.05
ASK_AGAIN = 0.05
MAILBOX_DELETED = "23503"  # its row was there when we looked, and gone when its slots were to refer to it
LOOK_AGAIN_SECONDS = 0.25  # whether another process was told to leave a mailbox alone
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 5.0, 300.0  # where the provider names no time


@dataclass(frozen=True, slots=True)
class _Leased:
    """Slots that are ours now, and for how many seconds the mailbox is to be left alone, if at all."""

    mailbox_id: UUID
    slots: list[int]
    wait_left: float | None


@dataclass(slots=True)
class _Box:
    """The slots of one mailbox that this process has borrowed."""

    free: list[int] = field(default_factory=list)
    busy: int = 0
    waiting: int = 0
    asking: bool = False
    freed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def held(self) -> int:
        return len(self.free) + self.busy

    @property
    def is_over(self) -> bool:
        return not (self.held or self.waiting)


class MailboxWaits:
    """A provider's "wait" counts for the mailbox, whoever of us asked: one is told, and all leave it alone."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._till: defaultdict[UUID, float] = defaultdict(float)
        self._looked: defaultdict[UUID, float] = defaultdict(lambda: -LOOK_AGAIN_SECONDS)
        self._in_a_row: defaultdict[UUID, int] = defaultdict(int)

    async def check(self, mailbox_id: MailboxId) -> None:
        """Raises Throttled while the mailbox is to be left alone. Other processes are heard of a moment later."""
        now = asyncio.get_running_loop().time()
        if now - self._looked[mailbox_id] > LOOK_AGAIN_SECONDS:
            self._looked[mailbox_id] = now
            self.heard(mailbox_id, await self._db.desk_value(QUERIES.wait_left, mailbox_id=mailbox_id))
        if (left := self._till[mailbox_id] - asyncio.get_running_loop().time()) > 0:
            raise Throttled("The provider asked us to leave this mailbox alone for a while.", retry_after=left)

    def heard(self, mailbox_id: MailboxId, left: float | None) -> None:
        """What the database said just now: for so many seconds the mailbox is to be left alone."""
        self._looked[mailbox_id] = now = asyncio.get_running_loop().time()
        if left is not None and left > 0:
            self._till[mailbox_id] = max(self._till[mailbox_id], now + left)

    async def told(self, mailbox_id: MailboxId, seconds: float | None) -> float:
        """The provider said "wait", perhaps for how long. Returns how long it will be."""
        self._in_a_row[mailbox_id] += 1
        wait = unnamed_wait(self._in_a_row[mailbox_id]) if seconds is None else seconds
        till = asyncio.get_running_loop().time() + wait
        self._till[mailbox_id] = max(self._till[mailbox_id], till)
        async with self._db.front_desk() as tx:
            await tx.run(QUERIES.told_to_wait, mailbox_id=mailbox_id, wait=timedelta(seconds=wait))
        return wait

    def went_well(self, mailbox_id: MailboxId) -> None:
        self._in_a_row.pop(mailbox_id, None)

    def of(self, mailbox_id: MailboxId) -> WaitsOfMailbox:
        return WaitsOfMailbox(self, mailbox_id)


@dataclass(frozen=True, slots=True)
class WaitsOfMailbox:
    """A ports.ProviderWaits."""

    waits: MailboxWaits
    mailbox_id: MailboxId

    async def check(self) -> None:
        await self.waits.check(self.mailbox_id)

    async def told(self, seconds: float | None) -> float:
        return await self.waits.told(self.mailbox_id, seconds)

    def went_well(self) -> None:
        self.waits.went_well(self.mailbox_id)


class RequestSlots:
    """At most so many requests in flight per mailbox, across all processes."""

    def __init__(self, db: Database, most: int = 3, waits: MailboxWaits | None = None) -> None:
        """`waits` hears of the mailbox what borrowing tells, so that it need not ask by itself."""
        self._db, self._most, self._holder, self._waits = db, most, uuid4(), waits
        self._boxes: defaultdict[UUID, _Box] = defaultdict(_Box)  # those in use: a look at all of them is short
        self._made: set[UUID] = set()  # whose slots have their rows
        # For all who begin with a mailbox at this moment.
        self._leases: SharedQuestion[UUID, _Leased] = SharedQuestion(self._lease)
        self._keeper: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def use(self, mailbox_id: MailboxId) -> AsyncIterator[None]:
        box = self._boxes[mailbox_id]
        box.waiting += 1
        try:
            slot = await self._take(mailbox_id, box)
        finally:
            box.waiting -= 1
        box.busy += 1
        try:
            yield
        finally:
            box.busy -= 1
            box.free.append(slot)
            box.freed.set()
            self._keep()

    async def close(self) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        await self._give_back([(mailbox_id, slot) for mailbox_id, box in self._boxes.items() for slot in box.free])

    async def _take(self, mailbox_id: MailboxId, box: _Box) -> int:
        while True:
            if box.free:
                return box.free.pop()
            if box.held < self._most and not box.asking:
                await self._borrow(mailbox_id, box)
                if box.free:
                    continue
            box.freed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(box.freed.wait(), ASK_AGAIN)

    async def _borrow(self, mailbox_id: MailboxId, box: _Box) -> None:
        """For all who wait for this mailbox, in one question."""
        box.asking = True
        try:
            answered = await self._leases.answers(mailbox_id)
        finally:
            box.asking = False
        if mailbox_id not in answered:
            raise NotFound("The mailbox was deleted meanwhile: nothing is asked of its provider any more.")

    async def _lease(self, mailboxes: list[UUID]) -> Mapping[UUID, _Leased]:
        if new := [each for each in mailboxes if each not in self._made]:
            await self._make(new)
        wanted = [{"mailbox_id": each, "wanted": self._wanted(self._boxes[each])} for each in mailboxes]
        values = {"wanted": as_json(wanted), "most": self._most, "holder": self._holder, "lease": LEASE}
        leased = await self._db.desk_rows(QUERIES.lease_slots, _Leased, **values)
        for each in leased:
            box = self._boxes[each.mailbox_id]
            box.free += each.slots
            box.freed.set()
            if self._waits is not None:
                self._waits.heard(MailboxId(each.mailbox_id), each.wait_left)
        self._keep()
        lent = {each.mailbox_id: each for each in leased}
        self._made.difference_update(set(mailboxes) - lent.keys())
        return lent

    async def _make(self, mailboxes: list[UUID]) -> None:
        for last in (False, True):
            try:
                await self._db.desk_values(QUERIES.make_slots, mailboxes=mailboxes, most=self._most)
                break
            except DatabaseError as problem:  # by the second time it is left out, and the others get theirs
                if last or problem.sqlstate != MAILBOX_DELETED:
                    raise
        self._made.update(mailboxes)

    def _wanted(self, box: _Box) -> int:
        return max(0, min(box.waiting + 1, self._most - box.held))  # one more: a listing is followed by its mails

    async def _give_back(self, idle: Sequence[tuple[UUID, int]]) -> None:
        if idle:
            mailboxes, slots = [each for each, _ in idle], [slot for _, slot in idle]
            await self._db.desk_values(QUERIES.release_slots, mailboxes=mailboxes, slots=slots, holder=self._holder)

    def _keep(self) -> None:
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep_leases())

    async def _keep_leases(self) -> None:
        """Renew what is in use, give back what is idle; ends when nothing is borrowed."""
        waited = 0.0
        while self._boxes:
            idle = [mailbox_id for mailbox_id, box in self._boxes.items() if box.free]
            await asyncio.sleep(IDLE)
            waited += IDLE
            with contextlib.suppress(DatabaseError):  # the leases end by themselves
                await self._give_back_idle(idle)
                if waited >= LEASE.total_seconds() / 3:
                    waited = 0.0
                    await self._renew()
            for mailbox_id in [each for each, box in self._boxes.items() if box.is_over]:
                del self._boxes[mailbox_id]

    async def _give_back_idle(self, mailboxes: Sequence[UUID]) -> None:
        boxes = {each: box for each in mailboxes if not (box := self._boxes[each]).busy}
        idle = [(mailbox_id, slot) for mailbox_id, box in boxes.items() for slot in box.free]
        for box in boxes.values():
            box.free.clear()
        try:
            await self._give_back(idle)
        except asyncio.CancelledError:
            for mailbox_id, slot in idle:
                self._boxes[mailbox_id].free.append(slot)  # closing gives it back
            raise

    async def _renew(self) -> None:
        held = [mailbox_id for mailbox_id, box in self._boxes.items() if box.held]
        await self._db.desk_values(QUERIES.renew_slots, holder=self._holder, lease=LEASE, mailboxes=held)


def unnamed_wait(times: int) -> float:
    """Told to wait so many times in a row, and not for how long: short at first, since live mail waits too."""
    return min(FIRST_WAIT_SECONDS * 2.0 ** min(times - 1, 30), LONGEST_WAIT_SECONDS)


class QuotaBudget:
    """So many units a minute per mailbox, across all processes. Over it: Throttled, until when."""

    def __init__(self, db: Database, per_minute: int = 4000, chunk: int = 200) -> None:
        self._db, self._per_minute, self._chunk = db, per_minute, chunk
        self._left: defaultdict[UUID, int] = defaultdict(int)

    async def spend(self, mailbox_id: MailboxId, units: int) -> None:
        if self._left[mailbox_id] < units:
            want = max(self._chunk, units)
            over: float = await self._db.desk_value(
                QUERIES.draw_units,
                mailbox_id=mailbox_id,
                want=want,
                capacity=self._per_minute,
                rate=self._per_minute / 60,
            )
            if over < 0:
                wait = -over / (self._per_minute / 60)
                raise Throttled("The provider's quota for this mailbox is used up for the moment.", retry_after=wait)
            self._left[mailbox_id] += want
        self._left[mailbox_id] -= units
