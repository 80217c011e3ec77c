"""Sensitive words where nobody looks: below a signature, in a quotation of nobody, in letters that are not what they seem."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from postroom.mail.parse import read_mail
from postroom.mail.sentences import tokens
from postroom.rooms.triage.rules.assembling import thread_from_files
from postroom.rooms.triage.rules.verdicts import operators, triage

ASKS = "Hello,\n\nWhat time is breakfast served on Sundays?\n\n"
THREAT = "I want a refund of my deposit, otherwise my solicitor will sue you."


def judged(text: str, subject: str = "Breakfast"):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Anna <anna@client.example>", "desk@larkspur.example", subject
    mail.set_content(text, cte="8bit")
    return triage(thread_from_files([read_mail(mail.as_bytes())]), operators(["desk@larkspur.example"]))


@pytest.mark.parametrize(
    "below",
    [
        f"-- \n{THREAT}",
        f"—\n{THREAT}",
        f"Kind regards,\nAnna Smith\n\n{THREAT}",
        "Kind regards,\nAnna Smith\n\nPS My wife broke her arm on your stairs",
        f"Kind regards,\nAnna Smith\nTel 020 7946 0000 {THREAT}",
        f"Sent from my iPhone\n{THREAT}",
        "This message is confidential and intended solely for the addressee. If you are not the intended recipient "
        f"please delete it and notify the sender. {THREAT}",
        f"> {THREAT}",
        f"AB> {THREAT}",
    ],
    ids=["marked", "dash", "closing", "afterthought", "telephone", "device", "disclaimer", "quoted", "initials"],
)
def test_a_threat_set_aside_is_still_a_persons(below):
    assert "draft" == judged(ASKS).action
    assert "needs_review" == judged(ASKS + below).action


@pytest.mark.parametrize(
    ("below", "subject"),
    [
        ("Kind regards,\nAnna Smith\nSmith & Co Solicitors\nTel 020 7946 0000", "Breakfast"),
        ("-- \nAnna Smith\nHead of Legal Affairs\nHarbour Medical Centre\n14 Quay Street, Bath", "Breakfast"),
        (
            "Best,\nAnna\n\nThis message is confidential and may be legally privileged. If you are not the intended "
            "recipient, please delete it and notify the sender. Any use of it is prohibited by law.",
            "Breakfast",
        ),
        (f"> {THREAT}", "Re: Your stay"),
        (f"On Mon, 2 Nov 2026 at 10:00, Desk <desk@larkspur.example> wrote:\n> {THREAT}", "Breakfast"),
        ("Best,\nAnna\nP.S. The owls were lovely.", "Breakfast"),
    ],
    ids=["solicitors", "medical centre", "disclaimer", "a reply", "an attribution", "harmless afterthought"],
)
def test_signatures_disclaimers_and_quotations_hold_no_mail_back(below, subject):
    assert "draft" == judged(ASKS + below, subject).action


@pytest.mark.parametrize(
    "said",
    [
        "I want a re\u200bfund, my soli\u200bcitor will write.",
        "I want a re\u00adfund, my soli\u00adcitor will write.",
        "I want a r\u0435fund, my s\u043eli\u0441itor will write.",
        "I want a r\u0336e\u0336f\u0336u\u0336n\u0336d\u0336, my solicitor\u2060 will write.",
    ],
    ids=["no width", "soft hyphens", "another alphabet", "struck through"],
)
def test_letters_that_are_not_what_they_seem_are_read_as_people_see_them(said):
    assert {"sensitive_refund_or_cancellation", "sensitive_legal"} & {judged(ASKS + said).reason}


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("Ru\u0308ckerstattung", ("ruckerstattung",)),
        ("Straße", ("strasse",)),
        ("can\u200bcel now", ("cancel", "now")),
        ("отмена", ("отмена",)),
        ("αβγ", ("αβγ",)),
        ("c\u0430ncel", ("cancel",)),
    ],
)
def test_words_are_those_that_people_see(written, seen):
    assert seen == tokens(written)
