"""What a mail means without the words that lists know, and that listed words may mean something else."""

from __future__ import annotations

import pytest

from postroom.rooms.triage.rules.meaning import LABELS, TOPICS, Meaning, features, meaning_of, windows_of
from postroom.rooms.triage.rules.topics import TopicMatch
from postroom.rooms.triage.rules.verdicts import NOT_AT_ALL, SURE_OF_TOPIC, topics_meant

SURE, UNLIKELY = SURE_OF_TOPIC + 1, NOT_AT_ALL - 1


def odds(**told: float) -> Meaning:
    return Meaning({**dict.fromkeys(LABELS, UNLIKELY), **told}, {"safety": ("railing", "loose")})


@pytest.mark.parametrize(
    ("listed", "meaning", "expected"),
    [
        ([], odds(), []),
        ([TopicMatch("legal", 1.0, ("trial",))], odds(), []),  # a listed word, and nothing else speaks for anything
        ([TopicMatch("legal", 1.0, ("lawyer",))], odds(legal=NOT_AT_ALL), [("legal", ("lawyer",))]),
        ([], odds(safety=SURE), [("safety", ("railing", "loose"))]),
        ([TopicMatch("safety", 1.0, ("gas",))], odds(safety=SURE), [("safety", ("gas",))]),  # the lists say it best
        ([TopicMatch("safety", 0.4, ("Loose",))], odds(safety=SURE), [("safety", ("Loose", "railing"))]),  # each once
        ([], odds(safety=SURE + 5, medical=SURE), [("safety", ("railing", "loose"))]),  # far behind: not named
    ],
)
def test_lists_and_classifier_decide_together(listed, meaning, expected):
    assert expected == [(match.topic, match.words) for match in topics_meant(listed, meaning) if match.decides]


@pytest.mark.parametrize(
    ("language", "text", "topic"),
    [
        ("en", "I leaned on the bar of the terrace and it gave way outwards, two posts are loose.", "safety"),
        (
            "de",
            "Meine Bankverbindung kennen Sie, der Betrag kann denselben Weg zurück nehmen.",
            "refund_or_cancellation",
        ),
        ("fr", "Depuis ce matin la petite est couverte de boutons et se gratte.", "medical"),
        ("sv", "Det jag fick skriva på i dörren förklarade ingen, nästa brev kommer inte från mig.", "legal"),
    ],
)
def test_a_topic_is_found_without_its_ordinary_words(language, text, topic):
    found = meaning_of(text, tuple(sorted({language, "en"}))).odds
    assert topic == max(TOPICS, key=found.__getitem__)


def test_every_text_has_the_same_weight_however_long():
    lengths = {
        round(sum(value**2 for value in features(text, ("en",)).values()), 6) for text in ("Hello.", "Hello. " * 9)
    }
    assert 1 == len(lengths)


def test_a_long_mail_is_looked_at_in_parts():
    assert ["A. B. C. D.", "A. B. C.", "B. C. D."] == list(windows_of("A. B. C. D."))
    assert ["A. B."] == list(windows_of("A. B."))
