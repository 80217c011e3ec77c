"""One safe send, whatever becomes of the answer; and what people decide when nobody knows."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from postroom.nouns.drafts import SentLookup
from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Conflict,
    PermissionDenied,
    Throttled,
    TimedOut,
    Unavailable,
)
from postroom.rooms.outbox import commands, telling
from postroom.rooms.outbox.rules.doubts import LOOKS_SECONDS, MOST_SENDS
from rooms.outbox.sending_desk import NORA
from rooms.replies.drafting_desk import BREAKFAST, PARKING

UNKNOWN = SentLookup("unknown")


async def approved(desk):
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    return proposal


@pytest.mark.parametrize("lost", [TimedOut("No answer."), Unavailable("500.")], ids=["time-out", "500"])
async def test_an_answer_that_is_lost_after_the_send_is_found_in_sent(desk, lost):
    desk.sender.after = [lost]
    proposal = await approved(desk)

    await desk.goes_out()

    now = await desk.again(proposal)
    assert ("sent", 1, 1) == (now.status, len(desk.out()), desk.sender.calls)
    assert "It was found in Sent." == now.because
    assert 1 == len(desk.facts("reply.sent"))


async def test_a_send_that_failed_is_tried_again_only_when_the_call_is_surely_over(desk):
    desk.sender.before = [Unavailable("503.")]
    proposal = await approved(desk)

    await desk.goes_out()
    waiting = await desk.again(proposal)
    calls = desk.sender.calls
    await desk.goes_out(seconds=15)

    assert ("sending", 1) == (waiting.status, calls)
    assert "the call may still be at work" in waiting.because
    now = await desk.again(proposal)
    assert ("sent", 1, 2) == (now.status, len(desk.out()), desk.sender.calls)
    assert ["not_sent", "not_sent"] == [each["found"] for each in now.checked]


async def test_a_copy_that_comes_late_is_waited_for(desk):
    desk.sender.after = [TimedOut("No answer.")]
    desk.sender.lookup = [UNKNOWN, UNKNOWN]
    proposal = await approved(desk)

    await desk.goes_out()
    await desk.goes_out(seconds=LOOKS_SECONDS[0])
    early = (await desk.again(proposal)).status
    await desk.goes_out(seconds=LOOKS_SECONDS[1])

    assert ("sending", "sent", 1) == (early, (await desk.again(proposal)).status, desk.sender.calls)


async def unknown(desk, *, sent: bool):
    """Of a draft that was written long ago: Sent is looked at closely after a fresh one, and that would tell."""
    if sent:
        desk.sender.after = [TimedOut("No answer.")]
    else:
        desk.sender.before = [TimedOut("No answer.")]
    desk.sender.lookup = [UNKNOWN] * (len(LOOKS_SECONDS) + 1)
    proposal = await approved(desk)
    desk.own("UPDATE postroom.draft_revision SET created_at = created_at - interval '1 day'")
    await desk.goes_out()
    for seconds in LOOKS_SECONDS:
        await desk.goes_out(seconds=seconds)
    return await desk.again(proposal)


async def test_what_went_out_after_a_fresh_draft_is_found_where_sent_is_looked_at_closely(desk):
    desk.sender.after = [TimedOut("No answer.")]
    desk.sender.lookup = [UNKNOWN] * (len(LOOKS_SECONDS) + 1)
    proposal = await approved(desk)
    await desk.goes_out()
    for seconds in LOOKS_SECONDS:
        await desk.goes_out(seconds=seconds)
    assert ("sent", 1, 1) == ((await desk.again(proposal)).status, len(desk.out()), desk.sender.calls)


@pytest.mark.parametrize("sent", [True, False])
async def test_what_cannot_be_found_out_is_shown_with_what_was_checked_and_never_sent_on_a_guess(desk, sent):
    proposal = await unknown(desk, sent=sent)
    await desk.goes_out(days=1)

    assert ("unknown", 1) == (proposal.status, desk.sender.calls)
    assert len(LOOKS_SECONDS) + 1 == len(proposal.checked)
    assert "It stands neither in Drafts nor in Sent." in proposal.because
    [told] = desk.facts("proposal.unknown")
    assert len(LOOKS_SECONDS) + 1 == told["checked"]
    seen = await commands.preview(desk.scope(), proposal.id)
    assert (True, False, False) == (seen.may_resolve, seen.may_approve, seen.may_revoke)
    with pytest.raises(Conflict, match="may have been sent"):
        await desk.says_yes(proposal)


async def test_a_person_who_found_it_says_that_it_was_sent(desk):
    proposal = await unknown(desk, sent=True)

    now = await commands.resolve(desk.scope(), proposal.id, "sent")
    await desk.goes_out(hours=1)

    assert ("sent", 1, 1) == (now.status, len(desk.out()), desk.sender.calls)
    assert ["resolved"] == [each["how"] for each in desk.facts("reply.sent")]
    assert ["sent"] == [each["outcome"] for each in desk.facts("proposal.resolved")]


async def test_a_person_who_did_not_find_it_says_yes_again(desk):
    proposal = await unknown(desk, sent=False)

    now = await commands.resolve(desk.scope(), proposal.id, "not_sent")
    await desk.goes_out(hours=1)
    before = len(desk.out())
    await desk.says_yes(now)
    await desk.goes_out()

    assert ("waiting", [], 0, 1) == (now.status, now.approvers, before, len(desk.out()))
    assert "sent" == (await desk.again(proposal)).status


async def test_what_the_provider_does_not_take_is_given_back_after_some_tries(desk):
    desk.sender.before = [Unavailable("503.")] * MOST_SENDS
    proposal = await approved(desk)
    await desk.goes_out()
    for _ in range(MOST_SENDS):
        await desk.goes_out(seconds=20)

    now = await desk.again(proposal)
    assert ("waiting", MOST_SENDS, []) == (now.status, desk.sender.calls, desk.out())
    assert "so nothing was sent" in now.because
    assert 1 == len(desk.facts("proposal.not_sent"))


async def test_a_kill_switch_stops_also_what_hangs_once_it_is_known_not_to_be_sent(desk):
    desk.sender.before = [Unavailable("503.")]
    proposal = await approved(desk)
    await desk.goes_out()

    await desk.allows(switch="off")
    await desk.goes_out(minutes=1)

    now = await desk.again(proposal)
    assert ("waiting", 1, []) == (now.status, desk.sender.calls, desk.out())
    assert "switched off" in now.because


async def test_an_edit_between_our_last_look_and_the_send_is_not_sent(desk):
    proposal = await desk.is_asked()
    ref = desk.draft().ref
    desk.sender.meanwhile = lambda: desk.box.edit_draft(ref, "Not yet!")
    await desk.says_yes(proposal)

    await desk.goes_out()

    assert ("void", []) == ((await desk.again(proposal)).status, desk.out())
    assert "Not yet!" in desk.draft().mail.text_body


async def test_a_provider_that_asks_to_wait_is_asked_again_and_looked_at_first(desk):
    desk.sender.before = [Throttled("Wait.", 1)]
    proposal = await approved(desk)

    await desk.goes_out()
    await desk.goes_out(seconds=30)

    assert ("sent", 1) == ((await desk.again(proposal)).status, len(desk.out()))


@pytest.mark.parametrize("refused", [PermissionDenied("You may not."), BadRequest("No such recipient.")])
async def test_what_the_provider_refuses_waits_for_a_person_with_the_reason(desk, refused):
    desk.sender.before = [refused]
    proposal = await approved(desk)

    await desk.goes_out()

    now = await desk.again(proposal)
    assert ("waiting", []) == (now.status, desk.out())
    assert str(refused) in now.because
    assert "active" == desk.ask("SELECT status FROM postroom.mailbox")


async def test_without_access_the_job_waits_and_the_mail_is_looked_for_when_access_returns(desk):
    desk.sender.before = [AccessRevoked("Reconnect.")]
    proposal = await approved(desk)

    await desk.goes_out()
    parked = desk.ask("SELECT state FROM postroom.job WHERE kind = 'outbox.send'")
    desk.tell("UPDATE postroom.job SET state = 'ready', parked_for = NULL WHERE kind = 'outbox.send'")
    await desk.goes_out(minutes=1)

    assert ("parked", "sent", 1) == (parked, (await desk.again(proposal)).status, len(desk.out()))


async def test_a_run_that_dies_after_the_send_does_not_send_again(desk, monkeypatch):
    proposal = await approved(desk)
    real = telling.sent

    async def dies(*args, **more):
        monkeypatch.setattr(telling, "sent", real)
        raise RuntimeError("the power went")

    monkeypatch.setattr(telling, "sent", dies)
    await desk.goes_out()
    await desk.goes_out(minutes=1)

    assert ("sent", 1, 1) == ((await desk.again(proposal)).status, len(desk.out()), desk.sender.calls)


async def test_many_workers_send_it_once(desk):
    proposal = await approved(desk)
    desk.tell("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")

    await asyncio.gather(*(desk.worker().run_until_quiet(idle=0.2) for _ in range(4)))

    assert ("sent", 1) == ((await desk.again(proposal)).status, desk.sender.calls)


async def test_many_people_and_a_second_mind_at_once_end_in_one_send_or_none(desk):
    for number in range(4):
        proposal = await desk.is_asked(f"{BREAKFAST} {number}", subject=f"Stay {number}")
        acts = [desk.says_yes(proposal, f"person:p{who}@larkspur.example") for who in range(3)]
        acts.append(commands.revoke(desk.scope(NORA), proposal.id))
        answers = await asyncio.gather(*acts, return_exceptions=True)
        await desk.goes_out()

        assert all(isinstance(each, Conflict) for each in answers if isinstance(each, Exception))
        status = (await desk.again(proposal)).status
        assert status in {"sent", "revoked"}
        out = [each for each in desk.out() if each.mail.subject.endswith(f"Stay {number}")]
        assert (status == "sent") == (len(out) == 1)


# what comes back


async def test_a_delivery_report_comes_back_to_the_proposal(desk):
    proposal = await approved(desk)
    await desk.goes_out()
    [sent] = desk.out()
    desk.now += timedelta(minutes=1)

    await desk.receives(
        "Your message could not be delivered.\n\nFinal-Recipient: rfc822; guest@client.test\nStatus: 5.1.1\n",
        sender="mailer-daemon@client.test",
        subject="Undelivered Mail Returned to Sender",
        answers=sent.ref,
        X_Failed_Recipients="guest@client.test",
    )

    now = await desk.again(proposal)
    assert ("sent", "It did not reach guest@client.test (status 5.1.1).") == (now.status, now.bounce)
    [told] = desk.facts("proposal.bounced")
    assert str(proposal.id) == told["proposal_id"]


async def test_a_report_about_another_mail_changes_nothing(desk):
    proposal = await approved(desk)
    await desk.goes_out()

    await desk.receives(
        "It failed.", sender="mailer-daemon@client.test", subject="Undelivered Mail", X_Failed_Recipients="x@y.test"
    )

    assert (await desk.again(proposal)).bounced_at is None


async def test_a_second_question_in_the_thread_is_answered_by_a_second_mail(desk):
    ref = await desk.receives(BREAKFAST)
    await desk.says_yes(await desk.newest())
    await desk.goes_out()
    await desk.polls()
    await desk.receives(PARKING, answers=ref, subject="Re: Our stay")
    await desk.says_yes(await desk.newest())
    await desk.goes_out()

    assert 2 == len(desk.out())
    assert 2 == len(desk.facts("reply.sent"))
