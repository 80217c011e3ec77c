"""Confirming by itself: off, shadow or on; and what people's decisions say of the gate."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from postroom import reads
from postroom.nouns.errors import StaleRevision
from postroom.rooms.documents import commands
from postroom.rooms.documents.routing import ExtractionRouter
from postroom.rooms.mailboxes import commands as mailboxes
from rooms.documents.dealing import NOON
from rooms.documents.test_router import READ, TRADE, recorded


async def routed(desk, name: str, stated: float = 0.99, *, sure: bool = True, mailbox: bool = True):
    document = await recorded(desk, name, mailbox_id=desk.mailbox if mailbox else None)
    trade = replace(TRADE, quantity=Decimal(len(name)), confidence=stated)
    read = replace(READ, entries=(trade,), auto_confirm=sure)
    await ExtractionRouter(desk.scope()).process_and_route(document, read, "anna@bank.example")
    return document


async def switch(desk, mode: str, seen: dict | None = None):
    return await mailboxes.set_confirming(desk.scope(), desk.mailbox, {"pad_contract_notes": mode}, seen)


async def card(desk, **asked):
    async with desk.scope().read() as tx:
        return await reads.scorecard.scorecard(tx, NOON - timedelta(days=90), **asked)


async def effect(desk, before: float, after: float):
    async with desk.scope().read() as tx:
        return await reads.scorecard.threshold_effect(tx, before, after, NOON)


def shadowed(desk) -> list[str]:
    rows = desk.own("SELECT body ->> 'would' FROM postroom.fact WHERE kind = 'document.confirmation_shadowed'")
    return [row[0] for row in rows]


@pytest.mark.parametrize(
    ("mode", "status", "told"), [("on", "confirmed", []), ("shadow", "review", ["confirm"]), ("off", "review", [])]
)
async def test_a_sure_document_is_confirmed_or_waits_as_the_mailbox_says(desk, mode, status, told):
    await switch(desk, mode)
    document = await routed(desk, "sure.pdf")
    detail = await commands.get_document(desk.scope(), document)

    assert (status, told) == (detail.document.status, shadowed(desk))
    assert (mode, True, True) == (detail.gate.mode, detail.gate.passed, detail.gate.clear)


async def test_in_shadow_it_also_says_what_it_would_have_left(desk):
    await switch(desk, "shadow")
    await routed(desk, "doubtful.pdf", 0.4, sure=False)

    assert ["review"] == shadowed(desk)


async def test_what_is_handed_in_is_confirmed_as_ever(desk):
    await switch(desk, "off")
    await routed(desk, "own.pdf", mailbox=False)

    assert ["confirmed"] == desk.statuses()


async def test_a_switch_is_told_once_with_before_and_after_and_never_over_anothers(desk):
    for _ in range(2):
        await switch(desk, "shadow", {"pad_contract_notes": "on"} if not shadow_facts(desk) else None)
    with pytest.raises(StaleRevision):
        await switch(desk, "on", {"pad_contract_notes": "off"})

    assert [{"before": "on", "after": "shadow", "pipeline": "pad_contract_notes"}] == shadow_facts(desk)


def shadow_facts(desk) -> list[dict]:
    rows = desk.own("SELECT body FROM postroom.fact WHERE kind = 'mailbox.confirming_switched' ORDER BY id")
    return [{name: row[0][name] for name in ("before", "after", "pipeline")} for row in rows]


async def test_decisions_are_held_against_what_the_gate_said(desk):
    await switch(desk, "shadow")
    right, corrected = await routed(desk, "right.pdf"), await routed(desk, "corrected.pdf", 0.97)
    rejected, held = await routed(desk, "rejected-one.pdf", 0.96), await routed(desk, "held", 0.6, sure=False)
    await routed(desk, "open-one")
    await commands.confirm(desk.scope(), right)
    await commands.correct(desk.scope(), corrected, {"net": "7000.20"})
    await commands.confirm(desk.scope(), corrected)
    await commands.reject(desk.scope(), rejected, "Not ours.")
    await commands.confirm(desk.scope(), held)
    found = await card(desk)

    every = found.every
    assert (5, 4, 1, 1, 1, 0, 1) == (
        every.judged,
        every.passed,
        every.found_right,
        every.corrected,
        every.rejected,
        every.unseen,
        every.waiting,
    )
    assert (4, 2, 1 / 3) == (every.decided, every.read_right, every.precision)
    assert [(desk.mailbox, "pad_contract_notes")] == [(each.mailbox_id, each.pipeline) for each in found.pipelines]
    assert ["anna@bank.example"] == [each.sender_email for each in found.senders]
    assert {(0.5, 0.7): (1, 1), (0.95, 0.98): (2, 0), (0.98, 1.0): (1, 1)} == {
        each.edges: (each.decided, each.read_right) for each in found.bands
    }
    assert 0 == (await card(desk, pipeline="ap_invoices")).every.judged


async def test_a_decision_that_is_taken_back_counts_no_more(desk):
    await switch(desk, "shadow")
    document = await routed(desk, "note.pdf")
    await commands.correct(desk.scope(), document, {"net": "7000.20"})
    before = (await card(desk)).every
    await commands.take_back(desk.scope(), document)
    after = (await card(desk)).every

    assert ((1, 0), (0, 1)) == ((before.corrected, before.waiting), (after.corrected, after.waiting))


async def test_what_was_confirmed_by_itself_is_unseen_until_a_person_puts_it_back(desk):
    document = await routed(desk, "note.pdf")
    before = (await card(desk)).every
    await commands.take_back(desk.scope(), document)
    await commands.reject(desk.scope(), document, "Not ours.")
    after = (await card(desk)).every

    assert ((1, 0), (0, 1)) == ((before.unseen, before.checked), (after.unseen, after.rejected))


async def test_another_threshold_says_what_it_would_have_changed(desk):
    await switch(desk, "shadow")
    for name, stated in (("a", 0.95), ("bb", 0.97), ("ccc", 0.99)):
        document = await routed(desk, name, stated)
        if name == "a":
            await commands.correct(desk.scope(), document, {"net": "7000.20"})
        await commands.confirm(desk.scope(), document)
    await routed(desk, "dddd", 0.99, sure=False)
    higher, lower, same = await effect(desk, 0.0, 0.96), await effect(desk, 0.98, 0.0), await effect(desk, 0.0, 0.5)

    assert (4, 3, 2, 1, 0, 1) == (
        higher.judged,
        higher.before,
        higher.after,
        higher.fewer,
        higher.fewer_right,
        higher.fewer_wrong,
    )
    assert (1, 3, 2, 1, 1) == (lower.before, lower.after, lower.more, lower.more_right, lower.more_wrong)
    assert "1 fewer documents" in higher.said
    assert "changed nothing" in same.said


async def test_the_threshold_of_the_day_does_not_hide_what_would_have_passed(desk):
    desk.own("""UPDATE postroom.tenant SET policy = '{"documents": {"sure_enough": 0.98}}'""")
    document = await routed(desk, "note.pdf", 0.97)
    detail = await commands.get_document(desk.scope(), document)

    assert ("review", False, True) == (detail.document.status, detail.gate.passed, detail.gate.clear)
