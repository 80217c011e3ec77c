"""What every provider promises to whoever answers mail: threads, drafts, labels, sending, and what people do there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest

from contracts.mail.letters import mail
from contracts.mail.replies import (
    ERROR,
    LABELS,
    MARKERS,
    READY,
    REVIEW,
    TEXT,
    answer_to,
    follow,
    labels_of,
    reply,
    thread_of,
    words,
    written,
)
from postroom.mail.parse import read_mail
from postroom.nouns.drafts import OutgoingFile
from postroom.nouns.errors import CursorExpired, DraftTouched, Gone, Transient
from postroom.nouns.providers import DRAFT, INBOX, SENT, Cursor

# threads


async def test_a_thread_has_what_came_what_was_sent_and_what_is_being_written(cloud_office):
    ref = cloud_office.deliver(mail())
    cloud_office.clock.advance(timedelta(minutes=1))
    cloud_office.person.answer(ref, "We look into it.")
    cloud_office.clock.advance(timedelta(minutes=1))
    later = cloud_office.deliver(answer_to(mail()))
    cloud_office.clock.advance(timedelta(minutes=1))
    cloud_office.person.write_draft("Nearly there.", answers=later)

    thread = await cloud_office.copilot.threads.thread(await thread_of(cloud_office, ref))

    assert [{INBOX}, {SENT}, {INBOX}, {DRAFT}] == [
        each.glimpse.labels & {INBOX, SENT, DRAFT} for each in thread.messages
    ]
    assert [ref, later] == [each.glimpse.ref for each in thread.messages if INBOX in each.glimpse.labels]
    assert [False, False, False, True] == [each.is_draft for each in thread.messages]
    assert {INBOX, SENT, DRAFT} <= thread.labels


async def test_a_message_of_a_thread_says_who_wrote_to_whom(cloud_office):
    message = EmailMessage()
    message["From"], message["To"] = "Broker <Notes@Broker.test>", "Anna <anna.ash@desk.test>, Bo@Desk.test"
    message["Cc"], message["Reply-To"] = "carl@desk.test", "Answers@Broker.test"
    message["Subject"], message["Message-ID"] = "Grüße", "<who@broker.test>"
    message.set_content("Who?")
    ref = cloud_office.deliver(message.as_bytes())

    thread = await cloud_office.copilot.threads.thread(await thread_of(cloud_office, ref))

    [only] = thread.messages
    assert ("notes@broker.test", "Grüße", "<who@broker.test>") == (
        only.glimpse.sender,
        only.glimpse.subject,
        only.glimpse.internet_message_id,
    )
    assert (("anna.ash@desk.test", "bo@desk.test"), ("carl@desk.test",)) == (only.to, only.cc)
    assert ("answers@broker.test",) == only.reply_to
    assert only.draft_ref is None


async def test_a_draft_in_a_thread_is_known_by_what_reads_it(cloud_office):
    ref = cloud_office.deliver(mail())
    draft = await written(cloud_office, ref)

    thread = await cloud_office.copilot.threads.thread(draft.thread_ref)

    assert [draft.ref] == [each.draft_ref for each in thread.drafts]


async def test_a_thread_of_which_nothing_is_left_is_gone(cloud_office):
    ref = cloud_office.deliver(mail())
    thread = await thread_of(cloud_office, ref)
    cloud_office.erase(ref)

    with pytest.raises(Gone):
        await cloud_office.copilot.threads.thread(thread)


# drafts


async def test_a_draft_says_what_we_wrote_and_stands_in_the_thread(cloud_office):
    ref = cloud_office.deliver(mail())

    draft = await written(cloud_office, ref, cc=("carl@desk.test",))

    assert (("notes@broker.test",), ("carl@desk.test",), ()) == (draft.to, draft.cc, draft.bcc)
    assert "Re: Contract note" == draft.subject
    assert words(TEXT) == words(draft.text)
    assert await thread_of(cloud_office, ref) == draft.thread_ref
    assert MARKERS == draft.markers
    assert draft == await cloud_office.copilot.drafts.draft(draft.ref)


async def test_a_mail_of_its_own_answers_nothing(cloud_office):
    draft = await written(cloud_office, None, subject="A new matter")

    assert ("A new matter", MARKERS) == (draft.subject, draft.markers)
    assert [draft.ref] == [each.ref for each in await cloud_office.copilot.drafts.find_drafts(MARKERS.key, None)]


async def test_a_reply_to_a_message_that_is_gone_is_not_written(cloud_office):
    ref = cloud_office.deliver(mail())
    cloud_office.erase(ref)

    with pytest.raises(Gone):
        await written(cloud_office, ref)


async def test_an_update_replaces_our_own_words_and_gives_another_version(cloud_office):
    draft = await written(cloud_office, cloud_office.deliver(mail()))
    better = reply(None, text="Better.", html="<p>Better.</p>", subject="Re: Contract note")
    second = replace(MARKERS, revision="r-2")

    updated = await cloud_office.copilot.drafts.update_draft(draft, better, second)

    assert (draft.ref, draft.thread_ref, ["Better."]) == (updated.ref, updated.thread_ref, words(updated.text))
    assert draft.version != updated.version
    assert second == updated.markers
    thread = await cloud_office.copilot.threads.thread(draft.thread_ref)
    assert 1 == len(thread.drafts)


async def test_what_a_person_wrote_into_a_draft_is_never_overwritten_deleted_or_sent(cloud_office):
    draft = await written(cloud_office, cloud_office.deliver(mail()))
    cloud_office.person.edit_draft(draft.ref, "No, wait!")

    for act in (
        cloud_office.copilot.drafts.update_draft(draft, reply(None), MARKERS),
        cloud_office.copilot.drafts.discard_draft(draft),
        cloud_office.copilot.sender.send_draft(draft),
    ):
        with pytest.raises(DraftTouched):
            await act

    now = await cloud_office.copilot.drafts.draft(draft.ref)
    assert "wait!" in now.text
    assert draft.version != now.version


async def test_a_draft_that_was_discarded_is_not_there_and_discarding_can_be_repeated(cloud_office):
    ref = cloud_office.deliver(mail())
    ours, theirs = await written(cloud_office, ref), await written(cloud_office, ref)

    await cloud_office.copilot.drafts.discard_draft(ours)
    await cloud_office.copilot.drafts.discard_draft(ours)
    cloud_office.person.discard_draft(theirs.ref)

    assert [None, None] == [await cloud_office.copilot.drafts.draft(each.ref) for each in (ours, theirs)]
    with pytest.raises(Gone):
        await cloud_office.copilot.drafts.update_draft(theirs, reply(None), MARKERS)


async def test_a_draft_that_nobody_wrote_down_is_found_by_its_marker(cloud_office):
    ref = cloud_office.deliver(mail())
    draft = await written(cloud_office, ref)
    cloud_office.person.write_draft("My own.", answers=ref)
    elsewhere = cloud_office.deliver(mail("Another matter"))

    find = cloud_office.copilot.drafts.find_drafts
    assert [draft] == await find(MARKERS.key, draft.thread_ref)
    assert [] == await find("another key", draft.thread_ref)
    assert [] == await find(MARKERS.key, await thread_of(cloud_office, elsewhere))


async def test_a_persons_own_draft_carries_no_marker(cloud_office):
    ref = cloud_office.deliver(mail())
    cloud_office.person.write_draft("My own.", answers=ref)

    thread = await cloud_office.copilot.threads.thread(await thread_of(cloud_office, ref))

    [draft_ref] = [each.draft_ref for each in thread.drafts]
    assert (await cloud_office.copilot.drafts.draft(draft_ref)).markers is None


async def test_a_line_break_in_a_subject_begins_no_header(cloud_office):
    ref = cloud_office.deliver(mail())

    draft = await written(cloud_office, ref, subject="Re: Contract note\r\nBcc: thief@evil.test")

    assert () == draft.bcc
    assert words("Re: Contract note Bcc: thief@evil.test") == words(draft.subject)


# labels


async def test_one_state_label_at_a_time_and_a_persons_own_survive(cloud_office):
    ref = cloud_office.deliver(mail())
    thread, names = await thread_of(cloud_office, ref), {each.name for each in LABELS}
    cloud_office.person.label(ref, add=["Urgent", "Client A"])
    book = cloud_office.copilot.labels
    await book.ensure_labels(LABELS)
    await book.ensure_labels(LABELS)

    for label in (READY, REVIEW, REVIEW, None, None):
        await book.label_thread(thread, label, LABELS)

        found = await labels_of(cloud_office, ref)
        assert ({label.name} if label else set()) == found & names
        assert {"Urgent", "Client A", INBOX} <= found


async def test_a_label_is_made_when_nobody_made_it_before(cloud_office):
    ref = cloud_office.deliver(mail())

    await cloud_office.copilot.labels.label_thread(await thread_of(cloud_office, ref), ERROR, LABELS)

    assert ERROR.name in await labels_of(cloud_office, ref)


async def test_every_message_of_the_thread_that_lies_in_the_inbox_is_labelled(cloud_office):
    first, second = cloud_office.deliver(mail()), cloud_office.deliver(answer_to(mail()))

    await cloud_office.copilot.labels.label_thread(await thread_of(cloud_office, first), READY, LABELS)

    assert READY.name in await labels_of(cloud_office, first)
    assert READY.name in await labels_of(cloud_office, second)


# sending


async def test_a_sent_draft_is_found_and_is_a_draft_no_more(cloud_office):
    ref = cloud_office.deliver(mail())
    draft = await written(cloud_office, ref)
    before = await cloud_office.copilot.sender.find_sent(draft)

    sent = await cloud_office.copilot.sender.send_draft(draft)

    after = await cloud_office.copilot.sender.find_sent(draft)
    assert ("not_sent", None) == (before.state, before.ref)
    assert ("sent", sent) == (after.state, after.ref)
    assert await cloud_office.copilot.drafts.draft(draft.ref) is None
    thread = await cloud_office.copilot.threads.thread(draft.thread_ref)
    assert [sent] == [each.glimpse.ref for each in thread.messages if SENT in each.glimpse.labels]
    assert [] == list(thread.drafts)


async def test_a_draft_is_sent_once(cloud_office):
    draft = await written(cloud_office, cloud_office.deliver(mail()))
    await cloud_office.copilot.sender.send_draft(draft)

    with pytest.raises(Gone):
        await cloud_office.copilot.sender.send_draft(draft)

    thread = await cloud_office.copilot.threads.thread(draft.thread_ref)
    assert 1 == len([each for each in thread.messages if SENT in each.glimpse.labels])


async def test_an_earlier_reply_of_ours_is_not_taken_for_the_one_that_was_sent(cloud_office):
    ref = cloud_office.deliver(mail())
    await cloud_office.copilot.sender.send_draft(await written(cloud_office, ref))
    second = await cloud_office.copilot.drafts.create_draft(reply(ref), replace(MARKERS, revision="r-2"))
    cloud_office.person.discard_draft(second.ref)

    assert (await cloud_office.copilot.sender.find_sent(second)).state in {"not_sent", "unknown"}


async def test_a_mail_of_its_own_is_sent(cloud_office):
    copilot = cloud_office.copilot
    sent = await copilot.sender.send_draft(
        await copilot.drafts.create_draft(reply(None, subject="A new matter"), MARKERS)
    )

    whole = await cloud_office.provider.message(sent)
    assert SENT in whole.glimpse.labels
    assert b"A new matter" in whole.raw


async def test_a_mail_that_went_out_is_found_by_its_marker_alone(cloud_office):
    """By who forgot that it wrote it: a database that was restored."""
    copilot, since = cloud_office.copilot, datetime(2020, 1, 1, tzinfo=UTC)
    another = replace(MARKERS, key="another", revision="r-0")
    draft = await copilot.drafts.create_draft(reply(None, subject="A new matter"), MARKERS)
    await copilot.sender.send_draft(await copilot.drafts.create_draft(reply(None, subject="Older"), another))
    assert await copilot.sender.find_marked(MARKERS.key, draft.to[0], since) is None

    sent = await copilot.sender.send_draft(draft)

    assert sent == await copilot.sender.find_marked(MARKERS.key, draft.to[0], since)


async def test_a_failure_before_the_act_leaves_the_draft_unsent(cloud_office):
    draft = await written(cloud_office, cloud_office.deliver(mail()))
    cloud_office.faults.turn(unavailable=1.0)

    with pytest.raises(Transient):
        await cloud_office.copilot.sender.send_draft(draft)

    cloud_office.faults.turn(unavailable=0.0)
    assert "not_sent" == (await cloud_office.copilot.sender.find_sent(draft)).state


# what people do in their mail program


async def test_what_people_write_edit_send_and_discard_is_noticed(cloud_office):
    ref = cloud_office.deliver(mail())
    thread = await thread_of(cloud_office, ref)
    old = cloud_office.person.write_draft("From before.", answers=ref)
    cloud_office.clock.advance(timedelta(minutes=10))
    start = (await cloud_office.copilot.outgoing.outgoing(None)).cursor
    assert ([], [], [], start) == await follow(cloud_office, start) or [] == (await follow(cloud_office, start))[0]

    edited = cloud_office.person.edit_draft(old, "More words.")
    _, drafted, _, cursor = await follow(cloud_office, start)
    assert [(thread, True)] == [(each.thread_ref, each.is_draft) for each in drafted]

    cloud_office.person.send_draft(edited)
    sent, drafted, _, cursor = await follow(cloud_office, cursor)
    assert ([thread], []) == ([each.thread_ref for each in sent], drafted)
    assert all(SENT in each.labels for each in sent)

    other = cloud_office.person.write_draft("Another.", answers=ref)
    _, drafted, _, cursor = await follow(cloud_office, cursor)
    cloud_office.person.discard_draft(other)
    sent, later, removed, _ = await follow(cloud_office, cursor)
    assert ([], []) == (sent, later)
    assert {each.ref for each in drafted} <= set(removed)


async def test_mail_that_came_is_nothing_that_went_out(cloud_office):
    start = (await cloud_office.copilot.outgoing.outgoing(None)).cursor
    cloud_office.deliver(mail())

    sent, drafted, removed, _ = await follow(cloud_office, start)

    assert ([], [], []) == (sent, drafted, removed)


async def test_an_answer_given_elsewhere_is_noticed(cloud_office):
    ref = cloud_office.deliver(mail())
    cloud_office.clock.advance(timedelta(minutes=10))
    start = (await cloud_office.copilot.outgoing.outgoing(None)).cursor

    cloud_office.person.answer(ref, "Done already.")

    sent, _, _, _ = await follow(cloud_office, start)
    assert [await thread_of(cloud_office, ref)] == [each.thread_ref for each in sent]


async def test_a_cursor_of_sent_and_drafts_that_is_none_is_not_followed(cloud_office):
    for odd in ("[]", "7", "https://elsewhere.test/delta", '["https://a.test/", "https://b.test/"]'):
        with pytest.raises(CursorExpired):
            await cloud_office.copilot.outgoing.outgoing(Cursor(odd))


# whose mailbox it is


async def test_aliases_are_addresses_of_the_mailbox(cloud_office):
    own = await cloud_office.copilot.addresses.own_addresses()

    assert {cloud_office.address, *cloud_office.other_addresses} == own


async def test_our_calls_contain_no_mistake(cloud_office):
    ref = cloud_office.deliver(mail())
    thread = await thread_of(cloud_office, ref)
    await cloud_office.copilot.labels.ensure_labels(LABELS)
    await cloud_office.copilot.labels.label_thread(thread, READY, LABELS)
    draft = await written(cloud_office, ref)
    draft = await cloud_office.copilot.drafts.update_draft(draft, reply(None), MARKERS)
    await cloud_office.copilot.sender.send_draft(draft)

    assert [] == cloud_office.recorder.mistakes


# files


SMALL = OutgoingFile("fee – schedule.csv", "text/csv", b"fee;1\r\n")
LARGE = OutgoingFile("scan.pdf", "application/pdf", b"%PDF-1.4\n" + bytes(range(256)) * 16_384)


async def test_files_go_along_byte_for_byte(cloud_office):
    ref = cloud_office.deliver(mail())
    draft = await written(cloud_office, ref, files=(SMALL, LARGE))

    sent = await cloud_office.copilot.sender.send_draft(draft)

    assert (SMALL.filename, LARGE.filename) == draft.files
    found = read_mail((await cloud_office.provider.message(sent)).raw).attachments
    assert [(SMALL.filename, SMALL.content), (LARGE.filename, LARGE.content)] == [
        (each.filename, each.content) for each in found
    ]
    assert [] == cloud_office.recorder.mistakes


async def test_blind_copies_stand_in_the_draft(cloud_office):
    draft = await written(cloud_office, None, bcc=("audit@desk.test",))

    assert ("audit@desk.test",) == draft.bcc
    assert () == draft.files
