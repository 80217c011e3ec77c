"""Concepts in a sentence: stems, alternatives, gaps and negation."""

import pytest

from postroom.mail.language import LANGUAGES
from postroom.mail.sentences import sentences
from postroom.rooms.triage.rules.concepts import concepts_of, make_lexicon
from postroom.rooms.triage.rules.topics import frames

WORDS = make_lexicon(
    {
        "refund": ["refund*", "money back", "give/gives back"],
        "stop": ["want .. anymore", "no _ left"],
        "negation": ["not"],
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
