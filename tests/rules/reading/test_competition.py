"""Papers that a word would make something else, and what makes them trades all the same."""

from __future__ import annotations

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract


def test_units_given_back_are_sold_on_a_day_that_is_named():
    text = """Terugbetaling van fondsen
Datum netto-inventariswaarde 12/03/2024
Fonds Wereld C Cap BE0946564383
Aantal 10,5
NIW 200,00 EUR
Brutobedrag 2.100,00 EUR
Netto te ontvangen 2.100,00 EUR
Valuta 15/03/2024
"""

    assert ["2024-03-12"] == [str(trade.trade_date) for trade in extract(typed(text)).trades]


def test_a_confirmation_of_an_order_that_names_the_minute_of_its_execution_is_shown():
    text = """Orderbestätigung
Du hast gekauft
0,5 Muster SE
ISIN DE0007164600
Preis pro Einheit 120,50 €
Zeitpunkt der Ausführung 12.03.2024 10:15:22
Gesamtbetrag 60,25 €
"""
    extraction = extract(typed(text))

    assert (["60.25"], False) == ([str(trade.net) for trade in extraction.trades], extraction.auto_confirm)


def test_labels_far_above_their_values_do_not_make_a_sale_a_statement():
    text = """Bank am Hang
Verkauf
Wir haben am 12.03.2024 an der Börse verkauft
Anzahl
Titel
Kennnummer
Preis
Uhrzeit
20
Namenaktien Muster AG
CH0012032048
CHF 251.90
16:02:48
Kurswert CHF 5'038.00
Kommission CHF -38.00
Gutschrift CHF 5'000.00
Valuta 14.03.2024 zugunsten Kontokorrent CHF
"""

    assert ["5000.00"] == [str(trade.net) for trade in extract(typed(text)).trades]
