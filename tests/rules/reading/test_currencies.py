"""Whose dollar it is, which currency a net amount without one is in, and what follows an exchange."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.page.locale import dollar


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ABN 12 345 678 901 Total $10.00", "AUD"),
        ("Toronto, Ontario Total $10.00", "CAD"),
        ("Member SIPC Toronto Total $10.00", "USD"),
        ("ABN 1 Total USD 10.00 $10.00", "USD"),
        ("Total $10.00", "USD"),
    ],
)
def test_a_bare_dollar_is_the_one_of_the_land_a_paper_comes_from(text, code):
    assert code == dollar(text)


def test_a_currency_by_itself_counts_before_one_of_an_amount_below():
    text = """Venta de acciones
Fecha operación 12/03/2024
IBERDROLA ES0144580Y14
Títulos 40
Precio 10,50
Importe bruto 420,00
Comisión 5,00
Importe líquido 415,00
Divisa: EUR
Equivale a 451,20 USD
"""

    assert ["EUR"] == [trade.currency for trade in extract(typed(text)).trades]


def test_a_charge_after_an_exchange_leads_on_from_a_total_before_it():
    text = """Sale confirmation
Trade date 12 March 2024
Muster Corp US5949181045
Quantity 7
Price 424.60 USD
Trade amount 2,972.20 USD
Commission 2.00 USD
Net amount (USD) 2,970.20 USD
Exchange rate 1.0850
FX commission 1.96 EUR
Net amount (EUR) 2,735.55 EUR
"""

    assert [("2735.55", "EUR")] == [(str(trade.net), trade.currency) for trade in extract(typed(text)).trades]
