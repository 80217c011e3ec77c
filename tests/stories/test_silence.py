"""Pushes that stay away: noticed, said, polled around, and trusted again when they return."""

from __future__ import annotations

from datetime import timedelta

from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from postroom.nouns.ids import MailboxId
from postroom.rooms.sync.jobs import ReconcileMailbox

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
DELIVERY = "SELECT delivery FROM postroom.mailbox_cursor"


async def six_hours_pass(office, *, mails: int) -> None:
    """Mail comes, polling finds it, and at the end there is an audit."""
    office.world.clock.advance(timedelta(hours=3))
    if mails:
        office.receives(mails)
    office.world.clock.advance(timedelta(hours=3))
    await office.fires_the_timetable("poll")
    await office.works()
    await office.fires_the_timetable("reconcile")
    await office.works()


async def test_mail_without_pushes_twice_in_a_row_leads_to_polling_and_is_said(office):
    office.world.faults.turn(drop=1.0)
    await six_hours_pass(office, mails=2)
    assert "push" == office.ask(DELIVERY)

    await six_hours_pass(office, mails=1)

    assert "poll" == office.ask(DELIVERY)
    assert 3 == office.arrived()
    said = office.ask("SELECT body ->> 'because' FROM postroom.fact WHERE kind = 'mailbox.delivery_changed'")
    assert "1 messages came without a push, 2 times in a row." == said
    assert 3 == office.ask("SELECT sum(unannounced) FROM postroom.coverage")


async def test_the_first_push_that_arrives_ends_the_polling(office):
    office.world.faults.turn(drop=1.0)
    for _ in range(2):
        await six_hours_pass(office, mails=1)
    assert "poll" == office.ask(DELIVERY)
    office.world.faults.turn(drop=0.0)
    office.receives(1)

    await office.works_until(DELIVERY, "push")
    await office.works_until(HELD, 3)

    assert 2 == office.count("mailbox.delivery_changed")
    assert "push" == office.ask("SELECT source FROM postroom.message ORDER BY received_at DESC LIMIT 1")


async def test_a_quiet_mailbox_is_not_a_silent_one(office):
    for _ in range(4):
        await six_hours_pass(office, mails=0)

    assert "push" == office.ask(DELIVERY)
    assert 0 == office.count("mailbox.delivery_changed")


async def test_some_lost_pushes_are_no_silence(office):
    for _ in range(3):
        office.world.clock.advance(timedelta(hours=5))
        office.world.faults.turn(drop=1.0)
        office.receives(2)
        await office.fires_the_timetable("poll")
        await office.works()
        office.world.faults.turn(drop=0.0)
        office.world.clock.advance(timedelta(hours=1))
        office.receives(1)
        await office.world.graph.settle()
        await office.works()
        await office.fires_the_timetable("reconcile")
        await office.works()

    assert 9 == office.arrived()
    assert "push" == office.ask(DELIVERY)


async def test_a_poll_that_was_a_moment_quicker_than_the_push_is_no_silence(office):
    office.world.clock.advance(timedelta(hours=1))
    office.world.faults.turn(delay=60.0)  # of the world's clock, which stands still for a moment
    office.receives(1)
    await office.fires_the_timetable("poll")
    await office.works(idle=0.1)
    assert "poll" == office.ask("SELECT source FROM postroom.message")

    office.world.clock.advance(timedelta(seconds=61))
    await office.works_until("SELECT source FROM postroom.message", "push")


async def test_coverage_below_everything_is_seen_and_mended(office):
    office.receives(4)
    await office.works_until(HELD, 4)
    office.own("DELETE FROM postroom.message WHERE id IN (SELECT id FROM postroom.message LIMIT 1)")  # as if lost
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "test")
    async with scope.finish() as tx:
        await scope.enqueue(tx, ReconcileMailbox(MailboxId(office.ask("SELECT id FROM postroom.mailbox"))))

    await office.works_until(HELD, 4)
    await office.works()

    assert "4 of which 3" == office.ask(
        "SELECT listed || ' of which ' || held FROM postroom.coverage ORDER BY id DESC LIMIT 1"
    )
    assert 1 == office.ask("SELECT cardinality(missing) FROM postroom.coverage ORDER BY id DESC LIMIT 1")
    told = "SELECT body ->> 'missing' FROM postroom.fact WHERE kind = 'sync.reconciled' ORDER BY id DESC LIMIT 1"
    assert "1" == office.ask(told)
    _, shown = await office.get("/metrics")
    assert f'postroom_coverage_ratio{{mailbox="{office.ask("SELECT id FROM postroom.mailbox")}"}} 0.75' in shown


async def test_mail_that_neither_push_nor_cursor_showed_is_counted_warned_of_and_taken_in(office):
    office.world.clock.advance(timedelta(minutes=1))
    office.receives(2)
    await office.works_until(HELD, 2)
    office.own("DELETE FROM postroom.message WHERE provider_message_id = %s", office.sent[0])  # as if never shown
    office.world.clock.advance(timedelta(hours=1))
    before = REGISTRY.get_sample_value("postroom_missing_messages_total") or 0

    with capture_logs() as logs:
        await office.fires_the_timetable("reconcile")
        await office.works()

    assert 2 == office.arrived()
    assert before + 1 == REGISTRY.get_sample_value("postroom_missing_messages_total")
    assert [1] == [each["messages"] for each in logs if each["event"] == "mail was missing"]
    coverage = "SELECT listed::text || ' ' || held FROM postroom.coverage ORDER BY id DESC LIMIT 1"
    assert "2 1" == office.ask(coverage)
