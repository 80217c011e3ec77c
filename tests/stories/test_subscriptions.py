"""The provider's promise to tell us: kept for a month, lost, replaced, doubled; and never at the cursor's cost."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from postroom.app.house import ensure_configured
from postroom.nouns.ids import MailboxId
from postroom.rooms.mailboxes import watch_store
from postroom.rooms.mailboxes.jobs import KeepWatch
from postroom.settings import Settings
from stories.office import DESK, Office, open_office

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
ACTIVE = "SELECT subscription_id FROM padealing.graph_subscription_state WHERE status = 'active'"
STATUS = "SELECT status FROM padealing.graph_subscription_state WHERE subscription_id = %s"
CURSOR = "SELECT cursor FROM postroom.mailbox_cursor"


def at_graph(office: Office) -> list[str]:
    """The subscriptions that live there now."""
    now = office.world.clock.time()
    return [key for key, one in office.world.graph.subscriptions.all.items() if one.expires > now]


def calls(office: Office, method: str) -> int:
    return sum(1 for call in office.world.recorder.calls if call.method == method and "/subscriptions" in call.path)


async def test_over_thirty_days_the_subscription_never_lapses_and_the_cursor_stays(office):
    first, cursor = office.ask(ACTIVE), office.ask(CURSOR)

    for _ in range(30):
        office.world.clock.advance(timedelta(hours=24))
        assert [first] == at_graph(office)
        await office.fires_the_timetable("keep watches")
        await office.works(idle=0.1)

    assert first == office.ask(ACTIVE)
    assert cursor == office.ask(CURSOR)
    assert 1 == calls(office, "POST")  # renewed in place, never deleted and made anew
    assert 0 == calls(office, "DELETE")
    assert (
        0
        < office.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'watch.kept' AND body ->> 'how' = 'renewed'")
        <= 10
    )


async def test_being_asked_for_reauthorization_renews_at_once_and_asking_twice_once(office):
    subscription = office.ask(ACTIVE)
    office.world.clock.advance(timedelta(hours=1))
    before = office.world.graph.subscriptions.all[subscription].expires
    for _ in range(3):
        office.world.graph.lifecycle(subscription, "reauthorizationRequired")
    await office.world.graph.settle()

    await office.works()
    office.world.graph.lifecycle(subscription, "reauthorizationRequired")
    await office.world.graph.settle()
    await office.works()

    assert 1 == calls(office, "PATCH")
    assert before + 3000 < office.world.graph.subscriptions.all[subscription].expires
    assert [] == office.world.recorder.mistakes


async def test_a_removed_subscription_is_marked_made_anew_and_its_gap_closed(office):
    old = office.ask(ACTIVE)
    office.receives(1)
    await office.works_until(HELD, 1)
    office.world.clock.advance(timedelta(hours=1))
    office.world.faults.turn(drop=1.0)
    office.receives(3)  # nobody tells us of these
    office.world.faults.turn(drop=0.0)

    office.world.graph.lifecycle(old, "subscriptionRemoved")
    await office.works_until(HELD, 4)
    await office.works()

    assert "removed" == office.ask(STATUS, old)
    assert [office.ask(ACTIVE)] == at_graph(office)
    assert office.ask(ACTIVE) != old
    office.receives(1)
    await office.works_until(HELD, 5)


async def test_a_removal_told_twice_makes_one_new_subscription(office):
    old = office.world.graph.subscriptions.all[office.ask(ACTIVE)]
    office.world.graph.lifecycle(old.id, "subscriptionRemoved")
    office.world.graph.subscriptions.lifecycle(old, "subscriptionRemoved")
    await office.works()
    new = office.ask(ACTIVE)
    office.world.graph.subscriptions.lifecycle(old, "subscriptionRemoved")  # and once more, much later
    await office.world.graph.settle()
    await office.works()

    assert [new] == at_graph(office)
    assert new == office.ask(ACTIVE)
    assert 2 == calls(office, "POST")


async def test_missed_warns_with_the_range_and_looks_there_even_behind_the_last_push(office):
    office.world.faults.turn(missed=1.0)
    office.receives(2)
    office.world.faults.turn(missed=0.0)

    await office.works_until(HELD, 2)
    office.world.clock.advance(timedelta(minutes=30))
    office.world.graph.lifecycle(office.ask(ACTIVE), "missed")
    await office.world.graph.settle()
    await office.works()

    assert 3 == office.count("watch.lifecycle")
    window = "SELECT (SELECT min(received_at) FROM postroom.message) >= (SELECT since FROM postroom.coverage ORDER BY id DESC LIMIT 1)"
    assert office.ask(window)


async def test_a_subscription_that_vanished_without_a_word_is_made_anew_when_due(office):
    old = office.ask(ACTIVE)
    office.world.graph.remove_subscription(old)
    office.world.clock.advance(timedelta(days=6, hours=12))

    await office.fires_the_timetable("keep watches")
    await office.works()

    assert [office.ask(ACTIVE)] == at_graph(office)
    assert "expired" == office.ask(STATUS, old)


async def test_after_a_long_outage_of_ours_the_lapse_shows_and_heals_and_nothing_is_lost(office):
    old = office.ask(ACTIVE)
    office.world.clock.advance(timedelta(days=10))
    office.receives(4)
    await office.fires_the_timetable("keep watches")
    worker = office.house.worker()
    await worker.run_until_quiet(idle=0.1)

    assert "expired" == office.ask(STATUS, old)
    assert "active" == office.ask("SELECT status FROM postroom.mailbox")
    await office.fires_the_timetable("poll")
    await office.works_until(HELD, 4)
    assert [office.ask(ACTIVE)] == at_graph(office)


async def test_while_graph_refuses_the_mailbox_says_that_its_subscription_expired(office):
    office.world.clock.advance(timedelta(days=8))
    office.world.faults.turn(unavailable=1.0)
    await office.fires_the_timetable("keep watches")
    await office.works(idle=0.1)

    assert "subscription_expired" == office.ask("SELECT status FROM postroom.mailbox")

    office.world.faults.turn(unavailable=0.0)
    office.own("UPDATE postroom.job SET run_at = now(), not_before = '-infinity' WHERE state = 'later'")
    await office.works_until("SELECT status FROM postroom.mailbox", "active")


async def test_a_lifetime_that_is_refused_is_stepped_down(office, monkeypatch):
    monkeypatch.setattr("postroom_simulators.graph.subscriptions._BASIC", 4_230)
    office.world.graph.remove_subscription(office.ask(ACTIVE))

    await ask_for(office, KeepWatch(mailbox(office), lost=office.ask(ACTIVE), now=True))

    [kept] = office.world.graph.subscriptions.all.values()
    left = kept.expires - office.world.clock.time()
    assert 4_000 * 60 < left <= 4_230 * 60


async def test_a_crash_between_create_and_record_leaves_one_subscription_and_no_orphan(office, monkeypatch):
    office.world.graph.remove_subscription(office.ask(ACTIVE))
    real, crashes = watch_store.upsert_subscription, []

    async def crash_once(*values, **more):
        if not crashes:
            crashes.append(1)
            raise RuntimeError("the power fails after Graph said yes")
        await real(*values, **more)

    monkeypatch.setattr(watch_store, "upsert_subscription", crash_once)
    await ask_for(office, KeepWatch(mailbox(office), lost=office.ask(ACTIVE), now=True))
    await office.works_until("SELECT count(*) FROM postroom.fact WHERE kind = 'watch.kept'", 2)

    assert [office.ask(ACTIVE)] == at_graph(office)
    office.receives(1)  # and its pushes are believed
    await office.works_until(HELD, 1)
    assert 0 == office.count("security.event")


async def test_many_nodes_asking_at_once_renew_once(office):
    office.world.clock.advance(timedelta(days=6, hours=12))
    for _ in range(3):
        await office.fires_the_timetable("keep watches")

    await asyncio.gather(*(office.house.worker().run_until_quiet(idle=0.3) for _ in range(3)))

    assert 1 == calls(office, "PATCH")


async def test_the_hourly_look_does_not_swallow_what_the_provider_asked_for(office):
    subscription = office.ask(ACTIVE)
    office.world.clock.advance(timedelta(hours=1))
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "test")
    async with scope.finish() as tx:
        await scope.enqueue(tx, KeepWatch(mailbox(office), now=True))
        await scope.enqueue(tx, KeepWatch(mailbox(office)))
    await office.works()

    assert 1 == calls(office, "PATCH")
    assert subscription == office.ask(ACTIVE)


async def test_graph_client_state_is_used_for_the_configured_mailbox(dsn, owner_dsn, tmp_path):
    state = "a-configured-state-that-is-long-enough"
    async with open_office(dsn, owner_dsn, str(tmp_path), graph_client_state=state) as office:
        [subscription] = office.world.graph.subscriptions.all.values()
        assert state == subscription.client_state
        office.receives(1)

        await office.works_until(HELD, 1)

        assert state not in str(office.ask("SELECT string_agg(s::text, ' ') FROM padealing.graph_subscription_state s"))


async def test_a_configured_mailbox_that_failed_starts_anew_when_a_person_mended_it_and_restarts(office):
    office.own("UPDATE postroom.mailbox SET status = 'token_refresh_failed', told_person_at = now()")
    office.world.faults.turn(drop=1.0)
    office.receives(2)
    office.world.faults.turn(drop=0.0)
    await ensure_configured(office.house)

    await office.works_until(HELD, 2)

    assert "active" == office.ask("SELECT status FROM postroom.mailbox")


@pytest.mark.parametrize("public", [None, "https://post.example.org/"])
def test_one_function_says_where_we_can_be_reached(public):
    settings = Settings(bind="0.0.0.0:8025", public_url=public)

    assert ("https://post.example.org" if public else "http://127.0.0.1:8025") == settings.outside_url


def mailbox(office: Office) -> MailboxId:
    return MailboxId(office.ask("SELECT id FROM postroom.mailbox WHERE address = %s", DESK))


async def ask_for(office: Office, job: KeepWatch) -> None:
    scope = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "test")
    async with scope.finish() as tx:
        await scope.enqueue(tx, job)
    await office.works()
