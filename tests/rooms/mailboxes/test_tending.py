"""What people decide about a connected mailbox: rules, folder, pause; one way for every door, and one commit each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from postroom.db.errors import DatabaseError
from postroom.engine.work import TenantScope
from postroom.nouns.errors import BadRequest, Conflict, NotFound, StaleRevision
from postroom.nouns.ids import MailboxId, TenantId, new_id
from postroom.nouns.mailbox_rules import MailboxRules
from postroom.nouns.pipelines import CONTRACT_NOTES, INVOICES
from postroom.rooms.mailboxes import commands, store
from postroom.rooms.sync import store as sync_store
from postroom.rooms.sync.jobs import SyncMailbox
from postroom_simulators.incoming_mail import IncomingMail
from stories.office import DESK, Office, open_office

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
CURSOR = "SELECT cursor FROM postroom.mailbox_cursor"
HINTED = """
INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at) SELECT tenant_id, id, 'unheard-of', now() FROM postroom.mailbox
"""
RESOURCES = "SELECT string_agg(resource, ' ') FROM padealing.graph_subscription_state WHERE status = 'active'"


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path)) as opened:
        yield opened


def desk_of(office: Office) -> TenantScope:
    return office.house.scope(office.ask("SELECT tenant_id FROM postroom.mailbox LIMIT 1"), "person:olga@house.test")


def mailbox_of(office: Office) -> MailboxId:
    return MailboxId(office.ask("SELECT id FROM postroom.mailbox"))


def archives(office: Office, count: int) -> None:
    for _ in range(count):
        office.world.deliver(IncomingMail(DESK, office.mail(), folder="archive"))


async def serves(office: Office, folder: str):
    return await commands.set_folder(desk_of(office), office.house.providers, mailbox_of(office), folder)


async def test_another_folder_is_read_from_its_own_start_and_watched(office):
    office.receives(1)
    await office.works_until(HELD, 1)
    archives(office, 2)
    before = office.ask(CURSOR)
    office.world.clock.advance(timedelta(minutes=5))

    changed = await serves(office, "Archive")

    assert "Archive" == changed.folder
    assert before
    assert office.ask(CURSOR) is None
    await office.works_until(HELD, 3)
    office.own("UPDATE postroom.job SET run_at = now(), not_before = '-infinity'")  # some seconds later
    await office.works()
    assert "archive" in office.ask(RESOURCES)
    assert 1 == len(office.world.graph.subscriptions.all)
    office.receives(1)  # of the old folder nothing comes any more
    archives(office, 1)
    await office.works_until(HELD, 4)
    assert 4 == office.ask("SELECT count(*) FROM postroom.message WHERE 'INBOX' = ANY (labels)")  # the served folder
    told = (
        "SELECT body ->> 'before' || ' ' || (body ->> 'after') FROM postroom.fact WHERE kind = 'mailbox.folder_changed'"
    )
    assert "Inbox Archive" == office.ask(told)


async def test_a_folder_is_changed_beside_a_sync_that_has_the_cursor_and_is_about_to_announce_mail(office, monkeypatch):
    """Each has what the other wants next, if taking mail in waits for who decides about the mailbox."""
    moved, announce, move_cursor = asyncio.Event(), asyncio.Event(), sync_store.move_cursor

    async def moves(*args, **how):
        found = await move_cursor(*args, **how)
        moved.set()
        await announce.wait()
        return found

    monkeypatch.setattr(sync_store, "move_cursor", moves)
    office.own(HINTED)
    scope = desk_of(office)
    async with asyncio.timeout(20), scope.finish() as tx:
        await scope.enqueue(tx, SyncMailbox(mailbox_of(office)))
    working = asyncio.create_task(office.works())
    async with asyncio.timeout(20):
        await moved.wait()
        serving = asyncio.create_task(serves(office, "Archive"))
        await office.waits_for_locks(1)
        announce.set()
        assert "Archive" == (await serving).folder
        await working

    assert 0 == office.ask("SELECT count(*) FROM postroom.attempt WHERE error LIKE '%%deadlock%%'")


async def test_folder_cursor_fact_and_jobs_are_one_commit(office):
    before = office.ask(CURSOR)
    office.own("CREATE FUNCTION pg_temp_no() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no'; END$$")
    office.own("CREATE TRIGGER no BEFORE INSERT ON postroom.job FOR EACH ROW EXECUTE FUNCTION pg_temp_no()")

    with pytest.raises(DatabaseError):
        await serves(office, "Archive")

    assert ("Inbox", before) == (office.ask("SELECT folder FROM postroom.mailbox"), office.ask(CURSOR))
    assert 0 == office.count("mailbox.folder_changed")


async def test_the_same_folder_again_changes_nothing(office):
    before = office.ask(CURSOR)

    await serves(office, " Inbox/ ")

    assert before == office.ask(CURSOR)
    assert 0 == office.count("mailbox.folder_changed")


async def test_whoever_changes_the_folder_the_database_drops_the_cursor(office):
    assert office.ask(CURSOR)

    office.own("UPDATE postroom.mailbox SET folder = 'Archive'")

    assert office.ask(CURSOR) is None


async def test_a_worker_that_still_reads_the_old_folder_cannot_leave_its_cursor_behind(office):
    stale = await office.house.providers.open_mailbox(desk_of(office).tenant_id, mailbox_of(office))
    old = (await stale.changes(None)).cursor
    await serves(office, "Archive")
    office.own("UPDATE postroom.mailbox_cursor SET cursor = %s", old)
    archives(office, 1)

    await office.works_until(HELD, 1)

    assert 1 == office.count("sync.cursor_lost")
    assert "folder:Archive" in office.ask(CURSOR)


async def test_who_saw_how_a_mailbox_is_reached_gets_what_is_open_and_never_what_is_outdated(office, monkeypatch):
    scope, mailbox, providers = desk_of(office), mailbox_of(office), office.house.providers
    first = await providers.open_mailbox(scope.tenant_id, mailbox)
    asked, look_up = [], store.look_up

    async def noted(db, tenant_id, mailbox_id):
        asked.append(mailbox_id)
        return await look_up(db, tenant_id, mailbox_id)

    monkeypatch.setattr(store, "look_up", noted)
    seen = (await look_up(office.house.db, scope.tenant_id, mailbox)).endpoint
    assert first is await providers.open_mailbox(scope.tenant_id, mailbox, seen)
    assert [] == asked

    office.own("UPDATE postroom.mailbox SET connected_at = connected_at + interval '1 s'")
    seen = (await look_up(office.house.db, scope.tenant_id, mailbox)).endpoint
    second = await providers.open_mailbox(scope.tenant_id, mailbox, seen)
    assert first is not second
    assert [mailbox] == asked
    with pytest.raises(NotFound):
        await providers.open_mailbox(TenantId(new_id()), mailbox, seen)


@pytest.mark.parametrize("folder", ["", "  ", "a\nb", "x" * 501])
async def test_a_folder_that_cannot_be_is_refused(office, folder):
    with pytest.raises(BadRequest, match="Name the folder"):
        await serves(office, folder)


async def test_gmail_serves_the_inbox_only(office):
    office.own("UPDATE postroom.mailbox SET provider = 'gmail'")

    with pytest.raises(BadRequest, match="Gmail serves the inbox"):
        await serves(office, "Archive")


async def test_rules_are_told_with_what_they_were_and_only_if_they_change(office):
    scope, mailbox = desk_of(office), mailbox_of(office)
    wanted = MailboxRules(deny_senders=("shop.example",))

    first = await commands.set_rules(scope, mailbox, wanted, ["ap_invoices"])
    await commands.set_rules(scope, mailbox, wanted)

    assert (wanted, ["ap_invoices"]) == (first.rules, first.pipelines)
    assert 1 == office.count("mailbox.rules_changed")
    body = office.ask("SELECT body FROM postroom.fact WHERE kind = 'mailbox.rules_changed'")
    assert ({}, wanted.as_json(), ["ap_invoices"]) == (body["before"], body["after"], body["pipelines"])


async def test_a_pipeline_nobody_has_is_refused(office):
    with pytest.raises(BadRequest, match="choose among pad_contract_notes, ap_invoices"):
        await commands.set_rules(desk_of(office), mailbox_of(office), MailboxRules(), ["faxes"])


async def test_what_the_provider_refused_goes_on_once_a_person_has_seen_to_it(office):
    scope, mailbox = desk_of(office), mailbox_of(office)
    async with scope.finish() as tx:
        await store.tell_once(tx, mailbox, "provider_error", "Microsoft refuses the folder.", scope.now)

    await commands.resume(scope, mailbox)
    await commands.resume(scope, mailbox)

    assert "active" == office.ask("SELECT status FROM postroom.mailbox")
    assert 1 == office.count("mailbox.resumed")


async def test_a_mailbox_whose_grant_is_gone_is_not_resumed_but_says_what_to_do(office):
    scope, mailbox = desk_of(office), mailbox_of(office)
    async with scope.finish() as tx:
        await store.tell_once(tx, mailbox, "token_refresh_failed", "The secret has expired.", scope.now)

    with pytest.raises(Conflict, match=r"it needs you: The secret has expired\. Put that right"):
        await commands.resume(scope, mailbox)

    assert 0 == office.count("mailbox.resumed")


async def test_a_disconnected_mailbox_is_neither_paused_nor_resumed_into_life(office):
    scope, mailbox = desk_of(office), mailbox_of(office)
    await commands.pause(scope, mailbox)
    await commands.disconnect(scope, office.house.providers, mailbox)

    for act in (commands.pause, commands.resume):
        with pytest.raises(Conflict, match="connect it again"):
            await act(scope, mailbox)

    assert "disconnected" == office.ask("SELECT status FROM postroom.mailbox")


async def test_what_is_not_there_is_said_so(office):
    scope, nobody = desk_of(office), MailboxId(new_id())
    board = office.house.providers
    for act in (
        commands.pause(scope, nobody),
        commands.resume(scope, nobody),
        commands.set_rules(scope, nobody, MailboxRules()),
        commands.set_folder(scope, board, nobody, "Archive"),
        commands.disconnect(scope, board, nobody),
    ):
        with pytest.raises(NotFound):
            await act


async def at_the_same_moment(office: Office, *decisions) -> list[Any]:
    """All have come as far as the mailbox's row before the first of them gets it."""
    running = [asyncio.create_task(each) for each in decisions]
    async with asyncio.timeout(20):
        with psycopg.connect(office.owner_dsn) as somebody:
            somebody.execute("SELECT FROM postroom.mailbox FOR UPDATE")
            await office.waits_for_locks(len(running))
        return await asyncio.gather(*running, return_exceptions=True)


