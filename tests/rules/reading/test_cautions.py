"""Papers whose sums hold and that a person must see all the same, for what stands around the entry."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract

BOUGHT = """Nordwind Bank plc, 12 Harbour Street, London
CONTRACT NOTE                        No. 884211
We have BOUGHT for your account
Security            Siemens AG registered shares
ISIN                DE0007236101
Trade date          12.03.2026   14:05:11
Value date          16.03.2026
Quantity            100
Price               180.50 EUR
Gross amount        18,050.00 EUR
Commission              25.00 EUR
Stamp duty              10.00 EUR
Net amount debited  18,085.00 EUR
"""
VERKAUFT = """Musterbank AG
Wertpapierabrechnung Verkauf
Wertpapier      Siemens AG Namensaktien
ISIN            DE0007236101
Schlusstag      12.03.2026
Valuta          16.03.2026
Stück           100
Kurs            180,50 EUR
Kurswert        18.050,00 EUR
Provision           25,00 EUR
Ausmachender Betrag 18.025,00 EUR
"""
ACHETE = """Banque du Nord SA
AVIS D'OPERATION - ACHAT
Valeur       Siemens AG
Code ISIN    DE0007236101
Date d'opération  12/03/2026
Date de valeur    16/03/2026
Quantité     100
Cours        180,50 EUR
Montant brut 18 050,00 EUR
Frais de courtage 25,00 EUR
Montant net débité  18 075,00 EUR
"""
TITLE, TITEL, TITRE = "CONTRACT NOTE ", "Wertpapierabrechnung Verkauf", "AVIS D'OPERATION - ACHAT"


@pytest.mark.parametrize("paper", [BOUGHT, VERKAUFT, ACHETE], ids=["English", "German", "French"])
def test_a_note_that_nothing_speaks_against_needs_nobody(paper):
    assert extract(typed(paper)).auto_confirm


@pytest.mark.parametrize(
    ("paper", "said"),
    [
        (BOUGHT.replace(TITLE, "CANCELLATION OF CONTRACT NOTE "), "CANCELLATION"),
        (BOUGHT.replace(TITLE, "CONTRACT NOTE CANCELLED "), "CANCELLED"),
        (BOUGHT.replace(TITLE, "REVERSAL OF CONTRACT NOTE "), "REVERSAL"),
        (BOUGHT.replace(TITLE, "CORRECTED CONTRACT NOTE (replaces No. 884210)"), "CORRECTED CONTRACT NOTE"),
        (BOUGHT + "This contract note cancels our contract note No. 884210. Please disregard it.\n", "cancels our"),
        (VERKAUFT.replace(TITEL, f"STORNO der {TITEL}"), "STORNO"),
        (VERKAUFT.replace(TITEL, f"Stornierung einer Wertpapierabrechnung: {TITEL}"), "Stornierung"),
        (ACHETE.replace(TITRE, "ANNULATION D'OPERATION - ACHAT"), "ANNULATION"),
        (BOUGHT.replace(TITLE, "ORDER CONFIRMATION "), "ORDER CONFIRMATION"),
        (BOUGHT.replace("We have BOUGHT", "We have received your order to BUY. It is not yet executed."), "not yet"),
        (BOUGHT.replace(TITLE, "COST ESTIMATE "), "COST ESTIMATE"),
        (BOUGHT.replace(TITLE, "EX-ANTE COST INFORMATION "), "EX-ANTE"),
        (BOUGHT.replace(TITLE, "SPECIMEN - NOT A CONTRACT NOTE "), "SPECIMEN"),
        (VERKAUFT.replace(TITEL, "Auftragsbestätigung Verkauf (noch nicht ausgeführt)"), "Auftragsbestätigung"),
    ],
)
def test_what_was_called_off_or_not_yet_done_is_a_person_s(paper, said):
    read = extract(typed(paper))

    assert not read.auto_confirm
    assert f"It says “{said}" in read.because


@pytest.mark.parametrize(
    "paper",
    [
        BOUGHT + "Cancellation policy\nOrder number 4711\nYour order was executed in full.\n",
        BOUGHT + "Please read our terms on cancellation, which you find on our pages under the heading legal notes.\n",
        VERKAUFT + "Eine Stornierung ist ausgeschlossen.\nStornierung ist ausgeschlossen.\n",
        VERKAUFT
        + "Bitte prüfen Sie diese Auftragsbestätigung/Abrechnung auf Richtigkeit und Vollständigkeit sofort.\n",
    ],
)
def test_small_print_about_cancelling_stops_nothing(paper):
    assert extract(typed(paper)).auto_confirm


@pytest.mark.parametrize(
    "paper",
    [
        """Nordwind Bank plc
