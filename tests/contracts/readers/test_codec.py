"""What a reading process answers, checked field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import Explanation, Extraction, Field, PrintedAmount, Trade
from postroom.outside.readers import codec


def test_an_extraction_comes_back_as_it_was():
    box = (1.0, 2.0, 3.0, 4.0)
    trade = Trade(
        direction="BUY",
        trade_date=date(2023, 3, 13),
        net=Decimal("12.50"),
        fields={"net": Field(Decimal("12.50"), 0.9, 1, box), "isin": Field("DE0007164600", 1.0)},
        explanation=Explanation(
            used=(PrintedAmount("net", Decimal("12.50"), "EUR", 1, box),), evidence={"filled": 1.0}
        ),
    )
    told = Extraction("contract_note", (trade,), auto_confirm=True, warnings=("one",))
    assert told == codec.decode(Extraction, codec.encode(told))


@dataclass
class Counted:
    by_name: Mapping[str, float]


@pytest.mark.parametrize(
    "odd",
    [
        *([[["a"]]], [[["a"], [1.0], []]], [[["a"], ["b"]]], [[[1], [1.0]]], [[["a"], [1.0, 2.0]]]),
        *([["ab", [1.0]]], [{"a": 1.0}], [[], []]),
    ],
)
def test_a_mapping_of_another_form_is_refused(odd):
    with pytest.raises(codec.NotOurs):
        codec.decode(Counted, odd)
