"""Claiming: which ready jobs a worker gets, whatever else is ready, taken or waiting."""

from __future__ import annotations

import json
import math
from collections import Counter
from uuid import UUID, uuid4

import psycopg
import pytest

NOBODY = UUID(int=0)


class Lanes:
    """Ready jobs of some tenants, and claims on them."""

    def __init__(self, owner: psycopg.Connection) -> None:
        self.owner, self.worker = owner, uuid4()
        self.owner.execute(
            "INSERT INTO postroom.worker (id, name, lease_till) VALUES (%s, 'test', now() + interval '1 hour')",
            [self.worker],
        )

    def put(self, tenant: UUID, count: int, priority: int = 1) -> None:
        jobs = [{"kind": "test.job", "priority": priority} for _ in range(count)]
        self.owner.execute("SELECT postroom.enqueue(%s, %s)", [tenant, json.dumps(jobs)])

    def claim(self, most: int, *, after: UUID = NOBODY, cap: int = 100, running: dict[str, int] | None = None):
        return self.owner.execute(
            "SELECT tenant_id, id FROM postroom.claim_jobs(%s, %s, %s, %s, %s)",
            [self.worker, most, after, cap, json.dumps(running or {})],
        ).fetchall()

    def tenants(self, *claimed, **options) -> list[UUID]:
        return [tenant for tenant, _ in self.claim(*claimed, **options)]


@pytest.fixture
def lanes(owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        yield Lanes(owner)


@pytest.fixture
def three() -> list[UUID]:
    return sorted(uuid4() for _ in range(3))


def test_the_oldest_of_a_tenant_come_first_and_no_more_than_asked_for(lanes, three):
    lanes.put(three[0], 5)

    first, rest = lanes.claim(3), lanes.claim(10)

    numbers = [number for _, number in [*first, *rest]]
    assert (len(first), len(rest)) == (3, 2)
    assert numbers == sorted(numbers)
    assert lanes.claim(10) == []


def test_tenants_share_a_claim_and_what_one_leaves_goes_to_the_others(lanes, three):
    for tenant, count in zip(three, (20, 20, 1), strict=True):
        lanes.put(tenant, count)

    assert sorted(Counter(lanes.tenants(9)).values()) == [1, 3, 5]


def test_turns_begin_after_the_tenant_who_had_the_last_one(lanes, three):
    for tenant in three:
        lanes.put(tenant, 5)

    assert lanes.tenants(1, after=three[0]) == [three[1]]
    assert lanes.tenants(1, after=three[1]) == [three[2]]
    assert lanes.tenants(1, after=three[2]) == [three[0]]
    assert lanes.tenants(2, after=three[1]) == [three[2], three[0]]


def test_fewer_slots_than_tenants_still_serve_everybody_in_turn(lanes):
    tenants = [uuid4() for _ in range(7)]
    for tenant in tenants:
        lanes.put(tenant, 2)

    served, after = [], NOBODY
    for _ in range(7):
        [after] = lanes.tenants(1, after=after)
        served.append(after)

    assert sorted(served) == sorted(tenants)


def test_nobody_gets_beyond_the_cap_however_the_jobs_are_spread_over_priorities(lanes, three):
    lanes.put(three[0], 3, priority=0)
    lanes.put(three[0], 9, priority=1)
    lanes.put(three[0], 9, priority=3)

    assert len(lanes.claim(20, cap=5)) == 5


def test_what_runs_already_counts_for_the_cap(lanes, three):
    lanes.put(three[0], 9)

    assert len(lanes.claim(9, cap=5, running={str(three[0]): 3})) == 2


def test_tenants_at_their_cap_do_not_hide_the_others(lanes):
    tenants = sorted(uuid4() for _ in range(6))
    for tenant in tenants:
        lanes.put(tenant, 4)
    full = {str(tenant): 4 for tenant in tenants[:5]}

    assert lanes.tenants(2, cap=4, running=full) == [tenants[5]] * 2


def test_priorities_go_before_turns(lanes, three):
    lanes.put(three[0], 4, priority=3)
    lanes.put(three[2], 1, priority=0)
    lanes.put(three[1], 2, priority=2)

    assert lanes.tenants(5, after=three[2]) == [three[2], three[1], three[1], three[0], three[0]]


def test_what_another_claim_holds_is_passed_over(lanes, three, owner_dsn):
    lanes.put(three[0], 2, priority=0)
    lanes.put(three[1], 2, priority=1)
    with psycopg.connect(owner_dsn) as other:
        held = other.execute("SELECT id FROM postroom.job WHERE priority = 0 FOR UPDATE").fetchall()
        taken = lanes.claim(10)

    assert len(held) == 2
    assert [tenant for tenant, _ in taken] == [three[1]] * 2


def test_a_claim_raises_the_epoch_and_says_who_holds_it(lanes, three):
    lanes.put(three[0], 1)
    [(_, number)] = lanes.claim(1)

    row = lanes.owner.execute("SELECT state, epoch, worker_id FROM postroom.job WHERE id = %s", [number]).fetchone()
    assert row == ("running", 1, lanes.worker)


def test_a_claim_costs_the_same_however_much_waits_or_is_for_later(lanes, three):
    """Read pages, not time: a plan that walks what it does not take would touch thousands."""
    lanes.put(three[0], 50)
    few = _pages(lanes)
    lanes.owner.execute(
        "INSERT INTO postroom.job (tenant_id, kind, lane, state, priority, run_at, correlation_id) "
        "SELECT %s, 'test.other', 'k' || n, s, 1, now() + interval '1 day', gen_random_uuid() "
        "FROM generate_series(1, 10000) n, unnest(ARRAY['waiting', 'later']) s",
        [three[0]],
    )
    lanes.put(three[1], 20000)

    assert _pages(lanes) < few + 100


def _pages(lanes: Lanes) -> float:
    explain = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM postroom.claim_jobs(%s, 4, %s, 100, '{}')"
    seen = math.inf
    for _ in range(3):  # the first of a session reads the catalogue
        [[[plan]]] = lanes.owner.execute(explain, [lanes.worker, NOBODY]).fetchall()
        seen = min(seen, plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"])
    return seen
