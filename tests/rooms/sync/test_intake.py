"""Notifications between the answer and the sync: kept, sorted once, and in nobody's way."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from structlog.testing import capture_logs

from harness import OwnerEyes
from makers import make_tenant
from postroom.db.errors import DatabaseAway
from postroom.nouns import facts
from postroom.nouns.ids import MailboxId, new_id
from postroom.nouns.providers import ProviderRef
from postroom.rooms.itinerary import next_jobs
from postroom.rooms.mailboxes import store as mailboxes
from postroom.rooms.sync import store
from postroom.rooms.sync.notifications import Intake, MailboxNotification, TenantFact

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Hall(OwnerEyes):
    """A house with mailboxes and an intake, and nobody who works."""

    def __init__(self, db, waker, owner_dsn, tenant) -> None:
        self.db, self.owner_dsn, self.tenant = db, owner_dsn, tenant
        self.intake = Intake(db, waker, next_jobs, lambda: NOW)

    async def mailbox(self, address: str) -> MailboxId:
        mailbox = MailboxId(new_id())
        async with self.db.tenant(self.tenant) as tx:
            how = {"address": address, "provider": "outlook", "access": "delegated"}
            await mailboxes.add(tx, self.tenant, mailbox, NOW, **how)
        return mailbox

    def notification(self, mailbox: MailboxId, ref: str | None = None) -> MailboxNotification:
        return MailboxNotification(self.tenant, mailbox, ProviderRef(ref) if ref else None)

    async def notifies(self, *notifications: MailboxNotification) -> None:
        await self.intake.put(notifications)
        await self.intake.sorted()


@pytest.fixture
def hall(db, waker, owner_dsn) -> Hall:
    return Hall(db, waker, owner_dsn, make_tenant(owner_dsn))


async def test_rings_of_one_moment_are_one_fact_and_one_job_for_each_mailbox(hall):
    one, other = await hall.mailbox("a@desk.test"), await hall.mailbox("b@desk.test")

    await hall.notifies(*(hall.notification(one, f"m{n}") for n in range(30)), hall.notification(other))

    assert 2 == hall.ask("SELECT count(*) FROM postroom.job WHERE kind = 'sync.mailbox'")
    told = "SELECT (body ->> 'notifications')::int FROM postroom.fact WHERE kind = 'mailbox.notification_received' ORDER BY 1 DESC"
    assert 30 == hall.ask(told)
    assert 30 == hall.ask("SELECT count(*) FROM postroom.hint")


async def test_a_notification_for_a_mailbox_that_was_deleted_does_not_spoil_the_others(hall):
    await hall.notifies(
        hall.notification(MailboxId(new_id()), "m1"), hall.notification(await hall.mailbox("a@desk.test"), "m2")
    )

    assert "m2" == hall.ask("SELECT string_agg(ref, ' ') FROM postroom.hint")
    assert 0 == hall.ask("SELECT count(*) FROM postroom.notification")


async def test_an_id_with_a_character_that_postgres_cannot_hold_is_kept_without_it(hall):
    await hall.notifies(hall.notification(await hall.mailbox("a@desk.test"), "m\0x"))

    assert 1 == hall.ask("SELECT count(*) FROM postroom.hint")


async def test_a_lifecycle_event_takes_the_notifications_beside_it_along_and_warns_of_the_range_that_was_missed(hall):
    mailbox = await hall.mailbox("a@desk.test")
    missed = facts.WatchNoticed(mailbox_id=mailbox, watch_id="s-1", event="missed")

    with capture_logs() as logs:
        await hall.intake.put([hall.notification(mailbox, "m1")], [TenantFact(hall.tenant, missed)])

    assert [("notifications missed", "the beginning", NOW.isoformat())] == [
        (each["event"], each["since"], each["till"]) for each in logs
    ]
    assert "m1" == hall.ask("SELECT ref FROM postroom.hint")  # at once: it is a fact
    assert 1 == hall.ask("SELECT count(*) FROM postroom.job WHERE kind = 'sync.reconcile'")


async def test_notifications_that_a_dead_process_left_are_sorted_by_the_next_poll(hall):
    mailbox = await hall.mailbox("a@desk.test")
    with psycopg.connect(hall.owner_dsn, autocommit=True) as owner:
        for ref in ("m1", "m2", None):
            row = [hall.tenant, mailbox, ref, NOW - timedelta(minutes=1)]
            owner.execute(
                "INSERT INTO postroom.notification (tenant_id, mailbox_id, ref, received_at) VALUES (%s, %s, %s, %s)",
                row,
            )

    async with hall.db.tenant(hall.tenant) as tx:
        left = await store.sort_leftover_notifications(tx, hall.tenant, NOW - timedelta(seconds=10), NOW)

    assert [store.NotifiedMailbox(mailbox, 3)] == left
    assert "m1 m2" == hall.ask("SELECT string_agg(ref, ' ' ORDER BY ref) FROM postroom.hint")
    assert (3, NOW - timedelta(minutes=1)) == (
        hall.ask("SELECT pushes FROM postroom.mailbox_push"),
        hall.ask("SELECT last_push_at FROM postroom.mailbox_push"),
    )
    assert 0 == hall.ask("SELECT count(*) FROM postroom.notification")


async def test_what_somebody_else_has_sorted_is_not_sorted_again(hall):
    mailbox = await hall.mailbox("a@desk.test")
    asked = 'SELECT postroom.sort_notifications(ARRAY[999], now(), NULL, NULL, \'[{"kind": "x"}]\', NULL)'

    assert hall.ask(asked) is False
    await hall.notifies(hall.notification(mailbox))
    assert 1 == hall.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'mailbox.notification_received'")


async def test_a_doubled_notification_and_the_sync_that_takes_its_hint_away_do_not_block_each_other(hall):
    """The sync deletes the hint and then wants its lane; the notification names the same hint and wants the same lane."""
    mailbox = await hall.mailbox("a@desk.test")
    await hall.notifies(hall.notification(mailbox, "m1"))
    lane = f"SELECT pg_advisory_xact_lock(postroom.lane_lock('{hall.tenant}', 'mailbox:{mailbox}', NULL, NULL))"
    with psycopg.connect(hall.owner_dsn) as sync:
        sync.execute("SET lock_timeout = '5s'")
        sync.execute("DELETE FROM postroom.hint")
        await hall.intake.put([hall.notification(mailbox, "m1")])  # sorted in the background: it waits for the deletion
        await _waits(hall)
        await asyncio.to_thread(sync.execute, lane)
        sync.commit()
    await hall.intake.sorted()

    assert "m1" == hall.ask("SELECT ref FROM postroom.hint")


async def _waits(hall: Hall) -> None:
    for _ in range(200):
        if hall.ask("SELECT count(*) FROM pg_locks WHERE NOT granted"):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nobody waits")


async def test_rings_that_cannot_be_sorted_now_are_kept_and_said_so(hall, monkeypatch):
    mailbox = await hall.mailbox("a@desk.test")

    async def fails(pile: object) -> None:
        raise DatabaseAway("the server went away")

    monkeypatch.setattr(hall.intake, "_sort", fails)
    with capture_logs() as logs:
        await hall.notifies(hall.notification(mailbox, "m1"))

    assert ["notifications not sorted"] == [each["event"] for each in logs]
    assert 1 == hall.ask("SELECT count(*) FROM postroom.notification")
