"""Connections that cost little to wait on, and the pool that lends them out."""

from __future__ import annotations

import asyncio
import contextlib
import math
import select
import time
from collections.abc import AsyncIterator
from operator import itemgetter
from typing import Any, TypeVar

import msgspec
import psycopg
from psycopg import errors, generators
from psycopg.abc import PQGen
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.types.json import set_json_loads
from psycopg.waiting import Ready, Wait

from postroom.db.statements import Asked, Statements, rows_into
from postroom.nouns.ids import TenantId

R = TypeVar("R")
T = TypeVar("T")
PATIENCE = 30.0  # for a free connection
LIFETIME = 3600.0  # the server's process behind a connection grows with the plans it remembers
_INTERVAL = 0.1  # psycopg's own
_GUARDS = {
    "statement_timeout": "60s",
    "lock_timeout": "20s",
    "idle_in_transaction_session_timeout": "120s",
    "plan_cache_mode": "auto",
    "timezone": "UTC",
}


class Connection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """Stays registered with the event loop: registering for every answer costs as much again as asking.

    Remembers for whom it last looked something up, so that the next look needs no introduction.
    """

    looks_for: TenantId | None = None
    stale = False  # it heard something when nobody had asked: most likely that the server is leaving
    retires_at = math.inf
    _statements: Statements | None = None
    _answer: asyncio.Future[None] | None = None
    _watched: tuple[asyncio.AbstractEventLoop, int] | None = None

    async def ask(self, *asked: Asked) -> list[PGresult]:
        """Statements in one message and one round trip, each with its result; a cursor costs twice as much for one."""
        async with self.lock:
            if self._statements is None:
                self._statements = Statements(self)
            composed = [self._statements.compose(text, values) for text, values in asked]
            self.pgconn.enter_pipeline_mode()
            try:
                return await self.wait(self._statements.exchange(composed))
            finally:
                await self._leave_pipeline()

    def load(self, result: PGresult, into: type[T]) -> list[T]:
        assert self._statements is not None
        return self._statements.load(result, rows_into(into, result))

    def load_first(self, result: PGresult) -> list[Any]:
        """The first column of every row."""
        assert self._statements is not None
        return self._statements.load(result, itemgetter(0))

    async def _leave_pipeline(self) -> None:
        try:
            self.pgconn.exit_pipeline_mode()
        except psycopg.Error:  # it was called off and did not come to rest: of no use to anybody
            await self.close()

    async def say(self, *statements: str) -> bytes:
        """Statements without parameters, as one message; returns the last one's tag. Half the cost of a cursor."""
        async with self.lock:
            self.pgconn.send_query("; ".join(statements).encode())
            results = await self.wait(generators.execute(self.pgconn))
        for result in results:
            if result.status == ExecStatus.FATAL_ERROR:
                raise errors.error_from_result(result)
        return results[-1].command_status or b""

    async def wait(self, gen: PQGen[R], interval: float = _INTERVAL, timeout: float | None = None) -> R:
        """Like psycopg's, for what happens all the time: the question is sent, and we wait for the answer."""
        try:
            wanted = next(gen)
            while wanted == Wait.R and timeout is None:
                await self._readable()
                wanted = gen.send(Ready.R)
        except StopIteration as end:
            answer: R = end.value
            return answer
        except asyncio.CancelledError:
            await self._call_off(_from_here(gen, wanted))
            raise
        except BaseException:
            self._unwatch()  # the socket may be closed by now, and its number somebody else's in a moment
            raise
        self._unwatch()
        return await super().wait(_from_here(gen, wanted), interval, timeout)

    async def close(self) -> None:
        self._unwatch()
        await super().close()

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        if self._watched is None:
            self._watched = (loop, self.pgconn.socket)
            loop.add_reader(self.pgconn.socket, self._heard)
        self._answer = loop.create_future()
        try:
            await self._answer
        finally:
            self._answer = None

    def _heard(self) -> None:
        if self._answer is not None:
            if not self._answer.done():
                self._answer.set_result(None)
        elif _readable_now(self.pgconn.socket):  # else an answer rang twice, and was read in between
            self.stale = True
            self._unwatch()

    def _unwatch(self) -> None:
        if self._watched is not None:
            (loop, socket), self._watched = self._watched, None
            loop.remove_reader(socket)

    async def _call_off(self, gen: PQGen[R]) -> None:
        """Nobody wants the answer any more: the server is told, and the connection may be used again."""
        self._unwatch()
        if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
            await self.cancel_safe(timeout=5.0)
            with contextlib.suppress(psycopg.Error):
                await super().wait(gen, _INTERVAL, 5.0)


def _from_here(gen: PQGen[R], wanted: Wait) -> PQGen[R]:
    """A generator that has begun, as one that has not."""
    while True:
        ready = yield wanted
        try:
            wanted = gen.send(ready)
        except StopIteration as end:
            answer: R = end.value
            return answer


def _readable_now(socket: int) -> bool:
    asked = select.poll()
    asked.register(socket, select.POLLIN)
    return bool(asked.poll(0))


class Pool:
    """At most so many connections under one role; the one that was used last is lent first."""

    def __init__(self, dsn: str, role: str, size: int) -> None:
        self._dsn, self._role, self.size = dsn, role, size
        self._idle: list[Connection] = []
        self._free = asyncio.Semaphore(size)
        self._closed = False

    async def close(self) -> None:
        """Those that are lent out are closed when they come back."""
        self._closed = True
        while self._idle:
            await _discard(self._idle.pop())

    async def fill(self, size: int) -> None:
        """At least so many connections are there."""
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(size):
                await stack.enter_async_context(self.lend())

    @contextlib.asynccontextmanager
    async def lend(self) -> AsyncIterator[Connection]:
        await self._admit()
        try:
            connection = await self._pick()
            try:
                yield connection
            finally:
                await self._take_back(connection)
        finally:
            self._free.release()

    async def _admit(self) -> None:
        if not self._free.locked():
            await self._free.acquire()
            return
        try:
            async with asyncio.timeout(PATIENCE):
                await self._free.acquire()
        except TimeoutError:
            raise psycopg.OperationalError(f"all {self.size} connections were busy for {PATIENCE:.0f} s") from None

    async def _pick(self) -> Connection:
        if self._closed:
            raise psycopg.OperationalError("the pool is closed")
        while self._idle:
            connection = self._idle.pop()
            if not connection.stale and not connection.closed:
                return connection
            await _discard(connection)
        return await connect(self._dsn, self._role)

    async def _take_back(self, connection: Connection) -> None:
        settled = connection.pgconn.transaction_status == TransactionStatus.IDLE
        if settled and not self._closed and time.monotonic() < connection.retires_at:
            self._idle.append(connection)
        else:
            await _discard(connection)


async def connect(dsn: str, role: str) -> Connection:
    options = " ".join(f"-c {name}={value}" for name, value in {"role": role, **_GUARDS}.items())
    connection = await Connection.connect(dsn, autocommit=True, options=options, connect_timeout=10)
    connection.retires_at = time.monotonic() + LIFETIME
    set_json_loads(msgspec.json.decode, connection)
    return connection


async def _discard(connection: Connection) -> None:
    with contextlib.suppress(psycopg.Error):
        await connection.close()
