"""What a mail means without the words that lists know, and that listed words may mean something else."""

from __future__ import annotations

from math import log, sqrt

import pytest

from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.providers import ProviderRef
from postroom.rooms.triage.rules import analysis, verdicts
from postroom.rooms.triage.rules import meaning as meanings
from postroom.rooms.triage.rules.features import ANALYSIS_KINDS, LENGTH, TOPIC_KINDS, brought_to_length, looks
from postroom.rooms.triage.rules.meaning import (
    BY_CHANCE,
    INTENTS,
    LABELS,
    PLEA,
    SENSITIVE,
    SURE_OF_TOPIC,
    TOPICS,
    URGENCIES,
    Meaning,
    analysis_of_looks,
    meaning_of,
    topics_of_looks,
)
from postroom.rooms.triage.rules.topics import TopicMatch
from postroom.rooms.triage.rules.verdicts import LIKELY, LISTED_FROM, NOT_AT_ALL, Verdict, topics_meant
from postroom.rooms.triage.rules.vocabulary import ORDER, rows_of, vocabulary_rows
from rules.triage.test_verdicts import ASKED, judged

SURE, UNLIKELY = SURE_OF_TOPIC + 1, NOT_AT_ALL - 5


def odds(**told: float) -> Meaning:
    together = max([UNLIKELY, *told.values()])
    return Meaning({**dict.fromkeys(LABELS, UNLIKELY), SENSITIVE: together, **told}, {"safety": ("railing", "loose")})


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
        (
            [TopicMatch("legal", 1.0, ("court",))],
            odds(safety=SURE),
            [("safety", ("railing", "loose"))],
        ),  # nor if listed
        (
            [TopicMatch("legal", 1.0, ("court",))],
            odds(safety=SURE + 5, legal=LISTED_FROM),
            [("safety", ("railing", "loose")), ("legal", ("court",))],
        ),  # listed, and not unlikely
        ([], odds(safety=NOT_AT_ALL, sensitive=SURE + 5), [("safety", ("railing", "loose"))]),  # of some topic, surely
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


@pytest.mark.parametrize(
    ("decides", "strongest", "expected"),
    [
        ("medical", "medical", "high"),
        ("safety", "safety", "high"),
        ("legal", "legal", "normal"),
        (None, "medical", "normal"),
    ],
)
def test_health_and_safety_are_never_less_than_high(monkeypatch, decides, strongest, expected):
    monkeypatch.setattr(analysis, "meaning_of", lambda *_: odds(normal=SURE, request=SURE, **{strongest: SURE}))
    found = () if decides is None else (TopicMatch(decides, 1.0, ("it",)),)
    mail = Turn(ref=ProviderRef("m1"), sender=None, sent_at=None, subject="It", own_text="It is so.")
    verdict = Verdict("needs_review", "uncertain", "", matched=found)
    assert expected == analysis.analyse(conversation_of(ProviderRef("t"), [mail]), verdict).urgency


def test_a_topic_that_decides_has_words_to_show(monkeypatch):
    text = "The top bar swung outwards when I leaned on it, and my daughter nearly fell."
    found = meaning_of(text, ("en",))
    near = {topic for topic in TOPICS if found.near(topic)}
    for least, named in ((found.sensitive, near), (found.sensitive + 0.01, set())):
        monkeypatch.setattr(meanings, "SURE_OF_TOPIC", least)
        assert named == set(meaning_of.__wrapped__(text, ("en",)).words)


@pytest.mark.parametrize("kinds", [TOPIC_KINDS, ANALYSIS_KINDS])
@pytest.mark.parametrize("text", ["Hello?", "Hello there, how are you? " * 9])
def test_every_text_has_the_same_weight_however_long(kinds, text):
    found = brought_to_length(next(looks(text, ("en",))), kinds)
    for group in kinds:
        assert pytest.approx(LENGTH**2) == sum(value**2 for name, value in found.items() if name[0] in group)


def test_odds_are_the_bias_and_every_known_feature_at_the_length_of_its_group():
    found = frozenset({"w:gas", "v:smoke", "w:unknown", "z:asks", "y:short"})
    told = meanings.Weights(
        ("safety", "legal"),
        ({"w": 1.5, "v": 1.0}, {"z": 2.0}),
        (-1.0, -2.0),
        ({"w:gas": (3.0, 0.0), "v:smoke": (1.0, -1.0)}, {"z:asks": (0.0, 0.5)}),
    )
    words, talk = LENGTH / sqrt(1.5**2 + 1.0**2 + 1.5**2), LENGTH / 2.0
    assert pytest.approx({"safety": -1.0 + 4.0 * words, "legal": -2.0 - words + 0.5 * talk}) == told.odds(found)
    assert {"safety": -1.0, "legal": -2.0} == told.odds(frozenset({"w:unknown"}))


def test_the_more_parts_a_mail_has_the_more_one_must_say():
    quiet, loud = dict.fromkeys((*TOPICS, SENSITIVE), -3.0), dict.fromkeys((*TOPICS, SENSITIVE), -3.0) | {"legal": 1.0}
    alone, few, many = ([loud], [quiet, loud, quiet], [quiet, loud, *[quiet] * 9])
    assert (1.0, -3.0) == (topics_of_looks(alone)["legal"], topics_of_looks(alone)[SENSITIVE])
    assert pytest.approx(-1.0 - BY_CHANCE * log(3)) == topics_of_looks(few)["legal"]
    assert pytest.approx(-3.0 - BY_CHANCE * log(3)) == topics_of_looks(few)[SENSITIVE]
    assert topics_of_looks(many)["legal"] < topics_of_looks(few)["legal"]


