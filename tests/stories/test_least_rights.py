"""A person is asked for exactly what is switched on at a mailbox, and again when more is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from postroom.nouns.copilot import NAMESPACE
from postroom.nouns.ids import MailboxId, TenantId
from postroom.outside.graph.oauth import scopes_for
from postroom.rooms.mailboxes import commands
from postroom.rooms.mailboxes.jobs import NoteTrouble
from stories.client_desk import READY
from stories.office import Office, open_office
from stories.visitors import ANNA, GREG, connects, gives_gmail, leaves

GMAIL = "https://www.googleapis.com/auth/gmail."
JUDGED = "SELECT count(*) FROM postroom.thread_state WHERE action = 'draft'"


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


async def test_a_right_to_send_that_was_granted_is_kept_by_a_reconnect_without_a_copilot(office):
    assert 303 == (await connects(office, "gmail", GREG, capability="send"))[0]
    assert ("off", "send") == ((await box(office))["copilot"], (await box(office))["capability"])

    assert {"openid", "email", "modify"} == await asked(office)
    assert 303 == (await connects(office, "gmail", GREG))[0]
    assert "send" == (await box(office))["capability"]


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


@pytest.mark.parametrize(("provider", "address"), [("gmail", GREG), ("outlook", ANNA)])
async def test_without_the_right_to_label_threads_are_judged_and_only_their_labels_wait(
    dsn, owner_dsn, tmp_path, provider, address
):
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as office:
        if provider == "gmail":
            gives_gmail(office)
        else:
            office.world.add_mailbox(ANNA, name="Anna", provider="graph")
        assert 303 == (await connects(office, provider, address))[0]
        await office.works()
        tenant = TenantId(office.ask("SELECT tenant_id FROM postroom.mailbox"))
        mailbox = MailboxId(office.ask("SELECT id FROM postroom.mailbox"))
        await commands.set_copilot(office.house.scope(tenant, "anna"), mailbox, "labels")
        await office.works()

        for number in (1, 2):  # refused once, and then not asked for any more
            office.world.clock.advance(timedelta(seconds=2))
            office.receives(1, to=address, text="Hello, at what time is breakfast served?")
            await office.works_until(f"{JUDGED} AND state = 'ready'", number)
            await office.works()

        shown = await box(office)
        assert ("active", ["missing_right"]) == (shown["status"], list(shown["attention"]))
        assert "only that work waits" in shown["attention"]["missing_right"]
        assert (2, 1) == (office.count("mail.message.received"), office.count("mailbox.labels_refused"))
        assert (0, 0) == (office.count("mailbox.needs_person"), office.count("thread.labelled"))
        assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")

        assert 303 == (await connects(office, provider, address))[0]
        await office.works_until(f"{JUDGED} AND label IS NOT NULL", 2)

        assert ("active", {}) == ((await box(office))["status"], (await box(office))["attention"])
        person = office.world.mail_program(address)
        assert [{READY}, {READY}] == [
            {label for each in person.thread(ref) for label in each["labels"] if label.startswith(NAMESPACE)}
            for ref in office.sent
        ]
        assert 2 == office.count("thread.labelled")


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
