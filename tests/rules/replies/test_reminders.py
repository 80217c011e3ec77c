"""Sentences that only ask for an answer, in ten languages, and those that ask something."""

from __future__ import annotations

import pytest

from postroom.rooms.replies.rules.questions import asked
from postroom.rooms.replies.rules.reminders import reminds

REMINDERS = [
    ("en", "Sorry to ask again, could you answer by tomorrow?"),
    ("en", "Hello, any news on this?"),
    ("en", "Could you please get back to me?"),
    ("en", "Just following up on my question below."),
    ("de", "Ich warte noch auf eine Antwort."),
    ("de", "Können Sie mir bitte bis morgen antworten?"),
    ("de", "Darf ich nochmals nachfragen, wie der Stand ist?"),
    ("fr", "Je me permets de vous relancer, pouvez-vous me répondre avant demain ?"),
    ("fr", "Avez-vous des nouvelles ?"),
    ("es", "¿Me podrían responder antes de mañana?"),
    ("es", "Sigo esperando su respuesta."),
    ("it", "Potete rispondermi entro domani?"),
    ("it", "Attendo ancora un vostro riscontro."),
    ("nl", "Kunt u mij voor morgen antwoorden?"),
    ("nl", "Ik wacht nog op uw reactie."),
    ("pt", "Podem responder até amanhã?"),
    ("pt", "Aguardo resposta."),
    ("pl", "Czy mogą Państwo odpowiedzieć do jutra?"),
    ("pl", "Czekam na odpowiedź."),
    ("sv", "Kan ni svara före imorgon?"),
    ("sv", "Jag väntar fortfarande på svar."),
    ("da", "Kan I svare inden i morgen?"),
    ("da", "Jeg venter stadig på svar."),
]


@pytest.mark.parametrize(("language", "sentence"), REMINDERS)
def test_a_reminder_adds_no_question_to_what_waits(language, sentence):
    assert reminds(sentence, language)
    found = asked("", sentence, language, (), ["How much is a dog per night?"])
    assert ["How much is a dog per night?"] == [each.text for each in found.questions]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Is breakfast included tomorrow?"),
        ("en", "Could you answer whether dogs are allowed?"),
        ("en", "How long is the waiting list?"),
        ("de", "Bis wann bekomme ich mein Geld zurück?"),
        ("fr", "Pouvez-vous rappeler le numéro du médecin de garde ?"),
        ("nl", "Kan ik opnieuw een afspraak maken?"),
    ],
)
def test_who_asks_for_something_does_not_only_remind(language, sentence):
    assert not reminds(sentence, language)


def test_without_anything_that_waits_a_reminder_is_a_question():
    assert asked("", "Hello, any news on this?", "en").questions
