from __future__ import annotations

from datetime import date
from decimal import Decimal

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.profiles import SenderProfile, learn

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


def test_a_correction_teaches_the_label_beside_the_value():
    profile = learn(typed(ODD), {"net": Decimal("2117.30")})

    assert {"unterm strich": "net"} == profile.labels


def test_the_next_document_of_the_sender_is_read_with_it():
    profile = learn(typed(ODD), {"net": Decimal("2117.30")})
    again = ODD.replace("2.117,30", "3.217,45").replace("Stück 20", "Stück 30").replace("2.000,00", "3.000,00")

    (trade,) = extract(typed(again), profile).trades

    assert Decimal("3217.45") == trade.net


def test_a_label_that_is_known_already_is_not_learnt():
    assert {} == learn(typed(ODD), {"quantity": Decimal("20")}).labels


def test_a_value_that_is_not_in_the_document_teaches_nothing():
    assert SenderProfile() == learn(typed(ODD), {"net": Decimal("1.23")})


def test_a_label_above_its_column_is_learnt():
    text = "Kauf\nVorgang       Krimskrams\n12            4.711,00\n"

    assert {"krimskrams": "gross"} == learn(typed(text), {"gross": Decimal("4711.00")}).labels


def test_a_bank_that_trades_on_its_value_day_is_remembered():
    profile = learn(typed(ODD), {"trade_date": date(2023, 3, 15), "settlement_date": date(2023, 3, 15)})

    (trade,) = extract(typed(ODD), profile).trades

    assert date(2023, 3, 15) == trade.trade_date


def test_a_profile_survives_being_stored_and_merged():
    old, new = (
        SenderProfile({"a b": "net", "c d": "fee"}),
        SenderProfile({"a b": "gross"}, trades_on_settlement_day=True),
    )

    merged = SenderProfile.from_json(old.merged(new).as_json())

    assert SenderProfile({"a b": "gross", "c d": "fee"}, trades_on_settlement_day=True) == merged


def test_a_stored_profile_with_unknown_fields_is_cut_to_what_is_known():
    assert SenderProfile({"a": "net"}) == SenderProfile.from_json({"labels": {"a": "net", "b": "nonsense"}, "more": 1})
