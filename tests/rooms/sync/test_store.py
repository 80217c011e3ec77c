"""What the database itself guards of cursors, messages and audits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from makers import make_tenant
from postroom.db import sql
from postroom.db.errors import DatabaseError
from postroom.db.pool import one_plan_each
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import MailboxId, new_id
from postroom.nouns.providers import Cursor, Glimpse, ProviderRef
from postroom.rooms.mailboxes import store as mailboxes
from postroom.rooms.sync import store
from postroom.rooms.sync.rules import Compared

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MANY = """
INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source, state, announced_at, arrived_at)
SELECT gen_random_uuid(), %s, %s, 'm-' || n, 'push', 'arrived', now(), now() FROM generate_series(1, 2000) n
"""
READ = sql.Query(
    "read",
    "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relid = 'postroom.message'::regclass",
)


class Box:
    def __init__(self, db, tenant, mailbox) -> None:
        self.db, self.tenant, self.mailbox = db, tenant, mailbox

    def tx(self):
        return self.db.tenant(self.tenant)

    async def announces(self, *glimpses: Glimpse, source: str = "push") -> list[store.Announced]:
        async with self.tx() as tx:
            return await store.announce(tx, self.tenant, self.mailbox, glimpses, source, NOW)

    async def moves(self, tx, was: str, cursor: str, now: datetime = NOW, **how) -> store.Moved:
        return await store.move_cursor(tx, self.tenant, self.mailbox, Cursor(was), Cursor(cursor), now, **how)

    async def cursor(self) -> str | None:
        async with self.tx() as tx:
            found = await store.sync_state(tx, self.mailbox)
        assert found is not None
        return found.cursor


@pytest.fixture
async def box(db, owner_dsn) -> Box:
    tenant, mailbox = make_tenant(owner_dsn), MailboxId(new_id())
    async with db.tenant(tenant) as tx:
        await mailboxes.add(tx, tenant, mailbox, NOW, address="a@desk.test", provider="outlook", access="delegated")
        await store.seed_cursor(tx, tenant, mailbox, Cursor("c-1"), NOW)
    return Box(db, tenant, mailbox)


async def test_a_cursor_moves_only_from_where_it_was_read(box):
    async with box.tx() as tx:
        assert (await box.moves(tx, "c-1", "c-2")).moved
        assert not (await box.moves(tx, "c-1", "c-0")).moved

    assert "c-2" == await box.cursor()


@pytest.mark.parametrize("pushed", [False, True])
async def test_a_look_does_not_read_all_messages_of_the_mailbox(box, owner_dsn, pushed):
    """With one plan for all values, as the job has it: it cannot know that no push is meant."""
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(MANY, (box.tenant, box.mailbox))
        owner.execute("ANALYZE postroom.message")

    with one_plan_each():
        async with box.tx() as tx:
            before = await tx.value(READ)
            assert (await box.moves(tx, "c-1", "c-2", pushed=pushed)).moved

            assert before == await tx.value(READ)


async def test_an_empty_cursor_is_refused_by_the_database(box):
    with pytest.raises(DatabaseError, match="cursor_is_never_empty"):
        async with box.tx() as tx:
            await box.moves(tx, "c-1", "")

    assert "c-1" == await box.cursor()


async def test_seeding_again_does_not_move_a_cursor_that_is_there(box):
    async with box.tx() as tx:
        await store.seed_cursor(tx, box.tenant, box.mailbox, Cursor("c-9"), NOW)

    assert "c-1" == await box.cursor()


async def test_while_a_resync_runs_the_old_cursor_stays_and_moves_when_it_is_complete(box):
    async with box.tx() as tx:
        await store.start_resync(tx, box.tenant, box.mailbox, NOW - timedelta(days=7))
        await store.seed_resync(tx, box.mailbox, Cursor("r-1"))
        assert not (await box.moves(tx, "c-1", "c-2")).moved
        assert not (await box.moves(tx, "c-1", "r-2", resyncing=True)).moved
        assert (await box.moves(tx, "r-1", "r-2", resyncing=True)).moved
    assert "c-1" == await box.cursor()

    async with box.tx() as tx:
        assert 0 == await store.end_resync(tx, box.mailbox, NOW)
        assert await store.end_resync(tx, box.mailbox, NOW) is None

    assert "r-2" == await box.cursor()


async def test_a_second_loss_during_a_resync_keeps_the_earlier_bound(box):
    async with box.tx() as tx:
        await store.start_resync(tx, box.tenant, box.mailbox, NOW - timedelta(days=7))
        await store.start_resync(tx, box.tenant, box.mailbox, NOW - timedelta(days=1))
        found = await store.sync_state(tx, box.mailbox)

    assert found is not None
    assert (NOW - timedelta(days=7), 2) == (found.resync_since, found.resync_attempts)


async def test_what_is_announced_twice_is_new_once(box):
    [first] = await box.announces(Glimpse(ProviderRef("m-1"), version="1"))
    again = await box.announces(Glimpse(ProviderRef("m-1"), version="1"), source="hint")

    assert first.is_new
    assert [] == again


async def test_what_was_gone_and_is_listed_again_waits_to_be_taken_in(box):
    [first] = await box.announces(Glimpse(ProviderRef("m-1"), version="1"))
    async with box.tx() as tx:
        await store.mark_gone(tx, first.id, "Deleted at the source.", NOW)
        assert {"m-1": "gone"} == await store.known_refs(tx, box.tenant, box.mailbox, ["m-1", "m-2"])

    [again] = await box.announces(Glimpse(ProviderRef("m-1"), version="1"))

    assert (first.id, False, True) == (again.id, again.is_new, again.waits)


async def test_an_audit_remembers_a_thousand_missing_ids_and_counts_the_rest(box):
    async with box.tx() as tx:
        await store.start_reconcile(tx, box.tenant, box.mailbox, NOW - timedelta(days=7), NOW)
        for page in range(3):
            missing = [Glimpse(ProviderRef(f"m-{page}-{n}")) for n in range(600)]
            await store.reconcile_page(tx, box.mailbox, compared=Compared(600, 0, 0, missing), unannounced=600)
        run = await store.end_reconcile(tx, box.mailbox)

    assert run is not None
    assert (1800, 1800, 1000) == (run.listed, run.unannounced, len(run.missing))


async def test_more_hints_than_one_sync_follows_are_left_for_the_next(box, owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.hint (tenant_id, mailbox_id, ref) SELECT %s, %s, 'r' || n FROM generate_series(1, 1200) n",
            [box.tenant, box.mailbox],
        )
    await box.announces(Glimpse(ProviderRef("r7")))
    async with box.tx() as tx:
        early = (await box.moves(tx, "c-1", "c-2", complete=False)).hints
        hints = (await box.moves(tx, "c-2", "c-3")).hints
        left = (await box.moves(tx, "c-3", "c-4")).hints
        none = (await box.moves(tx, "c-4", "c-5")).hints

    assert ([], store.HINTS_AT_ONCE, 200, []) == (early, len(hints), len(left), none)
    assert ["r7"] == [each.ref for each in (*hints, *left) if each.state == "announced"]


async def test_what_only_a_poll_brought_is_counted_once_and_not_when_a_push_followed(box):
    await box.announces(Glimpse(ProviderRef("m-1")), source="poll")
    await box.announces(Glimpse(ProviderRef("m-2")), source="push")
    async with box.tx() as tx:
        assert 1 == (await store.polled(tx, box.tenant, box.mailbox)).messages
        await box.moves(tx, "c-1", "c-2")
        assert 1 == (await store.polled(tx, box.tenant, box.mailbox)).messages
        await box.moves(tx, "c-2", "c-3", pushed=True)
        assert 0 == (await store.polled(tx, box.tenant, box.mailbox)).messages


async def test_an_outlook_mailbox_is_served_for_one_tenant_at_a_time(box, owner_dsn):
    other = make_tenant(owner_dsn, "other")
    how = {"address": "A@Desk.test", "provider": "outlook", "access": "app_only"}
    with pytest.raises(Conflict, match="connected for another tenant"):
        async with box.db.tenant(other) as tx:
            await mailboxes.add(tx, other, MailboxId(new_id()), NOW, **how)

    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.mailbox SET status = 'disconnected'")
    async with box.db.tenant(other) as tx:
        await mailboxes.add(tx, other, MailboxId(new_id()), NOW, **how)


async def test_other_mailboxes_may_be_read_for_several_tenants(box, owner_dsn):
    for number, tenant in enumerate((box.tenant, make_tenant(owner_dsn, "other"))):
        async with box.db.tenant(tenant) as tx:
            how = {"address": "shared@gmail.test", "provider": "gmail", "access": "delegated"}
            assert not (await mailboxes.add(tx, tenant, MailboxId(new_id()), NOW, **how)).again, number


async def test_half_a_chain_of_pages_does_not_count_as_read(box):
    later = NOW + timedelta(hours=1)
    async with box.tx() as tx:
        await box.moves(tx, "c-1", "c-2", later, complete=False)
        half = await store.sync_state(tx, box.mailbox)
        await box.moves(tx, "c-2", "c-3", later)
        whole = await store.sync_state(tx, box.mailbox)

    assert half is not None
    assert whole is not None
    assert (Cursor("c-2"), NOW) == (half.cursor, half.synced_at)
    assert (Cursor("c-3"), later) == (whole.cursor, whole.synced_at)


async def test_what_was_not_listed_stays_noted_until_a_resync_reaches_back_to_it(box, owner_dsn):
    def unlisted() -> object:
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            return owner.execute("SELECT unlisted_since, unlisted_till FROM postroom.mailbox_cursor").fetchone()

    async def resynced(since: datetime) -> None:
        async with box.tx() as tx:
            await store.start_resync(tx, box.tenant, box.mailbox, since)
            await store.seed_resync(tx, box.mailbox, Cursor("r"))
            await store.end_resync(tx, box.mailbox, NOW)

    oldest, bound = NOW - timedelta(days=100), NOW - timedelta(days=90)
    async with box.tx() as tx:
        await store.note_unlisted(tx, box.mailbox, oldest, bound)
    await resynced(bound)
    assert (oldest, bound) == unlisted()
    await resynced(NOW - timedelta(days=95))
    assert (oldest, NOW - timedelta(days=95)) == unlisted()
    await resynced(oldest)
    assert (None, None) == unlisted()
