"""Transactions: how they open, close, and what becomes of them when something fails."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from uuid import UUID

import asyncpg
import psycopg
import pytest

from makers import make_tenant
from postroom.db import pool, sql
from postroom.db.errors import DatabaseAway, DatabaseError
from postroom.db.pool import FIRST_OWN_TYPE, Database, one_plan_each, transaction_is_open

MINE = sql.Query("mine", "SELECT name FROM postroom.tenant")
WHO = sql.Query("who", "SELECT postroom.tenant()")
RENAME = sql.Query("rename", "UPDATE postroom.tenant SET name = %(name)s")
BROKEN = sql.Query("broken", "SELECT 1 / 0")
SLOW = sql.Query("slow", "SELECT pg_sleep(30)")
TEXTS, IDS = 1009, 2951  # PostgreSQL's numbers of text[] and uuid[]
PLANS = sql.Query("plans", "SELECT current_setting('plan_cache_mode')")
MADE = sql.Query("made", "SELECT custom_plans FROM pg_prepared_statements WHERE statement = %(statement)s")
OWN = sql.Query("own", "SELECT tenant_id FROM postroom.tenant")


class Unconnected(pool._Connection):
    def __init__(self, known_types) -> None:
        self.known_types = known_types

    def __del__(self) -> None:
        """The driver would complain that it was not closed."""


@dataclass(frozen=True)
class Seen:
    tenant_id: UUID


@pytest.fixture
def tenant(owner_dsn):
    return make_tenant(owner_dsn)


async def test_a_transaction_acts_for_its_tenant_from_its_first_statement(db, tenant, owner_dsn):
    other = make_tenant(owner_dsn)

    async with db.tenant(tenant) as tx:
        assert await tx.value(WHO) == tenant
    async with db.tenant(other) as tx:
        assert await tx.value(WHO) == other
        assert len(await tx.values(MINE)) == 1


async def test_closing_statements_act_for_the_tenant_even_if_nothing_came_before(db, tenant):
    async with db.tenant(tenant) as tx:
        tx.close_with(RENAME, name="closed")

    async with db.tenant(tenant) as tx:
        assert await tx.values(MINE) == ["closed"]


async def test_a_failed_closing_statement_undoes_everything(db, tenant):
    async def rename() -> None:
        async with db.tenant(tenant) as tx:
            await tx.run(RENAME, name="renamed")
            tx.close_with(BROKEN)

    with pytest.raises(DatabaseError, match="division by zero"):
        await rename()

    async with db.tenant(tenant) as tx:
        assert await tx.values(MINE) != ["renamed"]


async def test_a_transaction_whose_failed_statement_was_swallowed_is_not_taken_for_a_commit(db, tenant):
    async def swallow() -> None:
        async with db.tenant(tenant) as tx:
            await tx.run(RENAME, name="renamed")
            with contextlib.suppress(DatabaseError):
                await tx.value(BROKEN)

    for _ in range(3):  # the third time, all of it is prepared
        with pytest.raises(DatabaseError, match="nothing was kept"):
            await swallow()


async def test_an_exception_undoes_what_was_written_and_the_connection_serves_the_next(db, tenant):
    async def stumble() -> None:
        async with db.tenant(tenant) as tx:
            await tx.run(RENAME, name="renamed")
            raise KeyError

    with pytest.raises(KeyError):
        await stumble()

    async with db.tenant(tenant) as tx:
        assert await tx.values(MINE) != ["renamed"]


async def test_two_statements_at_once_on_a_fresh_transaction_both_act_for_its_tenant(db, tenant):
    async with db.tenant(tenant) as tx:
        assert await asyncio.gather(tx.value(WHO), tx.value(WHO)) == [tenant, tenant]


async def test_a_cancelled_statement_leaves_a_pool_that_works(db, tenant):
    async def sleep() -> None:
        async with db.tenant(tenant) as tx:
            await tx.value(SLOW)

    for _ in range(10):
        task = asyncio.create_task(sleep())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async with asyncio.timeout(10), db.tenant(tenant) as tx:
        assert await tx.value(WHO) == tenant


async def _lost(tx, owner_dsn) -> None:
    """The server ends the connection of this transaction, and the pool takes it back."""
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("SELECT pg_terminate_backend(%s)", [tx._connection.get_server_pid()])
    async with asyncio.timeout(10):
        while tx._connection._con is not None:  # noqa: ASYNC110 - the driver tells nobody
            await asyncio.sleep(0.01)


async def test_a_connection_that_was_lost_before_its_first_statement_is_told_as_such(db, tenant, owner_dsn):
    async def ask() -> None:
        async with db.tenant(tenant) as tx:
            await _lost(tx, owner_dsn)
            await tx.value(WHO)

    with pytest.raises(DatabaseAway):
        await ask()
    async with db.tenant(tenant) as tx:
        assert await tx.value(WHO) == tenant


async def test_a_task_that_is_cancelled_again_and_again_leaves_no_complaint_and_no_open_transaction(db, tenant):
    complaints: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
    began = asyncio.Event()

    async def rename() -> None:
        async with db.tenant(tenant) as tx:
            await tx.run(RENAME, name="halfway")
            began.set()
            await tx.value(SLOW)

    task = asyncio.create_task(rename())
    async with asyncio.timeout(30):
        await began.wait()
        while not task.done():  # as a web server does for a caller who left
            task.cancel()
            await asyncio.sleep(0)

    async with asyncio.timeout(10), db.tenant(tenant) as tx:
        assert await tx.values(MINE) != ["halfway"]
    assert complaints == []


async def test_a_look_never_answers_for_the_tenant_before(db, tenant, owner_dsn):
    other = make_tenant(owner_dsn)

    for each in [tenant, other] * 5:
        [seen] = await db.look(each, OWN, Seen)
        assert seen.tenant_id == each


async def test_a_front_desk_has_no_tenant_even_after_a_look(db, tenant):
    await db.look(tenant, OWN, Seen)

    assert await db.desk_value(WHO) is None


async def test_the_transaction_is_known_to_be_open_only_inside_it(db, tenant):
    assert not transaction_is_open()
    async with db.tenant(tenant):
        assert transaction_is_open()
    assert not transaction_is_open()


async def test_what_an_array_is_is_asked_once_for_all_connections_and_all_kinds_of_it(monkeypatch):
    asked = []

    async def answer(connection, typeoids, timeout):
        asked.append(max(typeoids))
        return [{"oid": each} for each in typeoids], None

    monkeypatch.setattr(asyncpg.Connection, "_introspect_types", answer)
    known: dict = {}
    one, other = Unconnected(known), Unconnected(known)
    for connection, wanted in ((one, TEXTS), (one, IDS), (other, IDS), (other, FIRST_OWN_TYPE)):
        found, _ = await connection._introspect_types([wanted], None)
        assert wanted in {each["oid"] for each in found}

    assert asked == [IDS, FIRST_OWN_TYPE]


async def test_a_worker_that_connects_beforehand_finds_every_connection_made(dsn):
    db = await Database(dsn, size=3, desk_size=2).open()
    try:
        await db.connect_all()
        made = {role: (opened.get_size(), opened.get_idle_size()) for role, opened in db._pools.items()}
    finally:
        await db.close()

    assert made == {"postroom_app": (3, 3), "postroom_desk": (2, 2)}


@pytest.fixture
async def one_connection(dsn):
    only = await Database(dsn, size=1).open()
    yield only
    await only.close()


async def plans_of(db, tenant):
    """As a transaction and as a look find it."""
    async with db.tenant(tenant) as tx:
        in_transaction = await tx.value(PLANS)
    return in_transaction, (await db.look(tenant, PLANS, Setting))[0].current_setting


@dataclass(frozen=True)
class Setting:
    current_setting: str


async def test_one_plan_each_holds_for_who_asked_for_it_and_for_nobody_after_on_the_same_connection(
    one_connection, tenant
):
    with one_plan_each():
        within = await plans_of(one_connection, tenant)
    after = await plans_of(one_connection, tenant)

    assert ("force_generic_plan", "force_generic_plan") == within
    assert ("auto", "auto") == after


@pytest.mark.parametrize("ending", ["rolled back", "failed", "nothing said", "only closed"])
async def test_however_a_transaction_ends_the_next_is_planned_as_it_wants(one_connection, tenant, ending):
    with contextlib.suppress(DatabaseError, RuntimeError), one_plan_each():
        async with one_connection.tenant(tenant) as tx:
            if ending == "only closed":
                tx.close_with(RENAME, name="closed")
            elif ending == "failed":
                await tx.value(BROKEN)
            elif ending == "rolled back":
                await tx.value(MINE)
                raise RuntimeError

    assert ("auto", "auto") == await plans_of(one_connection, tenant)
    with one_plan_each():
        assert ("force_generic_plan", "force_generic_plan") == await plans_of(one_connection, tenant)


async def test_one_plan_each_spares_the_plans_made_for_single_values(one_connection, tenant):
    made = {}
    for how, around in (("usual", contextlib.nullcontext), ("one", one_plan_each)):
        asked = sql.Query(how, f"SELECT name FROM postroom.tenant WHERE tenant_id = %(id)s /* {how} */")
        with around():
            for _ in range(4):
                async with one_connection.tenant(tenant) as tx:
                    await tx.values(asked, id=tenant)
        async with one_connection.tenant(tenant) as tx:
            made[how] = await tx.value(MADE, statement=asked.numbered)

    assert {"usual": 4, "one": 0} == made


async def test_a_rollback_that_is_cut_short_leaves_nobody_with_the_plans_of_another(
    one_connection, tenant, monkeypatch
):
    with one_plan_each():
        await plans_of(one_connection, tenant)
    execute = pool._Connection.execute

    async def cut_short(connection, statement, *args, **how):
        said = await execute(connection, statement, *args, **how)
        if statement == "ROLLBACK":
            raise asyncio.CancelledError
        return said

    async def stumble() -> None:
        async with one_connection.tenant(tenant) as tx:
            await tx.value(MINE)
            raise RuntimeError

    with monkeypatch.context() as cut:
        cut.setattr(pool._Connection, "execute", cut_short)
        with pytest.raises(asyncio.CancelledError):
            await stumble()

    assert ("auto", "auto") == await plans_of(one_connection, tenant)
