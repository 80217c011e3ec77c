"""The four doubts: what each costs, alone and together, and which of them a person has to settle."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from itertools import combinations

import pytest

from postroom.nouns.clients import Email
from postroom.rooms.clients.rules.staleness import StalenessConfig, StalenessDetector
from rules.clients.shelf import NOW, Shelf, mail, past, retreats

MULTI = "Contact email associated with multiple accounts (penalty: 0.25)"
MIXED = "Thread contains mixed clients (penalty: 0.35)"
SUBJECT = "Subject changes across thread (penalty: 0.15)"
STALE = "Last confident mapping is older than 90 days (penalty: 0.30)"
PENALTIES = {MULTI: Decimal("0.25"), MIXED: Decimal("0.35"), SUBJECT: Decimal("0.15"), STALE: Decimal("0.30")}
FORCES = {MULTI, MIXED, STALE}


def detect(shelf: Shelf, email: Email, confidence: str = "0.80") -> tuple[Decimal, list[str], bool]:
    return StalenessDetector(shelf.known(email)).detect_staleness(email, suggested_confidence=Decimal(confidence))


def earlier(sender: str = "anna@acme.example", subject: str = "Rooms", days: float = 1, **more) -> Email:
    return mail(sender, subject=subject, date=NOW - timedelta(days=days), **more)


def doubtful(*wanted: str) -> tuple[Shelf, Email]:
    """A mail that has these doubts and no others."""
    shelf = retreats()
    sender = "tessa@bridgework.example" if MULTI in wanted else "anna@acme.example"
    before = [earlier("ben@acme.example", "Rooms")]
    if MIXED in wanted:
        before += [earlier("claire@atelier-fontanel.example", "Rooms")]
    if STALE in wanted:
        before = [
            mail("ben@acme.example", subject="Rooms", mapped=past("ACME", 120)),
            *(
                [mail("claire@atelier-fontanel.example", subject="Rooms", mapped=past("FONTANEL", 100))]
                if MIXED in wanted
                else []
            ),
        ]
    return shelf, mail(sender, subject="Parking" if SUBJECT in wanted else "Re: Rooms", thread=tuple(before))


def test_multi_account_contact_detection():
    assert (Decimal("0.55"), [MULTI], True) == detect(retreats(), mail("Tessa <tessa@bridgework.example>"))
    assert (Decimal("0.80"), [], False) == detect(retreats(), mail("anna@acme.example"))


def test_mixed_client_thread_detection():
    thread = (earlier("anna@acme.example"), earlier("jonas@borealis.example"))

    assert (Decimal("0.45"), [MIXED], True) == detect(retreats(), mail(subject="Re: Rooms", thread=thread))


def test_subject_change_detection():
    thread = (earlier(subject="Rooms for March"),)

    assert (Decimal("0.65"), [SUBJECT], False) == detect(retreats(), mail(subject="The invoice", thread=thread))


def test_stale_mapping_detection():
    shelf = retreats()
    shelf.history = [past("ACME", 91)]

    assert (Decimal("0.50"), [STALE], True) == detect(shelf, mail())


@pytest.mark.parametrize("size", range(5))
def test_confidence_penalty_calculation(size):
    """Singly and together, in every combination; never below nothing."""
    for wanted in combinations(PENALTIES, size):
        shelf, email = doubtful(*wanted)
        left = max(Decimal("0.80") - sum((PENALTIES[each] for each in wanted), Decimal("0.00")), Decimal("0.00"))

        assert (left, list(wanted), bool(FORCES & set(wanted))) == detect(shelf, email), wanted


def test_forced_triage_on_critical_signals():
    for doubt in PENALTIES:
        shelf, email = doubtful(doubt)

        assert (doubt in FORCES) == detect(shelf, email, "0.99")[2], doubt


def test_the_penalties_of_the_example_add_up_to_what_is_left():
    shelf = retreats()
    shelf.history = [past("ACME", 120)]
    left, reasons, triage = detect(shelf, mail("tessa@bridgework.example"))

    assert (Decimal("0.25"), [MULTI, STALE], True) == (left, reasons, triage)


def test_nothing_goes_below_nothing():
    shelf, email = doubtful(*PENALTIES)

    assert Decimal("0.00") == detect(shelf, email, "0.10")[0]


def test_the_published_number_stands_on_the_class():
    assert 90 == StalenessConfig.MAPPING_STALENESS_DAYS


@pytest.mark.parametrize(
    ("days", "stale"), [(89, False), (90, False), (90.01, True), (400, True)], ids=lambda value: str(value)
)
def test_older_than_ninety_days_is_more_than_ninety(days, stale):
    shelf = retreats()
    shelf.history = [past("ACME", days)]

    assert stale == (STALE in detect(shelf, mail())[1])


@pytest.mark.parametrize(
    ("status", "counts"), [("mapped", True), ("confirmed", True), ("triage", False), ("ignored", False)]
)
def test_only_a_confident_mapping_can_be_old(status, counts):
    shelf = retreats()
    shelf.history = [past("ACME", 200, status)]

    assert counts == (STALE in detect(shelf, mail())[1])


def test_a_newer_mapping_of_the_sender_refreshes_an_old_thread():
    shelf = retreats()
    shelf.history = [past("ACME", 5)]
    thread = (mail("ben@acme.example", subject="Rooms", mapped=past("ACME", 300)),)

    assert [] == detect(shelf, mail(subject="Rooms", thread=thread))[1]


def test_a_thread_that_nobody_mapped_ages_by_the_mails_of_known_senders():
    thread = (earlier(days=120),)

    assert [STALE] == detect(retreats(), mail(subject="Rooms", thread=thread))[1]
    assert (
        []
        == detect(retreats(), mail("new@acme.example", subject="Rooms", thread=(earlier("x@y.example", days=120),)))[1]
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Rooms", "RE: Rooms", True),
        ("Rooms", "AW: WG: Re[2]: Rooms", True),
        ("Rooms", "Sv: VS: Antw: Rooms", True),
        ("Rooms", "回复：Rooms", True),
        ("Rooms [ACME-1042]", "Re: Rooms", True),
        ("[EXTERN] Rooms", "Re: [EXTERN] Rooms", True),
        ("Rooms ACME-1042", "Rooms ACME-1050", True),
        ("Rooms (#4711)", "Rooms", True),
        ("ROOMS!", "rooms", True),
        ("Zimmer für März", "AW: Zimmer fuer März", False),
        ("Rooms", "", True),
        ("Rooms", "Re: Rooms - and the invoice", False),
        ("Rooms", "Parking", False),
        ("Booking 88213", "Booking 99999", False),
    ],
)
def test_prefixes_and_codes_are_no_change_of_subject(one, other, same):
    found = detect(retreats(), mail(subject=other, thread=(earlier(subject=one),)))[1]

    assert same == (SUBJECT not in found)


@pytest.mark.parametrize(
    ("people", "mixed"),
    [
        ({"to": "service@larkspur.example,jonas@borealis.example"}, True),
        ({"cc": "jonas@borealis.example"}, True),
        ({"cc": "ben@acme.example"}, False),
        ({"cc": "tessa@bridgework.example"}, False),  # she works for Acme too
        ({"cc": "colleague@larkspur.example"}, False),
        ({"cc": "stranger@elsewhere.example"}, False),
        ({"cc": "someone@gmail.com"}, False),
    ],
    ids=str,
)
def test_two_who_share_no_client_make_a_thread_mixed(people, mixed):
    assert mixed == (MIXED in detect(retreats(), mail("anna@acme.example", **people))[1])


def test_a_mail_that_a_person_put_elsewhere_does_not_mix_the_thread():
    thread = (mail("jonas@borealis.example", subject="Rooms", mapped=past("ACME", 1, "confirmed")),)

    assert [] == detect(retreats(), mail(subject="Rooms", thread=thread))[1]


def test_a_mail_that_was_set_aside_does_not_mix_the_thread():
    thread = (mail("jonas@borealis.example", subject="Rooms", mapped=past(None, 1, "ignored")),)

    assert [] == detect(retreats(), mail(subject="Rooms", thread=thread))[1]


def test_a_tenant_may_have_its_own_numbers():
    shelf = retreats()
    shelf.history = [past("ACME", 40)]
    own = StalenessConfig(MAPPING_STALENESS_DAYS=30, STALE_MAPPING_PENALTY=Decimal("0.10"))
    found = StalenessDetector(shelf.known(mail()), own).detect_staleness(mail(), Decimal("0.80"))

    assert (Decimal("0.70"), ["Last confident mapping is older than 30 days (penalty: 0.10)"], True) == found
