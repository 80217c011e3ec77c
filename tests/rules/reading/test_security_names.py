"""A security's name, or nothing."""

from __future__ import annotations

import pytest

from postroom.reading.entries.securities import names_a_security


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
        "CODICE",
        "Codice titolo",
        "AG",
        "12,50",
    ],
)
def test_where_it_was_traded_an_address_and_the_head_of_a_column_are_no_names(text):
    assert not names_a_security(text)
