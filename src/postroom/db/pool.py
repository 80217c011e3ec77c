"""The only ways to a connection: for one tenant, or, by name, as the front desk."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.rows import AsyncRowFactory, class_row, tuple_row

from postroom.db.connection import Connection, Pool, connect
from postroom.db.sql import Query
from postroom.nouns.errors import Misconfigured, Unavailable
from postroom.nouns.ids import TenantId

T = TypeVar("T")


_open_here: ContextVar[int] = ContextVar("open_transactions", default=0)


class Tx:
    """One transaction. It opens with its first statement; its `closing` statements travel together with the COMMIT."""

    __slots__ = ("_connection", "_opening", "closing")

    def __init__(self, connection: Connection, *opening: str) -> None:
        self._connection, self._opening = connection, opening
        self.closing: list[str] = []

    async def rows(self, query: Query, into: type[T], /, **values: Any) -> list[T]:
        return await (await self._ask(query.text, values, class_row(into))).fetchall()

    async def row(self, query: Query, into: type[T], /, **values: Any) -> T | None:
        return await (await self._ask(query.text, values, class_row(into))).fetchone()

    async def value(self, query: Query, /, **values: Any) -> Any:
        """The first column of the first row, or None."""
        row = await (await self._ask(query.text, values, tuple_row)).fetchone()
        return row[0] if row else None

    async def values(self, query: Query, /, **values: Any) -> list[Any]:
        """The first column of every row."""
        return [row[0] for row in await (await self._ask(query.text, values, tuple_row)).fetchall()]

    async def run(self, query: Query, /, **values: Any) -> int:
        """How many rows it changed."""
        return (await self._ask(query.text, values, tuple_row)).rowcount

    async def letter_of(self, statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """A published statement, run to the letter with its positional parameters."""
        cursor = await self._ask(statement, values, tuple_row)
        return await cursor.fetchall() if cursor.description else []

    async def commit(self) -> None:
        if self._opening and not self.closing:
            return  # nobody said anything
        tag = await self._connection.say(*self._opening, *self.closing, "COMMIT")
        if tag != b"COMMIT":  # of a failed transaction PostgreSQL says ROLLBACK, and does not call it an error
            raise errors.InFailedSqlTransaction("A statement had failed and nobody minded: nothing was kept.")

    async def _ask(self, statement: str, values: Any, row_factory: AsyncRowFactory[T]) -> psycopg.AsyncCursor[T]:
        if self._opening:
            opening, self._opening = self._opening, ()
            await self._connection.say(*opening)
        return await self._connection.cursor(row_factory=row_factory).execute(statement.encode(), values)


class Database:
    """Connections to one PostgreSQL, all of them under a role that row-level security binds."""

    def __init__(self, dsn: str, *, size: int = 8, desk_size: int = 4) -> None:
        self.dsn = dsn
        self._app = Pool(dsn, "postroom_app", size)
        self._desk = Pool(dsn, "postroom_desk", desk_size)

    async def open(self) -> Database:
        try:
            async with self._app.lend(), self._desk.lend():
                pass
        except psycopg.errors.InsufficientPrivilege as problem:
            raise Misconfigured(
                f"{problem.diag.message_primary}. Run `postroom migrate` with the owner's URL."
            ) from None
        except psycopg.OperationalError as problem:
            raise Unavailable(f"No connection to PostgreSQL: {problem}") from None
        return self

    async def close(self) -> None:
        await self._app.close()
        await self._desk.close()

    def tenant(self, tenant_id: TenantId) -> AbstractAsyncContextManager[Tx]:
        """A transaction that sees and writes this tenant's rows and nobody else's."""
        return _transaction(self._app, "BEGIN", f"SET LOCAL postroom.tenant = '{tenant_id}'")

    async def look(self, tenant_id: TenantId, query: Query, into: type[T], /, **values: Any) -> list[T]:
        """One reading statement for a tenant: one round trip, where a transaction takes three."""
        async with self._app.lend() as connection:
            if connection.looks_for != tenant_id:
                connection.looks_for = None
                await connection.say(f"SET postroom.tenant = '{tenant_id}'")
                connection.looks_for = tenant_id
            return await Tx(connection).rows(query, into, **values)

    def front_desk(self) -> AbstractAsyncContextManager[Tx]:
        """The one exception: claims, nudges, sign-in and the like, before the tenant is known.

        Its role reaches only the tables that the migrations opened to it by name.
        """
        return _transaction(self._desk, "BEGIN")

    async def desk_rows(self, query: Query, into: type[T], /, **values: Any) -> list[T]:
        """One statement as the front desk, in a transaction of its own: one round trip instead of three."""
        async with self._desk.lend() as connection:
            return await Tx(connection).rows(query, into, **values)

    async def desk_value(self, query: Query, /, **values: Any) -> Any:
        """Likewise, for the first column of the first row."""
        async with self._desk.lend() as connection:
            return await Tx(connection).value(query, **values)

    async def listen_connection(self) -> Connection:
        """For the bell, which keeps it: no pool lends it out."""
        return await connect(self.dsn, "postroom_desk")


def transaction_is_open() -> bool:
    """Whether this task holds a transaction: then it may not talk to the outside."""
    return _open_here.get() > 0


@contextlib.asynccontextmanager
async def _transaction(pool: Pool, *opening: str) -> AsyncIterator[Tx]:
    async with pool.lend() as connection:
        token = _open_here.set(_open_here.get() + 1)
        try:
            tx = Tx(connection, *opening)
            yield tx
            await tx.commit()
        except BaseException:
            with contextlib.suppress(psycopg.Error):
                await connection.rollback()
            raise
        finally:
            _open_here.reset(token)


def quote(text: str) -> str:
    """An SQL literal. NUL cannot be stored in PostgreSQL and was taken out before."""
    return "'" + text.replace("'", "''") + "'"
