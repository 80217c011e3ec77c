"""What stands above a yes: switches, the second person, expiry and caps."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from postroom.nouns.errors import Conflict
from postroom.nouns.sending import SendingPolicy
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.tenants import commands as tenants
from rooms.outbox.sending_desk import NORA, OTTO
from rooms.replies.drafting_desk import PARKING


async def test_while_sending_is_off_nothing_is_approved(desk):
    await desk.allows(switch="off")
    proposal = await desk.is_asked()

    with pytest.raises(Conflict, match="switched off for this tenant"):
        await desk.says_yes(proposal)


async def test_the_kill_switch_of_the_tenant_stops_what_was_approved(desk):
    await desk.allows(undo_seconds=60)
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)

    await desk.allows(switch="off")
    off = await desk.again(proposal)
    await desk.allows()
    await desk.goes_out(hours=1)

    assert ("revoked", "Sending was switched off.") == (off.status, off.because)
    assert [] == desk.out(), "switching it on again is no yes"


async def test_the_kill_switch_of_a_mailbox_stops_what_was_approved(desk):
    await desk.allows(undo_seconds=60)
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)

    await mailboxes.set_sending(desk.scope(), desk.mailbox, "off")
    await desk.works()
    await desk.goes_out(hours=1)

    assert ("revoked", []) == ((await desk.again(proposal)).status, desk.out())
    with pytest.raises(Conflict, match="for this mailbox"):
        await desk.says_yes(proposal)
    await mailboxes.set_sending(desk.scope(), desk.mailbox, "on")
    await desk.says_yes(proposal)
    await desk.goes_out(hours=1)
    assert 1 == len(desk.out())


async def test_a_switch_that_is_turned_while_the_job_is_on_its_way_is_seen_before_the_send(desk):
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    desk.tell("""UPDATE postroom.tenant SET policy = jsonb_set(policy, '{sending,switch}', '"off"')""")

    await desk.goes_out()

    assert ("revoked", 0) == ((await desk.again(proposal)).status, desk.sender.calls)


async def test_without_the_right_to_send_it_is_refused_with_a_sentence(desk):
    proposal = await desk.is_asked()
    desk.tell("UPDATE postroom.mailbox SET capability = 'draft'")

    with pytest.raises(Conflict, match="no right to send"):
        await desk.says_yes(proposal)


async def test_above_the_rules_of_the_tenant_two_people_must_agree(desk):
    await desk.allows(second_person_amount=Decimal(10))
    proposal = await desk.is_asked(PARKING)

    first = await desk.says_yes(proposal)
    again = await desk.says_yes(proposal)
    await desk.goes_out()
    alone = len(desk.out())
    second = await desk.says_yes(proposal, OTTO)
    await desk.goes_out()

    assert ("waiting", "waiting", "approved") == (first.status, again.status, second.status)
    assert (2, True) == (proposal.needed, "18" in first.needed_because[0])
    assert (0, 1) == (alone, len(desk.out()))
    [begun] = desk.facts("proposal.sending")
    assert {NORA, OTTO} == set(begun["approved_by"])


async def test_a_rule_that_is_made_after_the_yes_counts(desk):
    await desk.allows(undo_seconds=60)
    proposal = await desk.is_asked(PARKING)
    await desk.says_yes(proposal)
    await tenants.change_sending(desk.scope(), SendingPolicy("on", undo_seconds=60, second_person_amount=Decimal(10)))

    await desk.goes_out(minutes=2)

    assert ("waiting", []) == ((await desk.again(proposal)).status, desk.out())


async def test_an_approval_that_expires_before_the_send_does_not_count(desk):
    await desk.allows(undo_seconds=3600, approval_hours=1)
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)

    await desk.goes_out(hours=2)

    assert ("waiting", []) == ((await desk.again(proposal)).status, desk.out())


async def test_a_proposal_that_nobody_decides_is_void(desk):
    proposal = await desk.is_asked()
    desk.now += timedelta(days=15)
    await desk.tends()

    now = await desk.again(proposal)
    assert ("void", "Nobody decided in time.") == (now.status, now.because)


async def test_more_than_the_cap_waits(desk):
    await desk.allows(per_mailbox_hour=1)
    first, second = await desk.is_asked(), await desk.is_asked(PARKING, subject="Parking")
    await desk.says_yes(second)
    await desk.says_yes(first)
    await desk.goes_out()
    within = len(desk.out())

    held = [each for each in (await desk.again(first), await desk.again(second)) if each.status == "approved"]
    assert (1, 1) == (within, len(held))
    assert "within an hour" in held[0].because
    await desk.goes_out(hours=1, seconds=1)
    assert 2 == len(desk.out())


async def test_an_approved_mail_that_lost_its_job_is_not_forgotten(desk):
    proposal = await desk.is_asked()
    await desk.says_yes(proposal)
    desk.tell("DELETE FROM postroom.job WHERE kind = 'outbox.send'")
    desk.now += timedelta(minutes=5)

    await desk.tends()
    await desk.goes_out()

    assert "sent" == (await desk.again(proposal)).status
