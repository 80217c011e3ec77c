"""Mail from files, as far as it is a mailbox."""

from __future__ import annotations

from datetime import timedelta

import pytest

from contracts.mail.files_office import open_office
from contracts.mail.letters import mail
from postroom.nouns.errors import BadRequest
from postroom.nouns.providers import Cursor, Glimpse, Watch
from postroom.nouns.secrets import Secret


async def test_imported_mail_tells_of_nothing_and_cannot_be_watched():
    async with open_office() as office:
        await office.deliver(mail("kept"))
        now = office.clock.now()

        first = await office.provider.changes(None)
        again = await office.provider.changes(first.cursor)
        listing = await office.provider.list_since(now - timedelta(days=365))
        with pytest.raises(BadRequest, match="cannot be watched"):
            await office.provider.watch("https://a.example", "https://b.example", Secret("x"), None)
        await office.provider.unwatch(Watch("none", "", now, ""))

    assert ([], [], False) == ([*first.arrived, *again.arrived], [*first.removed, *again.removed], first.more)
    assert first.cursor == again.cursor == Cursor("imported")
    assert ([], None) == (list(listing.messages), listing.next_page)


async def test_the_same_mail_twice_is_one_message_with_what_is_known_of_it():
    async with open_office() as office:
        first, second = await office.deliver(mail("twice")), await office.deliver(mail("twice").replace(b"\n", b"\r\n"))
        known = Glimpse(first, subject="twice")

        got = await office.provider.message(first, known)

    assert first == second
    assert (known, True) == (got.glimpse, b"Subject: twice" in got.raw)
