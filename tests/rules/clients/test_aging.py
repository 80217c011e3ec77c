"""Contacts that bounce, moved, or fell silent: what is proposed to a person."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from postroom.nouns.clients import ContactId
from postroom.rooms.clients.rules.aging import ContactLife, proposal, returned_addresses
from rules.clients.shelf import NOW, account_id, made_id

YEAR = timedelta(days=365)
BOUNCE = """I'm sorry to have to inform you that your message could not be delivered.

<h.strand@gone.example>: host mail.gone.example said: 550 5.1.1 User unknown
"""


def days(number: float) -> datetime:
    return NOW - timedelta(days=number)


def life(**changes) -> ContactLife:
    quiet = {
        "last_seen_at": None,
        "bounced_at": None,
        "bounce_because": "",
        "elsewhere_id": None,
        "elsewhere": "",
        "elsewhere_count": 0,
    }
    return ContactLife(ContactId(made_id("anna")), "anna@acme.example", "Anna", ("ACME",), **{**quiet, **changes})


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, None),  # never heard of: nothing is known
        ({"last_seen_at": days(3)}, None),
        ({"last_seen_at": days(364)}, None),
        ({"last_seen_at": days(366)}, "silent"),
        ({"bounced_at": days(3)}, "bounced"),
        ({"bounced_at": days(3), "last_seen_at": days(10)}, "bounced"),
        ({"bounced_at": days(10), "last_seen_at": days(3)}, None),  # it wrote since
        ({"elsewhere_id": account_id("BOREALIS"), "elsewhere": "Borealis", "elsewhere_count": 1}, None),
        ({"elsewhere_id": account_id("BOREALIS"), "elsewhere": "Borealis", "elsewhere_count": 2}, "elsewhere"),
        ({"bounced_at": days(3), "elsewhere_id": account_id("BOREALIS"), "elsewhere_count": 5}, "bounced"),
    ],
    ids=str,
)
def test_what_is_proposed(changes, kind):
    found = proposal(life(**changes), YEAR, NOW)

    assert kind == (found.kind if found else None)


def test_a_proposal_says_why_and_what_it_would_do():
    moved = proposal(life(elsewhere_id=account_id("B"), elsewhere="Borealis (B)", elsewhere_count=3), YEAR, NOW)
    gone = proposal(life(bounced_at=days(2), bounce_because="550 5.1.1 User unknown."), YEAR, NOW)

    assert (
        "People put the last 3 mails of anna@acme.example under Borealis (B). Move the contact there?" == moved.because
    )
    assert account_id("B") == moved.account_id
    assert "came back on 2026-02-28: 550 5.1.1 User unknown. Retire the contact?" in gone.because


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        (BOUNCE, ["h.strand@gone.example"]),
        (BOUNCE.replace("550 5.1.1 User unknown", "451 4.4.1 try later"), []),
        ("Delivery delayed for anna@acme.example, still trying", []),
        ("The address anna@acme.example does not exist.", ["anna@acme.example"]),
        ("", []),
    ],
)
def test_a_bounce_names_whom_it_could_not_reach_for_good(text, addresses):
    assert addresses == returned_addresses(text, ["service@larkspur.example"])[0]


def test_our_own_address_in_a_bounce_is_not_the_one_that_failed():
    assert ["h.strand@gone.example"] == returned_addresses(
        BOUNCE + "From: service@larkspur.example", ["service@larkspur.example"]
    )[0]
