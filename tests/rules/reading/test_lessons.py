"""What corrections of invoices and dividends teach: their sender's words, kept only if no earlier paper is misread."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.learning import CheckedPaper, taught
from postroom.reading.profiles import SenderProfile

BILL = """Muster GmbH
Hauptstr. 1, 10115 Berlin
Rechnung
Vorgang 4711-A
Ausfertigung 03.03.2023
Beratung 1.000,00 EUR
Anreise 202,00 EUR
Abzuführen 1.202,00 EUR
Bürgschaft 5.000,00 EUR
IBAN DE89 3704 0044 0532 0130 00
"""
PAID = """Hausbank am Markt
Dividendengutschrift
ISIN DE0007164600 SAP SE
Bestand 20 Stück
Dividende pro Stück 2,00 EUR
Bruttobetrag 40,00 EUR
Gutschrift 40,00 EUR
Valuta 12.05.2023
Geldeingang bei Ihnen 16.05.2023
"""


def bill(text, called="one", **values):
    return CheckedPaper(typed(text), values, "invoice", called)


def paid(text, called="one", **values):
    return CheckedPaper(typed(text), values, "dividend", called)


def learnt_from(*papers, changed, earlier=()):
    """The profile after all of these were confirmed one after the other."""
    profile = None
    for place, one in enumerate(papers):
        profile = taught(profile, one, changed, [*earlier, *papers[:place]])
    return profile


def test_an_invoice_s_corrected_number_teaches_how_its_sender_calls_it():
    assert extract(typed(BILL)).invoice.number is None

    second = BILL.replace("4711-A", "4799-Z")
    profile = learnt_from(bill(BILL, number="4711-A"), bill(second, "two", number="4799-Z"), changed=["number"])

    assert {"vorgang": "invoice.number"} == profile.labels
    assert "4712-B" == extract(typed(BILL.replace("4711-A", "4712-B")), profile).invoice.number


def test_an_invoice_s_corrected_total_teaches_how_its_sender_calls_it():
    assert Decimal("1202.00") != extract(typed(BILL)).invoice.grand_total

    second = BILL.replace("1.202,00", "1.500,00").replace("202,00", "500,00")
    papers = bill(BILL, grand_total=Decimal("1202.00")), bill(second, "two", grand_total=Decimal("1500.00"))
    profile = learnt_from(*papers, changed=["grand_total"])

    assert {"abzufuhren": "invoice.grand_total"} == profile.labels
    assert Decimal("1303.50") == extract(typed(BILL.replace("1.202,00", "1.303,50")), profile).invoice.grand_total


def test_a_dividend_s_corrected_pay_day_teaches_how_its_sender_calls_it():
    (before,) = extract(typed(PAID)).entries
    assert date(2023, 5, 12) == before.values["pay_date"]

    second = PAID.replace("16.05.2023", "18.05.2023")
    papers = paid(PAID, pay_date=date(2023, 5, 16)), paid(second, "two", pay_date=date(2023, 5, 18))
    profile = learnt_from(*papers, changed=["pay_date"])

    (after,) = extract(typed(PAID.replace("16.05.2023", "17.05.2023")), profile).entries
    assert date(2023, 5, 17) == after.values["pay_date"]


@pytest.mark.parametrize(
    ("lesson", "changed"),
    [
        (bill(BILL, tax_total=Decimal(0)), ["tax_total"]),
        (bill(BILL, number="4711-A"), []),
        (bill(BILL, issue_date=date(2023, 3, 3)), ["issue_date"]),
        (paid(PAID, fees=Decimal(0)), ["fees"]),
    ],
    ids=["nothing", "not changed", "read right already", "no fees"],
)
def test_what_mends_nothing_teaches_nothing(lesson, changed):
    assert SenderProfile() == taught(None, lesson, changed, [])


def test_what_would_break_an_earlier_invoice_of_the_sender_is_not_kept():
    earlier = BILL.replace("Rechnung\nVorgang 4711-A", "Rechnung\nRechnungsnummer 9-1\nVorgang 77-C").replace(
        "Ausfertigung", "Rechnungsdatum"
    )
    assert "9-1" == extract(typed(earlier)).invoice.number

    second = BILL.replace("4711-A", "4799-Z")
    papers = bill(BILL, number="4711-A"), bill(second, "two", number="4799-Z")

    assert {} != learnt_from(*papers, changed=["number"]).labels
    assert {} == learnt_from(*papers, changed=["number"], earlier=[bill(earlier, "old", number="9-1")]).labels


def test_a_word_of_an_invoice_is_none_of_a_trade():
    profile = SenderProfile({"vorgang": "invoice.number", "strich": "net"})

    assert ({"strich": "net"}, {"vorgang": "number"}) == (profile.entry_labels, profile.invoice_labels)
    assert profile == SenderProfile.from_json(profile.as_json())
