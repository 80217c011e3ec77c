"""What people make of drafts, what the tenant decides about them, and what is learned from what was sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from postroom import reads
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, Conflict, PermissionDenied
from postroom.rooms.forgetting import BY_KIND
from postroom.rooms.replies import commands
from postroom.rooms.replies.store import drafts
from postroom.rooms.triage import commands as triage
from rooms.replies.drafting_desk import BREAKFAST, HOUSE_RULES, PARKING, DraftingDesk
from rooms.triage.desk import GUEST, READY, REVIEW

TOWELS = "Hello, where are the towels for the sauna kept?"
ANSWER = (
    "Dear Ada,\n\nThe towels for the sauna are kept in the wooden cupboard beside the door. They cost 4 EUR each. "
    "I have put two aside for you.\n\nKind regards\nNora"
)


async def decides(desk: DraftingDesk, **changes) -> None:
    await commands.change_reply_policy(desk.scope(), changes)


def example(desk: DraftingDesk) -> tuple[str, str | None, float | None]:
    [row] = desk.ask("SELECT array_agg(array[status, final, distance::text]) FROM postroom.draft_revision")
    return row[0], row[1], None if row[2] is None else float(row[2])


async def test_a_draft_speaks_in_the_tenants_voice_and_shows_its_gate(drafting):
    await decides(drafting, formality="informal", signature="Nora, Larkspur", gate=0.6, closings={"en": "See you"})

    await drafting.receives(BREAKFAST, sender="Ada Client <ada@client.test>")

    body = drafting.draft().mail.text_body
    assert body.startswith("Hi Ada,\n\nThanks for your message.")
    assert body.rstrip().endswith("See you\nNora, Larkspur")
    assert 0.6 == drafting.ask("SELECT gate FROM postroom.draft_revision")
    [told] = drafting.facts("evidence.policy_changed")
    assert (None, 0.6) == (told["before"]["gate"], told["after"]["gate"])


async def test_a_house_that_answers_in_one_language_does_so(drafting):
    await decides(drafting, language="de")

    await drafting.receives(BREAKFAST)

    assert drafting.draft().mail.text_body.startswith("Guten Tag")


async def test_a_gate_that_is_too_high_leaves_it_to_a_person(drafting):
    await decides(drafting, gate=0.95)

    ref = await drafting.receives("Hello, is breakfast served with a view of the lake and the mountains behind?")

    assert ("needs_review", "evidence_missing") == drafting.verdict(ref)


async def test_a_draft_sent_as_it_stood_has_no_distance(drafting):
    await drafting.receives(BREAKFAST)
    drafting.box.send(drafting.draft().ref)

    await drafting.polls()

    status, final, distance = example(drafting)
    assert ("sent", 0.0) == (status, distance)
    assert "Breakfast is served from 7:00 to 10:30" in (final or "")


async def test_what_a_person_changed_before_sending_is_kept_as_an_example(drafting):
    await drafting.receives(BREAKFAST)
    drafting.box.edit_draft(drafting.draft().ref, "Hello,\n\nBreakfast is served until noon for you.\n\nNora")
    await drafting.polls()
    edited = example(drafting)
    drafting.box.send(drafting.draft().ref)
    await drafting.polls()

    assert "blocked_user_edited" == edited[0]
    assert 0 < (edited[2] or 0) < 1
    assert "sent" == example(drafting)[0]
    [row] = await commands.list_drafts(drafting.scope(), 10, changed=True)
    assert "until noon" in (row.final or "")
    assert "7:00 to 10:30" in row.proposed
    outcomes = await commands.draft_outcomes(drafting.scope())
    assert (1, 1, 0, 1) == (outcomes.written, outcomes.sent, outcomes.unchanged, outcomes.changed)


async def test_an_edit_at_the_console_is_measured_too(drafting):
    await drafting.receives(BREAKFAST)
    draft_id = drafting.ask("SELECT id FROM postroom.draft_revision")

    await commands.edit_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "Dear Ada, at seven. Nora")

    row = await commands.one_draft(drafting.scope(), draft_id)
    assert "Dear Ada, at seven. Nora" == row.body == row.final
    assert (row.distance or 0) > 0.5
    assert "7:00 to 10:30" in row.proposed


async def test_a_draft_is_discarded_with_a_reason_and_stays_away(drafting):
    ref = await drafting.receives(BREAKFAST)
    draft_id = drafting.ask("SELECT id FROM postroom.draft_revision")

    with pytest.raises(BadRequest, match="Say why"):
        await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "  ")
    await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "The tone is wrong.")
    await drafting.works()
    await drafting.polls()

    assert [] == drafting.drafts()
    assert [(ref, "discarded")] == drafting.revisions()
    assert "nora@larkspur.example: The tone is wrong." == drafting.ask("SELECT because FROM postroom.draft_revision")
    assert ("needs_review", "draft_discarded") == drafting.verdict(ref)  # nobody answered: the question still waits
    assert set() == drafting.labels(ref)
    with pytest.raises(Conflict, match="is discarded"):
        await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "Again.")


async def open_threads(desk: DraftingDesk) -> list[UUID]:
    async with desk.scope().read() as tx:
        return [each.id for each in await reads.threads.inbox(tx, 10, None, reads.threads.InboxFilter())]


@pytest.mark.parametrize("where", ["console", "mail program"])
async def test_a_question_whose_draft_was_discarded_stays_in_the_inbox_until_it_is_answered(drafting, where):
    ref = await drafting.receives(BREAKFAST)
    thread, draft_id = drafting.thread_of(ref), drafting.ask("SELECT id FROM postroom.draft_revision")
    if where == "console":
        await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "I write myself.")
    else:
        drafting.box.discard_draft(drafting.draft().ref)
    await drafting.polls()
    await drafting.looks_again()
    discarded = drafting.verdict(ref), drafting.labels(ref), await open_threads(drafting)

    drafting.answers(ref, "At seven. Nora")
    await drafting.polls()

    assert (("needs_review", "draft_discarded"), set(), [thread]) == discarded
    assert [] == await open_threads(drafting)


async def test_a_label_that_a_person_chose_goes_with_a_discarded_draft_and_another_may_be_chosen(drafting):
    ref = await drafting.receives(BREAKFAST)
    draft_id = drafting.ask("SELECT id FROM postroom.draft_revision")
    drafting.box.change(drafting.box.message(ref), labels=drafting.box.message(ref).labels - {READY} | {REVIEW})
    await drafting.polls()
    await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "I write myself.")
    await drafting.works()
    await drafting.looks_again()
    assert (("needs_review", "draft_discarded"), set()) == (drafting.verdict(ref), drafting.labels(ref))

    drafting.box.change(drafting.box.message(ref), labels=drafting.box.message(ref).labels | {READY})
    await drafting.polls()

    assert ("ready", {READY}) == (drafting.verdict(ref)[0], drafting.labels(ref))


async def discarded(desk: DraftingDesk) -> tuple[str, UUID]:
    """A draft that a person threw away, with its words."""
    await desk.receives(BREAKFAST)
    draft_id = desk.ask("SELECT id FROM postroom.draft_revision")
    words = desk.draft().mail.text_body
    await commands.discard_draft(desk.scope(), desk.outside.open_copilot, draft_id, "The tone is wrong.")
    await desk.works()
    assert [] == desk.drafts()
    return words, draft_id


async def test_a_discarded_draft_is_brought_back_word_by_word(drafting):
    words, draft_id = await discarded(drafting)

    await commands.restore_draft(drafting.scope(), drafting.outside.open_copilot, draft_id)
    await drafting.works()
    [(ref, status)] = drafting.revisions()
    assert ("written", ("ready", "draft_written")) == (status, drafting.verdict(ref))
    await drafting.polls()

    assert words == drafting.draft().mail.text_body
    assert ("ready", "draft_written") == drafting.verdict(ref)  # also after it was judged anew
    [told] = drafting.facts("mail.draft.restored")
    assert str(draft_id) == told["draft_id"]
    with pytest.raises(Conflict, match="only while it is discarded"):
        await commands.restore_draft(drafting.scope(), drafting.outside.open_copilot, draft_id)
    await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "After all.")
    assert [] == drafting.drafts()


async def test_a_person_s_words_are_theirs_when_they_are_brought_back(drafting):
    await drafting.receives(BREAKFAST)
    draft_id = drafting.ask("SELECT id FROM postroom.draft_revision")
    open_copilot = drafting.outside.open_copilot
    await commands.edit_draft(drafting.scope(), open_copilot, draft_id, "Dear Ada, at seven. Nora")
    await commands.discard_draft(drafting.scope(), open_copilot, draft_id, "Wrong button.")
    await commands.restore_draft(drafting.scope(), open_copilot, draft_id)
    await drafting.works()

    await drafting.receives(PARKING, answers=drafting.revisions()[0][0])

    assert "Dear Ada, at seven. Nora" == drafting.draft().mail.text_body.strip()  # and nothing is written over it


async def test_a_draft_comes_back_once_when_the_answer_was_lost(drafting):
    words, draft_id = await discarded(drafting)

    async def lost(*_args, **_named):
        raise ConnectionError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drafts, "put_restored", lost)
        with pytest.raises(ConnectionError):
            await commands.restore_draft(drafting.scope(), drafting.outside.open_copilot, draft_id)
    await commands.restore_draft(drafting.scope(), drafting.outside.open_copilot, draft_id)

    assert words == drafting.draft().mail.text_body


async def test_a_draft_stays_away_when_somebody_wrote_since(drafting):
    _, draft_id = await discarded(drafting)
    first = drafting.revisions()[0][0]
    drafting.delivers(PARKING, answers=first)

    with pytest.raises(Conflict, match="Somebody wrote since"):
        await commands.restore_draft(drafting.scope(), drafting.outside.open_copilot, draft_id)
    assert [] == drafting.drafts()


async def test_a_draft_stays_away_when_a_person_writes_there(drafting):
    _, draft_id = await discarded(drafting)
    drafting.box.write_draft("At seven.", answers=drafting.revisions()[0][0])

    with pytest.raises(Conflict, match="another draft"):
        await commands.restore_draft(drafting.scope(), drafting.outside.open_copilot, draft_id)
    assert 1 == len(drafting.drafts())


async def test_who_edits_an_old_draft_hears_who_changed_it(drafting):
    await drafting.receives(BREAKFAST)
    draft_id, seen = drafting.own("SELECT id, fingerprint FROM postroom.draft_revision")[0]
    open_copilot = drafting.outside.open_copilot
    await commands.edit_draft(drafting.scope(), open_copilot, draft_id, "Dear Ada, at seven. Nora")

    with pytest.raises(Conflict, match=r"^nora@larkspur.example changed the draft at \d\d:\d\d UTC"):
        await commands.edit_draft(drafting.scope("person:paul@x.example"), open_copilot, draft_id, "At eight.", seen)
    await commands.discard_draft(drafting.scope(), open_copilot, draft_id, "Not needed.")
    with pytest.raises(Conflict, match="Not needed"):
        await commands.edit_draft(drafting.scope(), open_copilot, draft_id, "At eight.")


async def test_what_somebody_changed_in_the_mail_program_is_not_discarded_here(drafting):
    await drafting.receives(BREAKFAST)
    draft_id = drafting.ask("SELECT id FROM postroom.draft_revision")
    drafting.box.edit_draft(drafting.draft().ref, "Nora was here")

    with pytest.raises(Conflict, match="in the mail program"):
        await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, draft_id, "The tone is wrong.")

    assert "Nora was here" == drafting.draft().mail.text_body.strip()


async def test_a_draft_is_written_when_the_right_returns(drafting):
    box = drafting.outside.copilot

    class MayNot:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def create_draft(self, mail, markers):
            raise PermissionDenied("We may not write drafts in this mailbox: grant it and connect again.")

    drafting.outside.copilot = replace(box, drafts=MayNot())
    ref = await drafting.receives(BREAKFAST)
    drafting.outside.copilot = box

    scope = drafting.scope()
    async with scope.finish() as tx:
        await scope.tell(tx, facts.MailboxResumed(mailbox_id=drafting.mailbox))
    await drafting.works()

    assert "7:00 to 10:30" in drafting.draft().mail.text_body
    assert [(ref, "written")] == drafting.revisions()
    assert ("ready", "draft_written") == drafting.verdict(ref)


# handled threads


async def answered_once(desk: DraftingDesk, question: str = TOWELS, answer: str = ANSWER) -> str:
    ref = await desk.receives(question)
    desk.answers(ref, answer)
    await desk.polls()
    return str(ref)


async def test_nothing_is_learned_unless_the_tenant_wants_it(drafting):
    await answered_once(drafting)

    assert [] == await commands.list_answers(drafting.scope())


async def test_what_a_person_answered_answers_the_next_one_without_the_first_client(drafting):
    await decides(drafting, learn_from=frozenset({drafting.mailbox}))
    await answered_once(drafting)
    [learned] = await commands.list_answers(drafting.scope())
    shown = await commands.one_evidence(drafting.scope(), learned.id)

    await drafting.receives(
        "Good morning, where do you keep the towels for the sauna?", sender="bo@other.test", subject="Sauna"
    )

    assert "The towels for the sauna are kept in the wooden cupboard beside the door." in shown.body
    for secret in ("Ada", "4 EUR", "aside for you", "Nora"):
        assert secret not in shown.body
    body = drafting.draft().mail.text_body
    assert "wooden cupboard beside the door" in body
    [claim] = drafting.ask("SELECT claims FROM postroom.draft_revision")
    assert learned.name == claim["evidence"][0]["source"]
    [told] = drafting.facts("evidence.learned")
    assert told["left_out"] >= 2


async def test_a_paper_is_asked_before_what_was_once_written(drafting):
    await decides(drafting, learn_from=frozenset({drafting.mailbox}))
    await answered_once(drafting)
    await drafting.knows("sauna.md", "# Sauna\n\nThe towels for the sauna are kept at the reception desk.\n")

    await drafting.receives("Where are the towels for the sauna kept?", sender="bo@other.test", subject="Sauna")

    body = drafting.draft().mail.text_body
    assert "reception desk" in body
    assert "cupboard" not in body


async def test_no_other_mailbox_and_nobody_after_the_switch_is_off_hears_of_it(drafting):
    await decides(drafting, learn_from=frozenset({drafting.mailbox}))
    await answered_once(drafting)
    asked = "Where are the towels for the sauna kept?"

    here = await commands.ask_evidence(drafting.scope(), asked, drafting.mailbox)
    elsewhere = await commands.ask_evidence(drafting.scope(), asked)
    await decides(drafting, learn_from=frozenset())
    after = await commands.ask_evidence(drafting.scope(), asked, drafting.mailbox)

    assert "cupboard" in (here.draft.body or "")
    assert (None, None) == (elsewhere.draft.body, after.draft.body)


async def test_what_was_learned_can_be_retired_and_is_not_heeded_after_a_year(drafting):
    await decides(drafting, learn_from=frozenset({drafting.mailbox}))
    await answered_once(drafting)
    [learned] = await commands.list_answers(drafting.scope())
    asked = "Where are the towels for the sauna kept?"

    drafting.now += timedelta(days=370)
    late = await commands.ask_evidence(drafting.scope(), asked, drafting.mailbox)
    drafting.now -= timedelta(days=370)
    await commands.retire_evidence(drafting.scope(), learned.id)
    retired = await commands.ask_evidence(drafting.scope(), asked, drafting.mailbox)

    assert (None, None) == (late.draft.body, retired.draft.body)
    assert [] == await commands.list_answers(drafting.scope())
    await commands.restore_evidence(drafting.scope(), learned.id)
    back = await commands.ask_evidence(drafting.scope(), asked, drafting.mailbox)
    assert "cupboard" in (back.draft.body or "")


async def test_nothing_is_learned_from_what_a_person_had_to_see_first(drafting):
    await decides(drafting, learn_from=frozenset({drafting.mailbox}))

    await answered_once(
        drafting,
        "Where do I get my money back? I want a refund.",
        "Dear Ada,\n\nMoney is given back at the reception desk downstairs.\n",
    )

    assert [] == await commands.list_answers(drafting.scope())


async def test_a_later_answer_in_the_thread_takes_the_place_of_the_first(drafting):
    await decides(drafting, learn_from=frozenset({drafting.mailbox}))
    ref = await drafting.receives(TOWELS)
    drafting.answers(ref, ANSWER)
    await drafting.polls()
    second = await drafting.receives(
        "And where are the slippers for the sauna kept?", answers=ref, subject="Re: Our stay"
    )
    drafting.answers(second, "The slippers for the sauna are kept under the long bench.")
    await drafting.polls()

    [learned] = await commands.list_answers(drafting.scope())
    assert (2, "long bench" in (await commands.one_evidence(drafting.scope(), learned.id)).body) == (
        learned.version,
        True,
    )


# retention


async def forgets(desk: DraftingDesk, what: str) -> int:
    async with desk.scope().finish() as tx:
        gone = await BY_KIND[what](tx, desk.tenant, desk.now - timedelta(days=30), desk.now, 100)
    return gone.count


async def test_what_a_draft_said_is_forgotten_when_it_is_over_and_old(drafting):
    ref = await drafting.receives(BREAKFAST)
    drafting.box.send(drafting.draft().ref)
    await drafting.polls()
    young = await forgets(drafting, "drafts")
    drafting.now += timedelta(days=31)

    assert (0, 1, 0) == (young, await forgets(drafting, "drafts"), await forgets(drafting, "drafts"))
    assert [(ref, "sent")] == drafting.revisions()
    left = drafting.ask(
        "SELECT concat(proposed, body, final, subject, because, claims, questions) FROM postroom.draft_revision"
    )
    assert "[]{}" == left
    assert None is drafting.ask("SELECT held FROM postroom.draft_slot")


async def test_a_draft_that_waits_is_not_forgotten(drafting):
    await drafting.receives(BREAKFAST)
    drafting.now += timedelta(days=400)

    assert 0 == await forgets(drafting, "drafts")


async def test_old_versions_and_learned_answers_go_and_the_papers_of_today_stay(drafting):
    await decides(drafting, learn_from=frozenset({drafting.mailbox}))
    await answered_once(drafting)
    await drafting.knows("house-rules.md", HOUSE_RULES.replace("40 places", "44 places"))
    drafting.now += timedelta(days=31)

    assert 2 == await forgets(drafting, "evidence")
    assert ["house-rules.md"] == [each.name for each in await commands.list_evidence(drafting.scope())]
    assert [] == await commands.list_answers(drafting.scope())
    assert 0 == drafting.ask("SELECT coalesce(sum(snippets), 0) FROM postroom.evidence_term WHERE source = 'answer'")
    await drafting.receives(PARKING, sender=GUEST, subject="Parking")
    assert "18 EUR" in drafting.draft().mail.text_body


@pytest.mark.parametrize("aside", [triage.set_not_for_us, triage.set_done])
async def test_a_thread_set_aside_loses_our_draft_and_gets_another_when_it_is_opened_again(drafting, aside):
    ref = await drafting.receives(BREAKFAST)
    thread = drafting.thread_of(ref)
    await aside(drafting.scope(), thread)
    await drafting.works()
    put_aside = drafting.verdict(ref), drafting.labels(ref), drafting.revisions(), drafting.drafts()

    await triage.reopen(drafting.scope(), thread)
    await drafting.works()

    assert ((None, "draftable"), set(), [(ref, "superseded")], []) == put_aside
    assert (("ready", "draft_written"), {"Inbox Copilot/Ready"}) == (drafting.verdict(ref), drafting.labels(ref))
    assert [(ref, "written")] == drafting.revisions()


async def test_a_thread_set_aside_keeps_a_draft_that_a_person_changed(drafting):
    ref = await drafting.receives(BREAKFAST)
    drafting.box.edit_draft(drafting.draft().ref, "Hello, until noon for you. Nora")
    await drafting.polls()

    await triage.set_not_for_us(drafting.scope(), drafting.thread_of(ref))
    await drafting.works()

    assert "until noon for you" in drafting.draft().mail.text_body


@pytest.mark.parametrize("aside", [triage.set_not_for_us, triage.set_done])
async def test_a_thread_set_aside_stays_aside_when_its_draft_turns_out_to_be_edited(drafting, aside):
    ref = await drafting.receives(BREAKFAST)
    drafting.box.edit_draft(drafting.draft().ref, "From seven, and I keep you a table.")

    await aside(drafting.scope(), drafting.thread_of(ref))
    await drafting.works()

    assert [(ref, "blocked_user_edited")] == drafting.revisions()
    assert "a table" in drafting.draft().mail.text_body
    assert (None, set()) == (drafting.verdict(ref)[0], drafting.labels(ref))


async def test_what_a_topic_would_have_done_tells_of_drafted_threads_too(drafting):
    await drafting.receives(BREAKFAST)

    seen = await triage.preview_topic(drafting.scope(), None, "Meals", "exception", ["breakfast"])

    assert 1 == seen.looked_at
    assert [("draftable", "sensitive_exception")] == [(each.before, each.after) for each in seen.changed]


async def test_what_a_topic_would_have_done_tells_of_threads_that_were_answered_since(drafting):
    ref = await drafting.receives(BREAKFAST)
    drafting.answers(ref, "Until ten. Nora")
    await drafting.polls()
    assert "latest_is_operator_sent" == drafting.verdict(ref)[1]

    seen = await triage.preview_topic(drafting.scope(), None, "Meals", "exception", ["breakfast"])

    assert (1, True) == (seen.looked_at, seen.all_looked_at)
    assert [("draftable", "sensitive_exception")] == [(each.before, each.after) for each in seen.changed]
