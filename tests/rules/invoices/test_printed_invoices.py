from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from postroom.nouns.documents import Invoice, plain, typed
from postroom.outside.readers.pool import Readers
from postroom.reading.invoices import is_invoice, read_invoice, read_text_invoice
from postroom.reading.invoices.confidence import confidence
from postroom.reading.invoices.likeness import ENOUGH, invoice_likeness
from postroom.reading.invoices.papers import called
from postroom.reading.page.lines import read_lines
from rules.invoices.printed import PRINTED, Printed, drawn, on_paper

IDS = [printed.name for printed in PRINTED]


def told(invoice: Invoice, wanted: Printed) -> dict:
    """The invoice in the words of the truth, as far as the truth goes."""
    found: dict = {}
    for name in wanted.truth:
        value = getattr(invoice, name)
        if name == "lines":
            found[name] = [(line.description, plain(line.total)) for line in value]
        elif name == "tax_by_rate":
            found[name] = {plain(rate): plain(tax) for rate, tax in value.items()}
        else:
            found[name] = plain(value)
    return found


def truth(wanted: Printed) -> dict:
    def decimal(text: str) -> str | None:
        return plain(Decimal(text))

    said = dict(wanted.truth)
    for name in ("net_total", "tax_total", "grand_total"):
        if name in said:
            said[name] = decimal(said[name])
    if "lines" in said:
        said["lines"] = [(text, decimal(total)) for text, total in said["lines"]]
    if "tax_by_rate" in said:
        said["tax_by_rate"] = {rate: decimal(tax) for rate, tax in said["tax_by_rate"].items()}
    return said


@pytest.mark.parametrize("printed", PRINTED, ids=IDS)
def test_an_invoice_is_read_by_its_words(printed):
    invoice = read_text_invoice(typed(printed.text)).invoice

    assert told(invoice, printed) == truth(printed)


@pytest.fixture(scope="module")
def readers():
    with Readers(processes=1, ocr=False) as pool:
        yield pool


@pytest.mark.parametrize("printed", PRINTED, ids=IDS)
def test_the_same_words_on_paper_give_the_same_invoice(printed, readers):
    invoice = read_invoice(readers.read(drawn(printed.text))).invoice

    assert on_paper(repr(truth(printed))) == repr(told(invoice, printed))


@pytest.mark.parametrize("printed", PRINTED, ids=IDS)
def test_every_field_has_its_place_and_a_counted_confidence(printed):
    invoice = read_text_invoice(typed(printed.text)).invoice

    for name, field in invoice.fields.items():
        assert field.page in (1, 1 + printed.text.count("\f")), name
        assert field.box is not None, name
        assert 0 < field.confidence < 1, name
    assert invoice.confidence == min(
        invoice.fields[name].confidence if name in invoice.fields else 0.0
        for name in ("number", "issue_date", "grand_total", "currency")
    )


def test_the_place_of_the_total_is_where_it_is_printed():
    text = "Invoice no 17 of 5 May 2024\n\nSubtotal   100.00\nVAT 20%     20.00\nTotal      120.00 EUR\n"

    field = read_text_invoice(typed(text)).invoice.fields["grand_total"]

    left, top, right, _ = field.box
    assert (left, top, right) == (66.0, 48.0, 102.0)


def test_our_own_house_is_never_the_supplier():
    text = (
        "Larkspur Holdings GmbH\nSpeicherstraße 8\n20457 Hamburg\n\nInvoice no 4411 of 5 May 2024\n\n"
        "Willow & Daughters Ltd\n1 Mill Lane\nYork YO1 7HH\n\nTotal 120.00 GBP\n"
    )

    naive = read_text_invoice(typed(text)).invoice
    knowing = read_text_invoice(typed(text), own=("Larkspur Holdings",)).invoice

    assert naive.supplier == "Larkspur Holdings GmbH"
    assert (knowing.supplier, knowing.buyer) == ("Willow & Daughters Ltd", "Larkspur Holdings GmbH")


