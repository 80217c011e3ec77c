"""A grant that ends in the middle of writing labels: one person is told once, and after a reconnect every label stands."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from postroom.nouns.copilot import NAMESPACE
from postroom.nouns.ids import MailboxId, TenantId
from postroom.rooms.mailboxes import commands
from postroom_simulators.incoming_mail import IncomingMail
from stories.client_desk import READY
from stories.office import Office, open_office
from stories.visitors import ANNA, GREG, connects, gives_gmail

QUESTION = "Hello, at what time is breakfast served?"
STATUS = "SELECT status FROM postroom.mailbox"
LABELLED = "SELECT count(*) FROM postroom.thread_state WHERE label IS NOT NULL"
NEVER_TRIED = "SELECT coalesce(max(tries + deaths), 0) FROM postroom.job WHERE state = 'parked'"


def a_thread_of_two(office: Office, address: str) -> list[str]:
    """Both in the inbox before anybody looks."""
    first = office.mail(QUESTION, to=address, subject="Breakfast")
    named = next(line for line in first.splitlines() if line.lower().startswith(b"message-id:")).split(b": ", 1)[1]
    second = office.mail("And on Sundays?", to=address, subject="Re: Breakfast")
    answering = b"In-Reply-To: " + named + b"\r\nReferences: " + named + b"\r\n" + second
    return [office.world.deliver(IncomingMail(address, raw)) for raw in (first, answering)]


def labels(office: Office, address: str, ref: str) -> set[str]:
    person = office.world.mail_program(address)
    return {label for each in person.thread(ref) for label in each["labels"] if label.startswith(NAMESPACE)}


@pytest.mark.parametrize(
    ("provider", "address", "write"),
    [
        ("outlook", ANNA, "graph.messages.update"),  # one of the two messages bears it
        ("gmail", GREG, "gmail.labels.create"),  # one of the three labels is made
        ("gmail", GREG, "gmail.threads.modify"),  # it is on, and nothing can be read any more
    ],
)
async def test_labels_go_on_after_the_reconnect_where_a_revocation_cut_them_off(
    dsn, owner_dsn, tmp_path, provider, address, write
):
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as office:
        if provider == "gmail":
            gives_gmail(office)
        else:
            office.world.add_mailbox(ANNA, name="Anna", provider="graph")
        assert 303 == (await connects(office, provider, address, capability="draft"))[0]
        await office.works()
        tenant = TenantId(office.ask("SELECT tenant_id FROM postroom.mailbox"))
        mailbox = MailboxId(office.ask("SELECT id FROM postroom.mailbox"))
        await commands.set_copilot(office.house.scope(tenant, "anna"), mailbox, "labels")
        await office.works()
        side = office.world.google if provider == "gmail" else office.world.graph
        planned = office.world.faults.plan(write, "race", act=partial(side.revoke, address))
        refs = a_thread_of_two(office, address)

        await office.works_until("SELECT count(*) FROM postroom.message WHERE state = 'arrived'", 2)
        await office.works()
        office.world.clock.advance(timedelta(minutes=5))
        await office.fires_the_timetable("poll")
        await office.works_until(STATUS, "token_refresh_failed")

        assert 1 == planned.hits
        assert (1, 0) == (office.count("mailbox.needs_person"), office.ask(NEVER_TRIED))
        assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 'quarantined'")

        office.world.clock.advance(timedelta(hours=5))
        assert 303 == (await connects(office, provider, address, capability="draft"))[0]
        await office.works_until(LABELLED, 1)
        await office.works()

        assert ("active", {READY}) == (office.ask(STATUS), labels(office, address, refs[0]))
        assert [{READY}] * 2 == [
            {name for name in each["labels"] if name.startswith(NAMESPACE)}
            for each in office.world.mail_program(address).thread(refs[0])
        ]
        told = [office.count(kind) for kind in ("thread.label_changed_by_person", "mailbox.needs_person")]
        assert [0, 1] == told
        assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state IN ('parked', 'quarantined')")
