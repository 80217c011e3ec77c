"""A file of a mail is brought when somebody asks for it."""

from __future__ import annotations

import hashlib

import pytest

from makers import make_tenant
from postroom.engine.work import TenantScope
from postroom.nouns.errors import BadRequest, Gone, NotFound
from postroom.rooms.documents import commands
from postroom.rooms.documents.commands import attachments
from postroom.rooms.itinerary import next_jobs
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY

MINUTES = b"Minutes of the meeting.\n" * 40


def sha(content):
    return hashlib.sha256(content).hexdigest()


async def fetch(desk, message_id, content=MINUTES, scope=None):
    return await commands.fetch_attachment(scope or desk.scope(), desk.outside, message_id, sha(content))


async def test_a_file_is_fetched_from_the_mailbox_once_and_then_kept(desk):
    message_id = await desk.receives(("minutes.txt", MINUTES), kind="text/plain")

    first = await fetch(desk, message_id)
    second = await fetch(desk, message_id)

    assert ("minutes.txt", MINUTES) == (first.filename, first.content) == (second.filename, second.content)
    assert "text/plain" == first.content_type
    assert 1 == len(desk.outside.fetcher.fetched)
    (told,) = desk.facts("message.attachment_fetched")
    assert ("minutes.txt", len(MINUTES)) == (told["filename"], told["size"])


async def test_a_file_that_was_archived_is_not_fetched_again(desk):
    note = NOTES["thornbury"](DAY, 1, direction="BUY")
    message_id = await desk.receives(("Contract_Note.pdf", note.pdf))
    await desk.works()
    desk.outside.fetcher.fetched.clear()

    assert note.pdf == (await fetch(desk, message_id, note.pdf)).content
    assert [] == desk.outside.fetcher.fetched
    assert [] == desk.facts("message.attachment_fetched")


async def test_a_copy_that_was_lost_is_fetched_again(desk):
    message_id = await desk.receives(("minutes.txt", MINUTES), kind="text/plain")
    await fetch(desk, message_id)
    for key in [key async for key in desk.outside.archive.beneath("attachments")]:
        await desk.outside.archive.remove(key)

    assert MINUTES == (await fetch(desk, message_id)).content
    assert 2 == len(desk.outside.fetcher.fetched)


async def test_a_file_that_the_message_does_not_have_is_not_looked_for(desk):
    message_id = await desk.receives(("minutes.txt", MINUTES), kind="text/plain")

    with pytest.raises(NotFound, match="no such file"):
        await fetch(desk, message_id, b"another")
    with pytest.raises(NotFound, match="no message"):
        await fetch(desk, desk.tenant)
    assert [] == desk.outside.fetcher.fetched


async def test_a_file_that_is_too_large_is_not_even_fetched(desk, monkeypatch):
    monkeypatch.setattr(attachments, "LARGEST", 100)
    message_id = await desk.receives(("minutes.txt", MINUTES), kind="text/plain")

    with pytest.raises(BadRequest, match="Open it in the mailbox"):
        await fetch(desk, message_id)
    assert [] == desk.outside.fetcher.fetched


async def test_a_file_of_a_deleted_mail_is_gone(desk):
    message_id = await desk.receives(("minutes.txt", MINUTES), kind="text/plain")
    desk.own("UPDATE postroom.message SET state = 'gone'")

    with pytest.raises(Gone, match="not kept"):
        await fetch(desk, message_id)


async def test_a_file_that_changed_at_its_source_is_gone(desk):
    message_id = await desk.receives(("minutes.txt", MINUTES), kind="text/plain")
    desk.outside.fetcher.held[desk.received[0]] = desk.mail(("minutes.txt", b"Something else."), kind="text/plain")

    with pytest.raises(Gone, match="not in the mail any more"):
        await fetch(desk, message_id)
    assert [] == [key async for key in desk.outside.archive.beneath("attachments")]


async def test_another_tenant_has_no_such_message(desk):
    message_id = await desk.receives(("minutes.txt", MINUTES), kind="text/plain")
    await fetch(desk, message_id)
    stranger = TenantScope(
        desk.db, desk.waker, next_jobs, make_tenant(desk.owner_dsn, "other"), "eve", lambda: desk.now
    )

    with pytest.raises(NotFound, match="no message"):
        await fetch(desk, message_id, scope=stranger)
