"""Domains that may speak for a client, and those that only look as if they did."""

from __future__ import annotations

import pytest

from postroom.nouns.errors import BadRequest
from postroom.rooms.clients.rules.domains import (
    clean_domain,
    disguise,
    keys_to_look_up,
    look_alike_keys,
    one_edit_apart,
    registered,
    speaking,
)

BOOK = ("acme.example", "borealis.example", "atelier-fontanel.example", "northwind.co.uk", "hsbc.example")


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("acme.example", ["acme.example"]),
        ("mail.acme.example", ["mail.acme.example", "acme.example"]),
        ("eu.mail.northwind.co.uk", ["eu.mail.northwind.co.uk", "mail.northwind.co.uk", "northwind.co.uk"]),
        ("gmail.com", []),
        ("GMX.AT", []),
        ("yahoo.co.jp", []),
        ("mail.web.de", []),
        ("docusign.net", []),
        ("eu.docusign.net", ["eu.docusign.net"]),  # its own part may be somebody's, the provider never is
        ("co.uk", []),
        ("localhost", []),
        ("", []),
    ],
)
def test_a_domain_speaks_up_to_what_somebody_registered_and_never_for_everybody(domain, expected):
    assert expected == speaking(domain)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme.Example", "acme.example"),
        (" @acme.example ", "acme.example"),
        ("bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_a_domain_is_kept_in_one_spelling(text, expected):
    assert expected == clean_domain(text)


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("gmail.com", "free-mail domain"),
        ("hotmail.fr", "free-mail domain"),
        ("stripe.com", "many share"),
        ("co.uk", "many share"),
        ("acme", "not a domain"),
        ("anna@acme.example", "not a domain"),
        ("acme .example", "not a domain"),
        ("", "not a domain"),
    ],
)
def test_what_cannot_speak_for_a_client_is_refused_with_the_reason(text, because):
    with pytest.raises(BadRequest, match=because):
        clean_domain(text)


@pytest.mark.parametrize(
    ("domain", "client"),
    [
        ("acme.example", None),
        ("mail.acme.example", None),
        ("acrne.example", "acme.example"),  # r and n
        ("acme.test", "acme.example"),  # another ending
        ("аcme.example".encode("idna").decode(), "acme.example"),  # a Cyrillic а
        ("xn--cme-1na.example", None),  # ácme without its a: "ácme" is another word than "cme"
        ("borea1is.example", "borealis.example"),  # a one
        ("boreaIis.example".lower(), "borealis.example"),  # a capital i
        ("borealiss.example", "borealis.example"),  # one more
        ("boralis.example", "borealis.example"),  # one less
        ("borelais.example", "borealis.example"),  # two swapped
        ("boreqlis.example", "borealis.example"),  # another one
        ("bor-ealis.example", "borealis.example"),
        ("b0realis-billing.test", "borealis.example"),
        ("borealis.example.login.test", "borealis.example"),
        ("secure-northwind.test", "northwind.co.uk"),
        ("northwindd.com", "northwind.co.uk"),
        ("hsbd.example", None),  # four letters: one other makes another word
        ("boracic.example", None),
        ("elsewhere.example", None),
    ],
)
def test_a_domain_that_is_dressed_up_as_a_clients_is_noticed(domain, client):
    asked = set(keys_to_look_up(domain))
    near = [each for each in BOOK if asked & set(look_alike_keys(each))]  # as the table is asked

    assert client == disguise(domain, near)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("borealis", "borealis", False),
        ("borealis", "boralis", True),
        ("boralis", "borealis", True),
        ("borealis", "borexlis", True),
        ("borealis", "borelais", True),
        ("borealis", "oberalis", False),
        ("borealis", "bolreais", False),
        ("acme", "acne", False),
    ],
)
def test_one_edit_is_a_letter_more_less_other_or_swapped(one, other, near):
    assert near == one_edit_apart(one, other) == one_edit_apart(other, one)


def test_what_was_registered_follows_the_public_suffixes():
    assert ["acme.co.uk", "acme.example", ""] == [registered(each) for each in ("a.acme.co.uk", "x.acme.example", "uk")]
