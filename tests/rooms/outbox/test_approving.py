"""From a draft to a proposal, and a person's yes to exactly that."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from postroom.nouns.actors import key_actor
from postroom.nouns.errors import BadRequest, Conflict, NotFound, StaleRevision
from postroom.nouns.ids import new_id
from postroom.rooms.forgetting import forget_drafts_and_proposals
from postroom.rooms.outbox import commands
from postroom.rooms.replies import commands as replies
from postroom.rooms.replies.jobs import DraftReply
from postroom.rooms.tenants import commands as tenants
from rooms.outbox.sending_desk import NORA, OTTO
from rooms.replies.drafting_desk import BREAKFAST, HOUSE_RULES, PARKING
from rooms.triage.desk import BOX, GUEST


async def test_a_draft_waits_for_a_persons_yes_as_it_would_go_out(desk):
    proposal = await desk.is_asked()

    assert ("waiting", "reply", "draft") == (proposal.status, proposal.kind, proposal.origin)
    assert ([GUEST], "Re: Our stay", []) == (proposal.recipients, proposal.subject, proposal.cc)
    assert proposal.body == desk.ask("SELECT body FROM postroom.draft_revision")
    assert proposal.draft_id == desk.ask("SELECT id FROM postroom.draft_revision")
    assert proposal.machine_body == proposal.body
    [made] = desk.facts("proposal.made")
    assert (str(proposal.id), proposal.hash, 1) == (made["proposal_id"], made["hash"], made["needed"])
    assert [] == desk.out()


async def test_with_a_yes_exactly_that_is_sent_once(desk):
    proposal = await desk.is_asked()

    approved = await desk.says_yes(proposal)
    await desk.goes_out()

    [sent] = desk.out()
    assert proposal.body.split() == sent.mail.text_body.split()
    assert ([GUEST], "Re: Our stay") == ([each.email for each in sent.mail.to], sent.mail.subject)
    now = await desk.again(proposal)
    assert ("approved", "sent", sent.ref) == (approved.status, now.status, now.sent_ref)
    assert [NORA] == now.approvers
    [told] = desk.facts("reply.sent")
    assert ("approved", proposal.hash) == (told["how"], told["hash"])
    [begun] = desk.facts("proposal.sending")
    assert [NORA] == begun["approved_by"]
    assert 1 == desk.sender.calls


async def test_after_the_send_the_draft_counts_as_sent_and_the_label_goes(desk):
    ref = await desk.receives(BREAKFAST)
    await desk.says_yes(await desk.newest())
    await desk.goes_out()
    await desk.polls()

    assert "sent" == desk.ask("SELECT status FROM postroom.draft_revision")
    assert set() == desk.labels(ref)
    assert 1 == len(desk.facts("reply.sent"))
    assert [] == desk.drafts()


@pytest.mark.parametrize("copilot", ["labels", "off"])
async def test_what_was_approved_counts_as_sent_where_no_more_drafts_are_written(desk, copilot):
    await desk.says_yes(await desk.is_asked())
    await desk.switches(copilot)
    await desk.goes_out()

    assert (1, "sent") == (len(desk.out()), desk.ask("SELECT status FROM postroom.draft_revision"))


async def test_nothing_is_sent_without_a_yes(desk):
    await desk.is_asked()

    await desk.goes_out(hours=1)
    await desk.polls()

    assert ([], 0) == (desk.out(), desk.sender.calls)


async def test_a_yes_to_what_was_not_seen_does_not_count(desk):
    proposal = await desk.is_asked()

    with pytest.raises(StaleRevision, match="Look again"):
        await commands.approve(desk.scope(), proposal.id, "sha256:" + "0" * 64)
    await desk.goes_out()

    assert ("waiting", []) == ((await desk.again(proposal)).status, desk.out())


async def test_what_is_not_here_cannot_be_approved(desk):
    with pytest.raises(NotFound):
        await commands.approve(desk.scope(), new_id(), "sha256:0")


async def test_saying_yes_twice_is_saying_it_once(desk):
    proposal = await desk.is_asked()

    await desk.says_yes(proposal)
    await desk.says_yes(proposal)
    await desk.goes_out()

    assert (1, 1) == (len(desk.out()), len(desk.facts("proposal.approved")))


async def test_an_approval_is_used_once(desk):
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    await desk.goes_out()

    with pytest.raises(Conflict, match="was sent"):
        await desk.says_yes(proposal)
    await desk.goes_out()

    assert 1 == len(desk.out())
    assert 1 == desk.ask("SELECT count(*) FROM postroom.approval WHERE used_at IS NOT NULL")


async def test_a_draft_edited_here_is_proposed_as_edited_and_the_old_hash_does_not_count(desk):
    before = await desk.is_asked()
    await replies.edit_draft(desk.scope(), desk.outside.open_copilot, before.draft_id, "At seven, and we save a table.")
    await desk.works()

    after = await desk.again(before)
    assert ("waiting", "At seven, and we save a table.", 2) == (after.status, after.body, after.version)
    assert before.hash != after.hash
    with pytest.raises(StaleRevision):
        await desk.says_yes(before)
    await desk.says_yes(after)
    await desk.goes_out()
    [sent] = desk.out()
    assert "At seven, and we save a table." == sent.mail.text_body.strip()
    [edited] = desk.facts("reply.edited")
    assert ("console", NORA) == (edited["how"], edited["by"])


async def test_a_draft_edited_here_can_still_be_approved_after_the_mailbox_told_of_the_edit(desk):
    before = await desk.is_asked()
    await replies.edit_draft(desk.scope(), desk.outside.open_copilot, before.draft_id, "At seven.")
    await desk.works()
    await desk.polls()
    await desk.does(DraftReply(desk.mailbox, before.thread_id))

    await desk.says_yes(await desk.again(before))
    await desk.goes_out()

    assert ["At seven."] == [each.mail.text_body.strip() for each in desk.out()]
    assert "sent" == (await desk.again(before)).status


async def test_discarding_takes_a_draft_along_that_was_edited_here_alone(desk):
    proposal = await desk.is_asked()
    await replies.edit_draft(desk.scope(), desk.outside.open_copilot, proposal.draft_id, "At seven.")
    await desk.works()

    await commands.discard(desk.scope(), proposal.id)
    await desk.works()

    assert ([], "discarded") == (desk.drafts(), desk.ask("SELECT status FROM postroom.draft_revision"))


async def test_a_change_after_the_yes_makes_it_void_and_proposes_anew(desk):
    await desk.allows(undo_seconds=600)
    before = await desk.is_asked()
    await desk.says_yes(before)
    await replies.edit_draft(desk.scope(), desk.outside.open_copilot, before.draft_id, "At seven.")
    await desk.works()
    await desk.goes_out(hours=1)

    old, new = await desk.again(before), await desk.newest()
    assert ("void", "The draft was changed after it was approved.") == (old.status, old.because)
    assert ("waiting", "At seven.", before.id, before.body) == (new.status, new.body, new.replaces, new.machine_body)
    assert [] == desk.out()
    assert 1 == len(desk.facts("proposal.voided"))


async def test_other_recipients_and_subject_make_a_yes_void_and_are_what_goes_out(desk):
    await desk.allows(undo_seconds=600)
    before = await desk.is_asked()
    await desk.says_yes(before)
    head = replies.DraftHead(["Eve@Client.test"], ["bo@client.test", "ada@client.test"], "Your breakfast")
    await replies.edit_draft(desk.scope(), desk.outside.open_copilot, before.draft_id, before.body, head=head)
    with pytest.raises(StaleRevision, match="something else by now"):
        await desk.says_yes(before, OTTO)
    await desk.works()

    new = await desk.newest()
    assert ("void", "waiting") == ((await desk.again(before)).status, new.status)
    assert (["eve@client.test"], ["bo@client.test", "ada@client.test"]) == (new.recipients, new.cc)
    seen = await commands.preview(desk.scope(), new.id)
    assert ["to", "cc", "subject"] == [each.name for each in seen.since_last.fields]
    await desk.says_yes(new)
    await desk.goes_out(hours=1)

    [sent] = desk.out()
    assert ["eve@client.test"] == [each.email for each in sent.mail.to]
    assert ("Your breakfast", before.body.split()) == (sent.mail.subject, sent.mail.text_body.split())


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (replies.DraftHead([]), "somebody"),
        (replies.DraftHead(["anna"]), "not a mail address"),
        (replies.DraftHead(None, [f"p{number}@client.test" for number in range(50)]), "50 people"),
    ],
)
async def test_a_draft_goes_to_people_and_not_to_too_many(desk, head, said):
    before = await desk.is_asked()

    with pytest.raises(BadRequest, match=said):
        await replies.edit_draft(desk.scope(), desk.outside.open_copilot, before.draft_id, before.body, head=head)
    await desk.works()

    assert before == await desk.again(before)


async def test_new_mail_in_the_thread_makes_a_yes_void(desk):
    await desk.allows(undo_seconds=600)
    ref = await desk.receives(BREAKFAST)
    before = await desk.newest()
    await desk.says_yes(before)

    await desk.receives(PARKING, answers=ref, subject="Re: Our stay")
    await desk.goes_out(hours=1)

    assert "void" == (await desk.again(before)).status
    assert [] == desk.out()
    now = await desk.newest()
    assert ("waiting", True) == (now.status, "18 EUR" in now.body)


async def test_new_mail_that_has_not_reached_us_makes_a_yes_void_too(desk):
    ref = await desk.receives(BREAKFAST)
    proposal = await desk.newest()
    await desk.says_yes(proposal)
    desk.now += timedelta(minutes=1)
    desk.delivers("Never mind!", answers=ref)

    await desk.goes_out()

    now = await desk.again(proposal)
    assert ("void", []) == (now.status, desk.out())
    assert "Something newer is in the thread than what was proposed." == now.because


async def test_a_yes_that_comes_after_new_mail_is_refused_and_said_so(desk):
    ref = await desk.receives(BREAKFAST)
    proposal = await desk.newest()
    desk.now += timedelta(minutes=1)
    desk.tell("UPDATE postroom.mailbox SET copilot = 'off'")  # nobody looks at the thread before the yes comes
    await desk.receives("Never mind!", answers=ref)

    with pytest.raises(StaleRevision, match="Something newer"):
        await desk.says_yes(proposal)

    assert "void" == (await desk.again(proposal)).status
    assert 1 == len(desk.facts("proposal.voided"))


async def test_an_edit_in_the_mail_program_makes_it_void_and_is_left_alone(desk):
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    desk.box.edit_draft(desk.draft().ref, "My own words.")

    await desk.goes_out()

    assert ("void", []) == ((await desk.again(proposal)).status, desk.out())
    assert "My own words." in desk.draft().mail.text_body
    assert 0 == desk.sender.calls


async def test_what_a_person_sends_or_discards_in_the_mail_program_is_over_here_too(desk):
    sent, discarded = await desk.is_asked(), await desk.is_asked(PARKING, subject="Parking")
    first, second = desk.drafts()
    desk.box.send(first.ref)
    desk.box.discard_draft(second.ref)
    await desk.polls()

    assert "void" == (await desk.again(sent)).status
    assert "discarded" == (await desk.again(discarded)).status
    assert ["mail_program"] == [each["how"] for each in desk.facts("reply.sent")]
    assert ["mail_program"] == [each["how"] for each in desk.facts("reply.discarded")]
    with pytest.raises(Conflict):
        await desk.says_yes(sent)


async def test_open_questions_must_be_answered_first(desk):
    proposal = await desk.is_asked("Hello, at what time is breakfast served? And do you sell helicopters?")

    with pytest.raises(Conflict, match="helicopters"):
        await desk.says_yes(proposal)

    seen = await commands.preview(desk.scope(), proposal.id)
    assert (1, False) == (len(seen.gaps), seen.may_approve)


async def test_a_yes_can_be_taken_back_until_the_send_begins(desk):
    await desk.allows(undo_seconds=60)
    proposal = await desk.is_asked()
    approved = await desk.says_yes(proposal)
    revoked = await commands.revoke(desk.scope(OTTO), proposal.id)
    await desk.goes_out(hours=1)

    assert desk.now - timedelta(hours=1) < approved.send_at
    assert ("revoked", []) == (revoked.status, revoked.approvers)
    assert ([], [False]) == (desk.out(), [each["withdrawn"] for each in desk.facts("proposal.revoked")])
    assert "otto@larkspur.example took the approval back." == revoked.because


async def test_what_nobody_approved_is_withdrawn_and_the_trail_says_so(desk):
    proposal = await desk.is_asked()

    withdrawn = await commands.revoke(desk.scope(OTTO), proposal.id)

    assert ("revoked", "otto@larkspur.example withdrew it before anybody approved it.") == (
        withdrawn.status,
        withdrawn.because,
    )
    assert [True] == [each["withdrawn"] for each in desk.facts("proposal.revoked")]


async def test_what_was_revoked_can_be_approved_again(desk):
    await desk.allows(undo_seconds=60)
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    await commands.revoke(desk.scope(), proposal.id)
    await desk.says_yes(proposal)
    await desk.goes_out(minutes=2)

    assert ("sent", 1) == ((await desk.again(proposal)).status, len(desk.out()))


async def test_what_was_sent_cannot_be_taken_back(desk):
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    await desk.goes_out()

    for act in (commands.revoke, commands.discard):
        with pytest.raises(Conflict, match="was sent"):
            await act(desk.scope(), proposal.id)


async def test_before_the_undo_delay_is_over_nothing_goes_out(desk):
    await desk.allows(undo_seconds=60)
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)

    await desk.goes_out(seconds=59)
    early = len(desk.out())
    await desk.goes_out(seconds=1)

    assert (0, 1) == (early, len(desk.out()))


async def test_a_discarded_proposal_takes_its_draft_along(desk):
    proposal = await desk.is_asked()

    await commands.discard(desk.scope(), proposal.id, "We call them instead.")
    await desk.works()
    await desk.polls()

    assert ("discarded", "We call them instead.") == (
        (await desk.again(proposal)).status,
        (await desk.again(proposal)).because,
    )
    assert ([], []) == (desk.drafts(), desk.out())
    assert "discarded" == desk.ask("SELECT status FROM postroom.draft_revision")
    assert ["console"] == [each["how"] for each in desk.facts("reply.discarded")]
    assert 1 == len(await commands.list_proposals(desk.scope(), 10))


async def test_a_draft_that_a_person_is_at_stays_when_its_proposal_is_discarded(desk):
    proposal = await desk.is_asked()
    desk.box.edit_draft(desk.draft().ref, "My own words.")

    await commands.discard(desk.scope(), proposal.id)
    await desk.works()

    assert "My own words." in desk.draft().mail.text_body


async def test_the_preview_shows_all_that_decides(desk):
    proposal = await desk.is_asked()
    await replies.edit_draft(
        desk.scope(), desk.outside.open_copilot, proposal.draft_id, f"{proposal.body}\nYours, Nora"
    )
    await desk.works()

    seen = await commands.preview(desk.scope(), proposal.id)

    assert [("From", BOX), ("To", GUEST), ("Subject", "Re: Our stay")] == [(e.name, e.value) for e in seen.headers]
    assert ["Yours, Nora"] == [each.text for each in seen.since_machine if each.kind == "added"]
    assert ["Yours, Nora"] == [each.text for each in seen.since_last.lines if each.kind == "added"]
    assert (True, False, True, None) == (seen.may_approve, seen.may_revoke, seen.may_discard, seen.objection)


async def test_the_database_lets_nothing_out_without_approval(desk):
    proposal = await desk.is_asked()
    begin = "UPDATE postroom.proposal SET status = 'sending', begun_at = now(), held = '{}' WHERE id = %s"
    with pytest.raises(Exception, match="does not become"):
        desk.tell(begin, proposal.id)
    desk.tell("UPDATE postroom.proposal SET status = 'approved' WHERE id = %s", proposal.id)
    with pytest.raises(Exception, match="without approval"):
        desk.tell(begin, proposal.id)
    with pytest.raises(Exception, match="not changed"):
        desk.tell("UPDATE postroom.proposal SET body = 'other' WHERE id = %s", proposal.id)


async def test_what_a_mail_said_is_forgotten_and_that_it_was_sent_stays(desk):
    proposal, open_one = await desk.is_asked(), await desk.is_asked(PARKING, subject="Parking")
    await desk.says_yes(proposal)
    await desk.goes_out()
    desk.now += timedelta(days=1)
    scope = desk.scope()
    async with scope.finish() as tx:
        gone = await forget_drafts_and_proposals(tx, desk.tenant, desk.now, desk.now, 10)

    now = await desk.again(proposal)
    assert ("sent", "", [], [NORA], proposal.hash) == (now.status, now.body, now.recipients, now.approvers, now.hash)
    assert gone.count >= 1
    assert open_one.body == (await desk.again(open_one)).body, "what is not over is kept"


async def test_a_person_and_the_keys_that_person_made_are_one_person(desk):
    await desk.allows(undo_seconds=600, second_person=("new_recipient",))
    wanted = commands.WantedMail("The room is free.", to=("new@client.test",), subject="Your room")
    proposal = await commands.propose(desk.scope(), desk.outside, wanted)
    first = key_actor("mine", (await tenants.create_key(desk.scope(NORA), name="mine", role="operator"))[0])
    second = key_actor("its own", (await tenants.create_key(desk.scope(first), name="its own", role="operator"))[0])

    assert "waiting" == (await desk.says_yes(proposal, second)).status
    for again in (NORA, first):
        with pytest.raises(Conflict, match="Another person must agree"):
            await desk.says_yes(proposal, again)
    assert "waiting" == (await desk.says_yes(proposal, second)).status

    assert "approved" == (await desk.says_yes(proposal, OTTO)).status


# papers that change

LATER = HOUSE_RULES.replace("7:00 to 10:30", "6:30 to 11:00")
OUTDATED = "house-rules.md was changed: it does not say “Breakfast is served from 7:00 to 10:30 in the garden room.”"


async def test_a_proposal_follows_its_draft_when_a_paper_is_changed(desk):
    proposal = await desk.is_asked()
    await desk.knows("house-rules.md", LATER)

    with pytest.raises(Conflict, match=OUTDATED):
        await desk.says_yes(proposal)
    await desk.waits()
    now = await desk.again(proposal)

    assert ("waiting", True, 2) == (now.status, "6:30 to 11:00" in now.body, now.version)
    with pytest.raises(StaleRevision):
        await desk.says_yes(proposal)
    assert "approved" == (await desk.says_yes(now)).status


async def test_a_persons_words_that_no_paper_says_any_more_want_a_second_look(desk):
    proposal = await desk.is_asked()
    words = f"{proposal.body}\nNora"
    await replies.edit_draft(desk.scope(NORA), desk.outside.open_copilot, proposal.draft_id, words)
    await desk.works()
    await desk.knows("house-rules.md", LATER)
    await desk.waits()
    now = await desk.newest()

    with pytest.raises(Conflict, match="say yes once more if it shall go out all the same"):
        await desk.says_yes(now)
    [told] = (await commands.preview(desk.scope(NORA), now.id)).outdated
    approved = await commands.approve(desk.scope(NORA), now.id, now.hash, papers_seen=True)
    await desk.goes_out()

    assert told.because.startswith(OUTDATED)
    assert "approved" == approved.status
    assert [True] == ["7:00 to 10:30" in each.mail.text_body for each in desk.out()]


async def test_a_yes_that_was_given_before_the_paper_was_changed_stands(desk):
    await desk.allows(undo_seconds=3600)
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)

    await desk.knows("house-rules.md", LATER)
    await desk.works()
    desk.tell("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE kind = 'replies.recheck'")
    await desk.works()

    now = await desk.again(proposal)
    seen = await commands.preview(desk.scope(NORA), proposal.id)
    assert ("approved", proposal.hash, 1) == (now.status, now.hash, len(seen.outdated))
    assert "7:00 to 10:30" in desk.draft().mail.text_body


async def test_the_first_of_two_people_who_said_yes_keeps_what_they_saw(desk):
    await desk.allows(second_person_amount=Decimal(10))
    proposal = await desk.is_asked(PARKING)
    await desk.says_yes(proposal)

    await desk.knows("house-rules.md", HOUSE_RULES.replace("18 EUR", "21 EUR"))
    await desk.waits()

    now = await desk.again(proposal)
    assert ("waiting", proposal.hash, [NORA]) == (now.status, now.hash, now.approvers)
    with pytest.raises(Conflict, match="Parking costs 18 EUR per night"):
        await desk.says_yes(proposal, OTTO)


async def test_a_proposal_goes_when_no_paper_supports_it_any_more(desk):
    proposal = await desk.is_asked()
    held = await replies.evidence_named(desk.scope(NORA), "house-rules.md")

    await replies.retire_evidence(desk.scope(NORA), held.id)
    await desk.waits()

    assert "void" == (await desk.again(proposal)).status
    assert [] == desk.drafts()
