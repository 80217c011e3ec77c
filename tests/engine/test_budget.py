"""What a provider lets us do at once, shared by processes that know nothing of each other."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from makers import make_tenant
from postroom.db.sql import Query
from postroom.engine import budgets as budget
from postroom.engine.budgets import MailboxWaits, QuotaBudget, RequestSlots
from postroom.engine.facts import as_json
from postroom.nouns.errors import NotFound, Throttled
from postroom.nouns.ids import MailboxId, new_id
from postroom.rooms.mailboxes import store

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


WAIT = Query("wait", "SELECT set_config('synchronous_commit', 'on', true)")  # whatever the server's habit is
WAITS = Query("waits", "SELECT current_setting('synchronous_commit')")


class CountedDatabase:
    """The front desk of a database, and what it was asked."""

    def __init__(self, db) -> None:
        self._db, self.asked = db, Counter()

    async def desk_rows(self, query, into, /, **values):
        self.asked[query.name] += 1
        return await self._db.desk_rows(query, into, **values)

    async def desk_values(self, query, /, **values):
        self.asked[query.name] += 1
        return await self._db.desk_values(query, **values)

    async def desk_value(self, query, /, **values):
        return next(iter(await self.desk_values(query, **values)), None)


class Service:
    """Counts who is inside."""

    def __init__(self) -> None:
        self.inside = self.most = self.served = 0

    async def serve(self, slots: RequestSlots, mailbox: MailboxId, seconds: float = 0.01) -> None:
        async with slots.use(mailbox):
            self.inside += 1
            self.most = max(self.most, self.inside)
            await asyncio.sleep(seconds)
            self.inside -= 1
            self.served += 1


@pytest.fixture
async def mailbox(db, owner_dsn) -> MailboxId:
    return await another_mailbox(db, owner_dsn)


async def another_mailbox(db, owner_dsn) -> MailboxId:
    tenant, made = make_tenant(owner_dsn), MailboxId(new_id())
    async with db.tenant(tenant) as tx:
        await store.add(tx, tenant, made, NOW, address=f"{made}@desk.test", provider="outlook", access="delegated")
    return made


async def test_three_processes_together_have_three_requests_in_flight(db, mailbox):
    processes, service = [RequestSlots(db) for _ in range(3)], Service()

    await asyncio.gather(*(service.serve(slots, mailbox) for slots in processes for _ in range(20)))

    assert (60, 3) == (service.served, service.most)
    for slots in processes:
        await slots.close()


async def test_one_mailbox_does_not_wait_for_another(db, mailbox, owner_dsn):
    slots, service = RequestSlots(db), Service()
    other = await another_mailbox(db, owner_dsn)
    slow = [asyncio.create_task(service.serve(slots, mailbox, seconds=5)) for _ in range(3)]
    await asyncio.sleep(0.1)

    await asyncio.wait_for(service.serve(slots, other), 3)

    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    await slots.close()


async def test_an_idle_process_gives_its_slots_back(db, mailbox, owner_dsn, monkeypatch):
    monkeypatch.setattr(budget, "IDLE", 0.05)
    idle, service = RequestSlots(db), Service()
    await asyncio.gather(*(service.serve(idle, mailbox) for _ in range(3)))

    for _ in range(100):
        if taken(owner_dsn) == 0:
            break
        await asyncio.sleep(0.05)

    assert 0 == taken(owner_dsn)
    await idle.close()


async def test_closing_gives_everything_back_at_once(db, mailbox, owner_dsn):
    slots = RequestSlots(db)
    await asyncio.gather(*(Service().serve(slots, mailbox) for _ in range(3)))

    await slots.close()

    assert 0 == taken(owner_dsn)


async def test_the_slots_of_a_process_that_died_come_back_with_their_lease(db, mailbox, owner_dsn):
    dead, alive, service = RequestSlots(db), RequestSlots(db), Service()
    held = [asyncio.create_task(service.serve(dead, mailbox, seconds=60)) for _ in range(3)]
    for _ in range(500):
        if service.inside == 3:
            break
        await asyncio.sleep(0.01)
    waiting = asyncio.create_task(service.serve(alive, mailbox))
    await asyncio.sleep(0.2)
    assert not waiting.done()

    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.provider_slot SET till = now() - interval '1 s'")

    await asyncio.wait_for(waiting, 5)
    for task in held:
        task.cancel()
    await asyncio.gather(*held, return_exceptions=True)
    await dead.close()
    await alive.close()


async def test_those_who_come_together_borrow_with_one_question_and_hear_of_a_wait_with_it(db, mailbox):
    counted = CountedDatabase(db)
    waits = MailboxWaits(counted)
    slots, service = RequestSlots(counted, waits=waits), Service()
    await MailboxWaits(db).told(mailbox, 60.0)  # another process was told

    await asyncio.gather(*(service.serve(slots, mailbox) for _ in range(3)))
    with pytest.raises(Throttled):
        await waits.check(mailbox)

    assert (3, 1, 0) == (service.most, counted.asked["lease_slots"], counted.asked["wait_left"])
    await slots.close()


async def test_to_lend_a_slot_and_to_take_it_back_wait_for_no_disk(db, mailbox, owner_dsn):
    slots, service = RequestSlots(db), Service()
    await service.serve(slots, mailbox)  # its slots are made
    await slots.close()
    wanted = as_json([{"mailbox_id": mailbox, "wanted": 1}])
    lent = {"wanted": wanted, "most": 3, "holder": mailbox, "lease": timedelta(seconds=20)}

    async with db.front_desk() as tx:
        await tx.run(WAIT)
        at_first = await tx.value(WAITS)
        [leased] = await tx.rows(budget.QUERIES.lease_slots, budget._Leased, **lent)
        once_lent = await tx.value(WAITS)
    async with db.front_desk() as tx:
        await tx.run(WAIT)
        await tx.run(budget.QUERIES.release_slots, mailboxes=[mailbox], slots=leased.slots, holder=mailbox)
        once_back = await tx.value(WAITS)

    assert ("on", "off", "off", 0) == (at_first, once_lent, once_back, taken(owner_dsn))


async def test_slots_of_many_mailboxes_go_back_in_one_statement(db, owner_dsn, monkeypatch):
    monkeypatch.setattr(budget, "IDLE", 60.0)  # on a busy machine some would be given back before the others
    counted, service = CountedDatabase(db), Service()
    slots = RequestSlots(counted)
    mailboxes = [await another_mailbox(db, owner_dsn) for _ in range(5)]
    await asyncio.gather(*(service.serve(slots, each) for each in mailboxes for _ in range(2)))

    await slots.close()

    assert (0, 1) == (taken(owner_dsn), counted.asked["release_slots"])


async def test_of_a_mailbox_that_was_deleted_meanwhile_nothing_is_asked_and_nobody_waits(db, owner_dsn, mailbox):
    slots, service = RequestSlots(db), Service()
    other = await another_mailbox(db, owner_dsn)
    await service.serve(slots, mailbox)
    while taken(owner_dsn):  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(0.01)
    with psycopg.connect(owner_dsn) as owner:
        owner.execute("DELETE FROM postroom.mailbox WHERE id = %s", [mailbox])

    async with asyncio.timeout(10):
        asked = (service.serve(slots, each) for each in (mailbox, other, MailboxId(new_id())))
        ended = await asyncio.gather(*asked, return_exceptions=True)

    assert [NotFound, type(None), NotFound] == [type(each) for each in ended]
    await slots.close()


async def test_a_mailbox_that_is_deleted_while_slots_are_made_keeps_no_other_from_its_own(db, owner_dsn, mailbox):
    slots, service = RequestSlots(db), Service()
    other = await another_mailbox(db, owner_dsn)
    with psycopg.connect(owner_dsn) as owner:
        owner.execute("DELETE FROM postroom.mailbox WHERE id = %s", [mailbox])
        asking = asyncio.gather(*(service.serve(slots, each) for each in (mailbox, other)), return_exceptions=True)
        while not owner.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()[0]:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)

    async with asyncio.timeout(10):
        ended = await asking

    assert [NotFound, type(None)] == [type(each) for each in ended]
    await slots.close()


async def test_slots_are_made_once_and_lent_to_all_mailboxes_that_begin_at_the_same_moment_in_one_question(
    db, owner_dsn
):
    counted, service = CountedDatabase(db), Service()
    slots = RequestSlots(counted)
    mailboxes = [await another_mailbox(db, owner_dsn) for _ in range(3)]
    for _ in range(2):
        await asyncio.gather(*(service.serve(slots, each) for each in mailboxes))
        while slots._boxes:  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(0.01)

    assert 0 == taken(owner_dsn)
    assert (1, 2) == (counted.asked["make_slots"], counted.asked["lease_slots"])
    await slots.close()


async def test_a_request_that_fails_gives_its_slot_to_the_next(db, mailbox):
    slots, service = RequestSlots(db), Service()
    for _ in range(5):
        with pytest.raises(RuntimeError):
            async with slots.use(mailbox):
                raise RuntimeError

    await asyncio.wait_for(service.serve(slots, mailbox), 3)
    await slots.close()


async def test_two_processes_together_spend_no_more_than_the_quota_and_learn_how_long_to_wait(db, mailbox):
    one, other = QuotaBudget(db, per_minute=600, chunk=50), QuotaBudget(db, per_minute=600, chunk=50)

    spent, refused = await spends_all(mailbox, 5, one, other)

    assert 500 <= spent <= 700  # a minute's worth, what refills meanwhile, and what is left of a chunk
    assert 0 < refused.retry_after <= 6


async def test_after_the_wait_it_goes_on(db, mailbox):
    quota = QuotaBudget(db, per_minute=6000, chunk=100)
    _, refused = await spends_all(mailbox, 100, quota)

    await asyncio.sleep(refused.retry_after + 0.05)
    await quota.spend(mailbox, 100)


async def test_something_dearer_than_a_chunk_can_be_paid(db, mailbox):
    await QuotaBudget(db, per_minute=600, chunk=10).spend(mailbox, 100)


async def spends_all(mailbox: MailboxId, units: int, *quotas: QuotaBudget) -> tuple[int, Throttled]:
    """In turn, until one is refused; what was spent, and the refusal."""
    spent = 0
    try:
        for _ in range(1000):
            for quota in quotas:
                await quota.spend(mailbox, units)
                spent += units
    except Throttled as refused:
        return spent, refused
    raise AssertionError(f"{spent} units were spent and nobody objected")


def taken(owner_dsn: str) -> int:
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        row = owner.execute("SELECT count(*) FROM postroom.provider_slot WHERE till > now()").fetchone()
    return row[0] if row else 0
