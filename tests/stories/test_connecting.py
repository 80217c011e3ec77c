"""From a person's yes to the first mail; losing access, telling once, coming back; and leaving for good."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from postroom.rooms.mailboxes import commands
from stories.office import Office, open_office
from stories.visitors import ANNA, GREG, connects, disconnects, everything_in, gives_gmail, secrets_of

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
STATUS = "SELECT status FROM postroom.mailbox"
ACTIVE = "SELECT count(*) FROM padealing.graph_subscription_state WHERE status = 'active'"


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        opened.world.add_mailbox(ANNA, name="Anna", provider="graph")
        yield opened


async def has_outlook(office: Office) -> None:
    assert 303 == (await connects(office, "outlook", ANNA))[0]
    await office.works()


async def has_gmail(office: Office) -> None:
    gives_gmail(office)
    assert 303 == (await connects(office, "gmail", GREG))[0]
    await office.works()


async def test_connecting_outlook_leads_from_a_yes_to_the_first_mail(office):
    office.receives(2, to=ANNA)
    office.world.clock.advance(timedelta(hours=1))
    await has_outlook(office)
    office.receives(1, to=ANNA)

    await office.works_until(HELD, 3)

    assert "active" == office.ask(STATUS)
    assert 1 == office.ask(ACTIVE)
    assert office.ask("SELECT cursor IS NOT NULL FROM postroom.mailbox_cursor")
    assert 2 == office.ask("SELECT count(*) FROM postroom.message WHERE source = 'backfill'")
    assert 1 == office.ask("SELECT count(*) FROM postroom.message WHERE source = 'push'")


async def test_connecting_gmail_leads_from_a_yes_to_the_first_mail(office):
    gives_gmail(office)
    office.receives(2, to=GREG)
    await has_gmail(office)
    office.world.clock.advance(timedelta(seconds=2))  # the watch itself pushed, and Gmail pushes once a second
    office.receives(1, to=GREG)

    await office.works_until(HELD, 3)

    assert "active" == office.ask("SELECT status FROM postroom.gmail_watch_state")
    assert 3 == office.count("mail.message.received")


async def test_nothing_readable_is_kept_of_any_token(office):
    await has_outlook(office)
    await has_gmail(office)

    stolen = everything_in(office, "postroom.mailbox_token") + everything_in(office, "postroom.fact")

    tokens = secrets_of(office)
    assert len(tokens) >= 3
    assert 2 == office.ask("SELECT count(*) FROM postroom.mailbox_token WHERE sealed IS NOT NULL")
    for token in tokens:
        assert token not in stolen
        assert token.encode().hex() not in stolen


async def test_reconnecting_is_the_same_mailbox_with_its_cursor_and_one_subscription(office):
    await has_outlook(office)
    before = office.ask("SELECT id FROM postroom.mailbox"), office.ask("SELECT cursor FROM postroom.mailbox_cursor")

    await has_outlook(office)

    assert before[0] == office.ask("SELECT id FROM postroom.mailbox")
    assert 1 == office.ask("SELECT count(*) FROM postroom.mailbox")
    assert 1 == office.ask(ACTIVE)
    assert 1 == len(office.world.graph.subscriptions.all)
    assert ["false", "true"] == [
        office.ask(
            f"SELECT body ->> 'again' FROM postroom.fact WHERE kind = 'mailbox.connected' ORDER BY id OFFSET {n} LIMIT 1"
        )
        for n in (0, 1)
    ]


async def test_a_revoked_grant_parks_the_work_tells_once_and_spends_no_attempt(office):
    await has_outlook(office)
    office.receives(4, to=ANNA)
    office.world.graph.revoke(ANNA)

    await office.works_until(STATUS, "token_refresh_failed")
    office.world.clock.advance(timedelta(hours=2))
    await office.fires_the_timetable()
    await office.works()

    assert 1 == office.count("mailbox.needs_person")
    assert 0 == office.ask("SELECT coalesce(max(tries), 0) FROM postroom.job WHERE state = 'parked'")
    assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")
    assert "connect the mailbox again" in office.ask("SELECT because FROM postroom.mailbox")


async def test_reconnecting_after_a_revocation_takes_in_all_that_came_meanwhile(office):
    await has_outlook(office)
    office.receives(2, to=ANNA)
    office.world.graph.revoke(ANNA)
    await office.works_until(STATUS, "token_refresh_failed")
    office.receives(3, to=ANNA)  # of these nobody told us
    office.world.clock.advance(timedelta(hours=5))

    await has_outlook(office)
    await office.works_until(HELD, 5)

    assert "active" == office.ask(STATUS)
    assert 5 == office.count("mail.message.received")
    pushes = office.ask("SELECT pushes FROM postroom.mailbox_push")
    office.receives(1, to=ANNA)  # the old subscription speaks again, by the new grant
    await office.works_until(HELD, 6)
    assert pushes < office.ask("SELECT pushes FROM postroom.mailbox_push")
    assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'parked'")
    assert 1 == len(office.world.graph.subscriptions.all)


async def test_a_token_that_ends_in_the_middle_is_refreshed_and_nobody_notices(office):
    await has_outlook(office)
    for _ in range(3):
        office.world.clock.advance(timedelta(minutes=70))
        office.receives(2, to=ANNA)
        await office.works()
        await office.fires_the_timetable()
    await office.works()

    assert 6 == office.arrived()
    assert 0 == office.count("mailbox.needs_person")
    assert "active" == office.ask(STATUS)


async def test_a_busy_sign_in_is_not_taken_for_a_lost_grant(office):
    await has_outlook(office)
    office.world.clock.advance(timedelta(minutes=70))
    office.world.graph.entra.failing = [50196]  # "your app is in a loop": a throttle in disguise
    office.receives(1, to=ANNA)

    await office.works_until("SELECT count(*) FROM postroom.attempt WHERE outcome = 'throttled'", 1)

    assert "active" == office.ask(STATUS)
    assert 0 == office.count("mailbox.needs_person")


async def test_disconnecting_removes_tokens_and_subscription_here_and_there(office):
    await has_outlook(office)
    office.receives(1, to=ANNA)
    await office.works_until(HELD, 1)

    assert 200 == (await disconnects(office, address=ANNA))[0]
    office.receives(1, to=ANNA)
    await office.works()

    assert {} == office.world.graph.subscriptions.all
    assert "removed" == office.ask("SELECT status FROM padealing.graph_subscription_state")
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox_token WHERE sealed IS NOT NULL")
    assert 1 == office.arrived()  # what we took in stays, and nothing more comes
    assert "disconnected" == office.ask(STATUS)


async def test_disconnecting_gmail_stops_the_watch_and_gives_the_grant_back(office):
    await has_gmail(office)

    assert 200 == (await disconnects(office))[0]

    assert "removed" == office.ask("SELECT status FROM postroom.gmail_watch_state")
    assert 1 == sum(1 for call in office.world.recorder.calls if call.path.endswith("/stop") and call.status < 300)
    assert 1 == sum(1 for call in office.world.recorder.calls if call.path == "/revoke" and call.status == 200)


async def test_disconnecting_works_although_the_grant_is_gone_or_the_provider_down(office):
    await has_outlook(office)
    await has_gmail(office)
    office.world.graph.revoke(ANNA)
    office.world.faults.turn(unavailable=1.0)

    assert 200 == (await disconnects(office, address=ANNA))[0]
    assert 200 == (await disconnects(office, address=GREG))[0]

    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox_token WHERE sealed IS NOT NULL")
    assert 2 == office.ask("SELECT count(*) FROM postroom.mailbox WHERE status = 'disconnected'")


async def test_a_mail_left_unread_by_a_disconnect_is_read_after_the_reconnect(office):
    await has_outlook(office)
    office.world.faults.turn(unreadable_for=3600.0)
    office.receives(1, to=ANNA)
    await office.works_until("SELECT count(*) FROM postroom.message WHERE state = 'announced'", 1)
    await disconnects(office, address=ANNA)
    office.own("UPDATE postroom.job SET run_at = now(), not_before = '-infinity'")
    await office.works_until("SELECT count(*) FROM postroom.message WHERE state = 'gone'", 1)
    office.world.faults.turn(unreadable_for=0.0)
    office.world.clock.advance(timedelta(hours=2))

    await has_outlook(office)

    await office.works_until(HELD, 1)


async def test_pausing_stays_a_pause_although_work_runs_into_it(office):
    await has_outlook(office)
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "person:test")
    mailbox = office.ask("SELECT id FROM postroom.mailbox")
    office.world.faults.turn(unreadable_for=1.0)
    office.receives(2, to=ANNA)
    await office.works_until("SELECT count(*) FROM postroom.message", 2)
    await commands.pause(scope, mailbox)
    office.own("UPDATE postroom.job SET run_at = now(), not_before = '-infinity'")
    await office.works()

    assert "paused" == office.ask(STATUS)
    assert 0 == office.count("mailbox.needs_person")

    office.world.faults.turn(unreadable_for=0.0)
    await commands.resume(scope, mailbox)
    await office.works_until(HELD, 2)
    assert "active" == office.ask(STATUS)
