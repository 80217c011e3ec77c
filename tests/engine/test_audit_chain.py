"""The audit chain against somebody who may write anything to the database, and has no key."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from makers import CHAIN_KEYS, make_tenant, settle
from postroom.db.sql import Query
from postroom.engine import audit_chain as seals
from postroom.engine.audit_anchors import ArchivedAnchors, FolderAnchors
from postroom.engine.audit_trail import AuditTrail
from postroom.engine.scheduler import Scheduler, UpkeepLine
from postroom.engine.work import TenantScope
from postroom.nouns.facts import Counted
from postroom.outside.blobs import open_blobs
from postroom.outside.keys.encryption import Key, Sealer
from postroom.rooms.subscribers.publishing import EventPublisher
from postroom.rooms.timetable import upkeep

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


class House:
    """A tenant's trail, with a clock of its own."""

    def __init__(self, db, waker, owner_dsn, home) -> None:
        self.db, self.waker, self.owner_dsn, self.home = db, waker, owner_dsn, home
        self.now = START
        self.tenant = make_tenant(owner_dsn)
        self.trail = self.opened(CHAIN_KEYS)

    def opened(self, keys: Sealer) -> AuditTrail:
        archive = open_blobs((self.home / "archive").as_uri(), options={}, now=lambda: self.now)
        folder = FolderAnchors(self.home)
        return AuditTrail(self.db, keys, lambda: self.now, folder, ArchivedAnchors(archive))

    async def tells(self, *numbers: int, trail: AuditTrail | None = None) -> None:
        scope = TenantScope(self.db, self.waker, lambda fact: [], self.tenant, "test", lambda: self.now)
        async with scope.finish() as tx:
            for number in numbers:
                await scope.tell(tx, Counted(number=number))
        await settle(self.owner_dsn)
        assert await (trail or self.trail).seal(self.tenant) is not None
        self.now += timedelta(minutes=1)

    async def problems(self, trail: AuditTrail | None = None) -> list[str]:
        return (await (trail or self.trail).verify(self.tenant)).problems

    def somebody_writes(self, *statements: str) -> None:
        with psycopg.connect(self.owner_dsn, autocommit=True) as owner:
            owner.execute("SET session_replication_role = replica")
            for each in statements:
                owner.execute(each.encode())


@pytest.fixture
def house(db, waker, owner_dsn, tmp_path) -> House:
    return House(db, waker, owner_dsn, tmp_path)


async def test_a_look_for_what_is_not_sealed_costs_the_same_however_long_the_trail_is(house):
    for _ in range(3):
        await house.tells(*range(400))
    with psycopg.connect(house.owner_dsn, autocommit=True) as owner:
        owner.execute("ANALYZE postroom.fact")

    async with house.db.front_desk() as tx:
        explained = Query(
            "explained", f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {seals.QUERIES.unsealed_tenants.text}"
        )
        plan = await tx.values(explained)

    assert [] == [line for line in plan if "on fact_" in line and "Seq Scan" in line and "rows=0" not in line]
    most = max(int(found[1]) for line in plan if (found := re.search(r"on fact_.*actual rows=(\d+)", line)))
    assert most <= 1


async def test_a_trail_that_nobody_touched_is_sound_and_its_heads_are_noted_by_itself(house):
    await house.tells(1)
    await house.tells(2)

    report = await house.trail.verify(house.tenant)

    assert ([], 2, True) == (report.problems, report.seals, report.anchors >= 2)


async def test_a_cut_end_is_noticed_without_being_told_the_head(house):
    await house.tells(1)
    await house.tells(2)
    house.somebody_writes(
        "DELETE FROM postroom.seal WHERE number = 2", "DELETE FROM postroom.fact WHERE body ->> 'number' = '2'"
    )

    [said] = await house.problems()
    assert said.startswith("Seal 2 is not the one that was noted in ")


async def test_facts_that_are_sealed_anew_by_the_house_itself_are_noticed(house):
    await house.tells(1, 2)
    await house.tells(3)
    house.somebody_writes("DELETE FROM postroom.seal", "DELETE FROM postroom.fact WHERE body ->> 'number' = '2'")
    house.now += timedelta(days=1)

    said = await house.problems()  # seals what is there, with the right key

    assert ["Seal 1 is not the one"] == [each[:21] for each in said]


async def test_the_archive_remembers_when_the_folder_is_lost(house):
    await house.tells(1)
    await house.tells(2)
    await house.trail.archive_heads()
    for path in (house.home / "audit-heads").iterdir():
        path.unlink()
    assert [] == await house.problems()

    house.somebody_writes("DELETE FROM postroom.seal WHERE number = 2")

    assert any("noted in the archive" in each for each in await house.problems())


