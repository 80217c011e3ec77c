"""PDFs that state an invoice as XML and show one on their pages: what differs is a person's."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import DocumentText, Embedded, typed
from postroom.reading.extractor import extract
from rules.invoices.test_e_invoices import CII

PAGE = """Seiler GmbH
Rechnung
Rechnungsnummer: R-77
Rechnungsdatum: 03.05.2024
Werft AG
Rope 12 mm, 40 m zu 6,15 EUR              246,00 EUR
Nettobetrag                               246,00 EUR
19 % MwSt                                  46,74 EUR
Gesamtbetrag                              292,74 EUR
IBAN DE89 3704 0044 0532 0130 00
"""


def hybrid(page: str, xml: str = CII) -> DocumentText:
    text = typed(page)
    return DocumentText(text.pages, "text_layer", (Embedded("factur-x.xml", xml.encode()),))


def test_a_page_that_shows_what_the_xml_states_needs_nobody():
    read = extract(hybrid(PAGE))

    assert (True, "Read from the e-invoice inside the PDF.") == (read.auto_confirm, read.because)
    assert read.invoice is not None
    assert 1.0 == read.invoice.confidence


@pytest.mark.parametrize(
    ("page", "because"),
    [
        (PAGE.replace("R-77", "R-78"), "The XML states the number R-77, which its pages do not show."),
        (
            PAGE.replace("Seiler GmbH", "Tauwerk AG"),
            "The XML states Seiler GmbH as supplier, whom its pages do not name.",
        ),
        (
            PAGE.replace("DE89 3704 0044 0532 0130 00", "DE02 1203 0000 0000 2020 51"),
            "The XML asks to pay to DE89370400440532013000, which its pages do not show.",
        ),
        (PAGE.replace("292,74", "392,74"), "The XML states a total of 292.74, which its pages do not show."),
        (
            PAGE.replace("246,00", "300,00").replace("46,74", "57,00").replace("292,74", "357,00")
            + "Ihr Code: 292,74\n",
            "Its pages show a total of 357, the XML states 292.74.",
        ),
        ("", "There is no text on its pages to hold the XML against."),
    ],
    ids=["number", "supplier", "account", "total", "total in small print", "a picture"],
)
def test_a_page_that_shows_something_else_is_a_person_s(page, because):
    read = extract(hybrid(page))

    assert "invoice" == read.type
    assert not read.auto_confirm
    assert because in read.because
    assert read.invoice is not None
    assert read.invoice.confidence < 1.0


def test_an_e_invoice_without_a_currency_is_a_person_s():
    read = extract(hybrid(PAGE, CII.replace("<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>", "")))

    assert not read.auto_confirm
    assert "There is no currency." in read.because
