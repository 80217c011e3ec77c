"""Wakes whoever waits for work or news: at once in this process, soon after in the others."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from uuid import uuid4

import structlog

from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.logs import words

CHANNEL = "postroom"
QUIET = 0.02  # at most one NOTIFY in this time: it takes a database-wide lock, and makes every process look for work
BUSY = 0.05  # likewise while one ring follows the other: then the others have work as well
RECONNECT = 1.0
QUERIES = sql.load("postroom.engine")
log = structlog.get_logger()


class Waker:
    """Rung after a commit. A ring that gets lost costs a sweep's delay, never work."""

    def __init__(self, db: Database) -> None:
        self._db, self._name = db, uuid4().hex
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

    async def watch(self) -> None:
        """Ends only with what ended one of its tasks: then nobody is woken any more, and the process should know."""
        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        raise RuntimeError("The waker ended by itself.")

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
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._db.desk_value(QUERIES.ring, channel=CHANNEL, by=self._name)
                await asyncio.sleep(QUIET)
                if self._wanted.is_set():
                    await asyncio.sleep(BUSY - QUIET)
            except DatabaseError as problem:
                self._wanted.set()
                log.warning("waking others failed", **words(problem))
                await asyncio.sleep(RECONNECT)

    async def _listen(self) -> None:
        while True:
            try:
                await self._db.listen(CHANNEL, self.wake, but=self._name)
            except DatabaseError as problem:
                log.warning("listening for others ended", **words(problem))
                await asyncio.sleep(RECONNECT)
