"""Wakes whoever waits for work or news: at once in this process, soon after in the others."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

import psycopg
import structlog

from postroom.db.pool import Database

CHANNEL = "postroom"
QUIET = 0.005  # at most one NOTIFY in this time: it takes a database-wide lock
RECONNECT = 1.0
log = structlog.get_logger()


class Waker:
    """Rung after a commit. A ring that gets lost costs a sweep's delay, never work."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._waiters: set[asyncio.Event] = set()
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        self._tasks = [asyncio.create_task(self._pass_on()), asyncio.create_task(self._listen())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    def ring(self) -> None:
        """Something was committed that others may be waiting for."""
        self.wake()
        self._wanted.set()

    @contextlib.contextmanager
    def heard(self) -> Iterator[asyncio.Event]:
        """An event that is set at every ring; the listener clears it."""
        event = asyncio.Event()
        self._waiters.add(event)
        try:
            yield event
        finally:
            self._waiters.discard(event)

    def wake(self) -> None:
        """In this process only."""
        for event in self._waiters:
            event.set()

    async def _pass_on(self) -> None:
        while True:
            try:
                async with await self._db.listen_connection() as connection:
                    while True:
                        await self._wanted.wait()
                        self._wanted.clear()
                        await connection.execute(f"NOTIFY {CHANNEL}".encode())
                        await asyncio.sleep(QUIET)
            except (psycopg.Error, OSError) as problem:
                log.warning("bell not passed on", error=type(problem).__name__)
                await asyncio.sleep(RECONNECT)

    async def _listen(self) -> None:
        while True:
            try:
                async with await self._db.listen_connection() as connection:
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    self.wake()  # something may have happened while we were deaf
                    async for _ in connection.notifies():
                        self.wake()
            except (psycopg.Error, OSError) as problem:
                log.warning("bell not heard", error=type(problem).__name__)
                await asyncio.sleep(RECONNECT)
