"""Somebody who writes in vain is urgent sooner; a thread in which we answered is not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from postroom.nouns.conversations import Conversation, Turn, conversation_of
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, SENT, ProviderRef
from postroom.rooms.triage.rules.analysis import analyse
from postroom.rooms.triage.rules.history import WritingInVain, raised, written_in_vain
from postroom.rooms.triage.rules.verdicts import operators, triage

GUEST, DESK = Address("anna@client.example", "Anna"), Address("desk@larkspur.example")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ASKS, AND_ALSO = "Which parking spaces are near the house?", "And is there a lift?"


def guest(hours: float, text: str, **more) -> Turn:
    return _turn(hours, text, sender=GUEST, to=(DESK,), labels=frozenset({INBOX}), **more)


def desk(hours: float, text: str = "There are two.", **more) -> Turn:
    return _turn(hours, text, sender=DESK, to=(GUEST,), labels=frozenset({SENT}), **more)


def _turn(hours: float, text: str, **more) -> Turn:
    when = START + timedelta(hours=hours)
    return Turn(ref=ProviderRef(f"m{hours}"), sent_at=when, subject="Parking", own_text=text, **more)


def thread(*turns: Turn) -> Conversation:
    return conversation_of(ProviderRef("t"), turns)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([], WritingInVain(0)),
        ([guest(0, ASKS)], WritingInVain(1)),
        ([guest(0, ASKS), guest(1, AND_ALSO)], WritingInVain(1)),  # a word put right
        ([guest(0, ASKS), guest(24, AND_ALSO)], WritingInVain(2)),
        ([guest(0, ASKS), guest(24, AND_ALSO), guest(48, AND_ALSO)], WritingInVain(3)),
        ([guest(0, ASKS), guest(24, AND_ALSO), desk(30), guest(48, AND_ALSO)], WritingInVain(1)),
        ([guest(0, ASKS), desk(1, "We got it.", machine_answers=True), guest(24, AND_ALSO)], WritingInVain(2)),
        ([guest(0, ASKS), desk(1, "Dear", draft_of="person"), guest(24, AND_ALSO)], WritingInVain(2)),
        ([guest(0, "Could you tell me by tomorrow?"), guest(72, AND_ALSO)], WritingInVain(2, overdue=True)),
        ([guest(0, "Could you tell me by tomorrow?"), guest(24, AND_ALSO)], WritingInVain(2)),  # not over yet
        ([guest(0, "Could you tell me by Wednesday?"), guest(120, AND_ALSO)], WritingInVain(2, overdue=True)),
        ([guest(0, "Could you tell me by Wednesday?"), guest(24, AND_ALSO)], WritingInVain(2)),  # the day is to come
        ([guest(0, "We saw the house today."), guest(72, AND_ALSO)], WritingInVain(2)),  # nothing is asked
        ([guest(0, "Could you tell me by tomorrow?"), desk(5), guest(72, AND_ALSO)], WritingInVain(1)),
    ],
)
def test_what_was_written_since_anybody_answered(turns, expected):
    assert expected == written_in_vain(thread(*turns))


@pytest.mark.parametrize(
    ("text", "chases"),
    [
        ("I am still waiting for your reply.", True),
        ("Ich warte noch auf eine Antwort.", True),
        ("J'attends toujours votre réponse.", True),
        ("Buenos días, todavía espero su respuesta sobre el aparcamiento.", True),
        ("Aspetto ancora una risposta.", True),
        ("Ik wacht nog steeds op antwoord.", True),
        ("Ainda aguardo a vossa resposta.", True),
        ("Nadal czekam na odpowiedź.", True),
        ("Hej, jag väntar fortfarande på svar om parkeringen.", True),
        ("Hej, jeg venter stadig på svar om parkeringen ved huset.", True),
        ("I have another question about the lift.", False),
        ("Ich hätte noch eine Frage zum Aufzug.", False),
        ("Is there a second room?", False),
    ],
)
def test_asking_after_an_answer(text, chases):
    assert chases == written_in_vain(thread(guest(0, ASKS), guest(24, text))).chases
    assert not written_in_vain(thread(guest(0, text))).chases  # the first mail asks after nothing of ours


@pytest.mark.parametrize(
    ("urgency", "history", "expected"),
    [
        ("normal", WritingInVain(2), "normal"),
        ("normal", WritingInVain(3), "high"),
        ("normal", WritingInVain(2, chases=True), "high"),
        ("normal", WritingInVain(2, overdue=True), "high"),
        ("low", WritingInVain(4, chases=True, overdue=True), "low"),  # nothing is asked any more
        ("high", WritingInVain(4, chases=True, overdue=True), "high"),
        ("critical", WritingInVain(4), "critical"),
    ],
)
def test_history_raises_by_one_step_and_never_to_a_danger(urgency, history, expected):
    found, why = raised(urgency, history)
    assert (expected, expected != urgency) == (found, why is not None)


@pytest.mark.parametrize(
    ("turns", "urgency", "why"),
    [
        ([guest(0, ASKS)], "normal", "Nothing in it says that it is urgent."),
        ([guest(0, ASKS), guest(24, ASKS), guest(48, ASKS)], "high", "wrote 3 times without an answer"),
        (
            [guest(0, ASKS), guest(24, ASKS), desk(30), guest(48, ASKS)],
            "normal",
            "Nothing in it says that it is urgent.",
        ),
    ],
)
def test_the_analysis_says_so(turns, urgency, why):
    found = thread(*turns)
    analysis = analyse(found, triage(found, operators([DESK.email])))
    assert (urgency, True) == (analysis.urgency, why in analysis.reasoning), analysis.reasoning
