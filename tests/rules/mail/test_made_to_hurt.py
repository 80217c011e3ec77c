"""Mail and papers made to take long: a pattern that looks back over all it has seen would hold up everybody else.

A pattern at work lets no other thread run, so a thread of its own is no cure. CPU time is bounded, not the clock, and as
a multiple of plain work done beside it: a second is worth less on a busy machine.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from postroom.mail.html import html_to_text
from postroom.mail.own_words import own_words
from postroom.mail.replies import split_reply
from postroom.mail.sentences import LONGEST, sentences
from postroom.nouns.clients import Email
from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, ProviderRef
from postroom.rooms.clients.rules.aging import returned_addresses
from postroom.rooms.clients.rules.signals import forwarded_from
from postroom.rooms.clients.rules.words import bare_subject
from postroom.rooms.outbox.rules.amounts import amounts
from postroom.rooms.replies.rules.papers import PaperKind, read_paper
from postroom.rooms.replies.rules.values import find_values
from postroom.rooms.triage.rules.analysis import analyse
from postroom.rooms.triage.rules.verdicts import operators, triage

MOST = 25 * (1 if sys.gettrace() is None else 6)  # counting covered lines costs several times the work
PLAIN = "The house opens at eight; breakfast, if you like, is served till ten.\n" * 32_000
WORD = re.compile(r"\w+")
ASKED = Turn(
    ref=ProviderRef("m1"),
    sender=Address("anna@client.example", "Anna"),
    to=(Address("desk@larkspur.example"),),
    sent_at=datetime(2025, 3, 1, 9, tzinfo=UTC),
    subject="Parking",
    labels=frozenset({INBOX}),
    own_text="Is there parking at the house?",
)
DESK = operators(["desk@larkspur.example"])


def seconds_of(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def plain_work() -> int:
    """Some tenth of a second on a quiet machine: each word of a long text is looked at."""
    return sum(len(word[0].lower()) for word in WORD.finditer(PLAIN))


def cost_of(work: Callable[[], object]) -> float:
    """In multiples of plain work done before and after."""
    before = seconds_of(plain_work)
    needed = seconds_of(work)
    return needed / max(before, seconds_of(plain_work))


@pytest.fixture(autouse=True, scope="module")
def _lists_are_loaded() -> None:
    """Lists of words are read once, which takes longer than any mail."""
    thread = conversation_of(ProviderRef("t"), [ASKED])
    analyse(thread, triage(thread, DESK))
    read_paper("rules.md", "Breakfast is at eight.", "markdown")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("*" * 400_000, id="one long rule"),
        pytest.param("- \n" * 60_000, id="empty items"),
        pytest.param("Best regards\n" * 20_000 + "and so on and on and on, with neither a number nor an at", id="farewells"),
        pytest.param("x\nOn 1 Jan 2026 at 10:00, X <a@b.c> wrote:\n> q\n" * 4_000, id="answers within answers"),
    ],
)  # fmt: skip
def test_the_new_words_of_a_mail_are_found_in_time(text):
    assert MOST > cost_of(lambda: own_words(split_reply(text).new))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("?! " * 6_600, id="marks without words"),
        pytest.param(". " + " " * LONGEST, id="blanks"),
        pytest.param(".\n" * 10_000, id="lines of one dot"),
        pytest.param(("." + "'" * 30 + " ") * 600, id="quotation marks"),
    ],
)
def test_sentences_are_told_apart_in_time(text):
    assert MOST > cost_of(lambda: sentences(text))


@pytest.mark.parametrize("text", ["?! " * 6_600, "a-" * 10_000, "can you? " * 2_200, "- x\n" * 5_000])
def test_a_thread_is_judged_in_time(text):
    thread = conversation_of(ProviderRef("t"), [replace(ASKED, own_text=text)])

    assert 2 * MOST > cost_of(lambda: analyse(thread, triage(thread, DESK)))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<dl><dd>" * 50_000, id="lists in lists"),
        pytest.param("<div></b>" * 40_000, id="ends of what never began"),
        pytest.param("<x-y>" * 60_000, id="tags of their own"),
        pytest.param("<details>" * 30_000, id="details"),
        pytest.param("<p>" * 150_000, id="very many"),
    ],
)
def test_html_becomes_text_in_time(html):
    assert MOST > cost_of(lambda: html_to_text(f"{html}The words."))
    assert "The words." in html_to_text(f"{html}The words.")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        pytest.param("text", "word here.\n" * 9_000, id="sentences that go on"),
        pytest.param("markdown", "- x\n" * 25_000, id="one long list"),
        pytest.param("markdown", "[" * 100_000, id="brackets"),
        pytest.param("markdown", "[a](" * 25_000, id="links"),
        pytest.param("markdown", "<!-- " * 40_000, id="comments without an end"),
        pytest.param("markdown", "# " + "#" * 100_000 + "!", id="marks of a heading"),
        pytest.param("markdown", "|" + "-" * 100_000 + "x", id="a rule that is none"),
        pytest.param("html", "<ul><li>" * 25_000, id="lists in lists"),
        pytest.param("html", "<table><tr><td>" * 12_000, id="tables in tables"),
        pytest.param("html", "<dl><dd>" * 25_000, id="definitions in definitions"),
        pytest.param("html", "<a><div>" * 25_000, id="links around all"),
    ],
)
def test_a_paper_is_read_in_time(kind: PaperKind, text):
    assert MOST > cost_of(lambda: read_paper("rules", text, kind))


@pytest.mark.parametrize(
    "text",
    ["123 " * 5_000, "001 " * 5_000, "a." * 10_000, "_" * 20_000, "Mon-" * 5_000, "A." * 10_000, "1 " * 10_000],
)
def test_values_are_found_in_time(text):
    assert MOST > cost_of(lambda: find_values(f"{text}x"))


@pytest.mark.parametrize("text", ["123 " * 5_000, "1.000 " * 3_000, "EUR " * 5_000])
def test_amounts_are_found_in_time(text):
    assert MOST > cost_of(lambda: amounts(f"{text}x"))


@pytest.mark.parametrize("quoted", ["\n" * 6_000, "> \n" * 2_000, "From: " + "a." * 3_000, "From: " + "_" * 6_000])
def test_whose_mail_was_passed_on_is_found_in_time(quoted):
    assert MOST > cost_of(lambda: forwarded_from(Email(None, quoted=quoted)))


@pytest.mark.parametrize("text", ["1-" * 10_000, "a/" * 10_000, "a1-" * 7_000 + "_"])
def test_what_a_subject_is_about_is_found_in_time(text):
    assert MOST > cost_of(lambda: bare_subject(text))


@pytest.mark.parametrize("text", ["a." * 20_000, "_" * 40_000])
def test_a_bounce_is_read_in_time(text):
    assert MOST > cost_of(lambda: returned_addresses(f"550 user unknown\n{text}"))


def test_more_than_is_judged_is_a_persons():
    """Else a threat would only have to stand below enough padding."""
    padded = replace(ASKED, own_text="All is well here. " * 1_200 + "You will hear from my solicitor.")

    verdict = triage(conversation_of(ProviderRef("t"), [padded]), DESK)

    assert ("needs_review", "uncertain") == (verdict.action, verdict.reason)
    assert "20,000" in verdict.because