def test_an_intent_stands_in_the_whole_mail_and_in_its_strongest_part_and_urgency_in_the_whole():
    whole, part = dict.fromkeys((*INTENTS, *URGENCIES), 0.0), dict.fromkeys((*INTENTS, *URGENCIES), 3.0)
    told = analysis_of_looks([whole, whole, part])
    assert {1.0} == {told[intent] for intent in INTENTS}
    assert {0.0} == {told[urgency] for urgency in URGENCIES}
    assert part == analysis_of_looks([part])


@pytest.mark.parametrize(
    ("told", "intent"),
    [
        ({"question": 2.0, "request": -1.0, "exception": PLEA}, "request"),
        ({"question": 2.0, "request": -1.0, "exception": PLEA - 0.1}, "question"),
        ({"question": 2.0, "request": -1.0, "exception": PLEA, "legal": PLEA + 1}, "question"),  # another matter
        ({"complaint": 2.0, "exception": PLEA}, "complaint"),
    ],
)
def test_a_plea_to_be_let_off_a_rule_is_a_request_even_if_it_is_put_as_a_question(told: dict[str, float], intent: str):
    assert intent == odds(**told).intent


def test_two_kinds_of_sentences_in_one_mail_are_seen_together():
    seen = {name for name in next(looks("The lid is missing. Please send one.", ("en",))) if name[:2] == "x:"}
    assert {"x:amiss+asks", "x:amiss+orders", "x:asks+orders"} == seen


@pytest.mark.parametrize(
    ("language", "text", "together"),
    [
        ("en", "I want my money back.", True),
        ("de", "Ich will mein Geld zurück.", True),
        ("en", "The money is on the table. We are back.", False),
    ],
)
def test_two_meanings_in_one_sentence_are_seen_together_whatever_the_language(language, text, together):
    assert together == ("c:back+money" in next(looks(text, (language,))))


def test_a_long_mail_is_looked_at_in_parts():
    words = [{name for name in found if name[:2] == "w:"} for found in looks("Ant. Bee. Cat. Dog.", ("en",))]
    assert [
        {"w:ant", "w:bee", "w:cat", "w:dog"}, {"w:ant", "w:bee", "w:cat"}, {"w:bee", "w:cat", "w:dog"},
    ] == words  # fmt: skip
    assert 1 == len(list(looks("Ant. Bee.", ("en",))))


def test_how_a_question_and_how_a_statement_begins_is_seen():
    seen = {name for name in next(looks("I wait. Could you please answer?", ("en",))) if name[:2] == "o:"}
    assert {"o:n:i", "o:n:i wait", "o:q:could", "o:q:could you", "o:q:could you pleas"} == seen


@pytest.mark.parametrize(
    ("language", "word", "row"),
    [
        ("en", "railings", "stairs"),
        ("de", "kellertreppe", "stairs"),  # the last part of a compound
        ("fr", "remboursement", "back"),
        ("es", "devolucion", "back"),
        ("pl", "schodach", "stairs"),
        ("da", "trappen", "stairs"),
        ("pt", "advogada", "lawyer"),
        ("nl", "huisarts", "doctor"),
        ("it", "avvocato", "lawyer"),
        ("sv", "sjukhuset", "doctor"),
    ],
)
def test_one_meaning_in_every_language(language, word, row):
    assert row in {each.name for each in rows_of(word, (language,))}


def test_rows_have_names_of_their_own_and_a_cell_for_each_language():
    rows = list(vocabulary_rows())
    assert len(rows) == len({row.name for row, _ in rows})
    assert {len(ORDER)} == {len(cells) for _, cells in rows}
    assert all(cell.strip() for _, cells in rows for cell in cells)


@pytest.mark.parametrize(
    ("safety", "told"), [(LIKELY - 0.5, "It may speak of danger"), (LIKELY, "It speaks of danger")]
)
def test_what_is_only_guessed_is_told_as_a_guess(monkeypatch, safety, told):
    monkeypatch.setattr(verdicts, "meaning_of", lambda *_: odds(safety=safety))
    verdict = judged(ASKED)

    assert ("sensitive_safety", told) == (verdict.reason, verdict.because[: len(told)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My daughter has collapsed in room 12, she is not breathing. Please send somebody.", "critical"),
        ("Meine Mutter atmet nicht mehr, Zimmer 4!", "critical"),
        ("Ma femme est inconsciente dans la salle de bain.", "critical"),
        ("Mi padre no respira, está en la habitación 3", "critical"),
        ("Min far får ikke luft", "critical"),
        ("Moja córka nie oddycha", "critical"),
        ("Last year my father was unconscious for two days after a fall. Is there a lift?", "high"),
        ("My son can't breathe properly in dusty rooms because of his asthma, which room is best?", "high"),
    ],
)
def test_who_may_die_now_is_critical_and_an_old_illness_is_not(text, expected):
    mail = Turn(ref=ProviderRef("m1"), sender=None, sent_at=None, subject="Hello", own_text=text)
    verdict = Verdict("needs_review", "sensitive_medical", "", matched=(TopicMatch("medical", 1.0, ("it",)),))
    assert expected == analysis.analyse(conversation_of(ProviderRef("t"), [mail]), verdict).urgency
