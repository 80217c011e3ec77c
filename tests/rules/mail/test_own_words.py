"""What the sender says, told from closings, unmarked signatures, disclaimers; and what it hands on."""

import pytest

from postroom.mail.own_words import forwarded_text, own_words

DISCLAIMER = (
    "This e-mail and any attachments are confidential and intended solely for the intended recipient. If you received"
    " it in error, notify the sender; any disclosure is unauthorised."
)


@pytest.mark.parametrize(
    ("closing", "name"),
    [
        ("Kind regards", "Anna Berg\nLegal counsel, Berg Ltd\nTel. +44 20 7946 0000"),
        ("Mit freundlichen Grüßen", "Dr. Anna Berg\nRechtsanwältin"),
        ("Cordialement,", "Anne"),
        ("Un saludo", "Ana"),
        ("Pozdrawiam", "Anna Góra"),
        ("Mvh", "Anna"),
    ],
)
def test_a_closing_and_the_name_below_it_are_no_part_of_what_is_said(closing, name):
    said = own_words(f"Is the pool open in May?\n\n{closing}\n{name}")

    assert "Is the pool open in May?" == said.text
    assert name.split("\n")[0] in said.signature


def test_thanks_in_the_middle_of_a_letter_are_said():
    text = "Thanks for the quick answer!\n\nWe would like to stay until noon on the last day, if that does not put anybody out."

    assert text == own_words(text).text


def test_a_disclaimer_is_set_aside():
    said = own_words(f"Is the pool open?\n\n{DISCLAIMER}")

    assert ("Is the pool open?", DISCLAIMER) == (said.text, said.disclaimer)


@pytest.mark.parametrize(
    ("subject", "first"),
    [
        ("Fwd: Trouble", "---------- Forwarded message ---------"),
        ("Trouble", "---------- Forwarded message ---------"),
        ("WG: Trouble", "-----Ursprüngliche Nachricht-----"),
        ("Trouble", "Begin forwarded message:"),
    ],
)
def test_what_is_handed_on_is_read(subject, first):
    quoted = f"{first}\nFrom: Guest <guest@client.example>\nDate: Mon, 3 Mar 2025 10:00\nSubject: Trouble\nTo: us@larkspur.example\n\nI want my money back.\n"

    assert "I want my money back." == forwarded_text(subject, quoted)


def test_what_is_merely_quoted_is_not():
    assert "" == forwarded_text("Re: Trouble", "On Monday Guest wrote:\n> I want my money back.")
