"""Amounts as people write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from postroom.doors.console import words


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Decimal("1234567.5"), "1,234,567.50"),
        (Decimal("1000"), "1,000.00"),
        (Decimal("1E+3"), "1,000.00"),
        (Decimal("-12.30"), "-12.30"),
        (Decimal("0.1234"), "0.1234"),
        (Decimal("99.90000"), "99.90"),
        (None, "–"),
    ],
)
def test_an_amount_has_its_zeros_and_its_groups(value, said):
    assert said == words.money(value)


@pytest.mark.parametrize(
    ("value", "said"),
    [(Decimal("1200"), "1,200"), (Decimal("1200.50"), "1,200.50"), (Decimal("0.12500"), "0.125"), (None, "–")],
)
def test_a_quantity_has_its_groups_and_no_more_decimals_than_it_needs(value, said):
    assert said == words.number(value)
