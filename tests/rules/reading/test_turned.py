"""Values before their labels: on the same line, or in the line above."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import plain, typed
from postroom.reading.extractor import extract

LABELS = (
    ("20", "Stück"),
    ("100,00 EUR", "Kurs"),
    ("2.000,00 EUR", "Kurswert"),
    ("9,90 EUR", "Provision"),
    ("2,10 EUR", "Börsengebühr"),
    ("2.012,00 EUR", "Ausmachender Betrag"),
    ("13.03.2023", "Schlusstag"),
    ("15.03.2023", "Valuta"),
)
HEAD = "Hausbank am Markt\nWertpapierabrechnung Kauf\nSAP SE ISIN DE0007164600\n"


@pytest.mark.parametrize("between", [" ", "\n"], ids=["on one line", "in the line above"])
def test_a_value_before_its_label_is_read(between):
    extraction = extract(typed(HEAD + "\n".join(f"{value}{between}{label}" for value, label in LABELS)))

    (trade,) = extraction.trades
    assert ("20", "2012.00", "12.00", "2023-03-13", "2023-03-15") == (
        plain(trade.quantity), str(trade.net), str(trade.fees), str(trade.trade_date), str(trade.settlement_date),
    )  # fmt: skip


def test_a_label_with_its_value_below_keeps_it_though_a_value_stands_above():
    text = HEAD + "\n".join(f"{label}\n{value}" for value, label in LABELS)

    (trade,) = extract(typed(text)).trades
    assert ("20", "2012.00", "2023-03-13") == (plain(trade.quantity), str(trade.net), str(trade.trade_date))


def test_a_share_before_the_word_for_a_charge_is_not_the_charge():
    text = HEAD + "Stück 20\nKurs 100,00 EUR\nKurswert 2.000,00 EUR\n0,50 % Provision\n10,00 EUR\n"
    text += "Ausmachender Betrag 2.010,00 EUR\nSchlusstag 13.03.2023\nValuta 15.03.2023\n"

    (trade,) = extract(typed(text)).trades
    assert ("10.00", "2010.00") == (str(trade.fees), str(trade.net))
