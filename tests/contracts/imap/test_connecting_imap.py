"""Connecting over IMAP against a real server: tried first, kept only if it works, the same mailbox when done again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contracts.imap.dovecot import PASSWORD
from postroom.nouns.errors import BadRequest, Misconfigured, PostroomError
from postroom.nouns.secrets import Secret
from postroom.outside.imap.client import ImapConnection, ImapServer
from postroom.rooms.mailboxes import commands
from postroom.rooms.tenants import commands as tenants
from stories.office import Office, open_office

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
STATUS = "SELECT status FROM postroom.mailbox"
pytestmark = pytest.mark.service


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        await tenants.ensure_tenant(opened.house.db, "default")
        yield opened


async def connects(office: Office, scope, **other):
    wanted = {
        "address": scope.user,
        "host": "127.0.0.1",
        "port": scope.dovecot.plain,
        "security": "plain",
        "password": Secret(PASSWORD),
        **other,
    }
    teller = office.house.scope(office.ask("SELECT tenant_id FROM postroom.tenant"), "person:test")
    return await commands.connect_imap(teller, office.house.providers, **wanted)


async def test_connecting_leads_from_a_password_to_the_first_mail(office, scope):
    scope.deliver()

    await connects(office, scope)
    await office.works_until(HELD, 1)

    assert "active" == office.ask(STATUS)
    assert 1 == office.count("mailbox.connected")
    assert PASSWORD not in office.ask("SELECT string_agg(t::text, ' ') FROM postroom.mailbox_token t")


async def test_a_wrong_password_leaves_nothing_behind(office, scope):
    with pytest.raises(BadRequest, match="does not accept this user and password") as refused:
        await connects(office, scope, password=Secret("wrong horse"))

    assert "wrong horse" not in repr(refused.value)
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox_token")
    assert 0 == office.count("mailbox.connected")


@pytest.mark.parametrize(
    ("other", "problem", "says"),
    [
        ({"folder": "Nowhere"}, Misconfigured, "check its name"),
        ({"host": "imap host"}, BadRequest, "is not a host"),
        ({"port": 0}, BadRequest, "is not a port"),
        ({"port": 1}, BadRequest, "cannot be reached"),
        ({"security": "rot13"}, BadRequest, "choose tls, starttls, plain"),
        ({"address": "nobody"}, BadRequest, "not a mail address"),
        ({"folder": ""}, BadRequest, "Name the folder"),
    ],
    ids=["folder", "host", "port", "closed", "security", "address", "empty"],
)
async def test_what_cannot_work_is_said_now_and_not_kept(office, scope, other, problem, says):
    with pytest.raises(problem, match=says):
        await connects(office, scope, **other)

    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_a_wrong_password_does_not_harm_a_mailbox_that_works(office, scope):
    await connects(office, scope)
    await office.works()

    with pytest.raises(BadRequest):
        await connects(office, scope, password=Secret("wrong horse"))
    scope.deliver()
    await office.fires_the_timetable("poll")
    office.own("UPDATE postroom.mailbox_cursor SET synced_at = NULL")
    await office.fires_the_timetable("poll")

    await office.works_until(HELD, 1)
    assert "active" == office.ask(STATUS)


async def test_connecting_again_is_the_same_mailbox_and_another_folder_begins_anew(office, scope):
    first = await connects(office, scope)
    await office.works()
    cursor = office.ask("SELECT cursor FROM postroom.mailbox_cursor")
    scope.other.create("Invoices")
    scope.deliver(folder="Invoices")

    again = await connects(office, scope)
    kept = office.ask("SELECT cursor FROM postroom.mailbox_cursor")
    moved = await connects(office, scope, folder="Invoices")

    assert [first, first] == [again, moved]
    assert cursor == kept
    await office.works_until(HELD, 1)
    assert "folder:Invoices" in office.ask("SELECT cursor FROM postroom.mailbox_cursor")


async def test_a_password_that_changed_is_used_by_every_process_after_connecting_again(office, scope):
    """This process made its line with the old password; another one connects anew."""
    mailbox = await connects(office, scope)
    await office.works()
    tenant = office.ask("SELECT tenant_id FROM postroom.tenant")
    board = office.house.providers
    first = await board.open_mailbox(tenant, mailbox)
    office.own("UPDATE postroom.mailbox SET connected_at = connected_at + interval '1 s'")
    board._open[mailbox] = type(board._open[mailbox])(tenant, board._open[mailbox].endpoint, first, 0.0)

    second = await board.open_mailbox(tenant, mailbox)

    assert first is not second
    assert (await second.changes(None)).cursor


async def test_a_house_with_a_public_address_sends_nobody_into_its_own_network(dsn, owner_dsn, tmp_path, scope):
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False, public_url="https://mail.example.org") as office:
        await tenants.ensure_tenant(office.house.db, "default")
        with pytest.raises(BadRequest, match="private network"):
            await connects(office, scope)
        assert await connects(office, scope, private=True)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.8", "169.254.169.254", "::1", "::ffff:10.0.0.1", "0.0.0.0", "fd00::1"]
)
async def test_no_private_address_is_ever_connected_to_for_people_at_the_doors(host):
    with pytest.raises(PostroomError, match="private network"):
        await ImapConnection.open(ImapServer(host, 993, "tls", private=False))
