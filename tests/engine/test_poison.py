"""Whatever goes wrong inside a transaction, the next one works: on the same pool, at once, with statements used before."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace

import httpx
import psycopg
import pytest

from makers import make_tenant
from postroom.db import sql
from postroom.db.pool import Database
from postroom.doors.health import ROUTES
from postroom.doors.http import make_app
from postroom.engine import ledger
from postroom.nouns.errors import NotFound
from postroom.settings import Settings

MINE = sql.Query("mine", "SELECT name FROM postroom.tenant WHERE tenant_id = %(tenant)s")
RENAME = sql.Query("rename", "UPDATE postroom.tenant SET name = %(name)s WHERE tenant_id = %(tenant)s")
BROKEN = sql.Query("broken", "SELECT 1 / %(by)s::int")
KILL = sql.Query("kill", "SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.fixture
def tenant(owner_dsn):
    return make_tenant(owner_dsn)


@pytest.fixture
async def one(dsn):
    """Of each role a single connection, so that the next one gets what the last one left."""
    database = await Database(dsn, size=1, desk_size=1).open()
    yield database
    await database.close()


async def works(db: Database, tenant) -> bool:
    async with db.tenant(tenant) as tx:
        await tx.run(RENAME, tenant=tenant, name="kept")
        found = await tx.values(MINE, tenant=tenant)
        await ledger.is_done(tx, "pad_contract_notes", "m-1")
    return ["kept"] == found


async def nothing_yet(tx, tenant) -> None:
    raise NotFound("There is no such thing.")


async def after_a_statement(tx, tenant) -> None:
    await tx.run(RENAME, tenant=tenant, name="lost")
    raise NotFound("There is no such thing.")


async def after_a_published_statement(tx, tenant) -> None:
    await ledger.is_done(tx, "pad_contract_notes", "m-1")
    raise NotFound("There is no such thing.")


async def a_statement_that_fails(tx, tenant) -> None:
    await tx.run(RENAME, tenant=tenant, name="lost")
    await tx.value(BROKEN, by=0)


async def a_value_that_cannot_be_sent(tx, tenant) -> None:
    await tx.value(BROKEN, by=object())


async def a_value_that_is_missing(tx, tenant) -> None:
    await tx.value(BROKEN)


async def a_closing_that_fails(tx, tenant) -> None:
    await tx.run(RENAME, tenant=tenant, name="lost")
    tx.close_with(BROKEN, by=0)


async def a_backend_that_dies(tx, tenant) -> None:
    await tx.run(RENAME, tenant=tenant, name="lost")
    await tx.value(KILL)


async def a_cancelled_task(tx, tenant) -> None:
    await tx.run(RENAME, tenant=tenant, name="lost")
    raise asyncio.CancelledError


POINTS = [
    nothing_yet,
    after_a_statement,
    after_a_published_statement,
    a_statement_that_fails,
    a_value_that_cannot_be_sent,
    a_value_that_is_missing,
    a_closing_that_fails,
    a_backend_that_dies,
    a_cancelled_task,
]


@pytest.mark.parametrize("goes_wrong", POINTS, ids=lambda point: point.__name__)
async def test_after_any_trouble_in_a_transaction_the_next_one_works(one, tenant, goes_wrong):
    for _ in range(3):
        for _ in range(7):  # a driver may prepare statements only when it has met them a few times
            assert await works(one, tenant)
        with pytest.raises((Exception, asyncio.CancelledError)):
            async with one.tenant(tenant) as tx:
                await goes_wrong(tx, tenant)
    async with asyncio.timeout(20):
        assert await works(one, tenant)
        await one.prove()


async def test_a_connection_whose_statements_the_server_forgot_is_replaced(one, tenant):
    assert await works(one, tenant)
    async with one.tenant(tenant) as tx:
        await tx.run(sql.Query("forget", "DEALLOCATE ALL"))
    worked = []
    for _ in range(2):
        try:
            worked.append(await works(one, tenant))
        except Exception:  # noqa: BLE001 - the first may hear of it
            worked.append(False)

    assert worked[-1]


def readiness(db: Database) -> httpx.AsyncClient:
    house = SimpleNamespace(settings=Settings(), clock=lambda: datetime.now(UTC))
    transport = httpx.ASGITransport(make_app(ROUTES, house=house, db=db))
    return httpx.AsyncClient(transport=transport, base_url="http://house.test", timeout=30)


async def test_readiness_asks_over_the_connections_that_requests_use(one, tenant, owner_dsn):
    async with readiness(one) as client:
        assert 200 == (await client.get("/readyz")).status_code
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            owner.execute(f"REVOKE CONNECT ON DATABASE {owner.info.dbname} FROM PUBLIC")
            try:
                owner.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                    " AND pid <> pg_backend_pid()"
                )
                said = await client.get("/readyz")
            finally:  # another test has this database next
                owner.execute(f"GRANT CONNECT ON DATABASE {owner.info.dbname} TO PUBLIC")
            assert (503, False) == (said.status_code, said.json()["ready"])
        assert 200 == (await client.get("/readyz")).status_code


async def test_readiness_says_no_while_every_connection_is_taken(one, tenant, monkeypatch):
    from postroom.doors import health

    async with readiness(one) as client:
        async with one.tenant(tenant) as tx:
            await tx.values(MINE, tenant=tenant)
            with monkeypatch.context() as impatient:
                impatient.setattr(health, "PATIENCE", 0.2)
                assert 503 == (await client.get("/readyz")).status_code
        assert 200 == (await client.get("/readyz")).status_code
