"""By what two documents may be in each other's way."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import Extraction, Invoice, Trade
from postroom.rooms.documents.rules.fingerprints import collisions, lock_numbers

TRADE = Trade(
    direction="BUY",
    trade_date=date(2026, 2, 4),
    quantity=Decimal(30),
    isin="DE0008404005",
    currency="EUR",
    net=Decimal("7000.10"),
)


def note(**changes) -> Extraction:
    return Extraction(type="contract_note", trades=(replace(TRADE, **changes),))


def bill(number: str) -> Extraction:
    return Extraction(type="invoice", invoice=Invoice(number=number))


@pytest.mark.parametrize(
    ("one", "other", "collide"),
    [
        (note(), note(), True),
        (note(), note(isin="de0008404005", quantity=Decimal("30.00")), True),
        (note(), note(net=Decimal("7000.11")), True),  # looks like it, with another amount
        (note(), note(trade_date=date(2026, 2, 5)), True),  # both could take one order
        (note(), note(quantity=Decimal(31)), False),
        (note(), note(direction="SELL"), False),
        (note(), note(isin="DE0007164600"), False),
        (note(isin=None, name="Allianz SE"), note(isin=None, name="ALLIANZ"), True),
        (bill("RE-2026/17"), bill("re 2026 17"), True),
        (bill("RE-2026/17"), bill("RE-2026/18"), False),
        (note(), bill("RE-2026/17"), False),
    ],
)
def test_what_may_be_the_same_collides(one, other, collide):
    assert collide is bool(set(collisions(one)) & set(collisions(other)))


def test_numbers_to_lock_by_come_sorted_and_once():
    numbers = lock_numbers(["b", "a", "b", "\ud800"])

    assert numbers == sorted(set(numbers))
    assert 3 == len(numbers)
