"""Every mail accounted for, once, whatever the provider and the network do."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from postroom.nouns.errors import Unavailable, Unreadable
from stories.office import DESK

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
RUNS = "SELECT count(*) FROM postroom.attempt WHERE kind = 'sync.mailbox' AND outcome = 'done'"


async def test_a_mail_is_pushed_recorded_and_told_once(office):
    [ref] = office.receives(subject="Could you send the March invoice again?")

    await office.works_until(HELD, 1)

    assert ref == office.ask("SELECT provider_message_id FROM postroom.message")
    assert "Could you send the March invoice again?" == office.ask("SELECT subject FROM postroom.message")
    assert 1 == office.count("mail.message.received")


async def test_a_burst_of_notifications_is_a_few_syncs_and_every_message_once(office):
    before = office.ask(RUNS)
    office.receives(1000)

    await office.works_until(HELD, 1000, seconds=120)

    assert 1000 == office.count("mail.message.received")
    assert 1000 <= office.ask("SELECT pushes FROM postroom.mailbox_push")
    assert office.ask(RUNS) - before < 60


@pytest.mark.parametrize(("trouble", "retries"), [(Unreadable("Torn in two."), 0), (Unavailable("Out for lunch."), 1)])
async def test_one_of_a_page_that_fails_keeps_none_of_the_others(office, trouble, retries):
    reader, real, failed = office.house.outside.reader, office.house.outside.reader.aread_mail, []

    async def read(raw: bytes, **known):
        if b"number 3 " in raw and not failed:
            failed.append(raw)
            raise trouble
        return await real(raw, **known)

    reader.aread_mail = read
    office.world.faults.turn(drop=1.0)
    for number in range(60):
        office.receives(1, subject=f"number {number} of many")
    office.world.faults.turn(drop=0.0)
    office.receives(1)

    await office.works_until(HELD, 61)

    assert 61 == office.count("mail.message.received")
    again = "SELECT count(*) FROM postroom.attempt WHERE kind = 'sync.fetch_messages' AND outcome = 'retry'"
    assert retries == office.ask(again)
    assert 61 == office.ask("SELECT sum(messages) FROM postroom.thread")


async def test_a_mailbox_paused_in_the_middle_of_a_page_is_left_alone_until_it_goes_on(office):
    reader, real = office.house.outside.reader, office.house.outside.reader.aread_mail

    async def read(raw: bytes, **known):
        if b"number 20 " in raw:
            office.own("UPDATE postroom.mailbox SET paused_at = now(), status = 'paused'")
        return await real(raw, **known)

    reader.aread_mail = read
    office.world.faults.turn(drop=1.0)
    for number in range(99):
        office.receives(1, subject=f"number {number} of many")
    office.world.faults.turn(drop=0.0)
    office.receives(1)

    await office.works_until(
        "SELECT count(*) FROM postroom.job WHERE kind = 'sync.fetch_messages' AND state = 'parked'", 1
    )

    assert 0 < office.arrived() < 100


async def test_duplicates_reordering_and_lost_pushes_lead_to_one_effect_each(office):
    office.world.faults.turn(duplicate=0.3, reorder=0.3, drop=0.2)
    for _ in range(60):
        office.receives(1)
        await asyncio.sleep(0.005)

    await office.works_until(HELD, 60)

    assert 60 == office.count("mail.message.received")


async def test_when_all_pushes_are_lost_polling_finds_the_mail(office):
    office.world.faults.turn(drop=1.0)
    office.receives(5)
    await office.works()
    assert 0 == office.arrived()

    office.world.clock.advance(timedelta(minutes=10))
    office.own("UPDATE postroom.timetable SET next_at = now() - interval '1 s'")
    scheduler = office.house.scheduler()
    await scheduler.announce()
    office.own("UPDATE postroom.timetable SET next_at = now() - interval '1 s'")
    await scheduler.tick()
    await office.works()

    assert 5 == office.arrived()


async def test_a_push_that_comes_before_the_message_is_readable_is_not_believed_at_once(office):
    office.world.faults.turn(unreadable_for=1.0)
    office.receives(2)

    await office.works_until(HELD, 2, seconds=40)

    assert 2 == office.count("mail.message.received")


async def test_an_expired_cursor_leads_to_a_bounded_resync_that_loses_nothing(office):
    office.receives(3)
    await office.works_until(HELD, 3)
    office.world.faults.turn(drop=1.0)
    office.receives(250)
    office.world.graph.expire_cursors(DESK)
    office.world.faults.turn(drop=0.0)
    office.receives(2)

    await office.works_until(HELD, 255)
    await office.works_until("SELECT count(*) FROM postroom.fact WHERE kind = 'sync.resync_done'", 1)

    assert 1 == office.count("sync.cursor_lost")
    assert 255 == office.count("mail.message.received")
    assert office.ask("SELECT cursor IS NOT NULL AND resync_since IS NULL FROM postroom.mailbox_cursor")


async def test_throttling_is_obeyed_and_drops_no_work(office):
    office.world.faults.turn(throttle=0.3, retry_after=1)
    office.receives(20)

    await office.works_until(HELD, 20, seconds=60)

    assert 0 < office.ask("SELECT count(*) FROM postroom.attempt WHERE outcome = 'throttled'")
    assert 0 == office.ask("SELECT max(retry_count) FROM postroom.attempt WHERE kind LIKE 'sync.fetch_message%%'")


async def test_transient_failures_are_retried_until_it_works(office):
    office.world.faults.turn(unavailable=0.15, reset=0.1)
    office.receives(20)

    await office.works_until(HELD, 20, seconds=60)

    assert 20 == office.count("mail.message.received")


async def test_never_more_than_three_requests_of_a_mailbox_are_in_flight(office):
    office.receives(60)

    await office.works_until(HELD, 60)

    assert [] == [mistake for mistake in office.world.recorder.mistakes if "concurrent" in mistake.lower()]
    assert 0 == sum(1 for call in office.world.recorder.calls if call.status == 429)


async def test_a_message_deleted_before_it_could_be_read_is_accounted_for(office):
    [ref] = office.receives(1)
    office.world.graph.delete(DESK, ref, for_good=True)
    await office.works_until("SELECT count(*) FROM postroom.attempt WHERE kind = 'sync.fetch_message'", 1)
    office.own("UPDATE postroom.message SET announced_at = announced_at - interval '1 hour'")  # old news by now

    await office.works_until("SELECT count(*) FROM postroom.message WHERE state = 'gone'", 1)

    assert "deleted" == office.ask("SELECT status FROM postroom.disposition LIMIT 1")
    assert 1 == office.count("mail.message.gone")


async def test_coverage_says_what_the_provider_lists_and_what_we_hold(office):
    office.receives(7)
    await office.works_until(HELD, 7)
    from postroom.nouns.ids import MailboxId
    from postroom.rooms.sync.jobs import ReconcileMailbox

    tenant, mailbox = office.ask("SELECT tenant_id FROM postroom.tenant"), office.ask("SELECT id FROM postroom.mailbox")
    scope = office.house.scope(tenant, "test")
    async with scope.finish() as tx:
        await scope.enqueue(tx, ReconcileMailbox(MailboxId(mailbox)))
    await office.works()

    assert 7 == office.ask("SELECT listed FROM postroom.coverage ORDER BY id DESC LIMIT 1")
    assert 7 == office.ask("SELECT held FROM postroom.coverage ORDER BY id DESC LIMIT 1")


async def test_two_workers_at_once_take_in_every_message_once(office):
    office.receives(80)

    await asyncio.gather(office.works_until(HELD, 80), office.works_until(HELD, 80))

    assert 80 == office.count("mail.message.received")
