from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.learning import CheckedPaper, misread, taught
from postroom.reading.profiles import OVERRULING, DroppedLesson, Lesson, SenderProfile

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


READ_RIGHT = {"settlement_date": date(2023, 3, 15), "trade_date": date(2023, 3, 13)}


def paper(text, called="one", **values):
    return CheckedPaper(typed(text), values, id=called)


def renamed(net, gross="3.000,00", count="30"):
    return ODD.replace("2.117,30", net).replace("2.000,00", gross).replace("Stück 20", f"Stück {count}")


def after(*papers, changed, earlier=(), profile=None):
    """The profile after all of these were confirmed one after the other."""
    for place, one in enumerate(papers):
        profile = taught(profile, one, changed, [*earlier, *papers[:place]])
    return profile


def noted(number, net="2117.30"):
    return paper(ODD.replace("2.117,30", net.replace(".", ",")), f"{number}", net=Decimal(net))


def learnt_net():
    return after(noted(1), noted(2, "2118.40"), changed=["net"])


def test_one_correction_alone_changes_nothing_and_two_teach_the_label_beside_the_value():
    once, twice = after(noted(1), changed=["net"]), learnt_net()

    (trade,) = extract(typed(renamed("3.217,45")), twice).trades

    assert ({}, {"unterm strich": "net"}) == (once.labels, twice.labels)
    assert extract(typed(ODD)).trades[0].net == extract(typed(ODD), once).trades[0].net != Decimal("2117.30")
    assert Decimal("3217.45") == trade.net


def test_the_same_document_twice_is_one_document():
    assert {} == after(noted(1), noted(1), changed=["net"]).labels


def test_a_document_found_right_where_the_word_stands_beside_the_value_agrees():
    plain = paper(
        ODD.replace("Zwischenstand 2.100,00 EUR\n", "").replace("2.117,30", "2.000,00"), "old", net=Decimal(2000)
    )
    assert frozenset() == misread(plain, None)

    assert {"unterm strich": "net"} == after(noted(1), changed=["net"], earlier=[plain]).labels
    assert {} == after(noted(1), changed=["net"], earlier=[replace(plain, by_person=False)]).labels


def test_what_was_read_with_a_lesson_and_merely_confirmed_is_no_evidence_for_it():
    known = learnt_net()

    assert known == taught(known, noted(3, "2119.50"), [], [])


def test_a_document_that_was_misled_and_corrected_drops_the_lesson_at_once():
    other = ODD.replace("Kurswert 2.000,00", "Endbetrag 2.100,00 EUR\nKurswert 2.000,00").replace(
        "Zwischenstand 2.100,00 EUR\n", ""
    )
    misled = paper(other, "four", net=Decimal("2100.00"))
    assert {"net"} == misread(misled, learnt_net()) != misread(misled, None)

    dropped = taught(learnt_net(), misled, ["net"], [])

    assert ({}, (DroppedLesson("net", "unterm strich", "four"),)) == (dropped.labels, dropped.dropped)
    assert {} == after(noted(5), noted(6, "2118.40"), changed=["net"], profile=dropped).labels
    assert {} != after(noted(5), noted(6, "2118.40"), noted(7, "2119.10"), changed=["net"], profile=dropped).labels


def slip(number):
    """A settlement day that a person corrects to the trade day, where the page plainly prints both."""
    return paper(ODD, f"{number}", settlement_date=date(2023, 3, 13))


def test_a_slip_against_a_printed_label_changes_nothing_and_the_next_right_document_ends_it():
    once = after(slip(1), changed=["settlement_date"])
    assert ({}, True) == (once.labels, bool(once.lessons))
    assert {} == after(slip(1), slip(2), changed=["settlement_date"]).labels

    assert SenderProfile() == taught(once, paper(ODD, "next", **READ_RIGHT), [], [])


def test_a_slip_is_not_even_noticed_where_earlier_documents_say_otherwise():
    assert SenderProfile() == after(slip(1), changed=["settlement_date"], earlier=[paper(ODD, "old", **READ_RIGHT)])


def test_a_document_that_is_taken_back_takes_back_what_rests_on_it():
    assert {} == learnt_net().without("2").labels
    assert SenderProfile() == learnt_net().without("2").without("1")


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

    known = after(noted(1), noted(2), changed=["net"], earlier=[paper(earlier, "old", net=Decimal("2100.00"))])

    assert {} == known.labels


def settled(number):
    return paper(ODD, f"{number}", trade_date=READ_RIGHT["settlement_date"])


def test_a_bank_that_trades_on_its_value_day_is_remembered_only_after_several_documents():
    several = [settled(number) for number in range(OVERRULING)]
    habits = [after(*several[: count + 1], changed=["trade_date"]) for count in range(OVERRULING)]

    assert [False] * (OVERRULING - 1) + [True] == [one.trades_on_settlement_day for one in habits]
    assert READ_RIGHT["settlement_date"] == extract(typed(ODD), habits[-1]).trades[0].trade_date
    other = paper(ODD, "other", **READ_RIGHT)
    assert not taught(habits[-1], other, ["trade_date"], []).trades_on_settlement_day


def test_a_habit_that_an_earlier_document_does_not_have_is_none():
    several = [settled(number) for number in range(OVERRULING)]

    assert SenderProfile() == after(*several, changed=["trade_date"], earlier=[paper(ODD, "old", **READ_RIGHT)])


def test_a_profile_survives_being_stored():
    profile = SenderProfile(
        {"a b": "gross", "c d": "fee"},
        trades_on_settlement_day=True,
        lessons=(Lesson("gross", "a b", overrules=True, mended=("1", "2"), agreed=("3",)),),
        dropped=(DroppedLesson("net", "e f", "4"),),
    )

    assert profile == SenderProfile.from_json(profile.as_json())


def test_a_stored_profile_with_unknown_fields_is_cut_to_what_is_known():
    assert SenderProfile({"a": "net"}) == SenderProfile.from_json({"labels": {"a": "net", "b": "nonsense"}, "more": 1})