async def test_what_two_people_switch_at_the_same_moment_is_both_switched(office):
    scope, mailbox = desk_of(office), mailbox_of(office)
    rules = MailboxRules(attachments_only=True)

    decided = [
        commands.set_confirming(scope, mailbox, {CONTRACT_NOTES: "off"}),
        commands.set_confirming(desk_of(office), mailbox, {INVOICES: "shadow"}),
        commands.set_rules(desk_of(office), mailbox, rules),
    ]
    await at_the_same_moment(office, *decided)

    async with scope.read() as tx:
        held = (await store.mailbox(tx, mailbox)).rules
    assert ("off", "shadow", True) == (held.confirms(CONTRACT_NOTES), held.confirms(INVOICES), held.attachments_only)


async def test_of_two_who_saw_the_same_mode_one_hears_that_it_was_switched(office):
    seen = {CONTRACT_NOTES: "off"}
    await commands.set_confirming(desk_of(office), mailbox_of(office), seen)
    before = office.count("mailbox.confirming_switched")
    one, another = await at_the_same_moment(
        office,
        commands.set_confirming(desk_of(office), mailbox_of(office), {CONTRACT_NOTES: "on"}, seen),
        commands.set_confirming(desk_of(office), mailbox_of(office), {CONTRACT_NOTES: "shadow"}, seen),
    )

    assert [StaleRevision] == [type(each) for each in (one, another) if isinstance(each, Exception)]
    assert before + 1 == office.count("mailbox.confirming_switched")
