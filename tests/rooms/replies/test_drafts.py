"""The draft of a thread from the moment a mail comes, and whatever people do with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from postroom import reads
from postroom.nouns.errors import Conflict, DraftTouched, PermissionDenied, TimedOut, Unavailable
from postroom.nouns.figures import counts_as
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.replies import commands
from postroom.rooms.replies.rules.ownership import body_marker, draft_key
from rooms.replies.drafting_desk import BREAKFAST, PARKING
from rooms.triage.desk import GUEST, READY, REVIEW


async def test_a_question_that_a_paper_answers_gets_a_draft(drafting):
    ref = await drafting.receives(BREAKFAST)

    draft = drafting.draft()
    assert "Breakfast is served from 7:00 to 10:30 in the garden room." in draft.mail.text_body
    assert [GUEST] == [each.email for each in draft.mail.to]
    assert "Re: Our stay" == draft.mail.subject
    key = draft_key(drafting.mailbox, drafting.thread_of(ref))
    assert key == draft.markers.key
    assert body_marker(key) in draft.mail.html_body
    assert [(ref, "written")] == drafting.revisions()
    assert ("ready", "draft_written") == drafting.verdict(ref)
    assert {READY} == drafting.labels(ref)
    [told] = drafting.facts("mail.draft.created")
    assert ("created", draft.ref, "rules") == (told["how"], told["provider_draft_id"], told["model"])


async def test_nothing_is_drafted_that_no_paper_supports(drafting):
    ref = await drafting.receives("Hello, do you sell helicopters to astronauts?")

    assert [] == drafting.drafts()
    assert ("needs_review", "evidence_missing") == drafting.verdict(ref)
    assert {REVIEW} == drafting.labels(ref)


async def test_what_is_partly_answered_is_drafted_with_gaps_and_shown_to_a_person(drafting):
    ref = await drafting.receives("Hello, at what time is breakfast served? And do you sell helicopters?")

    assert "[[" in drafting.draft().mail.text_body
    assert ("needs_review", "draft_has_gaps") == drafting.verdict(ref)


@pytest.mark.parametrize("clock", [timedelta(0), timedelta(seconds=-1)])
async def test_a_draft_stands_below_the_mail_that_it_answers_whatever_its_clock_says(drafting, clock):
    ref = await drafting.receives(BREAKFAST)
    await drafting.polls()
    drafting.own(
        "UPDATE postroom.turn u SET sent_at = (SELECT sent_at FROM postroom.turn WHERE ref = %s) + %s, ref = '!' || ref"
        " WHERE draft_ref IS NOT NULL",
        ref,
        clock,
    )

    async with drafting.scope().read() as tx:
        turns = await reads.threads.turns(tx, drafting.thread_of(ref))

    assert [False, True] == [each.draft_ref is not None for each in turns]


async def test_looking_again_writes_nothing_again(drafting):
    ref = await drafting.receives(BREAKFAST)
    before = drafting.draft().version

    await drafting.polls()
    await drafting.looks_again()

    assert before == drafting.draft().version
    assert "ready" == drafting.verdict(ref)[0]
    assert 1 == len(drafting.facts("mail.draft.created"))


async def test_a_mail_counts_once_however_often_its_thread_is_judged(drafting):
    first = await drafting.receives(BREAKFAST)
    await drafting.polls()
    await drafting.switches("labels")
    await drafting.switches("drafts")
    drafting.box.edit_draft(drafting.draft().ref, "From seven, says Nora.")
    await drafting.polls()
    await drafting.receives("I want my money back!", answers=first, subject="Re: Our stay")

    told = [(each["action"], counts_as("thread.triaged", each)) for each in drafting.facts("thread.triaged")]

    assert len(told) > 3
    assert [("draft", ["triaged", "draftable"]), ("needs_review", ["triaged"])] == [each for each in told if each[1]]
    async with drafting.db.tenant(drafting.tenant) as tx:
        [figures] = (await reads.figures.by_mailbox(tx, drafting.clock() - timedelta(days=1))).values()
    assert (2, 1.0) == (figures.total("triaged"), figures.draft_rate)


async def test_where_labels_are_all_that_is_wanted_nothing_is_drafted(drafting):
    await drafting.switches("labels")

    await drafting.receives(BREAKFAST)

    assert [] == drafting.drafts()


async def test_new_mail_makes_a_new_revision_of_an_untouched_draft(drafting):
    first = await drafting.receives(BREAKFAST)
    draft = drafting.draft().ref

    second = await drafting.receives(PARKING, answers=first, subject="Re: Our stay")

    assert draft == drafting.draft().ref
    assert "18 EUR" in drafting.draft().mail.text_body
    assert [(first, "superseded"), (second, "written")] == drafting.revisions()


async def test_an_edited_draft_is_never_written_over(drafting):
    first = await drafting.receives(BREAKFAST)
    drafting.box.edit_draft(drafting.draft().ref, "Dear Ada, come whenever you like. Nora")

    second = await drafting.receives(PARKING, answers=first, subject="Re: Our stay")

    assert "Dear Ada, come whenever you like. Nora" == drafting.draft().mail.text_body.strip()
    assert [(first, "blocked_user_edited")] == drafting.revisions()
    assert "needs_review" == drafting.verdict(second)[0]
    [told] = drafting.facts("mail.draft.blocked")
    assert "draft_conflict_user_edited" == told["code"]


async def test_a_persons_own_draft_stops_ours(drafting):
    ref = drafting.delivers(BREAKFAST)
    drafting.box.write_draft("I am on it", answers=ref)

    await drafting.syncs()

    assert "I am on it" == drafting.draft().mail.text_body.strip()
    assert [] == drafting.revisions()
    assert ("needs_review", "user_edited_draft") == drafting.verdict(ref)


async def test_a_draft_that_a_person_sent_is_known_as_sent(drafting):
    ref = await drafting.receives(BREAKFAST)
    drafting.box.send(drafting.draft().ref)

    await drafting.polls()

    assert [(ref, "sent")] == drafting.revisions()
    assert (None, "latest_is_operator_sent") == drafting.verdict(ref)


@pytest.mark.parametrize(
    ("does", "status"),
    [("send", "sent"), ("discard_draft", "discarded"), ("edit_draft", "blocked_user_edited")],
)
async def test_what_becomes_of_a_draft_is_known_where_no_more_are_written(drafting, does, status):
    first = await drafting.receives(BREAKFAST)
    await drafting.switches("labels")

    getattr(drafting.box, does)(drafting.draft().ref, *(["From seven, says Nora."] if does == "edit_draft" else []))
    await drafting.polls()
    await drafting.receives(PARKING, answers=first, subject="Re: Our stay")

    assert [(first, status)] == drafting.revisions()


async def test_a_discarded_draft_does_not_come_back_until_somebody_writes(drafting):
    first = await drafting.receives(BREAKFAST)
    drafting.box.discard_draft(drafting.draft().ref)
    await drafting.polls()

    assert [(first, "discarded")] == drafting.revisions()
    assert [] == drafting.drafts()
    assert set() == drafting.labels(first)

    second = await drafting.receives(PARKING, answers=first, subject="Re: Our stay")

    assert "18 EUR" in drafting.draft().mail.text_body
    assert [(first, "discarded"), (second, "written")] == drafting.revisions()


async def test_a_draft_is_taken_back_when_a_person_answers_without_it(drafting):
    ref = await drafting.receives(BREAKFAST)
    drafting.answers(ref, "At seven.")

    await drafting.polls()

    assert [] == drafting.drafts()
    assert [(ref, "superseded")] == drafting.revisions()


async def test_after_a_lost_answer_the_draft_is_found_again(drafting):
    box = drafting.outside.copilot
    lost = []

    class LosesAnswers:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def create_draft(self, mail, markers):
            made = await box.drafts.create_draft(mail, markers)
            if not lost:
                lost.append(made)
                raise TimedOut("The answer was lost.")
            return made

    drafting.outside.copilot = replace(box, drafts=LosesAnswers())
    ref = await drafting.receives(BREAKFAST)
    await drafting.waits()

    assert lost[0].ref == drafting.draft().ref
    assert [(ref, "written")] == drafting.revisions()
    assert ("ready", "draft_written") == drafting.verdict(ref)


async def test_an_edit_between_our_look_and_our_write_wins(drafting):
    first = await drafting.receives(BREAKFAST)
    box = drafting.outside.copilot

    class Hurries:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def update_draft(self, draft, mail, markers):
            drafting.box.edit_draft(draft.ref, "Nora was quicker")
            return await box.drafts.update_draft(draft, mail, markers)

    drafting.outside.copilot = replace(box, drafts=Hurries())
    await drafting.receives(PARKING, answers=first, subject="Re: Our stay")

    assert "Nora was quicker" == drafting.draft().mail.text_body.strip()
    assert [(first, "blocked_user_edited")] == drafting.revisions()


async def test_a_refused_write_means_a_person_and_is_not_tried_again(drafting):
    first = await drafting.receives(BREAKFAST)
    box, tried = drafting.outside.copilot, []

    class Refuses:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def update_draft(self, draft, mail, markers):
            tried.append(mail.text)
            raise DraftTouched("Somebody saved the draft.")

    drafting.outside.copilot = replace(box, drafts=Refuses())
    second = await drafting.receives(PARKING, answers=first, subject="Re: Our stay")
    drafting.outside.copilot = box
    await drafting.waits()
    await drafting.polls()

    assert 1 == len(tried)
    assert ([(first, "blocked_user_edited")], "needs_review") == (drafting.revisions(), drafting.verdict(second)[0])
    assert [] == drafting.own("SELECT 1 FROM postroom.job WHERE kind = 'replies.draft'")
    assert "7:00" in drafting.draft().mail.text_body


@pytest.mark.parametrize("trouble", [TimedOut("Too slow."), Unavailable("Not now.")])
async def test_trouble_while_a_draft_is_read_makes_no_second_one(drafting, trouble):
    first = await drafting.receives(BREAKFAST)
    box, asked = drafting.outside.copilot, []

    class Unreadable:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def draft(self, ref):
            asked.append(ref)
            raise trouble

    drafting.outside.copilot = replace(box, drafts=Unreadable())
    second = await drafting.receives(PARKING, answers=first, subject="Re: Our stay")
    assert ([(first, "written")], 1) == (drafting.revisions(), len(drafting.drafts()))

    drafting.outside.copilot = box
    await drafting.waits()

    assert len(asked) >= 1
    assert [(first, "superseded"), (second, "written")] == drafting.revisions()
    assert "18 EUR" in drafting.draft().mail.text_body


async def test_a_draft_borrows_no_recipients_of_the_thread(drafting):
    first = await drafting.receives(BREAKFAST, cc="Bob <bob@elsewhere.test>, Eve <eve@elsewhere.test>")
    assert (("needs_review", "multi_party"), []) == (drafting.verdict(first), drafting.drafts())

    await drafting.receives(PARKING, answers=first, subject="Re: Our stay")

    mail = drafting.draft().mail
    assert ([GUEST], (), ()) == ([each.email for each in mail.to], mail.cc, mail.bcc)


async def test_a_draft_is_written_to_nobody_of_ours(drafting):
    await mailboxes.set_operators(drafting.scope(), drafting.mailbox, ["bookings@larkspur.example"])
    away = "Bookings <Bookings+web@larkspur.example>"
    first = await drafting.receives(BREAKFAST, Reply_To=f"{away}, Bea <bea@client.test>")

    assert ["bea@client.test"] == [each.email for each in drafting.draft().mail.to]
    assert "Hello Bea," in drafting.draft().mail.text_body

    await drafting.receives(PARKING, answers=first, subject="Re: Our stay", Reply_To=away)
    assert [GUEST] == [each.email for each in drafting.draft().mail.to]


async def test_a_right_that_is_missing_stops_the_draft_and_nothing_else(drafting):
    box = drafting.outside.copilot

    class MayNot:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def create_draft(self, mail, markers):
            raise PermissionDenied("We may not write drafts in this mailbox: grant it and connect again.")

    drafting.outside.copilot = replace(box, drafts=MayNot())
    ref = await drafting.receives(BREAKFAST)

    assert ("needs_review", "permission_denied") == drafting.verdict(ref)
    assert [] == drafting.revisions()


async def test_a_person_edits_at_the_console_and_new_mail_does_not_write_over_it(drafting):
    first = await drafting.receives(BREAKFAST)
    draft_id = drafting.ask("SELECT id FROM postroom.draft_revision")

    await commands.edit_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "Dear Ada, at seven. Nora")
    await drafting.receives(PARKING, answers=first, subject="Re: Our stay")

    assert "Dear Ada, at seven. Nora" == drafting.draft().mail.text_body.strip()
    assert [(first, "blocked_user_edited")] == drafting.revisions()
    assert 1 == len(drafting.facts("mail.draft.edited"))


async def test_the_console_does_not_write_over_the_mail_program(drafting):
    await drafting.receives(BREAKFAST)
    draft_id = drafting.ask("SELECT id FROM postroom.draft_revision")
    drafting.box.edit_draft(drafting.draft().ref, "Nora was here")

    with pytest.raises(Conflict, match="in the mail program"):
        await commands.edit_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "Other words")

    assert "Nora was here" == drafting.draft().mail.text_body.strip()


async def test_a_label_that_a_person_took_off_stays_off_whatever_becomes_of_the_draft(drafting):
    first = await drafting.receives(BREAKFAST)
    drafting.box.label(first, remove=[READY])
    await drafting.polls()
    assert (None, set()) == (drafting.verdict(first)[0], drafting.labels(first))

    drafting.box.edit_draft(drafting.draft().ref, "From seven, says Nora.")
    await drafting.polls()

    assert [(first, "blocked_user_edited")] == drafting.revisions()
    assert (None, set()) == (drafting.verdict(first)[0], drafting.labels(first))

    second = await drafting.receives(PARKING, answers=first, subject="Re: Our stay")
    assert ("needs_review", {REVIEW}) == (drafting.verdict(second)[0], drafting.labels(second))
