"""The demo's form: a mail of the visitor's own, whatever they type."""

from __future__ import annotations

from datetime import timedelta

import pytest

from doors.console.place import Place
from postroom.chores.backstop import backstop
from postroom.cli import demo, demo_people
from postroom.reads import scorecard
from postroom.rooms.mailboxes import commands

BOX = "desk@larkspur.example"


async def test_odd_words_make_a_mail_or_are_refused_and_never_break_the_form(place: Place):
    scope = place.house.scope(place.tenant, "test")
    place.world.add_mailbox(BOX)
    await commands.connect_configured(
        scope, address=BOX, provider="outlook", access="app_only", folder="Inbox", connection={}
    )
    admin = await place.come_in()

    async def sent(sender: str, subject: str) -> int:
        said = {"mailbox": BOX, "sender": sender, "subject": subject, "text": "Enclosed."}
        return int((await admin.post("/demo/send", said)).status)

    for sender in ("Jörg <jorg@broker.example>", "notes@broker.example"):
        assert 200 == await sent(sender, "Your note\r\nBcc: all@broker.example")
    for sender in ("", "nobody", "a@b.example\r\nBcc: c@d.example", "a@[", "<<@>>", "a@b.example, c@d.example"):
        assert 400 == await sent(sender, "Your note")


async def test_a_demo_that_is_kept_starts_a_second_time(place: Place):
    scope = place.house.scope(place.tenant, "demo")
    for name in ("dealing-desk", "accounts-payable"):
        story = await place.world.tell(name)
        for _ in range(2):
            await demo._tell_office(place.house, scope, story)

    assert place.ask("SELECT count(*) FROM postroom.pdf_password") > 0
    assert place.ask("SELECT count(*) FROM postroom.pending_order") > 0


@pytest.mark.long
async def test_the_scorecard_tells_of_what_a_colleague_decided(place: Place):
    story = await place.world.tell("accounts-payable")
    place.world.furnish(story.boxes)
    await demo._prepare(place.house, place.tenant, place.world, [story])
    await place.world.play(story, 0, patience=0)
    await backstop(place.house, days=7, work=True)
    colleague = place.house.scope(place.tenant, demo_people.COLLEAGUE)
    place.own(
        "UPDATE postroom.invoice SET number = 'misread' FROM postroom.document d"
        " WHERE d.id = document_id AND d.filename = 'Fattura.pdf'"
    )

    decided = await demo_people.decide(colleague, [story])
    again = await demo_people.decide(colleague, [story])
    async with colleague.read() as tx:
        every = (await scorecard.scorecard(tx, story.start - timedelta(days=90))).every

    assert decided >= 3
    assert 0 == again
    assert (decided, decided - 1) == (every.decided, every.read_right)
    assert 0 == place.ask("SELECT count(*) FROM postroom.invoice WHERE number = 'misread'")
    assert 1 == place.ask("SELECT count(DISTINCT confirmed_by) FROM postroom.invoice WHERE status = 'confirmed'")
    assert place.ask("SELECT count(*) FROM postroom.document WHERE status = 'review'") > 0
