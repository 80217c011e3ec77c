"""Forms that say a thing in a way of their own: each was read wrongly once."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.page.tokens import TokenKind, tokenise

STACK = """AVIS D'OPERE
Sens
Code valeur
Date de négociation
Heure
Quantité exécutée
Cours d'exécution
Montant brut
Frais de courtage
Montant net
ACHAT
FR0011871128
12 03 2024
15h42
130
33,415
4 343,95
15,20
4 359,15
Devise : EUR
Le montant net est porté au débit de votre compte.
"""
LETTERED = """CONTRACT NOTE
Trade Date 07/06/2024
Settlement Date 10/06/2024
Trade No. Trade Time Security Buy(B) / Sell(S) Quantity Price (Rs.) Total (Rs.)
31887420 14:48:05 HDFC BANK LTD / INE040A01034 {letter} 120 1573.10 188772.00
Brokerage 1038.25
Net Amount 187733.75
"""
BILLED = """Oakfield Brokerage, Inc.
TRADE CONFIRMATION
Transaction date: September 12, 2023
Settlement date: September 14, 2023
Transaction type Quantity Symbol Description Price Gross amount
BOUGHT 300 XEQT ALL EQUITY PORTFOLIO UNITS 28.7400 8,622.00
Commission 1.05
Net amount CAD 8,623.05
Exchange: TSX Ticket # 0098451
"""
REPAID = """Rückzahlung infolge Endverfall
Bestand am Stichtag: CHF 15'000 nominal
0.75% Anleihe Pfandbriefzentrale 2014-2024 Serie 441
Valor 25580146 / ISIN CH0255801463
Rückzahlungspreis 100.00%
Fälligkeit 04.10.2024
Gutschrift CHF 15'000.00
"""
ASIDE = """Börse Kauf
Abschluss 12.09.2024 16:04:55
30 Registered Shs NVIDIA Corp ISIN US67066G1040
Ausführungspreis USD 118.87
Transaktionswert USD 3'566.10
Courtage USD 60.62
Belastung Valuta 16.09.2024 USD 3'626.72
Zur Information: Gegenwert CHF 3'092.50 (Devisenkurs USD/CHF 0.8527)
"""
GIVEN = """Kaufabrechnung
Wien, 28. Februar 2024
gerne bestätigen wir Ihnen die Ausführung Ihres Auftrages vom 26.02.2024.
Gekauft am 27.02.2024
ISIN AT0000779731
Anzahl 210 Stück
Preis 143,62 EUR
Gegenwert EUR 30.160,20
Ausgabeaufschlag 1,00 % EUR 301,60
Belastungsbetrag EUR 30.461,80
Valuta 29.02.2024
"""
PAID_OUT = """Harbour Funds plc
{title}
ISIN IE00B4L5Y983
Units 20
Amount per unit 2.00 EUR
Gross amount 40.00 EUR
Tax 10.00 EUR
Net amount 30.00 EUR
Payment date 16/05/2023

{small_print}
"""


def only(text):
    (trade,) = extract(typed(text)).trades
    return trade


def test_labels_may_all_stand_above_their_values_line_for_line():
    trade = only(STACK)
    assert (date(2024, 3, 12), Decimal("130"), Decimal("33.415")) == (trade.trade_date, trade.quantity, trade.price)
    assert (Decimal("4343.95"), Decimal("15.20"), Decimal("4359.15")) == (trade.gross, trade.fees, trade.net)


def test_a_letter_alone_says_bought_or_sold_where_the_header_explains_it():
    assert ["BUY", "SELL"] == [only(LETTERED.format(letter=letter)).direction for letter in "BS"]
    assert only(LETTERED.format(letter="S")).currency == "INR"


def test_a_paper_titled_as_a_contract_note_is_no_bill_for_its_ticket():
    trade = only(BILLED)
    assert ("BUY", Decimal("300"), Decimal("8623.05"), "CAD") == (
        trade.direction, trade.quantity, trade.net, trade.currency,
    )  # fmt: skip


def test_what_is_held_of_a_bond_is_told_in_money_and_a_series_counts_nothing():
    assert Decimal("15000") == only(REPAID).quantity


def test_what_is_told_for_information_is_not_what_was_booked():
    trade = only(ASIDE)
    assert (Decimal("3626.72"), "USD") == (trade.net, trade.currency)


def test_the_day_behind_an_order_is_the_orders_whatever_was_done_with_it():
    assert only(GIVEN).trade_date == date(2024, 2, 27)


@pytest.mark.parametrize("title", ["Fund distribution", "Dividend", "Distribution notice"])
@pytest.mark.parametrize(
    "small_print",
    ["Gains from the sale of units are taxable.", "Redemption of units at year end is possible.", "Sale of fractions"],
)
def test_a_paper_titled_as_a_distribution_is_never_posted_as_a_trade_unseen(title, small_print):
    assert not extract(typed(PAID_OUT.format(title=title, small_print=small_print))).auto_confirm


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Affärsdag 20240312", date(2024, 3, 12)),
        ("Handelsdatum: 20240312", date(2024, 3, 12)),
        ("Notanummer 20240312", None),
        ("Konto 20241512", None),
        ("Luxembourg, le 15 02 2024", date(2024, 2, 15)),
        ("Tel 04 12 2024 11", None),
        ("10 12 2024 am 05.03.2024", date(2024, 3, 5)),
    ],
)
def test_days_without_marks_are_read_where_nothing_else_fits(text, expected):
    days = [token.day for token in tokenise(typed(text)).of(TokenKind.DATE)]
    assert days == ([expected] if expected else [])


@pytest.mark.parametrize(
    "text", ["le 12/03/2024 à 15h42", "12/03/2024 15 h 42", "12-03-2024 09.31 uur", "12.3.2024 klo 10.12"]
)
def test_times_are_told_with_other_marks_too(text):
    assert [TokenKind.DATE, TokenKind.TIME] == [token.kind for token in tokenise(typed(text)).lines[0].tokens]
