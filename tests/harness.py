"""The one harness: a tenant with a mailbox, its scope, a worker with only the rooms under test, and the owner's eyes.

A room's own bench (`rooms/*/…`) adds what its people do; whole houses on HTTP add only how they are opened.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, ClassVar

import uvicorn

from databases import as_owner
from makers import make_tenant
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.engine.worker import Handlers, Worker
from postroom.nouns import facts
from postroom.nouns.ids import MailboxId, TenantId, new_id
from postroom.rooms.itinerary import next_jobs

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
BOX = "service@larkspur.example"
NORA = "person:nora@larkspur.example"


class OwnerEyes:
    """Questions as the owner of the database, who sees every tenant."""

    owner_dsn: str

    def own(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with as_owner(self.owner_dsn) as owner:
            cursor = owner.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def ask(self, question: str, *values: Any) -> Any:
        """The first column of the first row, or None."""
        rows = self.own(question, *values)
        return rows[0][0] if rows else None

    def facts(self, kind: str) -> list[dict[str, Any]]:
        """What was told of this kind, oldest first."""
        rows = self.own("SELECT body FROM postroom.fact WHERE kind = %s ORDER BY id", kind)
        return [row[0] for row in rows]

    async def waits_for_locks(self, count: int) -> None:
        """Until so many connections wait for a row that somebody else holds."""
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        while self.ask(waiting) < count:  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(0.01)


@dataclass(kw_only=True)
class Bench(OwnerEyes):
    """One tenant with one mailbox; `rooms` are the jobs at work, and facts lead to their jobs only."""

    rooms: ClassVar[tuple[ModuleType, ...]] = ()

    db: Database
    waker: Waker
    owner_dsn: str
    tenant: TenantId
    mailbox: MailboxId
    outside: Any = None
    now: datetime = NOON

    def clock(self) -> datetime:
        return self.now

    def scope(self, actor: str = NORA) -> TenantScope:
        return TenantScope(self.db, self.waker, self.next_jobs, self.tenant, actor, self.clock)

    def next_jobs(self, fact: facts.Fact) -> list[Any]:
        known = Handlers.of(*self.rooms)
        return [each for each in next_jobs(fact) if known.find(getattr(each, "job", each).kind)]

    def worker(self, **options: Any) -> Worker[Any]:
        handlers = Handlers.of(*self.rooms)
        return Worker(self.db, self.waker, handlers, self.next_jobs, self.outside, clock=self.clock, **options)

    async def works(self) -> None:
        await work_until_quiet(self.worker, self, idle=0.1)

    async def does(self, *jobs: Any, actor: str = "test") -> None:
        """These jobs, and all that follows from them."""
        scope = self.scope(actor)
        async with scope.finish() as tx:
            for job in jobs:
                await scope.enqueue(tx, job)
        await self.works()

    async def tells(self, told: facts.Fact) -> None:
        scope = self.scope("postroom")
        async with scope.finish() as tx:
            await scope.tell(tx, told)


def make_mailbox(owner_dsn: str, tenant: TenantId, address: str = BOX, **columns: Any) -> MailboxId:
    """A mailbox as connecting leaves it; `columns` are those that matter to the test."""
    mailbox = MailboxId(new_id())
    usual = {"id": mailbox, "tenant_id": tenant, "address": address, "provider": "outlook", "access": "app_only"}
    row = usual | columns
    with as_owner(owner_dsn) as owner:
        places = ", ".join(["%s"] * len(row))
        owner.execute(f"INSERT INTO postroom.mailbox ({', '.join(row)}) VALUES ({places})", list(row.values()))
    return mailbox


def bench_of(
    db: Database, waker: Waker, owner_dsn: str, *, tenant: str | None = None, **mailbox: Any
) -> dict[str, Any]:
    """What every bench is made of: a new tenant and its mailbox."""
    tenant_id = make_tenant(owner_dsn, tenant)
    mailbox_id = make_mailbox(owner_dsn, tenant_id, **mailbox)
    return {"db": db, "waker": waker, "owner_dsn": owner_dsn, "tenant": tenant_id, "mailbox": mailbox_id}


TO_DO = (
    "SELECT (SELECT count(*) FROM postroom.notification) + (SELECT count(*) FROM postroom.job WHERE state = 'ready')"
)
OPEN = """
SELECT EXISTS (SELECT FROM postroom.notification)
    OR EXISTS (SELECT FROM postroom.job WHERE state IN ('ready', 'running')
                  OR state = 'later' AND run_at < clock_timestamp() + make_interval(secs => %s))
"""


async def work_until_quiet(
    worker: Callable[[], Worker[Any]], eyes: OwnerEyes, idle: float, on_its_way: Callable[[], Any] = lambda: 0
) -> None:
    """All that is ready, or due within `idle`, is done. We ask whether that is so; only where it is not, we listen as long."""
    await worker().run_until_quiet(idle=0)
    if on_its_way() or eyes.ask(OPEN, idle):
        await worker().run_until_quiet(idle=idle)


async def works_off(world: Any, house: Any, eyes: OwnerEyes, idle: float = 0.3) -> None:
    """Pushes that went out have arrived, and all they ask for is done: on a busy machine that takes longer than `idle`."""
    for _ in range(20):
        with contextlib.suppress(TimeoutError):  # some wait for a time that the test moves
            await world.graph.settle(5)
        await work_until_quiet(
            house.worker, eyes, idle, lambda: world.graph.waiting_pushes() + world.google.waiting_pushes()
        )
        if eyes.ask(TO_DO) == 0:
            return


def held_port() -> socket.socket:
    """A port of our own before anything listens there: a number that is only known to be free may be taken meanwhile."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    return held


class QuietServer(uvicorn.Server):
    """Leaves the signals to the test, and says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.listening.set()


@contextlib.asynccontextmanager
async def served(app: Any, at: socket.socket | None = None, **options: Any) -> AsyncIterator[str]:
    """The app on loopback, for real; hands out its address."""
    usual: dict[str, Any] = {"log_level": "warning", "lifespan": "off", "access_log": False}
    server = QuietServer(uvicorn.Config(app, port=0, **usual | options))
    serving = asyncio.create_task(server.serve([at] if at else None))
    await server.listening.wait()
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
