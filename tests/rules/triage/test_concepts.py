"""Concepts in a sentence: stems, alternatives, gaps and negation."""

import pytest

from postroom.mail.language import LANGUAGES
from postroom.mail.sentences import sentences
from postroom.rooms.triage.rules.concepts import concepts_of, lexicon, make_lexicon
from postroom.rooms.triage.rules.topics import frames

WORDS = make_lexicon(
    {
        "refund": ["refund*", "money back", "give/gives back"],
        "stop": ["want .. anymore", "no _ left"],
        "leave": ["call ... off"],
        "negation": ["not"],
        "needless": ["no longer necessary"],
    }
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Refunds, please", [("refund", "Refunds")]),
        ("My money back!", [("refund", "money back")]),
        ("She gives back the key", [("refund", "gives back")]),
        ("I do want the red one anymore", [("stop", "want the red one anymore")]),
        ("I want one two three four anymore", []),
        ("We call the one with the big red tent off", [("leave", "call the one with the big red tent off")]),
        ("We call it one two three four five six seven eight off", []),
        ("no room left", [("stop", "no room left")]),
        ("Money, backwards", []),
    ],
)
def test_a_phrase_is_found_as_written(text, found):
    [sentence] = sentences(text)

    assert found == [(hit.concept, sentence.words(hit.first, hit.last)) for hit in WORDS.hits(sentence)]


def test_a_not_shortly_before_negates():
    [near, far] = sentences("I do not want a refund. It was not a very good day for us to ask for a refund.")

    assert [True] == [hit.negated for hit in WORDS.hits(near) if hit.concept == "refund"]
    assert [False] == [hit.negated for hit in WORDS.hits(far) if hit.concept == "refund"]


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("It is not so, refund me", False),
        ("It is not (refund me) so", False),
        ("A refund is no longer necessary", True),
        ("It is no longer necessary: refund me", False),
        ("The refund, no longer necessary", False),
    ],
)
def test_a_negation_stays_in_its_clause(text, negated):
    [sentence] = sentences(text)

    assert [negated] == [hit.negated for hit in WORDS.hits(sentence) if hit.concept == "refund"]


@pytest.mark.parametrize(
    ("language", "text", "concept"),
    [
        ("de", "Ein Fahrraddiebstahl", "danger"),
        ("de", "Die Altersdiskriminierungen", "law"),
        ("nl", "Gewoon leeftijdsdiscriminatie", "law"),
        ("sv", "Ren könsdiskriminering", "law"),
        ("da", "En hofteoperation", "illness"),
    ],
)
def test_a_compound_is_what_its_last_part_is(language, text, concept):
    [sentence] = sentences(text)

    assert concept in {hit.concept for hit in lexicon(language).hits(sentence)}


def test_what_belongs_to_no_compounding_language_is_not_looked_for_inside_words():
    [sentence] = sentences("Microsurgery")

    assert [] == [hit for hit in lexicon("en").hits(sentence) if hit.concept == "illness"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich bestelle die Zeitung zum Ende des Jahres ab"),
        ("de", "Wir treten aus dem Verein zum Sommer aus"),
        ("nl", "Ik zeg de huur van mijn tuin op"),
        ("sv", "Jag säger härmed mitt abonnemang upp"),
        ("da", "Jeg siger hermed mit abonnement op"),
        ("en", "Let us call the whole thing off"),
    ],
)
def test_a_verb_is_found_however_far_its_other_half_stands(language, text):
    [sentence] = sentences(text)

    assert "cancel" in {hit.concept for hit in lexicon(language).hits(sentence)}


def test_each_language_is_kept_once_however_it_is_mixed():
    assert lexicon("de", "en").parts[0] is lexicon("de", "fr").parts[0]


def test_a_phrase_cannot_begin_with_a_gap():
    with pytest.raises(ValueError, match="begins with a word"):
        make_lexicon({"odd": [".. back"]})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_speaks_of_everything_that_the_frames_name(language):
    named = {name for told in frames().values() for frame in told.frames for group in frame.groups for name in group}
    named |= {name for told in frames().values() for name in told.innocent}

    assert set() == named - set(concepts_of(language))
    assert set(concepts_of("en")) == set(concepts_of(language))
    assert [] == [
        name for name, phrases in concepts_of(language).items() if len(phrases) != len(set(phrases)) or not phrases
    ]
