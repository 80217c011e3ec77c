"""The only ways to a connection: for one tenant, or, by name, as the front desk. Driver and pool are asyncpg's."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

import asyncpg
import msgspec

from postroom.db.address import POOLER, driver_options, keep_alive
from postroom.db.errors import BROKEN, TROUBLE, DatabaseAway, DatabaseError, ask, in_our_words, is_forgotten, is_silent
from postroom.db.gathering import SharedQuestion
from postroom.db.sql import Query, number_parameters
from postroom.nouns.errors import Misconfigured, Unavailable
from postroom.nouns.ids import TenantId

T = TypeVar("T")
PATIENCE_SECONDS = 30.0  # for a free connection
CLEANUP_SECONDS = 10.0  # for a rollback, and for taking a connection back
CLOSE_SECONDS = 5.0
RETIRES_AFTER = 200_000  # statements: the server's process behind a connection grows with the plans it remembers
LISTENER_ASKS_SECONDS = 30.0
FIRST_OWN_TYPE = 16384  # PostgreSQL numbers what people make from here on
ARRAYS = frozenset({1000, 1001, 1007, 1009, 1016, 1022, 1182, 1185, 1187, 1231, 2951})  # of the types that we pass
_ONCE = "SELECT CASE WHEN set_config('postroom.tenant', ${number}, true) IS NOT NULL THEN {call} END"
_WHO = Query("who", "SELECT current_user::text")
_open_here: ContextVar[int] = ContextVar("open_transactions", default=0)
_plans_here: ContextVar[str] = ContextVar("plans", default="auto")


@dataclass(frozen=True, slots=True)
class _AskedBefore:
    """In place of the statement that asked: it did not take the place of any other."""

    name: str = "asked before"


_ASKED_BEFORE = _AskedBefore()


class _Connection(asyncpg.Connection):  # type: ignore[misc]  # the driver has no types
    """Remembers for whom it last looked something up, so that the next look needs no introduction."""

    looks_for: TenantId | None = None
    plans: str | None = "auto"  # as PostgreSQL's plan_cache_mode; None when nobody knows
    era = 0
    known_types: dict[int, Any] | None = None

    async def _introspect_types(self, typeoids: Collection[int], timeout: float | None) -> tuple[Any, Any]:
        """The driver asks on every connection, for every statement, what an array is, which costs the server as much as
        a mail does. PostgreSQL's own types are the same on all of them: they are asked for once, together."""
        known, wanted = self.known_types, frozenset(typeoids)
        if known is not None and wanted <= known.keys():
            return list(known.values()), _ASKED_BEFORE
        shared = known is not None and max(wanted) < FIRST_OWN_TYPE
        found, statement = await super()._introspect_types(wanted | ARRAYS if shared else wanted, timeout)
        if known is not None and shared:
            known |= {each["oid"]: each for each in found}
        return found, statement

    def get_reset_query(self) -> str:
        return ""  # a round trip less on each return: transactions end what they set, and looks remember theirs

    async def reset(self, *, timeout: float | None = None) -> None:
        """A person who leaves a page may cut our ROLLBACK short too: made up for here, with nothing to complain of.
        Else there is nothing to undo, and no need to wait with a time limit for it."""
        if self.is_in_transaction():
            self.forget_plans()
            await self.execute("ROLLBACK", timeout=timeout)
            await super().reset(timeout=timeout)

    async def look_for(self, tenant_id: TenantId) -> None:
        if self.looks_for != tenant_id or self.plans != _plans_here.get():
            self.looks_for, said = None, self.settle_plans()
            await self.execute(f"{said}SET postroom.tenant = '{tenant_id}'")
            self.looks_for, self.plans = tenant_id, _plans_here.get()

    async def begin(self, opening: str) -> None:
        await self.execute(self.settle_plans() + opening)
        self.plans = _plans_here.get()

    def settle_plans(self) -> str:
        """What is to be said first, so that statements are planned as whoever asks wants it."""
        wanted = _plans_here.get()
        if self.plans == wanted:
            return ""
        self.forget_plans()
        return f"SET plan_cache_mode = {wanted}; "

    def forget_plans(self) -> None:
        """A rollback undoes what was said."""
        self.plans = None


async def _own(lent: Any, name: str, given: object) -> None:
    """A method of ours. Of a connection that was lost, and that the pool took back, only the driver's own say so."""
    lent.is_closed()
    await getattr(lent, name)(given)


