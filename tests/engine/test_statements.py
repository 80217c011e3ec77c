"""Statements: parameters by number, prepared when they come again, several in one message."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg
import pytest
from psycopg.pq import TransactionStatus

from postroom.db import statements
from postroom.db.connection import connect
from postroom.db.statements import placed

ROLE = "postroom_desk"


@pytest.fixture
async def connection(dsn):
    async with await connect(dsn, ROLE) as connection:
        yield connection


async def names(connection) -> list[str]:
    """Of what is prepared."""
    asked = await connection.execute("SELECT name FROM pg_prepared_statements WHERE name LIKE 'said%' ORDER BY 1")
    return [row[0] for row in await asked.fetchall()]


def test_a_parameter_that_is_named_twice_is_sent_once():
    assert placed("SELECT %(a)s, %(b)s, %(a)s::text, '%%'") == (b"SELECT $1, $2, $1::text, '%'", ("a", "b"))


@pytest.mark.parametrize("text", ["SELECT %s", "SELECT 5 % 2", "SELECT '%"])
def test_a_percent_sign_that_means_nothing_is_refused(text):
    with pytest.raises(ValueError, match="a percent sign %%"):
        placed(text)


async def test_several_statements_are_answered_in_their_order(connection):
    first, second = await connection.ask(("SELECT %(n)s::int", {"n": 1}), ("SELECT %(n)s::int", {"n": 2}))

    assert [connection.load_first(first), connection.load_first(second)] == [[1], [2]]


async def test_a_statement_is_prepared_when_it_comes_again(connection):
    for number in range(4):
        [result] = await connection.ask(("SELECT %(n)s::int", {"n": number}))
        assert connection.load_first(result) == [number]
        assert len(await names(connection)) == min(number, 1)


async def test_one_without_values_is_never_prepared(connection):
    for _ in range(3):
        await connection.ask(("SELECT 1", None))

    assert await names(connection) == []


async def test_only_so_many_are_prepared(connection, monkeypatch):
    monkeypatch.setattr(statements, "MOST_PREPARED", 2)
    for _ in range(3):
        for number in range(4):
            [result] = await connection.ask((f"SELECT {number}", {}))
            assert connection.load_first(result) == [number]

    assert len(await names(connection)) == 2


async def test_the_first_error_is_raised_and_the_connection_goes_on(connection):
    for _ in range(4):
        with pytest.raises(psycopg.errors.DivisionByZero):
            await connection.ask(("SELECT 1", {}), ("SELECT 1 / %(n)s::int", {"n": 0}), ("SELECT 2", {}))

    [result] = await connection.ask(("SELECT 1 / %(n)s::int", {"n": 1}))
    assert connection.load_first(result) == [1]


@pytest.mark.parametrize("values", [{}, {"text": "a\0b"}, {"text": object()}])
async def test_values_that_cannot_be_sent_leave_nothing_behind(connection, values):
    with pytest.raises(psycopg.Error):
        await connection.ask(("BEGIN", None), ("SELECT %(text)s", values))

    assert connection.pgconn.transaction_status == TransactionStatus.IDLE
    [result] = await connection.ask(("SELECT %(text)s", {"text": "ab"}))
    assert connection.load_first(result) == ["ab"]


async def test_a_question_longer_than_one_writing_arrives_whole(connection):
    [result] = await connection.ask(("SELECT length(%(text)s)", {"text": "x" * 20_000_000}))

    assert connection.load_first(result) == [20_000_000]


@dataclass(frozen=True)
class Pair:
    left: int
    right: str = "nothing"


@pytest.mark.parametrize("text", ["SELECT 1 AS left, 'r' AS right", "SELECT 'r' AS right, 1 AS left"])
async def test_rows_become_objects_by_the_names_of_their_columns(connection, text):
    [result] = await connection.ask((text, {}))

    assert connection.load(result, Pair) == [Pair(1, "r")]


async def test_columns_that_are_missing_take_their_default(connection):
    [result] = await connection.ask(("SELECT 1 AS left", {}))

    assert connection.load(result, Pair) == [Pair(1)]


async def test_a_lost_connection_is_said_so(connection, owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])

    with pytest.raises(psycopg.OperationalError):
        await connection.ask(("SELECT pg_sleep(%(n)s)", {"n": 5}))
    assert connection.closed
