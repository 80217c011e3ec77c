"""A thread from the moment a mail comes: judged, labelled, followed, and left to people who know better."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness import BOX
from postroom.engine.retry_policy import RetryStrategy
from postroom.nouns.errors import Unavailable
from postroom.nouns.ids import new_id
from postroom.rooms.triage.jobs import ForgetThreads
from rooms.triage.desk import ERROR, READY, REVIEW


async def test_an_open_question_is_ready_and_labelled(desk):
    ref = await desk.receives()

    assert ("ready", "draftable") == desk.verdict(ref)
    assert {READY} == desk.labels(ref)
    row = desk.row(ref)
    assert row["reference_code"].startswith("PR-")
    assert ref == row["newest_ref"]
    assert "question" == row["analysis"]["intent"]


async def test_a_mail_that_is_still_on_its_way_is_named_by_its_id_already(desk):
    """The thread shows it before we have taken it in, and something else makes us look."""
    first = await desk.receives()
    second = desk.delivers("And I want my money back.", answers=first)
    announced = new_id()
    row = "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source) VALUES (%s, %s, %s, %s, 'push')"
    desk.own(row, announced, desk.tenant, desk.mailbox, second)

    await desk.looks_again()

    assert second == desk.row(first)["newest_ref"]
    late = "SELECT DISTINCT message_id FROM postroom.fact WHERE thread_id = %s AND body ->> 'provider_message_id' = %s"
    assert [(announced,)] == desk.own(late, desk.thread_of(first), second)


async def test_what_is_sensitive_goes_to_a_person_and_says_so(desk):
    ref = await desk.receives("I want my money back for the second night.")

    assert ("needs_review", "sensitive_refund_or_cancellation") == desk.verdict(ref)
    assert {REVIEW} == desk.labels(ref)
    [told] = desk.facts("mail.flagged.sensitive")
    assert "sensitive_refund_or_cancellation" == told["reason"]


async def test_nothing_is_done_where_the_copilot_is_off(desk):
    await desk.switches("off")

    ref = await desk.receives()

    assert set() == desk.labels(ref)
    assert 0 == desk.ask("SELECT count(*) FROM postroom.thread_state")


async def test_switching_the_copilot_off_takes_our_labels_off_and_on_puts_them_back(desk):
    ref = await desk.receives()

    await desk.switches("off")
    off = (desk.row(ref)["state"], desk.labels(ref))
    await desk.switches("labels")

    assert (None, set()) == off
    assert ("ready", {READY}) == (desk.row(ref)["state"], desk.labels(ref))


async def test_a_label_goes_when_an_operator_answered(desk):
    ref = await desk.receives()
    desk.answers(ref)

    await desk.polls()

    assert (None, "latest_is_operator_sent") == desk.verdict(ref)
    assert set() == desk.labels(ref)
    assert [BOX] == desk.row(ref)["operators_seen"]
    assert "At eight." == desk.ask("SELECT own_text FROM postroom.turn WHERE outgoing")


async def test_what_comes_after_the_answer_is_judged_anew_and_labelled_on_every_message(desk):
    first = await desk.receives()
    desk.answers(first)
    await desk.polls()

    second = await desk.receives("And may we have a refund for Sunday?", answers=first)

    assert ("needs_review", "sensitive_refund_or_cancellation") == desk.verdict(second)
    assert ({REVIEW}, {REVIEW}) == (desk.labels(first), desk.labels(second))


async def test_a_persons_draft_makes_it_theirs_until_it_is_discarded(desk):
    ref = await desk.receives()
    draft = desk.box.write_draft("I think", answers=ref)

    await desk.polls()
    during = desk.verdict(ref)
    desk.box.discard_draft(draft)
    await desk.polls()

    assert ("needs_review", "user_edited_draft") == during
    assert ("ready", "draftable") == desk.verdict(ref)
    assert {READY} == desk.labels(ref)


async def test_a_thread_that_leaves_the_folder_bears_no_label(desk):
    ref = await desk.receives()
    desk.box.move(ref, "archive")

    await desk.syncs()

    assert (None, "not_in_inbox") == desk.verdict(ref)
    assert set() == desk.labels(ref)


async def test_a_thread_that_comes_back_is_judged_again(desk):
    ref = await desk.receives()
    desk.box.move(ref, "archive")
    await desk.syncs()
    desk.box.move(ref, "inbox")

    await desk.syncs()

    assert ("ready", "draftable") == desk.verdict(ref)
    assert {READY} == desk.labels(ref)


async def test_a_label_that_a_person_takes_off_stays_off_until_somebody_writes(desk):
    ref = await desk.receives()
    desk.box.label(ref, remove=[READY])

    await desk.syncs()
    after_removal = (desk.row(ref)["state"], desk.labels(ref))
    await desk.syncs()
    second = await desk.receives("And until when?", answers=ref)

    assert (None, set()) == after_removal
    assert [(READY, None)] == [(each["before"], each["after"]) for each in desk.facts("thread.label_changed_by_person")]
    assert ({READY}, {READY}) == (desk.labels(ref), desk.labels(second))


async def test_a_label_that_a_person_changes_is_the_state(desk):
    ref = await desk.receives()
    desk.box.label(ref, add=[REVIEW], remove=[READY])

    await desk.syncs()
    await desk.polls()

    assert ("needs_review", {REVIEW}) == (desk.row(ref)["state"], desk.labels(ref))
    assert desk.row(ref)["label_by_person"]


async def test_labels_of_people_are_left_alone(desk):
    ref = await desk.receives()
    desk.box.label(ref, add=["VIP"])
    desk.answers(ref)

    await desk.polls()

    assert {"VIP", "INBOX"} == desk.box.message(ref).labels


async def test_the_same_again_does_nothing(desk):
    await desk.receives()
    before = desk.ask("SELECT count(*) FROM postroom.fact WHERE kind LIKE 'thread.%%'")

    await desk.looks_again()
    await desk.polls()

    assert before == desk.ask("SELECT count(*) FROM postroom.fact WHERE kind LIKE 'thread.%%'")
    assert ["draft", "nothing_to_do"] == [each["outcome"] for each in desk.facts("mail.processing.completed")]
    assert 1 == len(desk.facts("thread.triaged"))


async def test_our_own_label_is_not_taken_for_somebody_elses(desk):
    ref = await desk.receives()

    await desk.syncs()

    assert {READY} == desk.labels(ref)
    assert [] == desk.facts("thread.label_changed_by_person")
    assert [] == desk.facts("mail.thread.updated")


@pytest.mark.parametrize(
    ("kept", "turns", "analysed"),
    [
        ({}, 1, True),
        ({"messages": 30}, 0, False),
        ({"analyses": 30}, 1, False),
        ({"messages": 30, "analyses": 400}, 0, True),
    ],
)
async def test_what_was_concluded_is_kept_as_long_as_the_tenant_says(desk, kept, turns, analysed):
    ref = await desk.receives("I want my money back for the second night.")
    desk.own("UPDATE postroom.tenant SET policy = jsonb_build_object('retention', %s::jsonb)", json.dumps(kept))
    desk.own("UPDATE postroom.turn SET kept_at = kept_at - interval '60 days'")
    desk.own("UPDATE postroom.thread_state SET decided_at = decided_at - interval '60 days'")

    await desk.does(ForgetThreads())

    assert turns == desk.ask("SELECT count(*) FROM postroom.turn WHERE own_text <> ''")
    assert analysed == (desk.row(ref)["analysis"] is not None)
    forgotten = {each["what"] for each in desk.facts("tenant.forgotten")}
    assert ({"turns"} if not turns else set()) | ({"analyses"} if not analysed else set()) == forgotten


async def test_a_failure_is_shown_here_at_once_and_at_the_provider_when_it_outlives_its_retries(desk):
    first = await desk.receives()
    box, asked = desk.outside.copilot, []

    class Fails:
        def __getattr__(self, name):
            return getattr(box.threads, name)

        async def thread(self, ref):
            asked.append(ref)
            if len(asked) <= 1 + RetryStrategy.MAX_RETRIES:
                raise Unavailable("The provider does not answer.")
            return await box.threads.thread(ref)

    desk.outside.copilot = replace(box, threads=Fails())
    ref = await desk.receives("And where do we park?", answers=first, subject="Re: Our stay")
    assert ("error", "provider_unavailable", set()) == (*failure(desk, ref), desk.labels(ref))

    for _ in range(RetryStrategy.MAX_RETRIES - 1):
        await desk.waits()
        assert set() == desk.labels(ref)
    await desk.waits()
    assert ("error", "provider_unavailable", {ERROR}) == (*failure(desk, ref), desk.labels(ref))
    assert ({ERROR}, "draftable") == (desk.labels(first), desk.row(ref)["reason"])  # the verdict that stood is kept

    await desk.looks_again()
    assert ("ready", None, {READY}) == (*failure(desk, ref), desk.labels(ref))


def failure(desk, ref):
    row = desk.row(ref)
    return row["state"], row["error_code"]
