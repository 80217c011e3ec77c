"""A person is asked for exactly what is switched on at a mailbox, and again when more is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import pytest

from postroom.nouns.ids import MailboxId, TenantId
from postroom.outside.graph.oauth import scopes_for
from postroom.rooms.mailboxes import commands
from postroom.rooms.mailboxes.jobs import NoteTrouble
from stories.office import Office, open_office
from stories.visitors import GREG, connects, gives_gmail, leaves

GMAIL = "https://www.googleapis.com/auth/gmail."


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        gives_gmail(opened)
        assert 303 == (await connects(opened, "gmail", GREG))[0]
        await opened.works()
        yield opened


async def asked(office: Office, **more: str) -> set[str]:
    url = await leaves(office, "gmail", GREG, **more)
    return {name.removeprefix(GMAIL) for name in parse_qs(urlsplit(url).query)["scope"][0].split()}


async def box(office: Office) -> dict:
    return (await office.get("/api/v1/mailboxes"))[1]["items"][0]


async def test_reading_asks_for_reading_and_the_copilot_for_more_once_it_is_on(office):
    assert {"openid", "email", "readonly"} == await asked(office)
    assert ("read", {}) == ((await box(office))["capability"], (await box(office))["attention"])
    tenant, mailbox = (
        office.ask("SELECT tenant_id FROM postroom.mailbox"),
        office.ask("SELECT id FROM postroom.mailbox"),
    )

    await commands.set_copilot(office.house.scope(TenantId(tenant), "anna"), MailboxId(mailbox), "labels")

    shown = await box(office)
    assert ("active", ["missing_right"]) == (shown["status"], list(shown["attention"]))
    assert {"openid", "email", "modify"} == await asked(office)
    assert 303 == (await connects(office, "gmail", GREG))[0]
    shown = await box(office)
    assert ("send", {}) == (shown["capability"], shown["attention"])


async def test_more_can_be_asked_for_at_once(office):
    assert {"openid", "email", "modify"} == await asked(office, capability="send")


async def test_a_missing_right_parks_that_work_and_not_the_mailbox(office):
    tenant, mailbox = (
        office.ask("SELECT tenant_id FROM postroom.mailbox"),
        office.ask("SELECT id FROM postroom.mailbox"),
    )
    scope = office.house.scope(TenantId(tenant), "test")
    trouble = NoteTrouble(MailboxId(mailbox), "permission_denied", "Labels may not be set.", "triage.label_thread")
    async with scope.finish() as tx:
        await scope.enqueue(tx, trouble)
    await office.works()

    shown = await box(office)

    assert ("active", {"missing_right": "Labels may not be set."}) == (shown["status"], shown["attention"])
    assert (1, 0) == (office.count("mailbox.attention"), office.count("mailbox.needs_person"))


@pytest.mark.parametrize(
    ("capability", "shared", "expected"),
    [
        ("read", False, {"Mail.Read"}),
        ("draft", False, {"Mail.Read", "Mail.ReadWrite"}),
        ("send", False, {"Mail.Read", "Mail.ReadWrite", "Mail.Send"}),
        ("read", True, {"Mail.Read", "Mail.Read.Shared"}),
    ],
)
def test_microsofts_permissions_go_with_the_right(capability, shared, expected):
    assert expected == {name for name in scopes_for(capability, shared=shared) if name.startswith("Mail.")}
