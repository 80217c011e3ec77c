"""Answering mail in Outlook: what Graph does about drafts, categories and sending, and what we make of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from contracts.mail.letters import mail
from contracts.mail.replies import (
    ERROR,
    LABELS,
    MARKERS,
    READY,
    REVIEW,
    follow,
    labels_of,
    reply,
    thread_of,
    words,
    written,
)
from postroom.nouns.drafts import KEY_HEADER, REVISION_HEADER, VERSION_HEADER
from postroom.nouns.errors import DraftTouched, PermissionDenied, TimedOut, Transient, Unavailable
from postroom.nouns.secrets import Secret
from postroom.outside.graph.provider import OutlookProvider

NAMES = ("inbox", "junkemail", "deleteditems", "recoverableitemsdeletions", "sentitems", "outbox", "drafts")
FOLDERS = {"responses": [{"id": name, "status": 200, "body": {"id": f"f-{name}"}} for name in NAMES]}


def item_of(office, ref):
    return office.sim.item(office.address, ref)


async def test_markers_travel_as_headers_with_the_mail(office):
    draft = await written(office, office.deliver(mail()))
    await office.copilot.sender.send_draft(draft)

    sent = (await office.provider.message(draft.ref)).raw.lower()

    for name, value in ((KEY_HEADER, MARKERS.key), (VERSION_HEADER, "1"), (REVISION_HEADER, "r-1")):
        assert f"{name}: {value}".lower().encode() in sent


async def test_every_write_of_a_draft_names_the_version_it_is_over(office):
    draft = await written(office, office.deliver(mail()))
    draft = await office.copilot.drafts.update_draft(draft, reply(None), MARKERS)
    await office.copilot.drafts.discard_draft(draft)

    writes = list(office.recorder.where(lambda call: call.method in {"PATCH", "DELETE"}))
    assert writes
    assert [] == [call for call in writes if not call.headers.get("If-Match", "").startswith('W/"')]


@pytest.mark.parametrize("kind", ["conflict", "precondition_failed", "race"])
async def test_a_refusal_to_write_means_that_somebody_touched_the_draft(office, kind):
    draft = await written(office, office.deliver(mail()))
    office.faults.plan("graph.messages.update", kind)

    with pytest.raises(DraftTouched):
        await office.copilot.drafts.update_draft(draft, reply(None, text="Mine.", html="<p>Mine.</p>"), MARKERS)

    assert "Mine." not in (await office.copilot.drafts.draft(draft.ref)).text


async def test_a_discarded_draft_lies_among_deleted_items_and_is_no_draft_to_us(office):
    draft = await written(office, office.deliver(mail()))

    await office.copilot.drafts.discard_draft(draft)

    item = item_of(office, draft.ref)
    assert (True, "deleteditems") == (item.is_draft, item.folder.well_known)
    assert await office.copilot.drafts.draft(draft.ref) is None
    assert "not_sent" == (await office.copilot.sender.find_sent(draft)).state


async def test_words_that_a_reply_did_not_take_along_are_written_after_it(scripted):
    """Known issue: what is given to createReply may not show in the draft."""
    quoted = {**made("quoted"), "body": {"contentType": "html", "content": "<p>From: somebody</p>"}}
    ours = {**made("ours"), "body": {"contentType": "html", "content": reply("a").html}}
    scripted.say(201, quoted).say(200, quoted).say(200, FOLDERS).say(200, ours).say(200, ours)

    draft = await scripted.provider().copilot.drafts.create_draft(reply("a"), MARKERS)

    assert (words(reply("a").text), "ours") == (words(draft.text), draft.version)
    assert ["POST", "GET", "POST", "PATCH", "GET"] == [call.method for call in scripted.asked]
    assert 'W/"quoted"' == scripted.asked[3].headers["If-Match"]


def made(version: str) -> dict[str, Any]:
    """A draft as Graph shows it."""
    to = [{"emailAddress": {"address": "notes@broker.test"}}]
    shown = {"id": "d", "changeKey": version, "isDraft": True, "parentFolderId": "f-drafts", "toRecipients": to}
    return {**shown, "subject": "Re: Contract note", "ccRecipients": [], "bccRecipients": []}


async def test_the_body_marker_is_read_although_programs_hide_comments(office):
    draft = await written(office, office.deliver(mail()))

    assert "inbox-copilot:draftKey=sha256:0a1b2c;v=1" in draft.html


# labels


async def test_categories_get_their_colours_where_we_may_choose_them(office):
    await office.copilot.labels.ensure_labels(LABELS)
    known = office.sim.mailboxes[office.address].categories.values()

    assert {(READY.name, "preset4"), (REVIEW.name, "preset3"), (ERROR.name, "preset0")} == {
        (each["displayName"], each["color"]) for each in known
    }


async def test_without_the_right_to_the_master_list_categories_work_uncoloured(office):
    scopes = frozenset({"User.Read", "Mail.Read", "Mail.ReadWrite"})
    office._token = Secret(office.sim.issue_token(office.address, scopes=scopes, seconds=1e9))
    ref = office.deliver(mail())

    await office.copilot.labels.ensure_labels(LABELS)
    await office.copilot.labels.label_thread(await thread_of(office, ref), READY, LABELS)

    assert READY.name in await labels_of(office, ref)


async def test_a_category_that_a_person_adds_meanwhile_survives(office):
    ref = office.deliver(mail())
    thread = await thread_of(office, ref)
    office.faults.plan("graph.messages.update", "race", act=lambda: office.person.label(ref, add=["Mine"]))

    await office.copilot.labels.label_thread(thread, READY, LABELS)

    assert {"Mine", READY.name} <= await labels_of(office, ref)


async def test_a_message_that_somebody_keeps_changing_is_labelled_later(office):
    ref = office.deliver(mail())
    thread = await thread_of(office, ref)
    office.faults.plan("graph.messages.update", "precondition_failed", times=9)

    with pytest.raises(Unavailable):
        await office.copilot.labels.label_thread(thread, READY, LABELS)


async def test_only_what_lies_in_the_served_folder_is_labelled(office):
    box = office.sim.mailboxes[office.address]
    folder = box.new_folder("Invoices", box.root)
    here, elsewhere = office.deliver(mail(), folder.id), office.deliver(mail())
    copilot = OutlookProvider(office.client, folder="Invoices").copilot

    await copilot.labels.label_thread(await thread_of(office, here), READY, LABELS)

    assert ([READY.name], []) == (item_of(office, here).categories, item_of(office, elsewhere).categories)


# sending


@pytest.mark.parametrize("kind", ["lost_response", "error_after"])
async def test_a_mail_that_went_out_without_an_answer_is_found_by_its_id(office, kind):
    draft = await written(office, office.deliver(mail()))
    office.faults.plan("graph.messages.send", kind)

    with pytest.raises(Transient):
        await office.copilot.sender.send_draft(draft)

    found = await office.copilot.sender.find_sent(draft)
    assert ("sent", draft.ref) == (found.state, found.ref)


async def test_a_mail_that_never_went_out_is_not_taken_for_sent(office):
    draft = await written(office, office.deliver(mail()))
    office.faults.plan("graph.messages.send", "lost_request")

    with pytest.raises((Unavailable, TimedOut)):
        await office.copilot.sender.send_draft(draft)

    assert "not_sent" == (await office.copilot.sender.find_sent(draft)).state


async def test_a_mail_that_lingers_in_the_outbox_is_sent(office):
    office.faults.turn(sent_lag=60.0)
    ref = office.deliver(mail())
    draft = await written(office, ref)
    await office.copilot.sender.send_draft(draft)

    thread = await office.copilot.threads.thread(draft.thread_ref)

    assert "sent" == (await office.copilot.sender.find_sent(draft)).state
    assert ["SENT" in each.glimpse.labels for each in thread.messages if each.glimpse.ref == draft.ref] == [True]


async def test_a_sent_mail_that_was_erased_cannot_be_told(office):
    draft = await written(office, office.deliver(mail()))
    await office.copilot.sender.send_draft(draft)
    office.erase(draft.ref)

    assert "unknown" == (await office.copilot.sender.find_sent(draft)).state


async def test_drafting_needs_a_right_of_its_own_and_so_does_sending(office):
    ref = office.deliver(mail())
    draft = await written(office, ref)
    for scopes, act in (
        ({"Mail.Read"}, lambda: written(office, ref)),
        ({"Mail.Read", "Mail.ReadWrite"}, lambda: office.copilot.sender.send_draft(draft)),
    ):
        office._token = Secret(office.sim.issue_token(office.address, scopes=frozenset(scopes), seconds=1e9))
        with pytest.raises(PermissionDenied):
            await act()


# following


async def test_an_edit_of_a_draft_older_than_the_cursor_is_noticed(office):
    """Its delta has no filter by date, which would hide it."""
    ref = office.deliver(mail())
    old = office.person.write_draft("Long ago.", answers=ref)
    office.clock.advance(timedelta(days=40))
    start = (await office.copilot.outgoing.outgoing(None)).cursor

    office.person.edit_draft(old, "Today.")

    _, drafted, _, _ = await follow(office, start)
    assert [old] == [each.ref for each in drafted]


async def test_a_revision_is_kept_beside_the_version(office):
    draft = await written(office, office.deliver(mail()))
    later = await office.copilot.drafts.update_draft(draft, reply(None), replace(MARKERS, revision="r-9"))

    assert ("1", "r-9") == (later.markers.version, later.markers.revision)


async def test_what_somebody_writes_into_a_draft_that_was_made_a_moment_ago_stays(office):
    """Outlook's own words for a reply are written over with ours, a person's are not."""
    ref = office.deliver(mail())

    def edits() -> None:
        [draft] = [each for each in office.person.thread(ref) if "words" in each]
        office.person.edit_draft(draft["id"], "My own words.")

    office.faults.plan("graph.messages.get", "race", act=edits)
    with pytest.raises(DraftTouched):
        await written(office, ref)

    [left] = [each for each in office.person.thread(ref) if "words" in each]
    assert "My own words." in left["words"]


async def test_what_somebody_writes_into_a_draft_before_it_is_read_back_does_not_pass_for_ours(office):
    draft = await written(office, office.deliver(mail()))
    reads = iter([lambda: None, lambda: office.person.edit_draft(draft.ref, "My own words.")])
    office.faults.plan("graph.messages.get", "race", times=2, act=lambda: next(reads)())

    with pytest.raises(DraftTouched):
        await office.copilot.drafts.update_draft(draft, reply(None), MARKERS)
