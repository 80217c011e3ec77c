"""A security's name, or nothing."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.entries.securities import names_a_security
from postroom.reading.extractor import extract


@pytest.mark.parametrize(
    "text",
    [
        "Apple Inc.",
        "Nestlé SA",
        "London Stock Exchange Group plc",
        "Deutsche Börse AG",
        "iShares Core MSCI World UCITS ETF",
        "Siemens",
        "Euronext NV",
        "3M Co.",
    ],
)
def test_a_name_is_kept(text):
    assert names_a_security(text)


@pytest.mark.parametrize(
    "text",
    [
        "SIX Swiss Exchange",
        "Börse Stuttgart",
        "XETRA",
        "Borsa Italiana MTA",
        "Bahnhofstrasse Zürich",
        "12 Threadneedle Street London",
        "Via Monte Napoleone Milano",
        "dealing@arbor.example",
        "Gattung",
        "CODICE",
        "Codice titolo",
        "AG",
        "12,50",
    ],
)
def test_where_it_was_traded_an_address_and_the_head_of_a_column_are_no_names(text):
    assert not names_a_security(text)


@pytest.mark.parametrize("label", ["Gattung", "Gattungsbezeichnung:", "Bezeichnung", "Name"])
def test_a_label_before_the_name_is_none_of_it(label):
    paper = (
        "Wertpapierabrechnung Kauf\nStück 20\n"
        f"{label} Allianz SE vink.Namens-Aktien o.N.\nISIN DE0008404005\n"
        "Kurs 100,00 EUR\nKurswert 2.000,00 EUR\nAusmachender Betrag 2.000,00 EUR\nSchlusstag 13.03.2023\n"
    )
    (trade,) = extract(typed(paper)).trades

    assert "Allianz SE vink.Namens-Aktien o.N" == trade.name