async def test_a_tenant_without_any_fact_is_not_sound(house):
    await house.tells(1)
    house.somebody_writes("DELETE FROM postroom.seal", "DELETE FROM postroom.fact")

    said = await house.problems()

    assert any("not a single fact" in each for each in said)
    assert any("Seal 1 is not the one" in each for each in said)


async def test_a_tenant_that_is_gone_altogether_is_named(house):
    await house.tells(1)

    assert {house.tenant} == await house.trail.vanished(set())
    assert set() == await house.trail.vanished({house.tenant})


async def test_the_time_of_sealing_is_part_of_the_chain(house):
    await house.tells(1)
    house.somebody_writes("UPDATE postroom.seal SET sealed_at = sealed_at - interval '1 day'")

    [said] = await house.problems()
    assert "Seal 1" in said
    assert "is broken" in said


async def test_whoever_has_no_key_cannot_chain_anew_even_with_every_hash_right(house):
    await house.tells(1, 2)
    [sealed] = await seals.all_seals(house.db, house.tenant)
    house.somebody_writes("DELETE FROM postroom.fact WHERE body ->> 'number' = '2'")
    with psycopg.connect(house.owner_dsn) as owner:
        [(digest,)] = owner.execute("SELECT digest FROM postroom.fact").fetchall()
    root = hashlib.sha256(digest).digest()
    forged = seals.link(seals.BEGINNING, seals.replace(sealed, facts=1, root=root))
    house.somebody_writes(
        f"UPDATE postroom.seal SET facts = 1, root = '\\x{root.hex()}', link = '\\x{forged.hex()}',"
        f" chain = '\\x{hashlib.sha256(forged).hexdigest()}'"
    )

    said = await house.problems()

    assert any("somebody without the key made it" in each for each in said)


async def test_seals_of_a_key_that_is_not_here_prove_nothing_even_with_a_later_seal_of_ours(house):
    await house.tells(1)
    house.somebody_writes("UPDATE postroom.seal SET key_id = '\\x0123456789abcdef'")
    sealed = (await seals.all_seals(house.db, house.tenant))[0]
    house.somebody_writes(f"UPDATE postroom.seal SET link = '\\x{seals.link(seals.BEGINNING, sealed).hex()}'")
    await house.tells(2)  # the house goes on, and does not vouch for what it could not prove

    assert any("Nothing proves 1 of the seals" in each for each in await house.problems())


async def test_after_the_sealing_key_was_changed_and_the_old_one_let_go_the_whole_chain_still_proves(house):
    old, new = Key(b"1" * 32), Key(b"2" * 32)
    await house.tells(1, trail=house.opened(Sealer([old])))
    await house.tells(2, trail=house.opened(Sealer([new, old])))
    later = house.opened(Sealer([new]))
    assert [] == await house.problems(later)

    house.somebody_writes("UPDATE postroom.fact SET digest = '\\x00' WHERE body ->> 'number' = '1'")

    assert [] != await house.problems(later)


async def test_after_a_restore_a_person_says_why_and_the_chain_counts_from_there(house):
    await house.tells(1)
    await house.tells(2)
    house.somebody_writes(
        "DELETE FROM postroom.seal WHERE number = 2", "DELETE FROM postroom.fact WHERE body ->> 'number' = '2'"
    )
    assert [] != await house.problems()
    house.now += timedelta(hours=1)

    await house.trail.accept(house.tenant, "restored to Tuesday")

    assert [] == await house.problems()
    house.now += timedelta(seconds=1)
    await house.tells(3)
    house.somebody_writes("DELETE FROM postroom.seal WHERE number = 2")
    assert [] != await house.problems()


async def test_sealing_and_noting_heads_stand_on_the_timetable_page(house):
    publisher = EventPublisher(house.db, house.waker, lambda fact: [], lambda: house.now)
    lines = {line.name: line.does for line in upkeep(house.db, house.trail, publisher)}

    assert house.trail.seal_all == lines["seal facts"]
    assert house.trail.archive_heads == lines["note heads of the audit chain in the archive"]


async def test_the_scheduler_keeps_the_house_by_the_lines_it_is_given(db, waker):
    import asyncio

    done = asyncio.Event()

    async def clean() -> None:
        done.set()

    scheduler = Scheduler(db, waker, [], lambda: datetime.now(UTC), [UpkeepLine("clean", 60.0, clean)])
    running = asyncio.create_task(scheduler.run())
    await asyncio.wait_for(done.wait(), 30)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert done.is_set()
