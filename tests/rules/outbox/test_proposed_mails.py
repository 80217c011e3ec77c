"""What is hashed, what is a gap, and what can never be sent."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest

from postroom.mail.outgoing import addresses_in, clean_addresses, clean_subject
from postroom.nouns.errors import BadRequest
from postroom.rooms.outbox.rules.mails import (
    ProposedFile,
    ProposedMail,
    check_mail,
    forward_subject,
    gaps,
    proposal_hash,
    reply_subject,
)

BOX, OTHER_BOX = UUID(int=1), UUID(int=2)
FILE = ProposedFile("note.pdf", "application/pdf", 10, "aa" * 32)
MAIL = ProposedMail(
    to=("anna@client.test", "bo@client.test"),
    subject="Re: Breakfast",
    text="Until eleven.\n",
    html="<p>Until eleven.</p>",
    cc=("carl@client.test",),
    files=(FILE,),
)
HASH = proposal_hash(BOX, MAIL, "m1", "m1")


@pytest.mark.parametrize(
    ("change", "answers", "head"),
    [
        ({"to": ("anna@client.test",)}, "m1", "m1"),
        ({"to": ("anna@client.test", "eve@client.test")}, "m1", "m1"),
        ({"cc": ()}, "m1", "m1"),
        ({"cc": (), "bcc": ("carl@client.test",)}, "m1", "m1"),
        ({"to": ("anna@client.test",), "cc": ("bo@client.test", "carl@client.test")}, "m1", "m1"),
        ({"subject": "Re: breakfast"}, "m1", "m1"),
        ({"text": "Until ten."}, "m1", "m1"),
        ({"text": "Until  eleven."}, "m1", "m1"),
        ({"html": "<p>Until ten.</p>"}, "m1", "m1"),
        ({"files": ()}, "m1", "m1"),
        ({"files": (FILE, FILE)}, "m1", "m1"),
        ({"files": (replace(FILE, sha256="bb" * 32),)}, "m1", "m1"),
        ({"files": (replace(FILE, filename="other.pdf"),)}, "m1", "m1"),
        ({"files": (replace(FILE, content_type="text/html"),)}, "m1", "m1"),
        ({}, "m1", "m2"),
        ({}, "m2", "m1"),
        ({}, None, None),
        ({"subject": "Re: BreakfastUntil eleven.", "text": ""}, "m1", "m1"),
    ],
)
def test_whatever_a_recipient_would_notice_makes_another_hash(change, answers, head):
    assert HASH != proposal_hash(BOX, replace(MAIL, **change), answers, head)


def test_the_mailbox_it_leaves_counts_too():
    assert HASH != proposal_hash(OTHER_BOX, MAIL, "m1", "m1")


@pytest.mark.parametrize(
    "same",
    [
        {},
        {"text": "Until eleven.\r\n\r\n"},
        {"to": ("bo@client.test", "anna@client.test")},
        {"files": (replace(FILE, blob_key="elsewhere", message_id=UUID(int=3)),)},
    ],
)
def test_what_no_recipient_would_notice_does_not(same):
    assert HASH == proposal_hash(BOX, replace(MAIL, **same), "m1", "m1")


def test_the_hash_says_what_it_is():
    assert HASH.startswith("sha256:")
    assert 71 == len(HASH)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("All is said.", []),
        ("See [1] and [link].", []),
        ("The price is [[What does parking cost?]] a night.", ["What does parking cost?"]),
        ("[[one]] and [[two\n words]]", ["one", "two words"]),
        ("cut off [[here", ["here"]),
        ("[[]]", [""]),
    ],
)
def test_a_gap_is_found_wherever_it_stands(text, found):
    assert found == gaps(text)


@pytest.mark.parametrize(
    "odd",
    ["", "anna", "anna@", "@client.test", "anna@client", "a b@client.test", "anna@client.test,eve@evil.test",
     "Anna <anna>", "Anna <anna@client.test", "<anna@client.test>, eve@evil.test", "eve@evil.test <anna@client.test>",
     "Anna <anna@client.test> <eve@evil.test>", "Anna\nBcc: eve@evil.test <anna@client.test>", "Anna\n<anna@client.test>",
     "<>", "Anna <>", "<anna@client.test, eve@evil.test>",
     "anna@client.test\nBcc: eve@evil.test", "anna@cli\\ent.test",
     "an\u200bna@client.test", "an\x01na@client.test", "=?utf-8?q?eve=40evil.test=2c_a?=@client.test"],
)  # fmt: skip
def test_what_is_no_address_is_refused(odd):
    with pytest.raises(BadRequest, match="not a mail address"):
        clean_addresses([odd])


@pytest.mark.parametrize(
    "named",
    ["Anna <anna@client.test>", "<Anna@Client.test>", '"Kowalski, Anna" <anna@client.test>', "Kowalski, Anna <anna@client.test> ",
     '"anna@home" <anna@client.test>', "Änne O'Neil (Sales) <anna@client.test>"],
)  # fmt: skip
def test_a_name_before_an_address_is_taken_off(named):
    assert ("anna@client.test",) == clean_addresses([named, "anna@client.test"])


ANNA, BOB = "anna@client.test", "bob@partner.test"


@pytest.mark.parametrize(
    ("text", "found"),
    [("", []), (" ,;\n ", []), (ANNA, [ANNA]), (f"{ANNA}, {BOB};", [ANNA, BOB]), (f"{ANNA} {BOB}", [ANNA, BOB]),
     (f"{ANNA}\r\n{BOB}\n", [ANNA, BOB]), (f"Anna Smith <{ANNA}>", [ANNA]), (f"<{ANNA}>", [ANNA]),
     (f'"Smith, Anna" <{ANNA}>, Bob <{BOB}>', [ANNA, BOB]), (f"Smith, Anna <{ANNA}>; Jones, Bob <{BOB}>", [ANNA, BOB]),
     (f"Anna <{ANNA}> Bob <{BOB}>", [ANNA, BOB]), (f"Anna <{ANNA}>\nBob <{BOB}>\n", [ANNA, BOB]),
     (f"{BOB}, Anna Smith <{ANNA}>", [BOB, ANNA]), (f'"anna@home" <{ANNA}>', [ANNA]), (f"{ANNA} <{ANNA}>", [ANNA, ANNA]),
     ("Anna Smith", ["Anna", "Smith"]), (f"Anna <{ANNA}", ["Anna", f"<{ANNA}"]), ("Anna <>", [""]),
     (f"Anna <{ANNA}, {BOB}>", [f"{ANNA}, {BOB}"])],
)  # fmt: skip
def test_recipients_are_understood_as_people_paste_them(text, found):
    assert found == addresses_in(text)


def test_a_subject_holds_nothing_that_shows_another_than_is_sent():
    assert "Invoice fdp.exe Bcc: eve@evil.test" == clean_subject("Invoice \u202efdp.exe\r\nBcc:\x08 eve@evil.test\x1b")
    assert "می\u200cخواهم" == clean_subject("می\u200cخواهم")


def test_addresses_are_compared_in_lower_case_and_named_once():
    assert ("anna@client.test",) == clean_addresses([" Anna@Client.test", "anna@client.TEST "])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"to": (), "cc": ("anna@client.test",)}, "somebody"),
        ({"to": tuple(f"p{number}@client.test" for number in range(51))}, "50 people"),
        ({"text": " \n"}, "needs words"),
        ({"text": "x" * 100_001}, "up to 100,000 letters; this one has 100,001"),
        ({"files": (FILE,) * 21}, "20 files"),
        ({"files": (replace(FILE, size=26 * 1024 * 1024),)}, "25 MB"),
    ],
)
def test_what_can_never_be_sent_is_refused_at_once(wrong, said):
    with pytest.raises(BadRequest, match=said):
        check_mail(replace(MAIL, **wrong))


def test_subjects():
    assert "Re: Breakfast" == reply_subject("AW: RE: Breakfast")
    assert "Fw: Breakfast" == forward_subject("Re: Breakfast")
    assert "one two" == clean_subject("one\r\n two ")
    with pytest.raises(BadRequest, match="up to 500 letters; this one has 501"):
        clean_subject("a" * 501)
    assert f"Re: {'a' * 496}" == clean_subject(reply_subject("a" * 600))  # that came so