class Tx:
    """One transaction. It opens with its first statement; its closing statements come just before the COMMIT."""

    __slots__ = ("_closing", "_connection", "_opening", "_tenant", "_turn", "spoke")

    def __init__(self, connection: Any, opening: str | None = None, tenant: TenantId | None = None) -> None:
        self._connection, self._opening, self._tenant, self.spoke = connection, opening, tenant, False
        self._closing: list[tuple[Query, dict[str, Any]]] = []
        self._turn = asyncio.Lock()  # the driver refuses a second question while the first is being answered

    async def rows(self, query: Query, into: type[T], /, **values: Any) -> list[T]:
        found = await self._say(self._connection.fetch, query.numbered, _ordered(query, values))
        if not found:
            return []
        return list(map(_maker(into, tuple(found[0].keys())), found))  # type: ignore[arg-type]  # a class is hashable

    async def row(self, query: Query, into: type[T], /, **values: Any) -> T | None:
        return next(iter(await self.rows(query, into, **values)), None)

    async def value(self, query: Query, /, **values: Any) -> Any:
        """The first column of the first row, or None."""
        return next(iter(await self.values(query, **values)), None)

    async def values(self, query: Query, /, **values: Any) -> list[Any]:
        """The first column of every row."""
        found = await self._say(self._connection.fetch, query.numbered, _ordered(query, values))
        return [row[0] for row in found]

    async def run(self, query: Query, /, **values: Any) -> int:
        """How many rows it changed."""
        tag: str = await self._say(self._connection.execute, query.numbered, _ordered(query, values))
        count = tag.rpartition(" ")[2]  # of a tag like "UPDATE 3"
        return int(count) if count.isdigit() else 0

    async def letter_of(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """A published statement, run to the letter with its positional parameters."""
        numbered, _ = number_parameters(statement)
        return [tuple(row) for row in await self._say(self._connection.fetch, numbered, values)]

    def close_with(self, query: Query, /, **values: Any) -> None:
        """To be said last, just before the COMMIT."""
        self._closing.append((query, values))

    async def commit(self) -> None:
        if self._opening and not self._closing:
            return  # nobody said anything
        if self._opening and self._tenant and len(self._closing) == 1 and self._closing[0][0].call:
            await self._close_at_once(*self._closing[0])
            return
        for query, values in self._closing:
            await self.run(query, **values)
        if await self._say(self._connection.execute, "COMMIT", ()) != "COMMIT":
            # of a failed transaction PostgreSQL says ROLLBACK, which is no error to it
            raise DatabaseError("A statement had failed and nobody minded: nothing was kept.", BROKEN)

    async def _close_at_once(self, query: Query, values: dict[str, Any]) -> None:
        """A closing call by itself is a transaction of its own: one trip instead of three. CASE keeps the order."""
        self._opening = None
        given = [*_ordered(query, values), str(self._tenant)]
        once = _ONCE.format(number=len(given), call=query.call)
        await self._say(self._connection.execute, once, given)

    async def _say(self, how: Callable[..., Any], statement: str, given: Sequence[Any]) -> Any:
        async with self._turn:
            self.spoke = True
            if self._opening:
                await ask(_own, self._connection, "begin", self._opening)
                self._opening = None  # only now: else the next statement would run outside of any transaction
            return await ask(how, statement, *given)


class Database:
    """Connections to one PostgreSQL, all of them under a role that row-level security binds."""

    def __init__(self, dsn: str, *, size: int = 8, desk_size: int = 4) -> None:
        self.dsn = dsn
        self._sizes = {"postroom_app": size, "postroom_desk": desk_size}
        self._pools: dict[str, Any] = {}
        self._types: dict[int, Any] = {}
        self._era = 0  # begins anew when the server fell silent
        self._looks: dict[tuple[TenantId, Query], SharedQuestion[UUID, Any]] = {}

    async def open(self) -> Database:
        """Connections are made when they are needed."""
        try:
            for role, size in self._sizes.items():
                self._pools[role] = await self._open_pool(role, size)
                await self._prove(role)
        except (*TROUBLE, DatabaseError) as problem:
            await self.close()
            raise _unopened(problem) from None
        except BaseException:
            await self.close()
            raise
        return self

    async def connect_all(self) -> None:
        """The others too, for who is in a hurry later. If it fails, the first who needs one is told."""
        for role, size in self._sizes.items():
            async with contextlib.AsyncExitStack() as lent:
                with contextlib.suppress(DatabaseError):
                    for _ in range(size):
                        await lent.enter_async_context(self._lent(role))

    async def close(self) -> None:
        """What is lent out gets a moment to come back: by itself the driver waits for it without end."""
        pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await pool.close()
            except TROUBLE:
                pool.terminate()

    def tenant(self, tenant_id: TenantId) -> AbstractAsyncContextManager[Tx]:
        """A transaction that sees and writes this tenant's rows and nobody else's."""
        return self._transaction("postroom_app", f"BEGIN; SET LOCAL postroom.tenant = '{tenant_id}'", tenant_id)

    async def look(self, tenant_id: TenantId, query: Query, into: type[T], /, **values: Any) -> list[T]:
        """One reading statement for a tenant: one round trip, where a transaction takes three."""
        async with self._lent("postroom_app") as connection:
            await ask(_own, connection, "look_for", tenant_id)
            return await Tx(connection).rows(query, into, **values)

    async def look_up(self, tenant_id: TenantId, query: Query, into: type[T], one: UUID) -> T | None:
        """A row by its id, for a tenant. Who looks one up at the same moment shares the question, which says `ids` and
        is answered by rows that begin with theirs."""
        looks = self._looks.get((tenant_id, query))
        if looks is None:

            async def look(ids: list[UUID]) -> dict[UUID, Any]:
                return {row.id: row for row in await self.look(tenant_id, query, into, ids=ids)}  # type: ignore[attr-defined]  # as the query promises

            looks = self._looks[tenant_id, query] = SharedQuestion(look)
        return (await looks.answers(one)).get(one)

    def front_desk(self) -> AbstractAsyncContextManager[Tx]:
        """The one exception: claims, nudges, sign-in and the like, before the tenant is known.

        Its role reaches only the tables that the migrations opened to it by name.
        """
        return self._transaction("postroom_desk", "BEGIN")

    async def desk_rows(self, query: Query, into: type[T], /, **values: Any) -> list[T]:
        """One statement as the front desk, in a transaction of its own: one round trip instead of three."""
        async with self._lent("postroom_desk") as connection:
            return await Tx(connection).rows(query, into, **values)

    async def desk_value(self, query: Query, /, **values: Any) -> Any:
        """Likewise, for the first column of the first row."""
        return next(iter(await self.desk_values(query, **values)), None)

    async def desk_values(self, query: Query, /, **values: Any) -> list[Any]:
        """Likewise, for the first column of every row."""
        async with self._lent("postroom_desk") as connection:
            return await Tx(connection).values(query, **values)

    async def prove(self) -> None:
        """Both roles answer, over connections that requests and jobs use, in a transaction. Else DatabaseError."""
        for role in self._sizes:
            await self._prove(role)

    async def listen(self, channel: str, heard: Callable[[], None], *, but: str | None = None) -> None:
        """On a connection of its own, which no pool lends out; ends with DatabaseAway. What says `but` is our own."""
        connection = await ask(asyncpg.connect, **driver_options(self.dsn, "postroom_desk"))
        try:
            keep_alive(connection._transport, self.dsn)  # noqa: SLF001 - the driver has no other way to its socket
            lost = asyncio.Event()
            connection.add_termination_listener(lambda _: lost.set())
            await ask(connection.add_listener, channel, lambda *said: heard() if said[-1] != but else None)
            heard()  # something may have happened while we were deaf
            while True:  # who only listens never learns that the other side vanished
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LISTENER_ASKS_SECONDS):
                        await lost.wait()
                await ask(connection.execute, "SELECT 1", timeout=CLEANUP_SECONDS)
        finally:
            connection.terminate()

    async def _open_pool(self, role: str, size: int) -> Any:
        async def init(connection: Any) -> None:
            keep_alive(connection._transport, self.dsn)  # noqa: SLF001 - the driver has no other way to its socket
            connection.era, connection.known_types = self._era, self._types
            for name in ("json", "jsonb"):
                await connection.set_type_codec(
                    name, schema="pg_catalog", encoder=_is_json_already, decoder=msgspec.json.decode
                )

        options = driver_options(self.dsn, role)
        sizes = {"min_size": 0, "init_size": 1, "max_size": size, "max_inactive_connection_lifetime": 0}
        return await asyncpg.create_pool(
            **options, **sizes, init=init, connection_class=_Connection, max_queries=RETIRES_AFTER
        )

    async def _prove(self, role: str) -> None:
        async with self._transaction(role, "BEGIN") as tx:
            who = await tx.value(_WHO)
        if who != role:
            raise Misconfigured(f"{POOLER} It did not pass on that we act as {role}, but as {who}.")

    async def _acquire(self, role: str) -> Any:
        if role not in self._pools:
            raise DatabaseAway("The pool of connections is closed.")
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                connection = await self._pools[role].acquire()
                while connection.era != self._era:
                    connection.terminate()  # not close(), which waits for an answer
                    connection = await self._pools[role].acquire()
                return connection
        except TimeoutError:
            raise DatabaseAway(f"No connection was free for {PATIENCE_SECONDS:.0f} s.") from None
        except TROUBLE as problem:
            raise in_our_words(problem) from problem

    @contextlib.asynccontextmanager
    async def _lent(self, role: str) -> AsyncIterator[Any]:
        connection = await self._acquire(role)
        try:
            yield connection
        except DatabaseError as problem:
            if is_silent(problem):
                self._era += 1  # the others lead to the same place: each is replaced before it is used again
            if is_silent(problem) or is_forgotten(problem):
                with contextlib.suppress(*TROUBLE):
                    connection.terminate()
            raise
        finally:
            with contextlib.suppress(*TROUBLE):  # then it is closed, and the pool knows
                await self._pools_release(role, connection)

    async def _pools_release(self, role: str, connection: Any) -> None:
        pool = self._pools.get(role)
        if pool is None:  # closed meanwhile
            connection.terminate()
        else:
            await pool.release(connection, timeout=CLEANUP_SECONDS)

    @contextlib.asynccontextmanager
    async def _transaction(self, role: str, opening: str, tenant: TenantId | None = None) -> AsyncIterator[Tx]:
        async with self._lent(role) as connection:
            token, tx = _open_here.set(_open_here.get() + 1), Tx(connection, opening, tenant)
            try:
                yield tx
                await tx.commit()
            except BaseException as problem:
                # Even if it seems to be in no transaction: BEGIN may be on its way.
                if tx.spoke and not is_silent(problem):
                    with contextlib.suppress(*TROUBLE):  # lost: the pool took it back, and even asking is refused
                        if not connection.is_closed():  # who asks for a method of ours learns nothing of that
                            connection.forget_plans()
                            await connection.execute("ROLLBACK", timeout=CLEANUP_SECONDS)
                raise
            finally:
                _open_here.reset(token)


