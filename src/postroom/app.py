"""The composition root: the only module that knows every part."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg
from fastapi import FastAPI

from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import migrate
from postroom.db.pool import Database
from postroom.doors import health
from postroom.doors.http import make_app
from postroom.engine.bell import Bell
from postroom.engine.timetable import Scheduler
from postroom.engine.work import Teller
from postroom.engine.worker import Trades, Worker
from postroom.nouns.errors import Misconfigured, Unavailable
from postroom.nouns.ids import TenantId
from postroom.rooms import timetable
from postroom.rooms.itinerary import next_jobs
from postroom.settings import Settings


@dataclass(frozen=True, slots=True)
class Outside:
    """What jobs may ask of the world."""


@dataclass(slots=True)
class House:
    """Everything that runs in this process."""

    settings: Settings
    db: Database
    bell: Bell
    clock: Callable[[], datetime]
    outside: Outside
    trades: Trades

    def desk(self, tenant_id: TenantId, actor: str) -> Teller:
        """Somebody acts for a tenant."""
        return Teller(self.db, self.bell, next_jobs, tenant_id, actor, self.clock)

    def worker(self) -> Worker[Outside]:
        return Worker(
            self.db, self.bell, self.trades, next_jobs, self.outside, slots=self.settings.slots, clock=self.clock
        )

    def scheduler(self) -> Scheduler:
        return Scheduler(self.db, self.bell, timetable.LINES, self.clock)


def utc_now() -> datetime:
    return datetime.now(UTC)


@contextlib.asynccontextmanager
async def open_house(settings: Settings, clock: Callable[[], datetime] = utc_now) -> AsyncIterator[House]:
    """Database, bell and the outside, ready to work; all let go of at the end."""
    with database(settings) as dsn:
        db = await Database(dsn, size=max(4, min(settings.slots, 12))).open()
        bell = Bell(db)
        await bell.start()
        try:
            yield House(settings, db, bell, clock, Outside(), Trades.of())
        finally:
            await bell.stop()
            await db.close()


@contextlib.contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The URL to run with: of the server that was named, or of our own, which is started if need be."""
    if settings.database_url is not None:
        url = settings.database_url.get_secret_value()
        bring_up_to_date(url)
        yield url
        return
    server = EmbeddedServer(settings.home).start()
    try:
        migrate(server.dsn(), login="postroom")
        yield server.dsn(user="postroom")
    finally:
        server.stop()


def bring_up_to_date(url: str, login: str | None = None) -> list[str]:
    try:
        return migrate(url, login)
    except psycopg.errors.InsufficientPrivilege as problem:
        raise Misconfigured(
            f"The database is not up to date and this user may not change it ({problem.diag.message_primary}). "
            "Run `postroom migrate` once with the owner's POSTROOM_DATABASE_URL."
        ) from None
    except psycopg.OperationalError as problem:
        raise Unavailable(f"No connection to PostgreSQL: {str(problem).strip()}") from None


def web_app(house: House) -> FastAPI:
    """All doors of the web process."""
    return make_app(health.ROUTES, db=house.db, house=house)
