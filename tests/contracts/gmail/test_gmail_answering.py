"""Answering mail in Gmail: what Google does about drafts, labels and sending, and what we make of it."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from contracts.mail.letters import mail
from contracts.mail.replies import (
    LABELS,
    MARKERS,
    READY,
    answer_to,
    follow,
    labels_of,
    reply,
    thread_of,
    written,
)
from postroom.mail.parse import read_mail
from postroom.nouns.drafts import KEY_HEADER, DraftMarkers, OutgoingFile
from postroom.nouns.errors import DraftTouched, PermissionDenied, TimedOut, Transient, Unavailable
from postroom.nouns.providers import SENT
from postroom.nouns.secrets import Secret
from postroom.outside.gmail import compose, parse


def box_of(office):
    return office.sim.mailboxes[office.address]


async def test_a_reply_names_the_thread_the_message_and_all_before_it(office):
    first = mail()
    office.deliver(first)
    ref = office.deliver(answer_to(first))

    draft = await written(office, ref)

    raw = (await office.provider.message(draft.message_ref)).raw
    assert b"In-Reply-To: <later@broker.test>" in raw
    assert 2 == raw.partition(b"References:")[2].partition(b"\r\nX-")[0].count(b"@broker.test>")
    assert await thread_of(office, ref) == draft.thread_ref
    assert [] == office.recorder.mistakes


async def test_every_edit_gives_the_message_another_id_which_is_the_version(office):
    draft = await written(office, office.deliver(mail()))

    later = await office.copilot.drafts.update_draft(draft, reply(None), MARKERS)

    assert (draft.ref, draft.version) == (later.ref, draft.message_ref)
    assert draft.message_ref != later.message_ref == later.version


async def test_drafts_with_large_files_are_written_and_read_beside_the_loop(office, monkeypatch):
    seen = []

    def noted(work):
        def noting(*given):
            seen.append((work.__name__, threading.current_thread() is threading.main_thread()))
            return work(*given)

        return noting

    for module, name in ((parse, "draft"), (parse, "answered_by"), (compose, "mime"), (compose, "message")):
        monkeypatch.setattr(module, name, noted(getattr(module, name)))
    draft = await written(office, office.deliver(mail()))
    await office.copilot.drafts.update_draft(draft, reply(None), MARKERS)

    assert {("draft", False), ("answered_by", False), ("mime", False), ("message", False)} == set(seen)


async def test_a_reply_about_something_else_leaves_the_thread(office):
    ref = office.deliver(mail())
    draft = await written(office, ref)
    stays = await office.copilot.drafts.update_draft(
        draft, replace(reply(ref), subject=f"RE: {draft.subject}"), MARKERS
    )
    leaves = await office.copilot.drafts.update_draft(stays, replace(reply(ref), subject="Something else"), MARKERS)

    assert await thread_of(office, ref) == stays.thread_ref
    assert leaves.thread_ref != stays.thread_ref
    assert [] == office.recorder.mistakes


HEAVY = OutgoingFile("plans.pdf", "application/pdf", b"%PDF-1.4\n" + bytes(range(256)) * 30_000)


async def test_a_mail_too_large_for_json_is_uploaded_in_pieces(office):
    ref = office.deliver(mail())
    draft = await written(office, ref, files=(HEAVY,))

    sent = await office.copilot.sender.send_draft(draft)

    raw = (await office.provider.message(sent)).raw
    assert [HEAVY.content] == [each.content for each in read_mail(raw).attachments]
    assert await thread_of(office, ref) == draft.thread_ref
    notes = [each.note for each in office.recorder.calls if "upload" in each.note]
    assert ["drafts.create upload"] * 4 == notes
    assert [] == office.recorder.mistakes


async def test_an_upload_whose_piece_is_lost_leaves_no_draft(office):
    office.faults.plan("gmail.drafts.create", "error_before")

    with pytest.raises(Unavailable):
        await written(office, None, files=(HEAVY,))

    assert {} == box_of(office).drafts


async def test_a_person_who_edits_before_we_look_is_noticed(office):
    draft = await written(office, office.deliver(mail()))
    office.faults.plan("gmail.drafts.get", "race")

    with pytest.raises(DraftTouched):
        await office.copilot.drafts.update_draft(draft, reply(None), MARKERS)


async def test_a_label_that_a_person_deleted_is_made_anew(office):
    ref = office.deliver(mail())
    thread = await thread_of(office, ref)
    await office.copilot.labels.label_thread(thread, READY, LABELS)
    box_of(office).drop_label(box_of(office).label_named(READY.name))

    await office.copilot.labels.label_thread(thread, READY, LABELS)

    assert READY.name in await labels_of(office, ref)


async def test_a_label_that_somebody_made_meanwhile_is_adopted(office):
    ref = office.deliver(mail())
    await office.copilot.labels.names()
    theirs = box_of(office).new_label(READY.name)

    await office.copilot.labels.label_thread(await thread_of(office, ref), READY, LABELS)

    assert theirs.id in box_of(office).mails[ref].labels


async def test_labels_get_colours_of_the_palette(office):
    await office.copilot.labels.ensure_labels(LABELS)

    colours = {each.name: box_of(office).label_named(each.name).color for each in LABELS}
    assert {"backgroundColor": "#16a766", "textColor": "#ffffff"} == colours[READY.name]
    assert 3 == len({each["backgroundColor"] for each in colours.values()})


@pytest.mark.parametrize("kind", ["lost_response", "error_after"])
@pytest.mark.parametrize("own_message_id", [True, False])
async def test_a_mail_that_went_out_without_an_answer_is_found(office, kind, own_message_id):
    """Also where Gmail put a Message-ID of its own in the place of ours."""
    office.faults.turn(new_message_id=not own_message_id)
    draft = await written(office, office.deliver(mail()))
    office.faults.plan("gmail.drafts.send", kind)

    with pytest.raises(Transient):
        await office.copilot.sender.send_draft(draft)

    found = await office.copilot.sender.find_sent(draft)
    assert "sent" == found.state
    assert SENT in (await office.provider.message(found.ref)).glimpse.labels


async def test_a_mail_that_never_went_out_is_not_taken_for_sent(office):
    draft = await written(office, office.deliver(mail()))
    office.faults.plan("gmail.drafts.send", "lost_request")

    with pytest.raises((Unavailable, TimedOut)):
        await office.copilot.sender.send_draft(draft)

    assert "not_sent" == (await office.copilot.sender.find_sent(draft)).state


async def test_a_draft_that_is_neither_there_nor_sent_cannot_be_told(office):
    draft = await written(office, office.deliver(mail()))
    office.person.discard_draft(draft.ref)

    assert "unknown" == (await office.copilot.sender.find_sent(draft)).state


async def test_who_may_only_read_can_neither_draft_nor_label(office):
    ref = office.deliver(mail())
    thread = await thread_of(office, ref)
    scopes = ["https://www.googleapis.com/auth/gmail.readonly"]
    office._fixed = Secret(office.sim.access_token(office.address, scopes=scopes))

    for act in (written(office, ref), office.copilot.labels.label_thread(thread, READY, LABELS)):
        with pytest.raises(PermissionDenied):
            await act


async def test_every_version_of_a_draft_that_was_discarded_is_told_as_removed(office):
    ref = office.deliver(mail())
    start = (await office.copilot.outgoing.outgoing(None)).cursor
    draft = office.person.write_draft("One.", answers=ref)
    draft = office.person.edit_draft(draft, "Two.")
    office.person.discard_draft(draft)

    sent, drafted, removed, _ = await follow(office, start)

    assert [] == sent
    assert {each.ref for each in drafted} <= set(removed)
    assert 2 == len(removed)


async def test_reading_sent_and_drafts_leaves_the_cursor_of_the_inbox_alone(office):
    cursor = (await office.provider.changes(None)).cursor
    start = (await office.copilot.outgoing.outgoing(None)).cursor
    ref = office.deliver(mail())
    office.person.answer(ref, "Done.")

    await follow(office, start)

    assert [ref] == [each.ref for each in (await office.provider.changes(cursor)).arrived]


def test_a_message_id_is_the_same_for_the_same_revision_only():
    same = compose.message_id(MARKERS, "office.test")

    assert same == compose.message_id(DraftMarkers(MARKERS.key, "1", "r-1"), "office.test")
    assert same != compose.message_id(replace(MARKERS, revision="r-2"), "office.test")
    assert "" == compose.message_id(replace(MARKERS, revision=""), "office.test")


def test_an_address_that_waits_to_be_verified_is_not_the_mailboxs_own():
    listed = {
        "sendAs": [
            {"sendAsEmail": "Anna@office.test"},
            {"sendAsEmail": "desk@office.test", "verificationStatus": "accepted"},
            {"sendAsEmail": "boss@else.test", "verificationStatus": "pending"},
        ]
    }

    assert {"anna@office.test", "desk@office.test"} == parse.own_addresses(listed)


async def test_markers_stand_in_the_headers_of_the_draft(office):
    draft = await written(office, office.deliver(mail()))

    assert f"{KEY_HEADER}: {MARKERS.key}".encode() in (await office.provider.message(draft.message_ref)).raw


async def test_a_mail_that_is_deleted_while_sent_is_looked_through_does_not_end_the_search(office):
    copilot, since = office.copilot, datetime(2020, 1, 1, tzinfo=UTC)
    draft = await copilot.drafts.create_draft(reply(None, subject="A new matter"), MARKERS)
    sent = await copilot.sender.send_draft(draft)
    newer = await copilot.drafts.create_draft(reply(None, subject="Newer"), DraftMarkers("another", "1", "r-0"))
    gone = box_of(office).mails[await copilot.sender.send_draft(newer)]
    office.faults.plan("gmail.messages.get", "race", act=lambda: box_of(office).delete(gone))

    assert sent == await copilot.sender.find_marked(MARKERS.key, draft.to[0], since)


async def test_what_somebody_writes_into_a_draft_before_it_is_read_back_does_not_pass_for_ours(office):
    office.faults.plan("gmail.drafts.get", "race")

    with pytest.raises(DraftTouched):
        await written(office, office.deliver(mail()))
