"""A mail analysed because somebody asks, from what is kept: nothing is decided, labelled or kept by that."""

from __future__ import annotations

import pytest

from postroom.nouns.errors import Gone, TimedOut
from postroom.rooms.triage import commands
from rooms.triage.test_triage_models import FINE, SaysThis

LATER = "And another thing: my aunt fell on your stairs and is in hospital."


async def message_id(desk, ref):
    return desk.ask("SELECT id FROM postroom.message WHERE provider_message_id = %s", ref)


@pytest.mark.parametrize("copilot", ["off", "labels"])
async def test_a_message_is_read_in_the_thread_as_it_was_when_it_came(desk, copilot):
    await desk.switches(copilot)
    first = await desk.receives("Hello, at what time is breakfast served?")
    second = await desk.receives(LATER, answers=first)

    early = await commands.analyse_message(desk.scope(), None, await message_id(desk, first))
    late = await commands.analyse_message(desk.scope(), None, await message_id(desk, second))
    now = await commands.analyse_thread(desk.scope(), None, desk.thread_of(first))

    assert ("draft", "question") == (early.verdict.action, early.analysis.intent)
    assert "breakfast" in early.analysis.summary
    assert ("needs_review", True) == (late.verdict.action, late.verdict.reason.startswith("sensitive_"))
    assert (late.verdict, late.analysis) == (now.verdict, now.analysis)
    assert [first, second] == [each.ref for each in late.thread.messages]


async def test_asking_changes_nothing(desk):
    ref = await desk.receives()
    before, told = desk.row(ref), len(desk.facts("thread.triaged"))

    await commands.analyse_thread(desk.scope(), SaysThis({**FINE, "urgency": "critical"}), desk.thread_of(ref))
    await desk.works()

    assert (before, told) == (desk.row(ref), len(desk.facts("thread.triaged")))


async def test_what_we_answered_already_is_not_for_us(desk):
    ref = await desk.receives()
    desk.answers(ref)
    await desk.polls()
    await desk.looks_again()

    found = await commands.analyse_thread(desk.scope(), None, desk.thread_of(ref))

    assert (None, "latest_is_operator_sent") == (found.analysis, found.verdict.reason)


async def test_a_model_is_asked_and_missed_by_nobody(desk):
    ref = await desk.receives()

    said = await commands.analyse_thread(desk.scope(), SaysThis(FINE), desk.thread_of(ref))
    silent = await commands.analyse_thread(desk.scope(), SaysThis(TimedOut("No answer.")), desk.thread_of(ref))

    assert ("tiny", "tiny-2026", "When is breakfast?") == (said.asked.name, said.asked.model, said.analysis.summary)
    assert (None, "rules", "question") == (silent.asked.name, silent.asked.model, silent.analysis.intent)


async def test_words_that_were_forgotten_cannot_be_analysed(desk):
    await desk.switches("off")
    ref = await desk.receives()
    desk.ask(
        "UPDATE postroom.message SET body = NULL, forgotten_at = now() WHERE provider_message_id = %s RETURNING id", ref
    )

    with pytest.raises(Gone, match="not kept any more"):
        await commands.analyse_message(desk.scope(), None, await message_id(desk, ref))
