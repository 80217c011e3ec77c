"""Connections: lent out, taken back, lost and called off."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from postroom.db import connection as connections
from postroom.db.connection import Pool, connect

ROLE = "postroom_desk"


@pytest.fixture
async def pool(dsn):
    pool = Pool(dsn, ROLE, 2)
    yield pool
    await pool.close()


async def pid(connection) -> int:
    return (await (await connection.execute("SELECT pg_backend_pid()")).fetchone())[0]


async def test_the_connection_used_last_is_lent_first(pool):
    async with pool.lend() as first, pool.lend() as second:
        assert await pid(first) != await pid(second)

    async with pool.lend() as again:
        assert again is first


async def test_nobody_gets_more_connections_than_the_size(pool, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.05)
    async with pool.lend(), pool.lend():
        with pytest.raises(psycopg.OperationalError, match="all 2 connections were busy"):
            async with pool.lend():
                pass
    async with pool.lend() as connection:
        assert await pid(connection)


async def test_a_filled_pool_has_its_connections_before_anybody_asks(pool):
    await pool.fill(2)
    async with pool.lend() as first, pool.lend() as second:
        numbers = [first.info.backend_pid, second.info.backend_pid]
    await pool.fill(2)

    async with pool.lend() as first, pool.lend() as second:
        assert sorted(numbers) == sorted([first.info.backend_pid, second.info.backend_pid])


async def test_who_waits_is_served_as_soon_as_one_comes_back(pool):
    async def ask() -> int:
        async with pool.lend() as connection:
            return await pid(connection)

    assert len(set(await asyncio.gather(*(ask() for _ in range(30))))) <= 2


async def test_an_idle_connection_that_the_server_ended_is_not_lent_again(pool, owner_dsn):
    async with pool.lend() as lost:
        number = await pid(lost)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("SELECT pg_terminate_backend(%s)", [number])
    await asyncio.sleep(0.1)

    async with pool.lend() as fresh:
        assert await pid(fresh) != number


async def test_a_connection_lost_in_use_fails_once_and_is_replaced(pool, owner_dsn):
    async with pool.lend() as lost:
        number = await pid(lost)
        asking = asyncio.create_task(lost.execute("SELECT pg_sleep(30)"))
        await asyncio.sleep(0.05)
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            owner.execute("SELECT pg_terminate_backend(%s)", [number])
        with pytest.raises(psycopg.OperationalError):
            await asking

    async with pool.lend() as connection:
        assert await pid(connection) != number


async def test_a_socket_number_that_is_used_again_is_heard_again(dsn, owner_dsn):
    """The loop must have forgotten the lost connection before another one gets its number."""
    for _ in range(5):
        connection = await connect(dsn, ROLE)
        number, socket = await pid(connection), connection.pgconn.socket
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            owner.execute("SELECT pg_terminate_backend(%s)", [number])
        await asyncio.sleep(0.05)
        with pytest.raises(psycopg.OperationalError):
            await connection.execute("SELECT 1")
        await connection.close()
        async with asyncio.timeout(5), await connect(dsn, ROLE) as another:
            assert await pid(another)
            assert another.pgconn.socket == socket


async def test_a_question_that_was_called_off_leaves_the_connection_usable(pool):
    async with pool.lend() as connection:
        number = await pid(connection)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await connection.execute("SELECT pg_sleep(30)")
        assert await pid(connection) == number


async def test_an_answer_longer_than_one_reading_arrives_whole(pool):
    async with pool.lend() as connection:
        text = "x" * 20_000_000
        found = await (await connection.execute("SELECT %s || 'y'", [text])).fetchone()
        assert len(found[0]) == len(text) + 1


async def test_one_left_in_a_transaction_is_not_lent_again(pool):
    async with pool.lend() as left:
        await left.say("BEGIN")

    assert left.closed


async def test_an_old_connection_retires(pool):
    async with pool.lend() as old:
        old.retires_at = 0.0

    assert old.closed


async def test_a_closed_pool_lends_nothing_and_closes_what_comes_back(dsn):
    pool = Pool(dsn, ROLE, 2)
    async with pool.lend() as lent:
        await pool.close()

    assert lent.closed
    with pytest.raises(psycopg.OperationalError, match="closed"):
        async with pool.lend():
            pass


async def test_the_role_binds_and_statements_cannot_run_for_ever(pool):
    async with pool.lend() as connection:
        asked = await connection.execute("SELECT current_user, current_setting('statement_timeout')")
        assert await asked.fetchone() == ("postroom_desk", "1min")
