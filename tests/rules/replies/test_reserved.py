"""What only a person may say is known by what it says, not by how: plain sentences of six kinds in ten languages."""

import tomllib
from pathlib import Path

import pytest

from postroom.mail.language import LANGUAGES
from postroom.rooms.replies.rules.claims import forbidden
from postroom.rooms.replies.rules.reserved import REACH, reserved

SAYINGS = tomllib.loads((Path(__file__).parent / "sayings.toml").read_text("utf-8"))
KINDS = ("refund", "discount", "blame", "medical", "legal", "promise")


def said(language, kind):
    return SAYINGS[language][kind].strip().splitlines()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_plain_saying_is_blocked(language, kind):
    missed = [each for each in said(language, kind) if forbidden(each) is None]
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_policy_or_a_price_list_says_is_not(language):
    assert [] == [each for each in said(language, "harmless") if forbidden(each)]


@pytest.mark.parametrize(
    ("statement", "topic"),
    [
        ("A refund will be issued.", "refund"),
        ("If the room is not ready, we will refund you the night.", "refund"),
        ("A refund of 50 EUR will be issued if the room is not ready.", None),
        ("I promise that it will not happen again.", "promise"),
        ("We do not promise a certain room.", None),
        ("We will not charge you the late fee.", "discount"),
        ("For headaches take two aspirin from the reception desk.", "medical"),
        ("Ask your doctor before you take the tablets.", None),
        ("Das Frühstück geht auf uns.", "discount"),
    ],
)
def test_a_condition_or_a_denial_makes_it_another_sentence(statement, topic):
    found = reserved(statement)
    assert topic == (found and found.topic)


def test_words_far_apart_do_not_make_a_saying():
    assert None is reserved("We " + "walk and " * REACH + "refund")


def test_a_long_statement_is_looked_at_quickly():
    assert None is reserved("refund " * 5_000)