Statement of holdings as of 31.03.2026
Security            ISIN            Quantity   Price    Currency   Value
Siemens AG          DE0007236101    100        180.50   EUR        18,050.00
Purchase date 12.03.2026
Total value                                            EUR        18,050.00
""",
        """Nordwind Bank plc
Securities account statement as of 31.12.2025
Quantity   Security                     Price          Market value
100        Siemens AG DE0007236101      180.50 EUR     18,050.00 EUR
Last purchase 12.03.2025
Total portfolio                                        18,050.00 EUR
""",
    ],
)
def test_a_list_of_what_is_held_is_no_purchase(paper):
    read = extract(typed(paper))

    assert not read.auto_confirm
    assert "a list of what is held is no trade" in read.because


@pytest.mark.parametrize("printed", ["12th of March", "12 . 03 . 2026", "12-Mar", "32.03.2026", "see overleaf"])
def test_a_trade_day_that_cannot_be_read_is_a_person_s(printed):
    read = extract(typed(BOUGHT.replace("12.03.2026   14:05:11", printed)))

    assert not read.auto_confirm
    assert "It prints “Trade date”, but no day that can be read beside it." == read.because


@pytest.mark.parametrize(
    ("below", "because"),
    [
        ("Booked on account CHF 15,914.80", "It names an account in CHF, but the net amount is in USD."),
        ("Charged to account CHF 15,914.80", "It names an account in CHF, but the net amount is in USD."),
        ("Settlement account  4711 in CHF", "It names an account in CHF, but the net amount is in USD."),
        ("It will be debited from your CHF account.", "It names an account in CHF, but the net amount is in USD."),
        ("Countervalue CHF 15,914.80", "Below the net amount it prints 15,914.80 CHF, which no rate explains."),
        ("Equivalent CHF 15,914.80", "Below the net amount it prints 15,914.80 CHF, which no rate explains."),
    ],
)
def test_an_account_in_another_currency_is_a_person_s(below, because):
    dollars = BOUGHT.replace("EUR", "USD").replace("Net amount debited", "Net amount")

    assert extract(typed(dollars)).auto_confirm
    assert (False, because) == ((read := extract(typed(dollars + below + "\n"))).auto_confirm, read.because)


NET = "Commission              25.00 EUR\nStamp duty              10.00 EUR\nNet amount debited  18,085.00 EUR"


@pytest.mark.parametrize(
    ("below", "because"),
    [
        ("Withholding tax  1,200.00 EUR\nTotal tax 1,200.00 EUR", "The sums have no place for 1200 EUR, called a tax"),
        ("Commission  25.00 EUR\nStamp duty 10.00 EUR", "The sums have no place for 25 EUR, called a fee"),
        (
            "Service remuneration 35.00 EUR\nWill be booked 18,085.00 EUR",
            "Nothing explains 18,085.00, which is the net",
        ),
        ("Handling 35.00 EUR\nCharged in EUR 18,085.00 EUR", "Nothing explains 18,085.00, which is the net amount and"),
    ],
)
def test_a_charge_or_tax_right_below_the_net_amount_is_a_person_s(below, because):
    read = extract(typed(BOUGHT.replace(NET, f"Net amount 18,050.00 EUR\n{below}")))

    assert not read.auto_confirm
    assert because in read.because


def test_taxes_of_the_year_further_below_stop_nothing():
    year = "Steuern im laufenden Jahr\n" + "\n" * 3 + "Hinweis A\nHinweis B\nHinweis C\nHinweis D\nHinweis E\n"

    assert extract(typed(f"{VERKAUFT}{year}Kapitalertragsteuer 1.200,00 EUR\n")).auto_confirm


ALONE = BOUGHT.replace(NET, "Net amount debited  18,050.00 EUR")


@pytest.mark.parametrize(
    ("more", "because"),
    [
        (ALONE.replace("12.03", "13.03").replace("16.03", "17.03"), "It calls two different days the trade day."),
        (ALONE.replace("14:05:11", "15:11:40").replace("884211", "884212"), "It tells 2 times of trade."),
        (
            "We have also BOUGHT for your account 50 SAP SE, price 200.00 EUR, 10,000.00 EUR.\n",
            "It also tells of 50 × 200 = 10000.",
        ),
    ],
    ids=["another day", "another time", "in a sentence"],
)
def test_a_second_trade_beside_the_one_that_was_read_is_a_person_s(more, because):
    assert extract(typed(ALONE)).auto_confirm
    assert (False, because) == ((read := extract(typed(ALONE + more))).auto_confirm, read.because)


def test_a_copy_of_the_same_note_behind_it_stops_nothing():
    assert extract(typed(ALONE + ALONE)).auto_confirm
