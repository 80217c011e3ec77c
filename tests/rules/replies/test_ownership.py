"""Whose a draft is: ours only as long as marks, words and version are as we left them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingMail
from postroom.nouns.providers import ProviderRef
from postroom.rooms.replies.rules.ownership import (
    as_html,
    as_intended,
    body_marker,
    draft_key,
    fingerprint,
    found_markers,
    still_ours,
)

KEY = draft_key("mailbox", "thread")
TEXT = "Dear Ada,\n\nbreakfast is from 7 to 10.\n\nKind regards"
OURS = Draft(
    ref=ProviderRef("d1"),
    message_ref=ProviderRef("m1"),
    version="7",
    thread_ref=ProviderRef("t1"),
    to=("ada@client.test",),
    cc=(),
    bcc=(),
    subject="Re: Breakfast",
    text=TEXT,
    html=as_html(TEXT, KEY),
    markers=DraftMarkers(KEY, "1", "r1"),
)
MAIL = OutgoingMail(("ada@client.test",), "Re: Breakfast", TEXT, as_html(TEXT, KEY))


def test_the_key_is_the_same_for_a_thread_and_another_for_the_next():
    assert draft_key("mailbox", "thread") == KEY
    assert draft_key("mailbox", "thread 2") != KEY
    assert draft_key("mailbox", "thread", "other_kind") != KEY


def test_the_body_marker_stands_on_one_line_in_the_html_and_nowhere_in_the_text():
    assert f"<!-- inbox-copilot:draftKey={KEY};v=1 -->" == body_marker(KEY)
    assert OURS.html.endswith(body_marker(KEY))
    assert "inbox-copilot" not in OURS.text


def test_words_are_escaped_in_html():
    assert as_html("a < b & c", KEY).startswith("<p>a &lt; b &amp; c</p>")


def test_the_mark_in_the_body_counts_where_headers_were_stripped():
    assert DraftMarkers(KEY, "1") == found_markers(replace(OURS, markers=None))


def test_a_fingerprint_does_not_mind_line_endings_and_blank_lines_at_the_end():
    same = replace(OURS, text=TEXT.replace("\n", "\r\n") + "\r\n \r\n\r\n", html=OURS.html + "\n\n")

    assert fingerprint(OURS).startswith("sha256:")
    assert 71 == len(fingerprint(OURS))
    assert fingerprint(OURS) == fingerprint(same)


def test_no_part_of_a_fingerprint_can_pose_as_the_next():
    assert fingerprint(replace(OURS, subject="a\nb", text="c")) != fingerprint(replace(OURS, subject="a", text="b\nc"))


def test_a_draft_as_we_left_it_is_ours():
    assert still_ours(OURS, KEY, fingerprint(OURS), "7").ours


@pytest.mark.parametrize(
    ("edited", "because"),
    [
        (replace(OURS, text=TEXT + " Ring me!"), "says something else"),
        (replace(OURS, html="<p>Ring me!</p>" + OURS.html), "says something else"),
        (replace(OURS, subject="Breakfast"), "says something else"),
        (replace(OURS, version="8"), "was saved since"),
        (replace(OURS, version=""), "was saved since"),
        (replace(OURS, markers=None, html="<p>Ring me!</p>"), "no mark of ours"),
        (replace(OURS, markers=DraftMarkers("f" * 64)), "another thread"),
        (replace(OURS, markers=DraftMarkers(KEY, "2")), "another thread or version"),
    ],
)
def test_any_difference_makes_a_draft_a_persons(edited, because):
    found = still_ours(edited, KEY, fingerprint(OURS), "7")

    assert not found.ours
    assert because in found.because


@pytest.mark.parametrize(("expected", "version"), [(None, "7"), ("", "7"), (fingerprint(OURS), None)])
def test_what_we_do_not_remember_is_not_ours(expected, version):
    assert not still_ours(OURS, KEY, expected, version).ours


def test_what_a_lost_answer_left_is_known_by_revision_and_every_word():
    marks = DraftMarkers(KEY, "1", "r1")

    assert as_intended(replace(OURS, html="<div>as Outlook likes it</div>"), MAIL, marks)
    assert not as_intended(replace(OURS, markers=DraftMarkers(KEY, "1", "r0")), MAIL, marks)
    assert not as_intended(replace(OURS, text=TEXT + " PS"), MAIL, marks)
    assert not as_intended(replace(OURS, cc=("bob@client.test",)), MAIL, marks)
    assert not as_intended(replace(OURS, bcc=("bob@client.test",)), MAIL, marks)
    assert not as_intended(replace(OURS, subject="Other"), MAIL, marks)
