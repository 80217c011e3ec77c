"""Names and codes in one spelling, however people write them."""

from __future__ import annotations

import pytest

from postroom.rooms.clients.rules.known import plain_address
from postroom.rooms.clients.rules.words import bare_subject, codes_in, is_marked, names_in, phrases_in, phrases_of_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ACME Industries GmbH", ["acme industries gmbh", "acme industries"]),
        ("Société Générale S.A.", ["societe generale sa", "societe generale"]),
        ("Smith & Sons Ltd.", ["smith and sons ltd", "smith and sons"]),
        ("The Harbour Company", ["the harbour company", "harbour"]),
        ("Group AG", ["group ag"]),
        ("Müller GmbH & Co. KG", ["muller gmbh and co kg", "muller"]),
        ("O'Neill Partners LLP", ["oneill partners llp", "oneill partners"]),
        ("EY", []),
        ("4711-0815", ["4711 0815"]),
    ],
)
def test_a_name_is_known_in_full_and_without_its_legal_form(name, expected):
    assert expected == phrases_of_name(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the contract of ACME Industries is", "acme industries"),
        ("Atelier Fontanel's rooms", "atelier"),
        ("für Société Générale", "societe generale"),
        ("Smith & Sons", "smith and sons"),
        ("Acme Industries GmbH, Berlin", "acme industries gmbh"),
    ],
)
def test_a_name_is_found_in_running_text(text, name):
    assert name in set(phrases_in(text, capital=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("about Kelton Energie GmbH, please", {"kelton energie gmbh"}),
        ("about Kelton Energie, please", {"kelton energie"}),
        ("about Kelton, please", {"kelton"}),
        ("Kelton Energie asks what Kelton said", {"kelton energie", "kelton"}),
        ("about kelton energie", set()),
        ("Kelton Kelton Energie", {"kelton", "kelton energie"}),
    ],
)
def test_of_a_name_within_a_longer_one_the_longer_is_meant(text, found):
    assert found == names_in(text, {"kelton", "kelton energie", "kelton energie gmbh"}, capital=True)


def test_running_text_offers_only_what_begins_like_a_name():
    assert "target" not in set(phrases_in("we hit the target", capital=True))
    assert "target" in set(phrases_in("we hit the target", capital=False))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Check-in [ACME-1042]", "ACME-1042"),
        ("re: acme-1042 please", "ACME-1042"),
        ("ACME-1042-2", "ACME-1042"),
        ("#BOR0311", "BOR0311"),
        ("Ref. FON/0007.", "FON/0007"),
        ("(BOR-0311)", "BOR-0311"),
        ("[BOREALIS] rooms", "BOREALIS"),
        ("for ACME please", "ACME"),
    ],
)
def test_a_code_is_found_as_people_write_it(text, code):
    assert code in set(codes_in(text))


@pytest.mark.parametrize("text", ["anna@acme-1042.example", "we meet at noon", "XACME-1042Y"])
def test_what_merely_contains_a_code_is_none(text):
    assert "ACME-1042" not in set(codes_in(text))


@pytest.mark.parametrize(
    ("code", "text", "marked"),
    [
        ("ACME-1042", "about acme-1042", True),
        ("ACME", "[ACME] rooms", True),
        ("ACME", "#acme", True),
        ("ACME", "for ACME", False),
    ],
)
def test_a_code_without_a_digit_counts_as_one_only_when_it_is_marked(code, text, marked):
    assert marked == is_marked(code, text)


@pytest.mark.parametrize(
    ("email", "plain"),
    [("Anna+news@Acme.Example", "anna@acme.example"), ("+x@a.example", "+x@a.example"), ("anna", "anna")],
)
def test_case_and_plus_addressing_make_no_other_person(email, plain):
    assert plain == plain_address(email)


def test_a_subject_of_nothing_but_prefixes_is_about_nothing():
    assert "" == bare_subject("Re: AW: Fwd: [ACME-1042] ")
