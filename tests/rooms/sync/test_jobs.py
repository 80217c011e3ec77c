"""Sync's jobs at a mailbox in memory: whatever the provider does, each message is ours once or accounted for."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
import pytest

from postroom.nouns.errors import AccessRevoked, Conflict, Throttled, Unavailable
from postroom.outside.memory import MemoryProvider
from postroom.rooms.sync import commands, rules, store
from postroom.rooms.sync.jobs import ReconcileMailbox, ReconcileMailboxes, SyncMailbox

AWAY = Unavailable("The provider is away.")


def hint(room, ref: str) -> None:
    room.own(
        "INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at) VALUES (%s, %s, %s, %s)",
        *[room.tenant, room.mailbox, ref, room.now],
    )


async def test_new_mail_is_taken_in_and_told_once(room):
    ref = await room.receives("Hello.")

    assert [ref] == room.arrived()
    assert [ref] == [told["provider_message_id"] for told in room.facts("mail.message.received")]


async def test_the_days_before_the_connection_are_taken_in_as_history(room):
    old = room.delivers("From yesterday.")
    room.box.message(old).received_at = room.now - timedelta(days=1)
    room.own("DELETE FROM postroom.mailbox_cursor")
    room.own("UPDATE postroom.mailbox SET connected_at = %s", room.now)

    await room.syncs()

    assert [(old, "backfill")] == room.own("SELECT provider_message_id, source FROM postroom.message")


async def test_reading_the_same_page_twice_makes_nothing_twice(room):
    await room.receives("Hello.")
    room.own("UPDATE postroom.mailbox_cursor SET cursor = 'memory.0'")

    await room.syncs()

    assert (1, 1) == (len(room.arrived()), len(room.facts("mail.message.received")))


async def test_many_pages_are_read_to_the_end(room, monkeypatch):
    monkeypatch.setattr(MemoryProvider.__init__, "__defaults__", (7,))
    wanted = sorted(room.delivers(f"Letter {number}") for number in range(40))

    await room.syncs()

    assert wanted == room.arrived()


async def test_the_cursor_stays_where_it_was_when_the_provider_is_away(room):
    before = room.ask("SELECT cursor FROM postroom.mailbox_cursor")
    ref = room.delivers()
    room.troubles = [AWAY]

    await room.syncs()

    assert before == room.ask("SELECT cursor FROM postroom.mailbox_cursor")
    await room.tries_again()
    assert [ref] == room.arrived()


async def test_an_id_that_only_a_push_named_is_fetched_by_itself(room):
    ref = room.delivers()
    room.own("UPDATE postroom.mailbox_cursor SET cursor = %s", f"memory.{room.box.newest}")
    hint(room, ref)

    await room.syncs()

    assert [(ref, "hint")] == room.own("SELECT provider_message_id, source FROM postroom.message")
    assert 0 == room.ask("SELECT count(*) FROM postroom.hint")


async def test_a_message_that_is_not_there_is_looked_for_again_before_it_is_called_gone(room):
    hint(room, "m-nowhere")

    await room.syncs()
    assert {"m-nowhere": "announced"} == room.states()

    room.now += rules.BELIEVE_GONE_AFTER
    for _ in range(rules.BELIEVE_GONE_AFTER_TRIES):
        await room.tries_again()

    assert {"m-nowhere": "gone"} == room.states()
    assert 1 == len(room.facts("mail.message.gone"))


@pytest.mark.parametrize("where", ["archive", "junkemail", "deleteditems"])
async def test_what_is_moved_away_before_it_was_fetched_is_accounted_for(room, where):
    ref = room.delivers()
    hint(room, ref)
    room.box.move(ref, where)

    await room.syncs()

    assert {"gone" if where != "archive" else "arrived"} == set(room.states().values())


async def test_one_message_that_fails_holds_up_no_other(room, monkeypatch):
    wanted = [room.delivers(f"Letter {number}") for number in range(12)]
    fetch = MemoryProvider.message

    async def moody(self, ref, known=None):
        if ref == wanted[5]:
            raise ValueError("This one defies us.")
        return await fetch(self, ref, known)

    monkeypatch.setattr(MemoryProvider, "message", moody)
    await room.syncs()

    assert sorted(set(wanted) - {wanted[5]}) == room.arrived()
    monkeypatch.undo()
    await room.tries_again()
    assert sorted(wanted) == room.arrived()


def attempts(room) -> list[str]:
    return [kind for (kind,) in room.own("SELECT kind FROM postroom.attempt ORDER BY id")]


@pytest.mark.parametrize(("count", "jobs"), [(1, []), (5, []), (6, ["sync.fetch_messages"])])
async def test_a_few_new_messages_are_fetched_by_the_sync_that_found_them(room, count, jobs):
    before = len(attempts(room))
    wanted = sorted(room.delivers(f"Letter {number}") for number in range(count))

    await room.syncs()

    assert wanted == room.arrived()
    assert ["sync.mailbox", *jobs] == attempts(room)[before:]


async def test_what_the_sync_cannot_fetch_gets_a_job_and_holds_up_neither_cursor_nor_the_others(room, monkeypatch):
    good, bad = room.delivers("Fine."), room.delivers("Odd.")
    fetch, asked = MemoryProvider.message, []

    async def moody(self, ref, known=None):
        asked.append(ref)
        if ref == bad and asked.count(bad) == 1:
            raise ValueError("This one defies us.")
        return await fetch(self, ref, known)

    monkeypatch.setattr(MemoryProvider, "message", moody)
    await room.syncs()

    assert sorted([good, bad]) == room.arrived()
    assert (1, 2) == (asked.count(good), asked.count(bad))
    assert f"memory.{room.box.newest}" == room.ask("SELECT cursor FROM postroom.mailbox_cursor")


async def test_what_somebody_else_announced_while_the_sync_fetched_it_is_taken_in_once(room, monkeypatch):
    ref, fetch = room.delivers("Twice announced."), MemoryProvider.message

    async def slowly(self, wanted, known=None):
        if not room.states():
            room.own(
                "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source, announced_at)"
                " VALUES (gen_random_uuid(), %s, %s, %s, 'reconcile', now())",
                *[room.tenant, room.mailbox, ref],
            )
        return await fetch(self, wanted, known)

    monkeypatch.setattr(MemoryProvider, "message", slowly)
    await room.syncs()

    assert [ref] == room.arrived()
    assert 1 == len(room.facts("mail.message.received"))


async def test_what_somebody_else_announces_in_the_moment_it_is_recorded_is_taken_in_once_and_counted_once(room):
    ref = room.delivers("Announced by two.")
    with psycopg.connect(room.owner_dsn) as other:
        other.execute(
            "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source, announced_at)"
            " VALUES (gen_random_uuid(), %s, %s, %s, 'reconcile', now())",
            [room.tenant, room.mailbox, ref],
        )
        sync = asyncio.create_task(room.syncs())
        await room.waits_for_locks(1)
        other.commit()
        await sync
    await room.tries_again()
    room.own("UPDATE postroom.message SET announced_at = announced_at - interval '1 hour'")
    await room.does(ReconcileMailboxes())

    assert [ref] == room.arrived()
    assert 1 == len(room.facts("mail.message.received"))
    assert [1] == [count for (count,) in room.own("SELECT messages FROM postroom.thread")]


async def test_mail_that_came_since_the_last_read_is_not_looked_up_before_it_is_fetched(room, monkeypatch):
    asked: list[list[str]] = []
    look_up = store.look_up_known

    async def noted(db, tenant_id, mailbox_id, refs):
        asked.append(list(refs))
        return await look_up(db, tenant_id, mailbox_id, refs)

    monkeypatch.setattr(store, "look_up_known", noted)
    new = room.delivers("Just now.")
    room.box.message(new).received_at = room.now + timedelta(seconds=1)
    await room.syncs()
    old = room.delivers("Moved in from elsewhere.")
    room.box.message(old).received_at = room.now - timedelta(days=3)
    await room.syncs()

    assert [[old]] == asked
    assert sorted([new, old]) == room.arrived()


async def test_a_sync_that_was_tried_before_leaves_fetching_to_jobs(room, monkeypatch):
    ref, before = room.delivers("Heavy."), len(attempts(room))
    room.troubles = [AWAY]

    await room.syncs()
    await room.tries_again()

    assert [ref] == room.arrived()
    assert "sync.fetch_message" in attempts(room)[before:]


async def test_a_batch_that_is_throttled_goes_on_later_and_takes_each_in_once(room):
    wanted = sorted(room.delivers(f"Letter {number}") for number in range(30))
    room.troubles = [Throttled("Slowly.", 1.0)] * 9

    await room.syncs()
    for _ in range(12):
        await room.tries_again()

    assert wanted == room.arrived()
    assert 30 == len(room.facts("mail.message.received"))


async def test_a_mailbox_whose_access_is_gone_waits_for_a_person(room):
    ref = room.delivers()
    room.troubles = [AccessRevoked("Reconnect it.")]
    await room.syncs()
    assert ["parked"] == [state for (state,) in room.own("SELECT state FROM postroom.job WHERE kind = 'sync.mailbox'")]

    room.own("DELETE FROM postroom.job")
    await room.does(SyncMailbox(room.mailbox))

    assert [ref] == room.arrived()


async def test_a_paused_mailbox_is_left_alone(room):
    room.delivers()
    room.own("UPDATE postroom.mailbox SET paused_at = now()")

    await room.syncs()

    assert [] == room.arrived()
    with pytest.raises(Conflict, match="resume it first"):
        await commands.sync(room.scope(), room.mailbox)


async def test_a_lost_cursor_lists_everything_since_anew_and_takes_nothing_in_twice(room, monkeypatch):
    known = await room.receives("Known.")
    monkeypatch.setattr(MemoryProvider.__init__, "__defaults__", (3,))
    missed = [room.delivers(f"Missed {number}") for number in range(8)]
    room.box.expire_cursors()

    await room.syncs()

    assert sorted([known, *missed]) == room.arrived()
    assert 9 == len(room.facts("mail.message.received"))
    assert (1, 1) == (len(room.facts("sync.cursor_lost")), len(room.facts("sync.resync_done")))


async def test_mail_that_comes_while_a_resync_is_under_way_is_not_lost(room, monkeypatch):
    monkeypatch.setattr(MemoryProvider.__init__, "__defaults__", (2,))
    for number in range(5):
        room.delivers(f"Missed {number}")
    listing, late = MemoryProvider.list_since, []

    async def interrupted(self, since, page=None):
        if not late:
            late.append(room.delivers("Right now."))
        return await listing(self, since, page)

    room.box.expire_cursors()
    monkeypatch.setattr(MemoryProvider, "list_since", interrupted)
    await room.syncs()
    await room.syncs()

    assert late[0] in room.arrived()
    assert 6 == len(room.arrived()) == len(room.facts("mail.message.received"))


async def test_comparing_takes_in_what_neither_push_nor_cursor_showed(room):
    held = await room.receives("Held.")
    hidden = room.delivers("Hidden.")
    room.own("UPDATE postroom.mailbox_cursor SET cursor = %s", f"memory.{room.box.newest}")
    room.now += rules.PUSH_EXPECTED_WITHIN * 2

    await room.does(ReconcileMailbox(room.mailbox))

    assert [held, hidden] == room.arrived()
    told = next(each for each in room.facts("sync.reconciled") if each["missing"])
    assert (2, 1, 1) == (told["listed"], told["held"], told["missing"])


async def test_comparing_twice_finds_nothing_more(room):
    await room.receives("Held.")

    await room.does(ReconcileMailbox(room.mailbox))
    await room.does(ReconcileMailbox(room.mailbox))

    assert [0, 0] == [told["missing"] for told in room.facts("sync.reconciled")[-2:]]


async def test_what_got_stuck_is_picked_up_by_the_clock(room):
    ref = room.delivers()
    await room.syncs()
    room.own("UPDATE postroom.message SET state = 'announced', announced_at = %s", room.now - timedelta(hours=2))
    room.own("DELETE FROM postroom.job")

    await room.does(ReconcileMailboxes())

    assert [ref] == room.arrived()


async def test_polling_reads_what_was_not_read_for_a_while_and_only_that(room):
    ref = room.delivers()
    await room.polls()
    assert [] == room.arrived()

    room.now += room.outside.poll_every
    await room.polls()

    assert [ref] == room.arrived()


async def test_a_message_moved_away_after_it_was_taken_in_keeps_its_record(room):
    ref = await room.receives("Hello.")
    room.box.move(ref, "deleteditems")

    await room.syncs()

    assert [ref] == room.arrived()
    assert room.ask("SELECT removed_at IS NOT NULL FROM postroom.message")


async def test_a_mailbox_that_was_read_while_our_clock_was_ahead_is_polled_before_that_time_comes(room):
    first = await room.receives("Hello.")
    room.own("UPDATE postroom.mailbox_cursor SET synced_at = synced_at + interval '1 day'")
    second = room.delivers("Is anybody there?")

    await room.polls()

    assert sorted([first, second]) == room.arrived()
