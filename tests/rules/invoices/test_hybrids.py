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


@pytest.mark.parametrize(
    ("page", "because"),
    [
        (PAGE.replace("EUR", "USD"), "Its pages show the currency USD, the XML states EUR."),
        (PAGE.replace("292,74 EUR", "£292,74").replace("EUR", "GBP"), "Its pages show the currency GBP"),
        (PAGE.replace("Rechnung\n", "Gutschrift\n", 1), "It calls itself a credit note (“Gutschrift”)."),
        (
            PAGE.replace("Rechnung\n", "Mahnung (Kopie der Rechnung)\n", 1),
            "It calls itself a payment reminder (“Mahnung”).",
        ),
        (
            PAGE + "Wurde bereits bezahlt, nichts zu zahlen.\n",
            "It says that nothing is to be paid (“wurde bereits bezahlt”).",
        ),
        (
            PAGE.replace("IBAN", "Offene Posten 100,00 EUR\nZu zahlender Betrag 392,74 EUR\nIBAN"),
            "Its pages also name 392.74 as an amount to pay.",
        ),
        (
            PAGE.replace("03.05.2024", "03.02.2024"),
            "Its pages show the issue date 2024-02-03, the XML states 2024-05-03.",
        ),
        (
            PAGE.replace(
                "246,00 EUR\n19 % MwSt                                  46,74", "273,59 EUR\n7 % MwSt    19,15"
            ),
            "Its pages show the net total 273.59, the XML states 246.",
        ),
        (
            PAGE + "IBAN DE02 1203 0000 0000 2020 51\n",
            "Its pages also name the account DE02120300000000202051, which the XML does not state.",
        ),
    ],
    ids=["currency", "sign", "credit note", "reminder", "paid", "open items", "day", "tax", "second account"],
)
def test_what_the_page_plainly_says_otherwise_is_a_person_s(page, because):
    read = extract(hybrid(page))

    assert not read.auto_confirm
    assert because in read.because


def test_a_number_that_is_a_part_of_another_is_not_the_one_stated():
    read = extract(hybrid(PAGE, CII.replace("<ram:ID>R-77</ram:ID>", "<ram:ID>7</ram:ID>", 1)))

    assert "The XML states the number 7, which its pages do not show." in read.because


@pytest.mark.parametrize(
    ("stated", "because"),
    [
        ("Seiler Tauwerk GmbH", "The XML states Seiler Tauwerk GmbH as supplier, whom its pages do not name."),
        ("AB Co", "The XML states AB Co as supplier, whom its pages do not name."),
        ("Werft AG", "The XML states Werft AG as supplier and as buyer."),
        ("", "The XML states no supplier."),
    ],
)
def test_a_supplier_whom_the_page_names_only_by_half_or_not_at_all_is_a_person_s(stated, because):
    read = extract(hybrid(PAGE, CII.replace("Seiler GmbH", stated)))

    assert not read.auto_confirm
    assert because in read.because


def test_two_e_invoices_that_differ_are_a_person_s():
    text = typed(PAGE)
    other = CII.replace("R-77", "R-78")
    files = [Embedded(name, xml.encode()) for name, xml in (("factur-x.xml", CII), ("zugferd-invoice.xml", other))]
    twice = [files[0], Embedded("copy.xml", CII.encode())]

    assert extract(DocumentText(text.pages, "text_layer", tuple(twice))).auto_confirm
    read = extract(DocumentText(text.pages, "text_layer", tuple(files)))
    assert (False, "It holds two e-invoices that differ (R-77 and R-78).") == (read.auto_confirm, read.because)


def test_an_e_invoice_inside_a_contract_note_is_a_person_s():
    note = """Wertpapierabrechnung Kauf
ISIN DE0007164600
Stück 20
Kurs 100,00 EUR
Kurswert 2.000,00 EUR
Provision 9,90 EUR
Ausmachender Betrag 2.009,90 EUR
Schlusstag 13.03.2023
"""
    read = extract(hybrid(note + "Seiler GmbH, Werft AG, R-77, 292,74 EUR\nIBAN DE89 3704 0044 0532 0130 00\n"))

    assert not read.auto_confirm
    assert "Its pages tell of a trade in DE0007164600." in read.because


