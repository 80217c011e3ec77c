"""Labels that no lexicon holds: what stands around them tells what they name."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from postroom.nouns.documents import Extraction, typed
from postroom.reading.extractor import extract

NOTE = """Musterbank AG
Wertpapierabrechnung Kauf
Datum 18.03.2027
ISIN DE0007164600 Muster AG Inhaber-Aktien
Stück 20
Kurs 101,50 EUR
Kurswert 2.030,00 EUR
Provision 9,90 EUR
{day}
Ausmachender Betrag 2.039,90 EUR
Valuta 19.03.2027
"""


def read(text: str) -> Extraction:
    return extract(typed(text))


def test_a_day_under_an_unknown_name_is_the_trade_day_rather_than_the_letters():
    (trade,) = read(NOTE.format(day="Ravelin 17.03.2027")).trades

    assert trade.trade_date == date(2027, 3, 17)


def test_a_day_that_nothing_plainly_calls_the_trade_day_waits_for_a_person():
    named = read(NOTE.format(day="Schlusstag 17.03.2027 um 10:15 Uhr"))
    unnamed = read(NOTE.format(day="Ravelin 17.03.2027"))

    assert named.auto_confirm
    assert not unnamed.auto_confirm
    assert "trade day" in unnamed.because


def test_a_count_and_a_price_that_could_be_each_other_wait_for_a_person():
    named = NOTE.format(day="Schlusstag 17.03.2027 um 10:15 Uhr")
    unnamed = named.replace("Stück 20", "Ravelin 20,50").replace("Kurs 101,50", "Quonset 99,02")

    read_unnamed = read(unnamed.replace("2.030,00", "2.029,91").replace("2.039,90", "2.039,81"))

    assert read(named).auto_confirm
    assert not read_unnamed.auto_confirm
    assert "could be each other" in read_unnamed.because


def test_a_whole_count_beside_a_price_in_money_is_told_by_its_form():
    unnamed = NOTE.format(day="Schlusstag 17.03.2027 um 10:15 Uhr").replace("Stück 20", "Ravelin 20")

    answer = read(unnamed.replace("Kurs 101,50", "Quonset 101,50"))

    assert [Decimal(20)] == [trade.quantity for trade in answer.trades]
    assert "could be each other" not in answer.because


def test_a_trade_day_printed_once_is_believed_by_its_name_unless_a_fraction_was_bought_in_bulk():
    whole = NOTE.format(day="Schlusstag 17.03.2027")
    fraction = whole.replace("Stück 20", "Stück 20,5").replace("2.030,00", "2.080,75").replace("2.039,90", "2.090,65")

    assert read(whole).auto_confirm
    assert "trade day only once" in read(fraction).because


def test_an_isin_a_product_and_days_make_a_trade_in_words_that_nobody_knows():
    (trade,) = read("""Obdurex Wendigam
Felspra DE0007164600
Tamarill 20
Quonset 101,50 EUR
Ravelin 2.030,00 EUR
Obdurex 17.03.2027
""").trades

    assert (Decimal(20), Decimal("2030.00"), date(2027, 3, 17)) == (trade.quantity, trade.net, trade.trade_date)


def test_a_column_under_an_unknown_name_leaves_the_others_in_their_place():
    (trade,) = read("""Broker Ltd
Contract note: you bought
Trade date 09/03/2027
ISIN GB0002634946 Sample plc
Venue Tamarill Price Consideration
XLON 1,940.965 0.5573 1,081.70 GBP
Commission 1.50 GBP
Total debit 1,083.20 GBP
""").trades

    assert trade.quantity == Decimal("1940.965")
    assert trade.price == Decimal("0.5573")


def test_a_list_of_charges_ends_with_what_is_booked_even_if_nothing_calls_it_so():
    (trade,) = read("""Musterbank AG
Wertpapierabrechnung Verkauf
Schlusstag 12.10.2027
ISIN AU000000BHP4 Muster Ltd
Stück 1.000
Kurs 5,00 AUD
Kurswert 5.000,00 AUD
Devisenkurs 1,6000 3.125,00 EUR
Fremde Spesen -14,99 EUR
Eigene Spesen -6,42 EUR
Ravelin 3.103,59 EUR
""").trades

    assert (trade.net, trade.currency) == (Decimal("3103.59"), "EUR")


def test_labels_above_all_values_leave_an_amount_that_nothing_explains():
    answer = read("""Musterbank AG
Wertpapierabrechnung Kauf
Schlusstag 17.03.2027 um 10:15 Uhr
ISIN DE0007164600 Muster AG Inhaber-Aktien
Stück 20
Kurs 101,50 EUR
Kurswert 2.030,00 EUR
Quonset
Tamarill
9,90 EUR
2.039,95 EUR
Valuta 19.03.2027
""")

    assert not answer.auto_confirm
    assert "Nothing explains 2039.95" in answer.because


def test_purchases_that_a_sale_lists_for_the_tax_are_no_trades():
    trades = read("""Musterbank AG
Wertpapier Abrechnung Verkauf
Stück 500 MUSTER FONDS DE0005933931
Schlusstag 09.05.2023 09:44:22
Ausführungskurs 133,74 EUR
Kurswert 66.870,00 EUR
Provision 25,00- EUR
Ausmachender Betrag 66.845,00 EUR
Valuta 11.05.2023
Berücksichtigte Anschaffungsgeschäfte
Geschäft Auftragsnr. Ausführ.-tag Whr./St. Nennwert/Stück AS-Kosten Erlös Ergebnis
Kauf 4268995599 22.12.2021 Stück 200,0000 131,00 26.200,00 349,99
Kauf 5417583099 24.02.2022 Stück 300,0000 120,00 36.000,00 2.895,17
""").trades

    assert [(trade.quantity, trade.net) for trade in trades] == [(Decimal(500), Decimal("66845.00"))]
