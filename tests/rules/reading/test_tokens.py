from __future__ import annotations

from decimal import Decimal

import pytest

from postroom.nouns.documents import DocumentText, TextPage, Word, typed
from postroom.reading.page.tokens import TokenKind, checks, tokenise


def tokens(text, *kinds):
    return tokenise(typed(text)).of(*(kinds or (TokenKind.NUMBER,)))


def values(text, *kinds):
    return [str(token.value) for token in tokens(text, *kinds)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kurswert 532,58- EUR", ["532.58"]),
        ("Total EUR -74'120.00", ["74120.00"]),
        ("Price: £638.5200", ["638.5200"]),
        ("Kauf 100Stk zu 5,5EUR", ["100", "5.5"]),
        ("Quantité 46 Cours 10,646 €", ["46", "10.646"]),
        ("Provision 2,5000 % vom Kurswert 1,25 EUR", ["1.25"]),
    ],
)
def test_numbers_are_found_beside_signs_units_and_currencies(text, expected):
    assert expected == values(text)


@pytest.mark.parametrize(
    "text",
    [
        "Auftrags-Nr.: 36338031-3.5.2017",
        "Rechnungsnummer W12345-0000001234/12",
        "Telefon 0848 0312",
        "IBAN DE89 3704 0044 0532 0130 00",
        "Beleg 202110040001291727155431625001",
        "Price +1 Consideration",
        "Artikel 2014/65/EU",
    ],
)
def test_references_telephones_and_accounts_are_no_numbers(text):
    assert [] == values(text)


def test_a_trailing_minus_a_leading_one_and_brackets_are_negative():
    assert [True, True, True, False] == [t.negative for t in tokens("5,00- -6,00 (7,00) 8,00")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 EUR 38,25\nKurswert EUR 382,50", [None, "EUR", "EUR"]),
        ("10 38,25 EUR 382,50 EUR", [None, "EUR", "EUR"]),
        ("2.5 €38.19 €95.48", [None, "EUR", "EUR"]),
        ("3 0.18 $683.10 AUD\nFee $9.50", [None, None, "AUD", "AUD"]),
    ],
)
def test_a_number_takes_the_currency_that_is_its_own(text, expected):
    assert expected == [token.currency for token in tokens(text)]


def test_letters_set_apart_become_words_and_numbers_again():
    text = tokenise(typed("K u r s w e r t : EUR 5 6 2 , 9 2\nG e s c h ä f t s t a g : 1 5 . 0 2 . 2 0 2 1"))

    assert ["562.92"] == [str(token.value) for token in text.of(TokenKind.NUMBER)]
    assert ["2021-02-15"] == [str(token.value) for token in text.of(TokenKind.DATE)]


def test_digits_parted_by_a_blank_are_one_number_only_where_that_is_the_habit():
    assert ["4978.30", "173"] == values("Net 4 978,30\nQuantité 173")
    assert ["3", "129.28", "387.84"] == values("3 129.28 CHF 387.84")


def test_a_version_is_no_date():
    assert [] == values("Program Version: 1.8.16", TokenKind.DATE)


@pytest.mark.parametrize(
    ("isin", "expected"), [("DE0007164600", True), ("US5949181045", True), ("DE0007164601", False)]
)
def test_the_check_digit_of_an_isin_is_checked(isin, expected):
    assert expected is checks(isin)


def test_words_on_one_height_are_one_line_whatever_order_they_come_in():
    words = (
        Word("9,90", 1, (200.0, 10.2, 220.0, 19.8)),
        Word("EUR", 1, (180.0, 10.0, 196.0, 20.0)),
        Word("Provision", 1, (10.0, 9.5, 60.0, 20.5)),
        Word("Kurswert", 1, (10.0, 24.0, 60.0, 34.0)),
    )

    text = tokenise(DocumentText((TextPage(1, 595.0, 842.0, words),)))

    assert ["Provision  EUR 9,90", "Kurswert"] == [line.text for line in text.lines]


def test_a_token_knows_its_page_and_box():
    (token,) = tokens("\nNet 12,50 EUR")

    assert (1, Decimal("12.50"), (24.0, 12.0, 54.0, 24.0)) == (token.page, token.value, token.box)


@pytest.mark.parametrize(
    "text",
    [
        "NIP PL6652201180",
        "PL6652201180",
        "VAT no. BE0403170701",
        "BTW-nr: BE 0403.170.701 / BTW BE0403170701",
        "IČ DPH: SK2020317068",
        "DIČ CZ7710043009",
        "Numéro de TVA (intracommunautaire) : BE0403170701",
    ],
)
def test_a_tax_number_is_no_isin_whatever_its_check_digit(text):
    assert [] == tokenise(typed(text)).of(TokenKind.ISIN)


@pytest.mark.parametrize("text", ["ISIN BE0003470755", "Tax lot 7 ISIN: BE0003470755", "PLPKO0000016", "SK1120005824"])
def test_an_isin_of_digits_stays_one(text):
    assert 1 == len(tokenise(typed(text)).of(TokenKind.ISIN))
