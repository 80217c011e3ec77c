"""Folders as Outlook has them: well known, by name, by id, gone, and made anew."""

from __future__ import annotations

import asyncio

import pytest

from contracts.graph.scripted import NOW
from contracts.mail.letters import mail
from postroom.nouns.errors import (
    CursorExpired,
    Misconfigured,
    Throttled,
)
from postroom.outside.graph.folders import GraphFolders
from postroom.outside.graph.provider import OutlookProvider

PLACE = "/v1.0/users/anna.ash@desk.test/mailFolders/inbox/messages"


def item(ref: str = "a", received: str = "2026-11-02T10:00:01Z"):
    return {"id": ref, "receivedDateTime": received, "isDraft": False}


@pytest.mark.parametrize("name", ["Inbox", "inbox", "INBOX"])
async def test_a_well_known_folder_is_meant_in_any_case(scripted, name):
    scripted.say(200, {"value": []})

    await scripted.provider(folder=name).list_since(NOW)

    assert [one.path for one in scripted.asked] == [PLACE]


@pytest.mark.parametrize(
    ("name", "inside"), [("Invoices", None), ("Inbox/Invoices", "inbox"), ("Inbox/In/voices", None)]
)
async def test_a_folder_is_found_by_the_name_that_outlook_shows(office, name, inside):
    box = office.sim.mailboxes[office.address]
    place = box.folder(inside) if inside else box.root
    if name.count("/") == 2:
        place = box.new_folder("In", box.folder("inbox"))
    folder = box.new_folder(name.rpartition("/")[2], place)
    since = office.clock.now()
    ref = office.deliver(mail("filed"), folder.id)
    office.deliver(mail("not filed"))

    provider = OutlookProvider(office.client, folder=name)
    listing = await provider.list_since(since)

    assert [(ref, {"INBOX", name})] == [(one.ref, one.labels) for one in listing.messages]
    assert {"INBOX", name} == (await provider.message(ref)).glimpse.labels


async def test_a_folder_can_be_named_by_its_id(office):
    folder = office.sim.mailboxes[office.address].folder("archive")
    since = office.clock.now()
    ref = office.deliver(mail("filed"), "archive")

    assert [ref] == [
        one.ref for one in (await OutlookProvider(office.client, folder=folder.id).list_since(since)).messages
    ]


async def test_a_folder_with_a_quote_in_its_name_is_found(office):
    box = office.sim.mailboxes[office.address]
    box.new_folder("O'Neil's", box.root)

    assert (await OutlookProvider(office.client, folder="O'Neil's").list_since(office.clock.now())).messages == []


async def test_a_folder_that_is_not_there_is_named_in_the_error(office):
    with pytest.raises(Misconfigured, match="no folder 'Invoces'"):
        await OutlookProvider(office.client, folder="Invoces").changes(None)


async def test_a_folder_deleted_under_us_asks_for_another(office):
    box = office.sim.mailboxes[office.address]
    provider = OutlookProvider(office.client, folder="Short")
    folder = box.new_folder("Short", box.root)
    await provider.list_since(office.clock.now())
    box.drop_folder(folder)

    for _ in range(2):
        with pytest.raises(Misconfigured, match="no folder 'Short'"):
            await provider.list_since(office.clock.now())


async def test_a_start_in_a_folder_deleted_under_us_asks_for_another(office):
    box = office.sim.mailboxes[office.address]
    provider = OutlookProvider(office.client, folder="Short")
    folder = box.new_folder("Short", box.root)
    await provider.list_since(office.clock.now())
    box.drop_folder(folder)

    with pytest.raises(Misconfigured, match="no folder 'Short' any more"):
        await provider.changes(None)


async def test_a_folder_made_anew_under_its_old_name_is_found_by_a_resync(office):
    box = office.sim.mailboxes[office.address]
    provider = OutlookProvider(office.client, folder="Short")
    folder = box.new_folder("Short", box.root)
    cursor = (await provider.changes(None)).cursor
    box.drop_folder(folder)
    anew = box.new_folder("Short", box.root)

    with pytest.raises(CursorExpired, match="by its name"):
        await provider.changes(cursor)
    fresh = (await provider.changes(None)).cursor
    ref = office.deliver(mail("filed"), anew.id)

    assert [one.ref for one in (await provider.changes(fresh)).arrived] == [ref]


async def test_what_the_folders_are_called_is_asked_once(office):
    folders = GraphFolders(office.client, "/me")
    refs = [office.deliver(mail(f"number {number}"), "junkemail") for number in range(3)]

    for ref in refs:
        await OutlookProvider(office.client, folders=folders).message(ref)

    assert len(list(office.recorder.where(lambda call: call.path.endswith("$batch")))) == 1


async def test_a_throttled_item_of_a_batch_is_not_taken_for_a_missing_folder(scripted):
    scripted.say(200, {**item(), "parentFolderId": "f"})
    scripted.say(200, {"responses": [{"id": "inbox", "status": 429, "headers": {"retry-after": "9"}}]})

    with pytest.raises(Throttled) as refused:
        await scripted.provider().message("a")

    assert refused.value.retry_after == 9.0


async def test_what_failed_along_with_another_item_of_a_batch_is_asked_again(scripted):
    names = ["inbox", "junkemail", "deleteditems", "recoverableitemsdeletions", "sentitems", "outbox", "drafts"]
    answers = [{"id": name, "status": 200, "body": {"id": f"f-{name}"}} for name in names]
    answers[3] = {"id": names[3], "status": 404, "body": {"error": {"code": "ErrorItemNotFound"}}}
    cut_off = [*answers[:4], *({"id": name, "status": 424} for name in names[4:])]
    scripted.say(200, {**item(), "parentFolderId": "f-drafts"})
    scripted.say(200, {"responses": cut_off})
    scripted.say(200, {"responses": answers[4:]})
    scripted.say(200, b"MIME")

    assert {"DRAFT"} == (await scripted.provider().message("a")).glimpse.labels


async def test_while_the_folders_are_unknown_one_asks_and_the_others_wait(office):
    refs = [office.deliver(mail(f"number {number}")) for number in range(3)]

    found = await asyncio.gather(*(office.provider.message(ref) for ref in refs))

    assert [{"INBOX"}] * 3 == [one.glimpse.labels for one in found]
    assert 1 == len(list(office.recorder.where(lambda call: call.path.endswith("/$batch"))))
