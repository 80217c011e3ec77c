"""Connections that one test leaves to the next.

A new process of PostgreSQL looks up every table, type and function anew, which costs it more than the questions of most
tests. So a pool that is closed with nobody at work in it is put aside, and who opens one on the same database takes it.
All tests of a process share one event loop for that (`SharedLoop`); what a command opens in a loop of its own is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from typing import Any, ClassVar

import asyncpg
import asyncpg.pool
import pytest
import uvloop

# A new session has no settings of its own, no locks, and no plans made for tables of another size.
AS_NEW = "RESET ALL; SELECT pg_advisory_unlock_all(); UNLISTEN *; DISCARD PLANS"
LENT = re.compile(r"\bdbname=(t_\w+)")
KEPT_AT_MOST = 4  # a house has two, one for each role
_aside: dict[str, list[WarmPool]] = {}  # by database


class SharedLoop(uvloop.Loop):
    """The loop that the product runs on; it takes less CPU than asyncio's own. No test sees a task of the one before."""

    open: ClassVar[list[SharedLoop]] = []

    def __init__(self) -> None:
        super().__init__()
        self.open.append(self)

    def cancel_what_is_left(self) -> None:
        if left := asyncio.all_tasks(self):
            for task in left:
                task.cancel()
            self.run_until_complete(asyncio.wait(left))

    def close(self) -> None:
        self.open.remove(self)
        for database in list(_aside):
            let_go(database)
        self.run_until_complete(asyncio.sleep(0))
        super().close()


class WarmPool(asyncpg.pool.Pool):
    """Put aside instead of closed, if nobody was cut off and the database is one that tests hand on."""

    __slots__ = ("key",)

    async def close(self) -> None:
        connections = [holder._con for holder in self._holders if holder.is_connected()]
        whole = self.get_idle_size() == self.get_size() and not any(each.era for each in connections)
        lent, ours = LENT.search(self.key[0]), self._loop in SharedLoop.open
        if not (lent and ours and whole) or len(_aside.get(lent[1], ())) >= KEPT_AT_MOST:
            await super().close()
            return
        for each in connections:
            await each.execute(AS_NEW)
            each.looks_for = None
        _aside.setdefault(lent[1], []).append(self)


def pids(database: str) -> list[int]:
    """The server's processes behind what was put aside."""
    holders = [holder for pool in _aside.get(database, ()) for holder in pool._holders]
    return [holder._con.get_server_pid() for holder in holders if holder.is_connected()]


def let_go(database: str) -> None:
    for pool in _aside.pop(database, ()):
        pool.terminate()


@contextlib.contextmanager
def handed_on() -> Iterator[None]:
    create_pool = asyncpg.create_pool

    async def opened(**options: Any) -> asyncpg.pool.Pool:
        key = (options["dsn"], options["server_settings"]["role"], options["max_size"], options.get("connect"))
        lent = LENT.search(key[0])
        for pool in _aside.get(lent[1], ()) if lent else ():
            enough = pool.get_size() >= options["init_size"]
            if pool.key == key and enough and pool._loop is asyncio.get_running_loop():
                _aside[lent[1]].remove(pool)
                pool._init = options["init"]
                return pool
        made = create_pool(**options)
        made.key = key
        return await made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("asyncpg.pool.Pool", WarmPool)
        patch.setattr("asyncpg.create_pool", opened)
        yield
