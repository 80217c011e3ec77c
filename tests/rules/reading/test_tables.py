"""Rows of a table: the columns that the rows agree on, days without a year, and holdings before and after."""

from __future__ import annotations

from datetime import date

import pytest

from postroom.nouns.documents import plain, typed
from postroom.reading.extractor import extract
from postroom.reading.page import locale

FUNDS = """Musterfonds Depotservice
Umsatzübersicht per 30.06.2021
Beispiel Aktienfonds TF
ISIN: DE0008474511 Unterdepot: 00
Umsatzart Betrag EUR Preis je Anteil Anteile Buchungstag Abrechnungstag
Bestand am 31.03.2021 1.212,72 196,360000 6,176
Lastschrifteinzug 250,00 198,660000 +1,258 01.04.2021 01.04.2021
Lastschrifteinzug 250,00 199,490000 +1,253 15.04.2021 15.04.2021
Verkauf 1.549,55 230,040000 -6,736 04.05.2021 03.05.2021
Kauf 250,00 187,270000 +1,335 17.05.2021 17.05.2021
Bestand am 30.06.2021 628,91 190,000000 3,286
"""

ACTIVITY = """Maple Trust Performance Report
June 2020
Activity Qty Price Total
Jun 29 settled Jul 01 Sold 1.7993 of AAAA - Emerging Fund for 128.87 CAD -1.7993 $71.62 -$128.87
Jun 29 settled Jul 01 Sold 0.4814 of BBBB - Global Fund for 57.32 CAD -0.4814 $119.07 -$57.32
Jun 26 settled Jun 30 Bought 1.7200 of CCCC - Bond Fund for 28.76 CAD 1.7200 $16.72 $28.76
"""


def told(text: str) -> list[tuple[str | None, str, str | None, str, str | None]]:
    return [
        (trade.direction, str(trade.trade_date), plain(trade.quantity), str(trade.net), trade.currency)
        for trade in extract(typed(text)).trades
    ]


def test_rows_are_read_by_the_columns_they_agree_on_and_balances_are_left_out():
    assert [
        ("BUY", "2021-04-01", "1.258", "250.00", "EUR"),
        ("BUY", "2021-04-15", "1.253", "250.00", "EUR"),
        ("SELL", "2021-05-03", "6.736", "1549.55", "EUR"),
        ("BUY", "2021-05-17", "1.335", "250.00", "EUR"),
    ] == told(FUNDS)
    assert {"DE0008474511"} == {trade.isin for trade in extract(typed(FUNDS)).trades}


def test_days_without_a_year_take_it_from_the_document_and_the_dollar_its_name():
    assert [
        ("SELL", "2020-06-29", "1.7993", "128.87", "CAD"),
        ("SELL", "2020-06-29", "0.4814", "57.32", "CAD"),
        ("BUY", "2020-06-26", "1.72", "28.76", "CAD"),
    ] == told(ACTIVITY)


def test_a_day_of_january_in_a_report_of_the_turn_of_the_year_is_of_the_next_year():
    text = (
        ACTIVITY.replace("June 2020", "01/12/2020 - 31/01/2021").replace("Jun 26", "Jan 04").replace("Jun 29", "Dec 29")
    )

    assert ["2020-12-29", "2020-12-29", "2021-01-04"] == [day for _, day, *_ in told(text)]


@pytest.mark.parametrize(
    ("text", "dollar"),
    [("$5 and nothing else", "USD"), ("$5 CAD, 7 CAD, 1 USD", "CAD"), ("1 USD = $1.30 CAD", "USD")],
)
def test_a_bare_dollar_is_the_one_named_most(text, dollar):
    assert dollar == locale.dollar(text)


def test_what_a_holding_grew_by_is_the_quantity_and_what_was_held_is_not():
    text = """Beispielfonds Depotservice
Abrechnung Kauf aus Ertrag
Am 22.11.2010 lag ein Anteilbestand von 6,032 Anteilen zugrunde. Ausschüttung pro Anteil EUR 4,5600000
Bezeichnung: Beispielfonds Pazifik
ISIN: LU0052859252
Abrechnungstag: 22.11.2010
Wiederanlagebetrag EUR 27,51
Kaufpreis EUR 470,850000
Bestand alt: 6,032
Anteilumsatz: 0,058
Bestand neu: 6,090
"""
    (trade,) = extract(typed(text)).trades

    assert ("0.058", "27.51", date(2010, 11, 22)) == (plain(trade.quantity), str(trade.net), trade.trade_date)


