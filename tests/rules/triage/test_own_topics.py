"""A tenant's own words: where they stand in a mail, and that thousands of them hold nobody up."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from postroom.rooms.triage.rules.own_topics import OwnTopic, clean_topic, own_matches
from rules.mail.test_made_to_hurt import ASKED, MOST, cost_of


def topic(*words: str, active: bool = True) -> OwnTopic:
    return clean_topic(uuid4(), "Ours", "legal", words, active=active)


@pytest.mark.parametrize(
    ("word", "stands"),
    [
        ("Jetty", True),
        ("jett", False),
        ("jett*", True),
        ("old jetty", True),
        ("old old jetty", True),
        ("old jet*", True),
        ("jetty old", False),
        ("board rotted away", False),
        ("rotte*", True),
        ("rotted*", True),
        ("rottedx*", False),
    ],
)
def test_a_word_a_phrase_or_its_beginning_is_found(word, stands):
    mail = replace(ASKED, subject="A board", own_text="By the old old jetty a board rotted")

    assert [(word,)] * stands == [match.words for match in own_matches(mail, [topic(word)])]


def test_a_topic_that_is_switched_off_finds_nothing():
    assert [] == own_matches(replace(ASKED, own_text="jetty"), [topic("jetty", active=False)])


def test_many_phrases_are_looked_for_in_time():
    mail = replace(ASKED, own_text="the jetty at 5 " * 5_000)
    topics = [topic(*(f"the {number} jetty" for number in range(200))) for _ in range(20)]

    assert MOST > cost_of(lambda: own_matches(mail, topics))
