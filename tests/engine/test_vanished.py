"""A host that vanishes without a word: no reset, no end, only silence. Whoever asked is told in time, and the next one works."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from psycopg.conninfo import conninfo_to_dict

from makers import make_tenant
from postroom.db import address, pool, sql
from postroom.db.errors import DatabaseAway
from postroom.db.pool import Database
from postroom.engine.waker import CHANNEL

WHO = sql.Query("who", "SELECT postroom.tenant()")


class Line:
    """A TCP line to the server that can fall silent: what is sent is taken, and nothing comes back."""

    def __init__(self, socket: str) -> None:
        self._socket, self.silent = socket, asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        quiet = self.silent  # of this connection: one made later may be heard again
        ways = [asyncio.create_task(self._pass(*way, quiet)) for way in ((reader, back), (there, writer))]
        self._tasks.update(ways)
        await asyncio.wait(ways)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, quiet: asyncio.Event) -> None:
        try:
            with contextlib.suppress(ConnectionError):
                while (said := await reader.read(65536)) and not quiet.is_set():
                    writer.write(said)
                    await writer.drain()
                if quiet.is_set():
                    await asyncio.Event().wait()
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    def falls_silent(self) -> None:
        self.silent.set()

    def is_heard_again(self) -> None:
        self.silent = asyncio.Event()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.fixture
async def line(dsn) -> AsyncIterator[tuple[Line, str]]:
    told = conninfo_to_dict(dsn)
    made = Line(f"{told['host']}/.s.PGSQL.{told['port']}")
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    yield made, f"host=127.0.0.1 port={port} user={told['user']} dbname={told['dbname']} sslmode=disable"
    server.close()
    await made.close()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(address, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(address, "CONNECT_SECONDS", 3.0)
    monkeypatch.setattr(pool, "CLEANUP_SECONDS", 1.0)
    monkeypatch.setattr(pool, "LISTENER_ASKS_SECONDS", 0.3)


async def test_who_asked_is_told_and_the_next_one_works(line, owner_dsn):
    wire, dsn = line
    tenant = make_tenant(owner_dsn)
    db = await Database(dsn, size=2, desk_size=1).open()
    async with db.tenant(tenant) as tx:
        assert tenant == await tx.value(WHO)
    before = asyncio.all_tasks()

    wire.falls_silent()
    with pytest.raises(DatabaseAway):
        async with asyncio.timeout(20), db.tenant(tenant) as tx:
            await tx.value(WHO)
    wire.is_heard_again()

    async with asyncio.timeout(20):
        async with db.tenant(tenant) as tx:
            assert tenant == await tx.value(WHO)
        await db.prove()  # the front desk's connections, which nobody had asked anything, are replaced as well
    await db.close()
    left = [task for task in asyncio.all_tasks() - before if "Line" not in repr(task.get_coro())]
    assert [] == left


async def test_a_listener_that_hears_nothing_notices_that_nobody_is_there(line):
    wire, dsn = line
    heard = asyncio.Event()
    listening = asyncio.create_task(Database(dsn).listen(CHANNEL, heard.set))
    await asyncio.wait_for(heard.wait(), 20)

    wire.falls_silent()

    with pytest.raises(DatabaseAway):
        await asyncio.wait_for(listening, 20)
