"""What can go wrong between us and PostgreSQL, in two words. Here alone a driver's errors become ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import asyncpg

T = TypeVar("T")
TROUBLE = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
# SQLSTATE classes: connection lost, rolled back (deadlock), no room, locked, stopped, disk and files
_LATER = ("08", "40", "53", "55", "57", "58")
# A plan or a prepared statement that the server no longer has: another connection, or another try, will do.
_FORGOTTEN = ("0A000", "26000")
DISK_FULL = "53100"
BROKEN = "25P02"


class DatabaseError(Exception):
    """PostgreSQL refused a statement, or the driver refused a value that was to go with it."""

    def __init__(self, text: str, sqlstate: str | None = None, constraint: str | None = None) -> None:
        super().__init__(text)
        self.sqlstate, self.constraint = sqlstate, constraint


class DatabaseAway(DatabaseError):
    """Not connected, cut off, locked, full or too busy: the same may work later."""


async def ask(question: Callable[..., Awaitable[T]], *args: Any, **how: Any) -> T:
    """The driver's answer, or its trouble in our words. A lost connection refuses before anything is awaited."""
    try:
        return await question(*args, **how)
    except TROUBLE as problem:
        raise in_our_words(problem) from problem


def in_our_words(problem: BaseException) -> DatabaseError:
    state: str | None = getattr(problem, "sqlstate", None)
    kind = DatabaseError if _is_refusal(problem, state) else DatabaseAway
    said = str(problem) or ("no answer in time" if isinstance(problem, TimeoutError) else type(problem).__name__)
    return kind(said, state, getattr(problem, "constraint_name", None))


def _is_refusal(problem: BaseException, state: str | None) -> bool:
    if state is None:  # the driver's own: a value it cannot send is refused, anything else is a lost connection
        return isinstance(problem, ValueError | asyncpg.UnsupportedClientFeatureError)
    return state[:2] not in _LATER and state not in _FORGOTTEN


def is_silent(problem: BaseException) -> bool:
    """Whether the other side said nothing for so long that it must have vanished, and not only this connection's."""
    return isinstance(problem, DatabaseAway) and isinstance(problem.__cause__, TimeoutError)


def is_forgotten(problem: BaseException) -> bool:
    """Whether the connection and the server no longer agree on what is prepared: then it is of no use."""
    return isinstance(problem, DatabaseError) and problem.sqlstate in _FORGOTTEN
