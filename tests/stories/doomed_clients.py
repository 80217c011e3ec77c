"""The life of a process that takes in a client book, or maps mail, and is killed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from harness import NOON, NORA
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.engine.worker import Handlers, Worker
from postroom.nouns.ids import TenantId
from postroom.rooms.clients import commands, jobs
from rooms.clients.office import BOOK


async def live(dsn: str, tenant: str, act: str) -> None:
    def no_jobs(fact: Any) -> list[Any]:
        del fact
        return []

    db = await Database(dsn).open()
    waker = Waker(db)
    if act == "import":
        await commands.import_book(TenantScope(db, waker, no_jobs, TenantId(UUID(tenant)), NORA, lambda: NOON), BOOK)
    else:
        await Worker(db, waker, Handlers.of(jobs), no_jobs, None, clock=lambda: NOON).run_until_quiet(idle=1.0)
