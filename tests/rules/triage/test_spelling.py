"""Slips in listed words: one letter, and never into another word."""

import pytest

from postroom.mail.sentences import fold, sentences
from postroom.rooms.triage.rules.spelling import as_meant, meant_word, one_slip
from postroom.rooms.triage.rules.topics import sensitive_topics


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cancle", "cancel"),
        ("cncel", "cancel"),
        ("canncel", "cancel"),
        ("extention", "extension"),
        ("refun", "refund"),
    ],
)
def test_one_slip(typed, meant):
    assert one_slip(typed, meant)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cancel", "cancel"),
        ("dancel", "cancel"),
        ("cnacle", "cancel"),
        ("danser", "danger"),
        ("cancelling", "cancel"),
        ("", "cancel"),
    ],
)
def test_two_slips_the_first_letter_and_a_short_word_with_another_letter_are_other_words(typed, meant):
    assert not one_slip(typed, meant)


@pytest.mark.parametrize(
    ("text", "languages", "topic"),
    [
        ("can u pls cancle our table", ("en",), "refund_or_cancellation"),
        ("I am off to the hopital", ("en",), "medical"),
        ("wil de tafel anuleren", ("en", "nl"), "refund_or_cancellation"),
        ("una exceppción por favor", ("en", "es"), "exception"),
    ],
)
def test_a_mistyped_word_is_found(text, languages, topic):
    assert [topic] == [match.topic for match in sensitive_topics(text, languages) if match.decides]


@pytest.mark.parametrize(
    ("word", "languages"),
    [
        ("plante", ("en", "fr")),
        ("überall", ("de", "en")),
        ("sander", ("en",)),
        ("stolem", ("en", "pl")),
        ("4cancle", ("en",)),
    ],
)
def test_a_word_of_its_own_stays(word, languages):
    assert fold(word) == meant_word(fold(word), languages)


def test_the_text_stays_as_written():
    [written] = sentences("Please cancle it")
    meant = as_meant(written, ("en",))

    assert ("please", "cancel", "it") == meant.tokens
    assert "cancle" == meant.words(1, 1)