@pytest.mark.parametrize(
    ("terms", "due"),
    [
        ("Payment terms: 30 days net", "2024-06-04"),
        ("2 % discount within 10 days, 30 days net", "2024-06-04"),
        ("Zahlbar innerhalb von 14 Tagen", "2024-05-19"),
        ("Règlement à 45 jours", "2024-06-19"),
        ("Pagamento a 60 giorni", "2024-07-04"),
        ("Te betalen binnen 14 dagen", "2024-05-19"),
        ("Betalas inom 20 dagar", "2024-05-25"),
        ("Termin płatności 7 dni", "2024-05-12"),
        ("Due upon receipt", "2024-05-05"),
        ("Please pay by 1 June 2024", "2024-06-01"),
        ("Die Rechnung ist sofort fällig.", "2024-05-05"),
        ("Thank you for 30 days of trust", None),
    ],
)
def test_the_due_date_follows_from_the_terms(terms, due):
    text = f"Invoice no 4411\nInvoice date: 5 May 2024\nTotal 120.00 EUR\n{terms}\n"

    assert plain(read_text_invoice(typed(text)).invoice.due_date) == due


def test_an_account_number_with_wrong_check_digits_is_not_sure():
    right = read_text_invoice(typed("Invoice 17\nIBAN DE89 3704 0044 0532 0130 00\n")).invoice
    wrong = read_text_invoice(typed("Invoice 17\nIBAN DE88 3704 0044 0532 0130 00\n")).invoice

    assert right.iban == "DE89370400440532013000"
    assert right.fields["iban"].because == "Its check digits fit."
    assert wrong.fields["iban"].confidence < right.fields["iban"].confidence


@pytest.mark.parametrize(
    ("total", "warnings"),
    [("120.00", ()), ("125.00", ("Printed net 100.00 and tax 20.00 do not make 125.00.",))],
)
def test_totals_that_do_not_add_up_are_told(total, warnings):
    text = f"Invoice no 4411 of 5 May 2024\nSubtotal 100.00\nVAT 20 % 20.00\nInvoice total {total} EUR\n"
    reading = read_text_invoice(typed(text))

    assert reading.invoice.grand_total == Decimal(total)
    assert reading.warnings == warnings
    assert not reading.exact


def test_a_paper_without_an_invoice_gives_no_totals():
    invoice = read_text_invoice(typed("Dear team,\nwe meet on Friday.\nAnna\n")).invoice

    assert (invoice.number, invoice.grand_total, invoice.lines) == (None, None, ())
    assert invoice.confidence == 0.0


def test_an_empty_page_is_read_as_nothing():
    read = read_text_invoice(replace(typed(""), pages=())).invoice

    assert Invoice(explanation=read.explanation) == read


def test_evidence_never_counted_is_a_coin():
    assert confidence("number", "a rumour") == 0.5


@pytest.mark.parametrize("printed", PRINTED, ids=IDS)
def test_an_invoice_looks_like_one(printed):
    title = called(read_lines(typed(printed.text))).kind.replace("_", " ")
    score, because = invoice_likeness(printed.text, title)

    assert score >= ENOUGH, because
    assert is_invoice(typed(printed.text))


@pytest.mark.parametrize(
    "text",
    [
        "Dear Anna, shall we meet on Friday?",
        "Wertpapierabrechnung\nISIN DE0007164600\nKurswert 1.000,00 EUR\nAusmachender Betrag 1.010,00 EUR\nDepotnummer 1",
        "Kontoauszug Nr. 3\nAlter Saldo 100,00\nNeuer Saldo 90,00\nRechnung 17 Stadtwerke -10,00",
    ],
)
def test_other_papers_do_not(text):
    assert invoice_likeness(text)[0] < ENOUGH


@pytest.mark.parametrize(
    ("words", "issued"),
    [
        ("Beitragsrechnung   24. Januar 2014\nfür den Zeitraum vom 06.12.2013 bis zum 06.12.2014", "2014-01-24"),
        ("Period 1 March 2024 - 31 March 2024\nInvoice no 17 of 2 April 2024", "2024-04-02"),
        ("Order date 1 May 2024\nInvoice date 5 May 2024\nDelivery date 3 May 2024", "2024-05-05"),
        ("Invoice 17\nBerlin, 5 May 2024\nDue date 5 June 2024", "2024-05-05"),
        ("Beleg-Datum : 06.10.2013\nLeistungs-Datum : 01.09.2013", "2013-10-06"),
    ],
)
def test_the_issue_date_is_told_from_the_other_dates(words, issued):
    assert plain(read_text_invoice(typed(words)).invoice.issue_date) == issued
