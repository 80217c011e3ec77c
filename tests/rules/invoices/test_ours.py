"""Our own house is never the supplier."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import DocumentText, Embedded, typed
from postroom.reading.extractor import extract
from postroom.reading.invoices.ours import never_ours, own_names
from postroom.reading.invoices.parties import is_one_of, plain_name
from rules.invoices.test_e_invoices import CII
from rules.invoices.test_gate import GOOD
from rules.invoices.test_hybrids import PAGE

OURS_ON_TOP = GOOD.replace("Kranbau Wittig GmbH", "Nordlicht Versand AG", 1).replace(
    "Nordlicht Versand AG                              Rech", "Kranbau Wittig GmbH                               Rech"
)


@pytest.mark.parametrize(
    ("tenant", "addresses", "expected"),
    [
        ("default", ["ap@nordlicht.example"], ("nordlicht",)),
        ("nordlicht-versand", ["ap@mail.nordlicht.co.uk", "x@nordlicht.de"], ("nordlicht-versand", "nordlicht")),
        ("acme", ["somebody@gmail.com", "x@gmx.de", "odd"], ("acme",)),
        ("abc", ["x@ab.de"], ()),
    ],
)
def test_what_the_house_may_be_called(tenant, addresses, expected):
    assert expected == own_names(tenant, addresses)


@pytest.mark.parametrize(
    ("name", "own", "expected"),
    [
        ("Nordlicht Versand AG", "nordlicht", True),
        ("Nordlicht Versand AG", "nordlicht-versand", True),
        ("Müller & Söhne GmbH", "mueller-soehne", True),
        ("Müller Söhne GmbH", "mueller-soehne", True),
        ("Acme GmbH", "acme", True),
        ("Blueorange Ltd", "orange", False),
        ("Kranbau Wittig GmbH", "nordlicht", False),
        ("Nordlicht Versand", "Nordlicht Versand AG", True),
    ],
)
def test_whose_name_it_is(name, own, expected):
    assert expected == is_one_of(name, [plain_name(own)])


def test_another_supplier_is_looked_for_when_the_first_is_ourselves():
    text = typed(OURS_ON_TOP)
    read = extract(text)
    assert "Nordlicht Versand AG" == read.invoice.supplier

    known = never_ours(text, read, ["nordlicht"])

    assert "Nordlicht Versand AG" != known.invoice.supplier
    assert "Nordlicht Versand AG" == known.invoice.buyer
    assert known.fields["buyer"].value == known.invoice.buyer


def test_with_no_other_name_it_goes_to_a_person():
    text = typed(OURS_ON_TOP.replace("Kranbau Wittig GmbH", "Nordlicht Versand AG"))

    known = never_ours(text, extract(text), ["nordlicht"])

    assert not known.auto_confirm
    assert known.invoice.supplier != "Nordlicht Versand AG"


def test_an_e_invoice_that_names_us_as_supplier_goes_to_a_person_as_it_is():
    text = DocumentText(pages=typed(PAGE).pages, embedded=(Embedded("factur-x.xml", CII.encode()),))
    read = extract(text)

    known = never_ours(text, read, ["seiler"])

    assert read.auto_confirm
    assert not known.auto_confirm
    assert "The e-invoice names ourselves (Seiler GmbH) as the supplier." == known.because
    assert known.invoice == read.invoice


def test_nothing_changes_when_it_is_not_us():
    text = typed(GOOD)
    read = extract(text)

    assert read == never_ours(text, read, ["larkspur", "default"]) == never_ours(text, read, [])