def test_a_distribution_between_two_purchases_ends_the_one_and_begins_the_other():
    text = """Beispielbank Fondsdepot
Umsatzabrechnung
Kauf 40,00 EUR am 26.10.2023 in Depotposition 5.02
Beispiel Welt ETF
Buchungsdatum 27.10.2023
ISIN Anteile Abrechnungskurs Betrag
LU2572257124 0,533761 74,790000 EUR 39,92 EUR
Transaktionsentgelt 0,08 EUR
Zahlungsbetrag 40,00 EUR
Ausschüttung mit Bestandsdatum 11.12.2023 in Depotposition 5.02
Beispiel Welt ETF
ISIN Anteilsbestand Betrag je Anteil Betrag
LU2572257124 39,682032 1,680000000 EUR 66,67 EUR
Kapitalertragsteuer 17,90 EUR
Zahlungsbetrag 48,77 EUR
Wiederanlage 48,77 EUR am 19.12.2023 in Depotposition 5.02
Beispiel Welt ETF
Buchungsdatum 19.12.2023
ISIN Anteile Abrechnungskurs Betrag
LU2572257124 0,604172 80,722000 EUR 48,77 EUR
Zahlungsbetrag 48,77 EUR
"""
    assert [("0.533761", "40.00"), ("0.604172", "48.77")] == [(count, net) for _, _, count, net, _ in told(text)]


def test_a_fraction_is_the_count_and_dashes_are_empty_cells():
    text = """Activity report
Executed orders
Time Security ISIN Currency Order Side Quantity Price Value Type Rate Fee Tax Result Value
2026-01-13 13:45:41 CTPA US20030N1019 EUR 44853850736 Buy 0.04070231 25.06 1.02 Market 1 EUR - - - 1.02
2026-01-13 13:45:43 VFEM IE00B3VVMM84 EUR 44853850758 Buy 0.01522388 67 1.02 Market 1 EUR - - - 1.02
2026-01-13 13:45:44 UWST US94106L1098 EUR 44853850783 Sell 0.00543304 187.74 1.02 Market 1 EUR - - - 1.02
"""
    assert [
        ("BUY", "2026-01-13", "0.04070231", "1.02", "EUR"),
        ("BUY", "2026-01-13", "0.01522388", "1.02", "EUR"),
        ("SELL", "2026-01-13", "0.00543304", "1.02", "EUR"),
    ] == told(text)


LEDGER = """Beispielfonds Service
Abrechnung Nr. 4
Fonds: Beispiel Patrimoine ISIN: DE0008474511 Verwaltungsvergütung: 1,50 % p. a.
Buchungs-/ Umsatzart Betrag/EUR Ausgabe- Preis/EUR Anteile
Preisdatum aufschlag %
Vortrag vom 17.08.2017 37,188
18.09.2017
15.09.2017 Kauf 2.125,00
Anlage 2.125,00 2,00 113,451 18,730
17.10.2017
16.10.2017 Kauf 2.125,00
Anlage 2.125,00 2,00 113,891 18,658
Bestand am 17.10.2017 74,576
"""


def test_counts_between_two_holdings_are_those_that_make_the_difference():
    assert [
        ("BUY", "2017-09-15", "18.73", "2125.00", "EUR"),
        ("BUY", "2017-10-16", "18.658", "2125.00", "EUR"),
    ] == told(LEDGER)


def test_the_one_trade_of_a_statement_is_read_by_its_own_lines():
    head, _, rest = LEDGER.partition("17.10.2017\n")
    text = (
        head
        + rest.partition("\n")[2].partition("\n")[2].replace("74,576", "55,918")
        + (
            "Depotübersicht zum 18.09.2017\nFondsname Anteilbestand Rücknahmepreis Depotwert\n"
            "Beispiel Patrimoine 55,918 113,45 EUR 6.343,90 EUR\nGesamt-Depotwert 6.343,90 EUR\n"
        )
    )

    assert [("BUY", "2017-09-15", "18.73", "2125.00", "EUR")] == told(text)


ABROAD = """Fecha Hora Producto ISIN Bolsa Número Precio Valor local Valor cambio Costes Total
27-01-2021 20:55 APPLE INC. US0378331005 NDQ 9 141,70 USD -1.275,30 USD -1.053,79 EUR 1,209 -0,53 EUR -1.054,32 EUR
27-01-2021 20:54 INTEL CORP US4581401001 NDQ -48 28,00 USD 1.344,00 USD 1.108,34 EUR 1,2114 -0,66 EUR 1.107,68 EUR
Estado de cuenta 2021-01-27
"""


def test_rows_that_prove_themselves_are_trades_whatever_the_foot_of_the_page_calls_it():
    assert [("BUY", "2021-01-27", "9", "1054.32", "EUR"), ("SELL", "2021-01-27", "48", "1107.68", "EUR")] == told(
        ABROAD
    )