@contextlib.contextmanager
def one_plan_each() -> Iterator[None]:
    """Within, PostgreSQL plans a statement once on each connection, whatever its values. Else it makes five plans
    first, which the first hundreds of mails after a start pay for. Right where rows are looked up by their keys;
    wrong where a search goes another way for other values."""
    token = _plans_here.set("force_generic_plan")
    try:
        yield
    finally:
        _plans_here.reset(token)


def note_open_transaction() -> None:
    """For a task that speaks in a transaction which another opened."""
    _open_here.set(_open_here.get() + 1)


def transaction_is_open() -> bool:
    """Whether this task holds a transaction: then it may not talk to the outside."""
    return _open_here.get() > 0


def _unopened(problem: BaseException) -> Exception:
    state = getattr(problem, "sqlstate", None)
    if state == "08P01" and "startup parameter" in str(problem):  # PgBouncer's answer to a role
        return Misconfigured(f"{POOLER} ({problem})")
    if state == "42501":
        return Misconfigured(f"{problem}. Run `postroom migrate` with the owner's URL.")
    return Unavailable(f"No connection to PostgreSQL: {str(problem) or type(problem).__name__}")


def _ordered(query: Query, values: dict[str, Any]) -> list[Any]:
    try:
        return [values[name] for name in query.parameters]
    except KeyError as missing:
        raise DatabaseError(f"{query.name} was given no value for {missing}.", "42P02") from None


@functools.cache
def _maker(into: Callable[..., T], names: tuple[str, ...]) -> Callable[[Any], T]:
    found = inspect.signature(into).parameters.values()
    if names == tuple(each.name for each in found if each.kind is each.POSITIONAL_OR_KEYWORD):
        return lambda row: into(*row)  # by place, which is half the cost
    return lambda row: into(**dict(row))


def _is_json_already(value: object) -> str:
    """What goes into a jsonb column is text that `as_json` made: whoever means a dict says how it is written."""
    if not isinstance(value, str):
        raise TypeError(f"expected JSON as text, got {type(value).__name__}")
    return value
