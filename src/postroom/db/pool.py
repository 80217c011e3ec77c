"""The only ways to a connection: for one tenant, or, by name, as the front desk."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.pq.abc import PGresult

from postroom.db.connection import Connection, Pool, connect
from postroom.db.sql import Query
from postroom.db.statements import Asked
from postroom.nouns.errors import Misconfigured, Unavailable
from postroom.nouns.ids import TenantId

T = TypeVar("T")


_BEGIN: Asked = ("BEGIN", {})
_COMMIT: Asked = ("COMMIT", {})
_ACT_FOR = "SELECT set_config('postroom.tenant', %(tenant)s, true)"  # until the transaction ends, as SET LOCAL
_open_here: ContextVar[int] = ContextVar("open_transactions", default=0)


class Tx:
    """One transaction. It opens with its first statement; its closing statements travel together with the COMMIT."""

    __slots__ = ("_closing", "_connection", "_opening")

    def __init__(self, connection: Connection, *opening: Asked) -> None:
        self._connection, self._opening = connection, opening
        self._closing: list[Asked] = []

    async def rows(self, query: Query, into: type[T], /, **values: Any) -> list[T]:
        return self._connection.load(await self._ask(query, values), into)

    async def row(self, query: Query, into: type[T], /, **values: Any) -> T | None:
        rows = self._connection.load(await self._ask(query, values), into)
        return rows[0] if rows else None

    async def value(self, query: Query, /, **values: Any) -> Any:
        """The first column of the first row, or None."""
        found = self._connection.load_first(await self._ask(query, values))
        return found[0] if found else None

    async def values(self, query: Query, /, **values: Any) -> list[Any]:
        """The first column of every row."""
        return self._connection.load_first(await self._ask(query, values))

    async def run(self, query: Query, /, **values: Any) -> int:
        """How many rows it changed."""
        return (await self._ask(query, values)).command_tuples or 0

    async def letter_of(self, statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """A published statement, run to the letter with its positional parameters."""
        if self._opening:
            opening, self._opening = self._opening, ()
            await self._connection.ask(*opening)
        cursor = await self._connection.cursor().execute(statement.encode(), values)
        return await cursor.fetchall() if cursor.description else []

    def close_with(self, query: Query, /, **values: Any) -> None:
        """To be said last, together with the COMMIT."""
        self._closing.append((query.text, values))

    async def commit(self) -> None:
        if self._opening and not self._closing:
            return  # nobody said anything
        *_, last = await self._connection.ask(*self._opening, *self._closing, _COMMIT)
        if (
            last.command_status != b"COMMIT"
        ):  # of a failed transaction PostgreSQL says ROLLBACK, which is no error to it
            raise errors.InFailedSqlTransaction("A statement had failed and nobody minded: nothing was kept.")

    async def _ask(self, query: Query, values: dict[str, Any]) -> PGresult:
        opening, self._opening = self._opening, ()
        *_, result = await self._connection.ask(*opening, (query.text, values))
        return result


class Database:
    """Connections to one PostgreSQL, all of them under a role that row-level security binds."""

    def __init__(self, dsn: str, *, size: int = 8, desk_size: int = 4) -> None:
        self.dsn = dsn
        self._app = Pool(dsn, "postroom_app", size)
        self._desk = Pool(dsn, "postroom_desk", desk_size)

    async def open(self, *, ready: bool = False) -> Database:
        """Connections are made when they are needed; with `ready` all of them now, for who is in a hurry later."""
        try:
            await self._app.fill(self._app.size if ready else 1)
            await self._desk.fill(self._desk.size if ready else 1)
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
        return _transaction(self._app, _BEGIN, (_ACT_FOR, {"tenant": str(tenant_id)}))

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
        return _transaction(self._desk, _BEGIN)

    async def desk_rows(self, query: Query, into: type[T], /, **values: Any) -> list[T]:
        """One statement as the front desk, in a transaction of its own: one round trip instead of three."""
        async with self._desk.lend() as connection:
            return await Tx(connection).rows(query, into, **values)

    async def desk_value(self, query: Query, /, **values: Any) -> Any:
        """Likewise, for the first column of the first row."""
        async with self._desk.lend() as connection:
            return await Tx(connection).value(query, **values)

    async def desk_values(self, query: Query, /, **values: Any) -> list[Any]:
        """Likewise, for the first column of every row."""
        async with self._desk.lend() as connection:
            return await Tx(connection).values(query, **values)

    async def listen_connection(self) -> Connection:
        """For the bell, which keeps it: no pool lends it out."""
        return await connect(self.dsn, "postroom_desk")


def transaction_is_open() -> bool:
    """Whether this task holds a transaction: then it may not talk to the outside."""
    return _open_here.get() > 0


@contextlib.asynccontextmanager
async def _transaction(pool: Pool, *opening: Asked) -> AsyncIterator[Tx]:
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
