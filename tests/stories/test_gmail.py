"""Gmail's ways: a push that names no message, one a second, a history that ends, and a quota told in words."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from postroom_simulators.incoming_mail import IncomingMail
from stories.office import Office, open_office
from stories.visitors import GREG, connects, gives_gmail

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
CURSOR = "SELECT cursor FROM postroom.mailbox_cursor"


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        gives_gmail(opened)
        assert 303 == (await connects(opened, "gmail", GREG))[0]
        await opened.works()
        opened.world.clock.advance(timedelta(seconds=2))
        yield opened


async def test_a_push_leads_over_the_history_to_the_message(office):
    [ref] = office.receives(1, to=GREG, subject="The March invoice")

    await office.works_until(HELD, 1)

    assert (ref, "The March invoice") == (
        office.ask("SELECT provider_message_id FROM postroom.message"),
        office.ask("SELECT subject FROM postroom.message"),
    )
    assert 1 == office.count("mail.message.received")


async def test_of_a_burst_gmail_announces_one_and_all_are_taken_in(office):
    office.receives(40, to=GREG)

    await office.works_until(HELD, 40)

    assert 40 == office.count("mail.message.received")
    assert office.ask("SELECT pushes FROM postroom.mailbox_push") < 10


async def test_a_volley_is_taken_in_within_seconds_for_the_price_of_a_few_history_calls(office):
    office.receives(1, to=GREG)
    await office.works_until(HELD, 1)
    office.world.recorder.clear()
    office.world.faults.turn(drop=1.0)  # as Gmail drops them, also where a second passes on a slow machine
    office.receives(3, to=GREG)
    began = time.monotonic()

    await office.works_until(HELD, 4, seconds=40)

    assert time.monotonic() - began < 30  # nobody polls here: the looks found them
    assert 1 <= sum("/history" in call.path for call in office.world.recorder.calls) <= 4


async def test_what_came_in_the_second_after_the_watch_said_that_it_began_is_found_without_polling(
    dsn, owner_dsn, tmp_path
):
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as office:
        gives_gmail(office)
        assert 303 == (await connects(office, "gmail", GREG))[0]
        await office.works_until("SELECT pushes FROM postroom.mailbox_push", 1)
        await office.works_until("SELECT count(*) FROM postroom.job WHERE state <> 'later'", 0)
        office.world.faults.turn(drop=1.0)  # as Gmail does within this second, however slow the machine is
        office.receives(1, to=GREG)

        await office.works_until(HELD, 1)

        assert 1 == office.count("mail.message.received")


async def test_what_came_in_the_second_after_a_push_is_found_by_polling(office):
    office.receives(1, to=GREG)
    await office.works_until(HELD, 1)
    office.receives(1, to=GREG)  # Gmail drops this push
    await office.works()
    office.world.clock.advance(timedelta(minutes=4))

    await office.fires_the_timetable("poll")
    await office.works_until(HELD, 2)

    assert 2 == office.count("mail.message.received")


async def test_a_history_that_ended_is_listed_anew_and_nothing_is_lost_or_doubled(office):
    office.receives(3, to=GREG)
    await office.works_until(HELD, 3)
    office.world.faults.turn(drop=1.0)
    office.receives(5, to=GREG)
    office.world.google.expire_history(GREG)
    office.world.faults.turn(drop=0.0)
    office.world.clock.advance(timedelta(seconds=2))
    office.receives(1, to=GREG)

    await office.works_until(HELD, 9)
    await office.works_until("SELECT count(*) FROM postroom.fact WHERE kind = 'sync.resync_done'", 1)

    assert 1 == office.count("sync.cursor_lost")
    assert 9 == office.count("mail.message.received")


async def test_a_watch_is_renewed_for_thirty_days(office):
    for _ in range(30):
        office.world.clock.advance(timedelta(hours=24))
        await office.fires_the_timetable("keep watches")
        await office.works(idle=0.1)
        left = "SELECT extract(epoch FROM expiration_datetime) FROM postroom.gmail_watch_state WHERE status = 'active'"
        assert office.ask(left) > office.world.clock.time()


async def test_a_renewed_watch_leaves_the_cursor_where_we_had_read_to(office):
    office.receives(1, to=GREG)
    await office.works_until(HELD, 1)
    office.world.faults.turn(drop=1.0)
    office.receives(1, to=GREG)  # not announced: a cursor moved by the watch would pass it
    cursor = office.ask(CURSOR)
    office.world.clock.advance(timedelta(days=6, hours=2))
    renewals = office.count("watch.kept")

    await office.fires_the_timetable("keep watches")
    await office.works()

    assert renewals + 1 == office.count("watch.kept")
    assert cursor == office.ask(CURSOR)
    await office.fires_the_timetable("poll")
    await office.works_until(HELD, 2)


async def test_after_weeks_unread_a_lost_cursor_costs_no_mail(office):
    office.receives(1, to=GREG)
    await office.works_until(HELD, 1)
    office.world.faults.turn(drop=1.0)
    office.world.clock.advance(timedelta(days=1))
    office.receives(3, to=GREG)
    office.world.clock.advance(timedelta(days=20))
    office.receives(2, to=GREG)
    office.world.google.expire_history(GREG)

    await office.fires_the_timetable("poll")
    await office.works()

    assert 6 == office.arrived()
    assert 6 == office.count("mail.message.received")
    assert office.ask("SELECT body -> 'unlisted_since' = 'null' FROM postroom.fact WHERE kind = 'sync.cursor_lost'")


async def test_what_lies_before_the_bound_of_a_resync_is_not_passed_over_in_silence(office):
    office.receives(1, to=GREG)
    await office.works_until(HELD, 1)
    office.world.clock.advance(timedelta(days=120))
    office.world.google.expire_history(GREG)

    await office.fires_the_timetable("poll")
    await office.works()

    said = office.ask("SELECT body ->> 'because' FROM postroom.fact WHERE kind = 'sync.cursor_lost'")
    assert "is not listed again" in said
    kept = "SELECT unlisted_till - unlisted_since > interval '20 days' FROM postroom.mailbox_cursor WHERE unlisted_till IS NOT NULL"
    assert office.ask(kept)


async def test_a_quota_told_in_words_is_waited_for_without_spending_attempts(office):
    office.world.faults.turn(throttle=1.0, retry_after=1)
    office.receives(3, to=GREG)
    await office.works_until("SELECT count(*) > 1 FROM postroom.attempt WHERE outcome = 'throttled'", expected=True)
    office.world.faults.turn(throttle=0.0)
    office.own(
        "UPDATE postroom.job SET run_at = now(), not_before = '-infinity' WHERE state = 'later'"
    )  # a minute later

    await office.works_until(HELD, 3)

    assert 0 == office.ask("SELECT max(retry_count) FROM postroom.attempt WHERE kind LIKE 'sync.%%'")
    assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")


async def test_a_history_that_lags_behind_its_push_is_read_again(office):
    office.world.faults.turn(history_lag=1.0)
    office.receives(1, to=GREG)
    await office.works_until(HELD, 0)

    office.world.clock.advance(timedelta(minutes=4))
    await office.fires_the_timetable("poll")

    await office.works_until(HELD, 1)


async def test_a_revoked_grant_is_told_once_and_a_reconnect_takes_in_the_gap(office):
    office.world.google.revoke(GREG)
    office.receives(2, to=GREG)
    await office.fires_the_timetable("poll")
    office.world.clock.advance(timedelta(minutes=4))
    await office.fires_the_timetable("poll")
    await office.works_until("SELECT status FROM postroom.mailbox", "token_refresh_failed")
    assert 1 == office.count("mailbox.needs_person")

    assert 303 == (await connects(office, "gmail", GREG))[0]
    await office.works_until(HELD, 2)

    assert 1 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_drafts_sent_mail_and_spam_are_not_taken_in(office):
    for folder in ("junkemail", "sentitems", "drafts", "deleteditems"):
        office.world.deliver(IncomingMail(GREG, office.mail(to=GREG), folder=folder))
    office.receives(1, to=GREG)

    await office.works_until(HELD, 1)
    await office.works()

    assert 1 == office.arrived()
