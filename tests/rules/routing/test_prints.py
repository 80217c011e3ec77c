"""What makes two papers tell of one trade, or be one invoice."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from postroom.nouns.documents import Booking, BrokenFile, Extraction, Invoice, Trade
from postroom.rooms.documents.agent import believable
from postroom.rooms.documents.rules.fingerprints import (
    booking_fingerprint,
    instances,
    invoice_fingerprint,
    trade_fingerprint,
    trade_key,
)

TRADE = Trade("BUY", date(2026, 2, 4), None, Decimal(100), "US0378331005", "AAPL", "Apple Inc.", net=Decimal("18760"))
TRADE = replace(TRADE, currency="USD")
INVOICE = Invoice(number="R-2026/17", issue_date=date(2026, 2, 4), currency="EUR", grand_total=Decimal("119.00"))


@pytest.mark.parametrize(
    "change",
    [
        {"quantity": Decimal("100.00")},
        {"net": Decimal("18760.00")},
        {"isin": "us0378331005"},
        {"name": "APPLE INC. COMMON STOCK"},
        {"ticker": None},
        {"settlement_date": date(2026, 2, 6)},
        {"fees": Decimal("9.99")},
        {"price": Decimal("187.5")},
        {"confidence": 0.1},
    ],
)
def test_what_differs_between_papers_of_one_trade_does_not_change_its_print(change):
    assert trade_fingerprint(TRADE) == trade_fingerprint(replace(TRADE, **change))


@pytest.mark.parametrize(
    "change",
    [
        {"quantity": Decimal(101)},
        {"net": Decimal("18760.01")},
        {"direction": "SELL"},
        {"isin": "DE0008404005"},
        {"trade_date": date(2026, 2, 5)},
        {"currency": "EUR"},
    ],
)
def test_another_trade_has_another_print(change):
    assert trade_fingerprint(TRADE) != trade_fingerprint(replace(TRADE, **change))


@pytest.mark.parametrize("name", ["quantity", "net", "direction", "trade_date", "currency"])
def test_without_all_its_parts_a_trade_has_no_print(name):
    assert trade_fingerprint(replace(TRADE, **{name: None})) is None


def test_equal_rows_of_one_document_are_counted():
    assert [1, 1, 2, 1, 3] == instances(["a", "b", "a", None, "a"])


def test_invoice_numbers_are_compared_by_their_letters_and_digits():
    assert invoice_fingerprint(INVOICE) == invoice_fingerprint(replace(INVOICE, number="r 2026-17"))
    assert invoice_fingerprint(INVOICE) != invoice_fingerprint(replace(INVOICE, number="R-2026/18"))
    assert invoice_fingerprint(replace(INVOICE, number="--")) is None


def test_the_trade_key_names_user_day_ticker_side_and_quantity():
    assert "ldeburna-20260204-AAPL-BUY-100" == trade_key("ldeburna", TRADE)
    assert "ldeburna-20260204-US0378331005-BUY-100" == trade_key("ldeburna", replace(TRADE, ticker=None))
    assert trade_key("ldeburna", replace(TRADE, quantity=None)) is None


@given(st.decimals(min_value=1, max_value=10**9, places=4), st.integers(min_value=0, max_value=6))
def test_zeros_at_the_end_never_matter(net, places):
    padded = Decimal(f"{net:f}" + "0" * places)

    assert trade_fingerprint(replace(TRADE, net=net)) == trade_fingerprint(replace(TRADE, net=padded))


def dividend(**values):
    held = {"isin": "DE0007164600", "name": "SAP SE", "pay_date": date(2026, 5, 20), "ex_date": date(2026, 5, 18)}
    held |= {"quantity": Decimal(40), "gross": Decimal("94.00"), "taxes": Decimal("24.79"), "net": Decimal("69.21")}
    return Booking("dividend", {**held, "currency": "EUR", **values})


@pytest.mark.parametrize(
    "other", [{"name": "SAP"}, {"ex_date": None}, {"taxes": None, "gross": None}, {"fees": Decimal(0)}]
)
def test_a_dividend_is_the_same_on_another_paper_that_prints_less_or_more(other):
    assert booking_fingerprint(dividend()) == booking_fingerprint(dividend(**other))


@pytest.mark.parametrize(
    "other", [{"net": Decimal("69.20")}, {"pay_date": date(2026, 5, 21)}, {"isin": "DE0008404005"}]
)
def test_another_payment_is_another_dividend(other):
    assert booking_fingerprint(dividend()) != booking_fingerprint(dividend(**other))


def test_a_damaged_file_that_tells_of_a_dividend_is_believed():
    read = Extraction(type="other", entries=(dividend(),))

    assert read is believable(read, damaged=True)
    with pytest.raises(BrokenFile):
        believable(Extraction(type="other"), damaged=True)
