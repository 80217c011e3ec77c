"""The last day a mail names is counted from the day it was sent."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, ProviderRef
from postroom.rooms.triage.rules.analysis import analyse
from postroom.rooms.triage.rules.deadlines import deadline
from postroom.rooms.triage.rules.verdicts import operators, triage

WEDNESDAY = datetime(2026, 3, 4, 9, tzinfo=UTC)
GUEST, DESK = Address("anna@client.example", "Anna"), Address("desk@larkspur.example")


def mail(text: str, sent: datetime | None = WEDNESDAY) -> Turn:
    return Turn(
        ref=ProviderRef("m"),
        sent_at=sent,
        subject="",
        own_text=text,
        sender=GUEST,
        to=(DESK,),
        labels=frozenset({INBOX}),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Could you send me the plan by Friday?", date(2026, 3, 6)),
        ("Please let us have the list no later than Monday.", date(2026, 3, 9)),
        ("Please send it by Wednesday.", date(2026, 3, 4)),
        ("Can you tell me by the 12th?", date(2026, 3, 12)),
        ("Can you tell me by the 2nd?", date(2026, 4, 2)),
        ("Please confirm before 6 March.", date(2026, 3, 6)),
        ("Bitte schicken Sie mir die Unterlagen bis 12.3., danke.", date(2026, 3, 12)),
        ("Können Sie mir das bis spätestens Freitag bestätigen?", date(2026, 3, 6)),
        ("Pouvez-vous me l'envoyer avant le 4 mai ?", date(2026, 5, 4)),
        ("¿Me lo pueden mandar antes del 5 de marzo?", date(2026, 3, 5)),
        ("Potete mandarmelo entro venerdì?", date(2026, 3, 6)),
        ("Kunt u mij dat uiterlijk vrijdag sturen?", date(2026, 3, 6)),
        ("Podem enviar-me isso até sexta-feira?", date(2026, 3, 6)),
        ("Czy mogą państwo przysłać mi to do piątku?", date(2026, 3, 6)),
        ("Kan ni skicka den senast på fredag?", date(2026, 3, 6)),
        ("Kan I sende den senest fredag?", date(2026, 3, 6)),
        ("Sorry to ask again, could you answer by tomorrow?", date(2026, 3, 5)),
        ("Could you answer by the day after tomorrow?", date(2026, 3, 6)),
        ("Please confirm before tonight.", date(2026, 3, 4)),
        ("Können Sie mir bitte bis morgen antworten?", date(2026, 3, 5)),
        ("Können Sie das bis übermorgen prüfen?", date(2026, 3, 6)),
        ("Pouvez-vous me répondre avant demain ?", date(2026, 3, 5)),
        ("Pouvez-vous me répondre avant après-demain ?", date(2026, 3, 6)),
        ("¿Me podrían responder antes de mañana?", date(2026, 3, 5)),
        ("Buongiorno, potete per favore rispondermi entro domani?", date(2026, 3, 5)),
        ("Kunt u mij voor morgen antwoorden?", date(2026, 3, 5)),
        ("Podem responder até amanhã?", date(2026, 3, 5)),
        ("Czy mogą Państwo odpowiedzieć do jutra?", date(2026, 3, 5)),
        ("Kan ni svara före imorgon?", date(2026, 3, 5)),
        ("Kan I svare inden i morgen?", date(2026, 3, 5)),
        ("Can we eat breakfast tomorrow?", None),  # no last day
        ("Can you come by 12?", None),  # an hour
        ("Can you do it for 12 euros until further notice?", None),
        ("We stay until Friday.", None),  # nothing is asked
        ("Could you send it by the 31st of April?", None),
    ],
)
def test_the_day_by_which_something_is_wanted(text, expected):
    assert expected == deadline(mail(text))


def test_without_a_date_of_its_own_a_mail_names_no_day():
    assert deadline(mail("Could you send me the plan by Friday?", sent=None)) is None


@pytest.mark.parametrize(
    ("day", "urgency"),
    [("Friday", "high"), ("Thursday", "high"), ("Tuesday", "normal")],
)
def test_a_wish_whose_last_day_is_within_two_days_is_urgent(day, urgency):
    thread = conversation_of(ProviderRef("t"), [mail(f"Could you please send me the invoice for March by {day}?")])
    analysis = analyse(thread, triage(thread, operators([DESK.email])))

    assert urgency == analysis.urgency
    assert ("It is wanted by" in analysis.reasoning) == (urgency == "high")