@pytest.mark.parametrize(
    ("page", "because"),
    [
        (PAGE.replace("Werft AG", "Reederei Nord GmbH"), "The XML states Werft AG as buyer, whom its pages do not name."),
        (PAGE.replace("Werft AG", "Gemeinde Torp"), "The XML states Werft AG as buyer, whom its pages do not name."),
        (
            PAGE.replace("Werft AG", "An: Reederei Nord GmbH, Hafen 1") + "Werft AG\n",
            "Its pages name Reederei Nord GmbH at the head, whom the XML does not state.",
        ),
        (
            PAGE.replace("Seiler GmbH", "Tauwerk AG") + "Partner: Seiler GmbH\n",
            "Its pages show Tauwerk AG as supplier, the XML states Seiler GmbH.",
        ),
        (
            PAGE.replace("Seiler GmbH", "Tauwerk AG").replace("Werft AG", "Seiler GmbH"),
            "Its pages show Tauwerk AG as supplier, the XML states Seiler GmbH.",
        ),
        (PAGE.replace("Nettobetrag                               246,00", "Nettobetrag  250,00"), "250.00 as a net total"),
        (PAGE.replace("46,74", "40,00"), "Its pages show 40.00 as tax, which the XML does not state."),
        (PAGE.replace("246,00", "275,52").replace("46,74", "17,22"), "275.52 as a net total"),
        (PAGE.replace("19 % MwSt", "7 % MwSt"), "Its pages show tax at 7 %, which the XML does not state."),
        (PAGE + "Gesamt 500,00\n", "Its pages show 500.00 as a total, which the XML does not state."),
        (PAGE.replace("03.05.2024", "06.05.24"), "Its pages show the issue date 2024-05-06, the XML states 2024-05-03."),
        (
            PAGE.replace("Rechnungsdatum: 03.05.2024", "Datum 06.05.24"),
            "The XML states the issue date 2024-05-03, which its pages do not show.",
        ),
        (
            PAGE.replace("40 m zu 6,15", "20 m zu 12,30"),
            "Its pages bill 20 × 12.3 for 246, the XML 40 × 6.15.",
        ),
        (
            PAGE.replace("Rope 12 mm, 40 m zu 6,15 EUR              246,00", "Rope  40 x 4,15  166,00\nNet  40 x 2,00  80,00"),
            "Its pages bill 2 lines, the XML 1.",
        ),
        (PAGE.replace("Rope 12 mm, 40 m", "Toner, 40 Stück"), "for 246, the XML “Rope 12 mm” for 246."),
        (PAGE.replace("EUR\nIBAN", "CHF\nIBAN"), "Its pages show the currency CHF, the XML states EUR."),
        (PAGE + "Guthaben: 10,00 EUR\n", "Its pages show 10.00 as a credit, which the XML does not state."),
    ],
    ids=[
        "buyer", "buyer without legal form", "other recipient", "supplier at the foot", "supplier as recipient", "net",
        "tax", "net and tax", "rate", "stray total", "issue date", "bare date", "quantity", "lines", "wares", "currency",
        "credit",
    ],
)  # fmt: skip
def test_what_the_xml_does_not_explain_is_a_person_s(page, because):
    read = extract(hybrid(page))

    assert not read.auto_confirm
    assert because in read.because


@pytest.mark.parametrize(
    "label",
    [
        "Zahlbar bis", "Fällig am:", "Please pay by", "Due date:", "À payer avant le", "Échéance :", "Da pagare entro il",
        "Fecha de vencimiento:", "Vervaldatum:", "Betales senest", "Betalas senast", "Termin płatności:", "Pagar até",
    ],
)  # fmt: skip
def test_another_last_day_to_pay_is_a_person_s_in_every_language(label):
    read = extract(hybrid(f"{PAGE}{label} 31.12.2024\n"))

    assert "Its pages show the due date 2024-12-31, the XML states 2024-06-02." in read.because


@pytest.mark.parametrize(
    "line",
    [
        "Bereits bezahlt: 292,74", "Already paid 292.74", "Déjà payé : 292,74", "Già pagato: 292,74", "Reeds betaald: 292,74",
        "Zu zahlen: 0,00", "Balance due: 0.00", "Reste à payer : 0,00", "A pagar: 0,00", "At betale 0,00", "Do zapłaty 0,00",
    ],
)  # fmt: skip
def test_what_is_paid_already_is_a_person_s_in_every_language(line):
    assert not extract(hybrid(f"{PAGE}{line}\n")).auto_confirm


@pytest.mark.parametrize(
    "more",
    [
        "Zahlbar bis 02.06.2024\n",
        "Zahlbar innerhalb 30 Tagen\n",
        "Bei Zahlung bis 10.05.2024 gewähren wir 2 % Skonto (5,85 EUR).\n",
        "Lieferdatum: 29.04.2024\n",
        "Hausbank München AG, BIC COBADEFFXXX\n",
        "Wareneingang 17,50 kg, Preisliste 3,95\n",
    ],
)
def test_what_contradicts_nothing_needs_nobody(more):
    assert extract(hybrid(PAGE + more)).auto_confirm


def test_a_page_that_names_no_buyer_and_no_lines_contradicts_nothing():
    page = PAGE.replace("Werft AG\nRope 12 mm, 40 m zu 6,15 EUR              246,00 EUR\n", "")

    assert extract(hybrid(page)).auto_confirm


def test_parties_that_changed_places_are_a_person_s():
    page = PAGE.replace("Seiler GmbH\n", "Rechnungssteller: Werft AG\n").replace(
        "\nWerft AG\n", "\nRechnung an: Seiler GmbH\n"
    )

    assert "Its pages show Werft AG as supplier, the XML states Seiler GmbH." in extract(hybrid(page)).because
