"""How far what a person sent is from what was proposed."""

from __future__ import annotations

import pytest

from postroom.mail.own_words import own_words
from postroom.rooms.replies.rules.edits import EditedPart, edit_distance, edited_parts, said_by
from postroom.rooms.replies.rules.ownership import body_marker

PROPOSED = "Hello Ada,\n\nBreakfast is served from 8 to 10 o'clock.\n\nKind regards\nThe house"


@pytest.mark.parametrize(
    ("final", "distance"),
    [
        (PROPOSED, 0.0),
        (PROPOSED + "\n" + body_marker("0" * 64), 0.0),
        (PROPOSED.replace("\n\n", "\n\n\n") + "\n", 0.0),
        (PROPOSED + "\n\nOn 3 March 2026 Ada Client <ada@client.test> wrote:\n> When is breakfast?\n", 0.0),
        ("Hello Ada,\n\nBreakfast is served from 8 to 11 o'clock.\n\nKind regards\nThe house", 0.071),
        (PROPOSED + "\n\nPS: bring the dog.", 0.222),
        ("Hello Ada,\n\nBreakfast is served from 8 to 10 o'clock.", 0.0),  # as it is kept once it was sent
        ("Nothing whatever stays as it was here, my friends and guests.", 1.0),
        ("", 1.0),
    ],
)
def test_the_distance_counts_words_and_not_what_is_quoted(final, distance):
    assert distance == edit_distance(PROPOSED, final)


def test_two_empty_texts_are_the_same():
    assert 0.0 == edit_distance("", "  \n")


def test_a_very_long_text_is_compared_by_its_beginning_and_its_length():
    long = "word " * 5_000
    assert (0.0, 0.5) == (edit_distance(long, long), round(edit_distance(long, "word " * 2_500), 2))


def test_the_parts_put_together_are_both_texts():
    final = "Hello Ada,\n\nBreakfast is served until 11 o'clock. I keep you a table."
    parts = edited_parts(PROPOSED, final)

    assert [EditedPart("removed", "from 8 to 10"), EditedPart("added", "until 11")] == parts[1:3]
    assert own_words(said_by(PROPOSED)).text == "".join(each.text for each in parts if each.kind != "added")
    assert said_by(final) == "".join(each.text for each in parts if each.kind != "removed")
