from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.learning import HABIT, CheckedPaper, taught
from postroom.reading.profiles import SenderProfile

ODD = """Hausbank am Markt
Kauf
ISIN DE0007164600
Stück 20
Kurs 100,00 EUR
Kurswert 2.000,00 EUR
Zwischenstand 2.100,00 EUR
Unterm Strich 2.117,30 EUR
Handelstag 13.03.2023
Valuta 15.03.2023
"""


def paper(text, **values):
    return CheckedPaper(typed(text), values)


def renamed(net, gross="3.000,00", count="30"):
    return ODD.replace("2.117,30", net).replace("2.000,00", gross).replace("Stück 20", f"Stück {count}")


def test_a_correction_teaches_the_label_beside_the_value_and_the_next_document_is_read_with_it():
    profile = taught(None, paper(ODD, net=Decimal("2117.30")), ["net"], [])

    (trade,) = extract(typed(renamed("3.217,45")), profile).trades

    assert {"unterm strich": "net"} == profile.labels
    assert Decimal("3217.45") == trade.net


def test_a_sender_s_own_label_counts_in_a_line_that_was_read_without_it_before():
    below = ODD.replace("Unterm Strich 2.117,30 EUR", "Unterm Strich\n2.117,30 EUR")
    before = extract(typed(below)).trades[0].net

    (trade,) = extract(typed(below), SenderProfile({"unterm strich": "net"})).trades

    assert Decimal("2117.30") == trade.net != before


@pytest.mark.parametrize(
    ("values", "changed"),
    [
        ({"quantity": Decimal("20")}, ["quantity"]),
        ({"net": Decimal("1.23")}, ["net"]),
        ({"fees": Decimal(0)}, ["fees"]),
        ({"net": Decimal("2117.30")}, []),
    ],
    ids=["read right already", "not in the document", "nothing", "not changed"],
)
def test_what_mends_nothing_teaches_nothing(values, changed):
    assert SenderProfile() == taught(None, paper(ODD, **values), changed, [])


def test_what_would_break_an_earlier_document_of_the_sender_is_not_kept():
    earlier = ODD.replace("Zwischenstand", "Endbetrag")
    assert Decimal("2100.00") == extract(typed(earlier)).trades[0].net

    lesson = paper(ODD, net=Decimal("2117.30"))

    assert {} == taught(None, lesson, ["net"], [paper(earlier, net=Decimal("2100.00"))]).labels


def test_a_bank_that_trades_on_its_value_day_is_remembered_only_after_several_documents():
    settled = date(2023, 3, 15)
    lesson = paper(ODD, trade_date=settled, settlement_date=settled)
    profile = None
    habits = []
    for _ in range(HABIT):
        profile = taught(profile, lesson, ["trade_date"], [])
        habits.append(profile.trades_on_settlement_day)

    assert [False] * (HABIT - 1) + [True] == habits
    assert settled == extract(typed(ODD), profile).trades[0].trade_date


def test_a_habit_that_an_earlier_document_does_not_have_is_none():
    settled, traded = date(2023, 3, 15), date(2023, 3, 13)
    lesson = paper(ODD, trade_date=settled)
    known = SenderProfile(moved_to_settlement=HABIT)

    assert not taught(known, lesson, ["trade_date"], [paper(ODD, trade_date=traded)]).trades_on_settlement_day


def test_a_profile_survives_being_stored():
    profile = SenderProfile({"a b": "gross", "c d": "fee"}, trades_on_settlement_day=True, moved_to_settlement=4)

    assert profile == SenderProfile.from_json(profile.as_json())


def test_a_stored_profile_with_unknown_fields_is_cut_to_what_is_known():
    assert SenderProfile({"a": "net"}) == SenderProfile.from_json({"labels": {"a": "net", "b": "nonsense"}, "more": 1})
