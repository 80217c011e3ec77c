"""Facts: append-only, in order without gaps, and tamper-evident."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import psycopg
import pytest

from makers import CHAIN_KEYS, make_tenant, settle
from postroom.engine import audit_chain as seals
from postroom.engine import feed
from postroom.engine.scheduler import CronLine, Scheduler
from postroom.engine.work import TenantScope
from postroom.nouns.facts import Counted


def teller(db, waker, tenant) -> TenantScope:
    return TenantScope(db, waker, lambda fact: [], tenant, "test", lambda: datetime.now(UTC))


async def tell(db, waker, tenant, *numbers: int) -> None:
    scope = teller(db, waker, tenant)
    async with scope.finish() as tx:
        for number in numbers:
            await scope.tell(tx, Counted(number=number))


def now() -> datetime:
    return datetime.now(UTC)


async def seal(db, tenant, owner_dsn) -> None:
    await settle(owner_dsn)
    assert await seals.seal(db, CHAIN_KEYS, tenant, now()) is not None


@pytest.fixture
def tenant(owner_dsn):
    return make_tenant(owner_dsn)


@pytest.mark.parametrize(
    "statement",
    ["UPDATE postroom.fact SET kind = 'x'", "DELETE FROM postroom.fact", "TRUNCATE postroom.fact"],
)
async def test_the_database_refuses_to_change_a_fact_even_for_its_owner(db, waker, tenant, owner_dsn, statement):
    await tell(db, waker, tenant, 1)

    with (
        psycopg.connect(owner_dsn, autocommit=True) as owner,
        pytest.raises(psycopg.errors.RestrictViolation),
    ):
        owner.execute(statement)


async def test_an_untouched_trail_verifies_sealed_or_not(db, waker, tenant, owner_dsn):
    await tell(db, waker, tenant, 1, 2)
    await seal(db, tenant, owner_dsn)
    await tell(db, waker, tenant, 3)

    report = await seals.verify(db, CHAIN_KEYS, tenant)

    assert (report.problems, report.facts, report.seals, report.unsealed) == ([], 3, 1, 1)


@pytest.mark.parametrize(
    ("tampering", "finding"),
    [
        ("UPDATE postroom.fact SET body = '{\"number\": 99}' WHERE body ->> 'number' = '2'", "was changed"),
        ("UPDATE postroom.fact SET actor = 'somebody' WHERE body ->> 'number' = '2'", "was changed"),
        ("DELETE FROM postroom.fact WHERE body ->> 'number' = '1'", "1 missing"),
        (
            "INSERT INTO postroom.fact (xid, told_at, tenant_id, kind, actor, body, digest) "
            "SELECT xid, told_at, tenant_id, kind, actor, body, digest FROM postroom.fact WHERE body ->> 'number' = '1'",
            "1 too many",
        ),
        ("DELETE FROM postroom.seal WHERE number = 1", "Seal 1 is missing"),
        ("UPDATE postroom.seal SET facts = 5, root = '\\x00' WHERE number = 1", "Seal 1"),
        ("UPDATE postroom.fact SET body = '{\"number\": 9}' WHERE body ->> 'number' = '5'", "was changed"),
    ],
)
async def test_any_tampering_is_found_and_located(db, waker, tenant, owner_dsn, tampering, finding):
    await tell(db, waker, tenant, 1, 2)
    await seal(db, tenant, owner_dsn)
    await tell(db, waker, tenant, 3, 4)
    await seal(db, tenant, owner_dsn)
    await tell(db, waker, tenant, 5)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("SET session_replication_role = replica")  # somebody with all rights switches the triggers off
        owner.execute(tampering)

    report = await seals.verify(db, CHAIN_KEYS, tenant)

    assert any(finding in problem for problem in report.problems), report.problems


async def test_a_chain_made_anew_after_cutting_off_its_end_misses_the_known_head(db, waker, tenant, owner_dsn):
    await tell(db, waker, tenant, 1)
    await seal(db, tenant, owner_dsn)
    await tell(db, waker, tenant, 2)
    await seal(db, tenant, owner_dsn)
    head = (await seals.verify(db, CHAIN_KEYS, tenant)).head
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("SET session_replication_role = replica")
        owner.execute("DELETE FROM postroom.seal WHERE number = 2")
        owner.execute("DELETE FROM postroom.fact WHERE body ->> 'number' = '2'")

    assert (await seals.verify(db, CHAIN_KEYS, tenant)).problems == []
    assert [problem[:35] for problem in (await seals.verify(db, CHAIN_KEYS, tenant, expected_head=head)).problems] == [
        "The chain does not contain the head"
    ]


async def test_a_fact_that_commits_late_is_neither_missed_nor_overtaken(db, waker, tenant, owner_dsn):
    slow = teller(db, waker, tenant)
    async with slow.finish() as tx:
        await tx.letter_of("SELECT pg_current_xact_id()", [])  # the slow one starts first …
        await slow.tell(tx, Counted(number=1))
        await tell(db, waker, tenant, 2)  # … and commits last
        assert await feed.read(db, tenant, feed.FeedPosition(0, 0)) == []

    await settle(owner_dsn)
    assert [fact.body["number"] for fact in await feed.read(db, tenant, feed.FeedPosition(0, 0))] == [1, 2]


async def test_a_reader_follows_facts_live_and_resumes_where_it_stopped(db, waker, tenant):
    await tell(db, waker, tenant, 1)
    seen: list[int] = []
    position = feed.FeedPosition(0, 0)

    async def follow_until(wanted: int) -> None:
        nonlocal position
        async for facts in feed.follow(db, waker, tenant, position):
            for fact in facts:
                seen.append(fact.body["number"])
                position = feed.FeedPosition.parse(fact.position)
            if wanted in seen:
                return

    await follow_until(1)
    following = asyncio.create_task(follow_until(3))
    await tell(db, waker, tenant, 2)
    await tell(db, waker, tenant, 3)
    await asyncio.wait_for(following, 10)

    assert seen == [1, 2, 3]


async def test_concurrent_tellers_do_not_wait_for_each_other(db, waker, tenant):
    first, second = teller(db, waker, tenant), teller(db, waker, tenant)
    async with first.finish() as tx:
        await first.tell(tx, Counted(number=1))
        await tx.letter_of("SELECT pg_current_xact_id()", [])
        async with second.finish() as other:
            await second.tell(other, Counted(number=2))

    report = await seals.verify(db, CHAIN_KEYS, tenant)
    assert (report.problems, report.facts) == ([], 2)


async def test_many_sealers_make_one_chain(db, waker, tenant, owner_dsn):
    async def tell_and_seal(number: int) -> None:
        await tell(db, waker, tenant, number)
        await seals.seal(db, CHAIN_KEYS, tenant, now())

    await asyncio.gather(*(tell_and_seal(number) for number in range(20)))
    await tell(db, waker, tenant, 20)
    await seal(db, tenant, owner_dsn)

    report = await seals.verify(db, CHAIN_KEYS, tenant)
    assert (report.problems, report.facts, report.unsealed) == ([], 21, 0)


async def test_a_line_of_the_timetable_fires_once_however_many_nodes_run(db, waker, tenant, owner_dsn):
    from engine.office import Sync

    nodes = [Scheduler(db, waker, [CronLine("every minute", "* * * * *", lambda: Sync("a"))], now) for _ in range(4)]
    for node in nodes:
        await node.announce()
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.timetable SET next_at = now() - interval '1 s'")

    fired = await asyncio.gather(*(node.tick() for node in nodes))

    assert sorted(fired) == [0, 0, 0, 1]
    with psycopg.connect(owner_dsn) as owner:
        assert [(tenant, "a")] == owner.execute("SELECT tenant_id, key FROM postroom.job").fetchall()
