"""Papers look the same every time, can be read, and add up."""

import io
import random
from datetime import date
from decimal import Decimal
from xml.etree import ElementTree as ET

import pikepdf
import pypdfium2 as pdfium
import pytest
from stdnum import iban, isin
from stdnum.eu import vat

from postroom_simulators.papers import (
    NOTES,
    SUPPLIERS,
    activity_statement,
    bill_of,
    brochure,
    dividend_advice,
    factur_x,
    invoice,
    locked,
    scanned,
    ubl_xml,
)
from postroom_simulators.papers.deals import BONDS, FUNDS, SHARES
from postroom_simulators.papers.identifiers import german_vat, iban_of
from postroom_simulators.papers.locales import FRENCH, GERMAN, SWISS

DAY = date(2026, 11, 12)


def words(pdf, password=None):
    document = pdfium.PdfDocument(pdf, password=password)
    try:
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)
    finally:
        document.close()


def bare(text):
    return "".join(char for char in text if char.isalnum())


def adds_up(trade):
    cost = Decimal(trade["fees"]) + Decimal(trade["taxes"])
    before = Decimal(trade["gross"]) + Decimal(trade.get("accrued", "0"))
    return before + cost if trade["direction"] == "BUY" else before - cost


@pytest.mark.parametrize("broker", NOTES)
@pytest.mark.parametrize("seed", range(4))
def test_a_contract_note_shows_what_its_truth_says(broker, seed):
    paper = NOTES[broker](DAY, seed)

    (trade,) = paper.truth["trades"]
    text = words(paper.pdf)
    assert isin.is_valid(trade["isin"])
    assert trade["isin"] in text
    assert bare(trade["quantity"]) in bare(text)
    assert bare(trade["net"]) in bare(text)
    assert bare(trade["gross"]) in bare(text)
    assert Decimal(trade["net"]) == adds_up(trade)


@pytest.mark.parametrize("broker", NOTES)
def test_the_same_seed_draws_the_same_note(broker):
    assert NOTES[broker](DAY, 7) == NOTES[broker](DAY, 7)
    assert NOTES[broker](DAY, 7).pdf != NOTES[broker](DAY, 8).pdf


@pytest.mark.parametrize("broker", NOTES)
def test_a_note_goes_the_way_it_was_asked_to(broker):
    for direction in ("BUY", "SELL"):
        assert direction == NOTES[broker](DAY, 3, direction=direction).truth["trades"][0]["direction"]


def test_quantity_times_price_is_the_gross_amount_in_every_convention():
    for broker in NOTES.keys() - {"kestrel"}:  # whose gross is in another currency than its price
        trade = NOTES[broker](DAY, 1).truth["trades"][0]
        product = Decimal(trade["quantity"]) * Decimal(trade["price"])
        assert Decimal(trade["gross"]) == round(product, 2)


def test_pence_on_the_paper_are_pounds_in_the_truth():
    paper = NOTES["thornbury"](DAY, 2)

    price = Decimal(paper.truth["trades"][0]["price"])
    assert f"{price * 100:,.2f}p" in words(paper.pdf)


def test_a_dollar_trade_is_booked_in_euros_at_the_printed_rate():
    paper = NOTES["kestrel"](DAY, 1)

    trade = paper.truth["trades"][0]
    assert trade["currency"] == "EUR"
    assert f"EUR {Decimal(trade['net']):,.2f}" in words(paper.pdf)
    assert f"USD {Decimal(trade['price']):,.2f}" in words(paper.pdf)


def test_a_sale_at_the_german_bank_has_a_second_page_about_tax():
    sale, purchase = (NOTES["hansekontor"](DAY, 1, direction=way) for way in ("SELL", "BUY"))

    assert "Bemessungsgrundlage" in words(sale.pdf)
    assert "Bemessungsgrundlage" not in words(purchase.pdf)


def test_an_activity_statement_lists_every_trade_over_several_pages():
    paper = activity_statement(DAY, 1, trades=27)

    text = words(paper.pdf)
    assert paper.truth["type"] == "activity_statement"
    assert len(paper.truth["trades"]) == 27
    assert len(pdfium.PdfDocument(paper.pdf)) == 3
    assert all(f"{Decimal(trade['net']):,.2f}" in text for trade in paper.truth["trades"])


def test_a_scan_has_no_text_but_looks_alike():
    note = NOTES["polderhuis"](DAY, 1)
    scan = scanned(note, 1)

    picture = pdfium.PdfDocument(scan.pdf)[0].render(scale=0.25).to_pil().convert("L")
    assert words(scan.pdf).strip() == ""
    assert note.truth == scan.truth
    assert scanned(note, 1) == scan
    darkest, brightest = picture.getextrema()
    assert darkest < 120 < brightest


def test_a_locked_note_opens_with_its_password_only():
    paper = locked(NOTES["kestrel"](DAY, 1), "larkspur-2026")

    with pytest.raises(pdfium.PdfiumError):
        pdfium.PdfDocument(paper.pdf)
    assert paper.truth["trades"][0]["isin"] in words(paper.pdf, password="larkspur-2026")
    assert paper == locked(NOTES["kestrel"](DAY, 1), "larkspur-2026")


@pytest.mark.parametrize("key", SUPPLIERS)
@pytest.mark.parametrize("seed", range(3))
def test_an_invoice_adds_up_and_shows_its_figures(key, seed):
    paper = invoice(bill_of(SUPPLIERS[key], DAY, seed))

    bill = paper.truth["invoice"]
    text = words(paper.pdf)
    assert Decimal(bill["grand_total"]) == Decimal(bill["net_total"]) + Decimal(bill["tax_total"])
    assert Decimal(bill["net_total"]) == sum(Decimal(line["line_total"]) for line in bill["lines"])
    assert iban.is_valid(bill["iban"])
    assert bill["number"] in text
    assert bill["supplier"] in text
    assert bare(bill["grand_total"]) in bare(text)
    assert bill["iban"] in bare(text)


@pytest.mark.parametrize("key", SUPPLIERS)
def test_lines_and_taxes_agree_to_the_cent(key):
    bill = bill_of(SUPPLIERS[key], DAY, 11)

    for line in bill.lines:
        assert line.total == round(line.quantity * line.unit_price, 2)
    assert bill.net == sum(base for base, _ in bill.taxes().values())
    assert bill.total == bill.net + sum(tax for _, tax in bill.taxes().values())


def test_a_factur_x_invoice_carries_its_xml_as_an_alternative():
    bill = bill_of(SUPPLIERS["brenner"], DAY, 5)
    paper = factur_x(bill)

    with pikepdf.open(io.BytesIO(paper.pdf)) as document:
        (name,) = document.attachments
        xml = document.attachments[name].get_file().read_bytes()
        relation = str(document.Root.AF[0].AFRelationship)
        metadata = bytes(document.Root.Metadata.read_bytes())
    root = ET.fromstring(xml)
    (total,) = (node.text for node in root.iter() if node.tag.endswith("GrandTotalAmount"))
    assert (name, relation) == ("factur-x.xml", "/Alternative")
    assert paper.truth["invoice"]["grand_total"] == total
    assert b"<pdfaid:part>3</pdfaid:part>" in metadata
    assert bill.number in words(paper.pdf)
    assert paper == factur_x(bill)


def test_a_ubl_invoice_says_the_same_as_its_bill():
    bill = bill_of(SUPPLIERS["brenner"], DAY, 6)

    root = ET.fromstring(ubl_xml(bill))
    cbc = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}"
    assert f"{bill.total:f}" == root.findtext(f".//{cbc}PayableAmount")
    assert bill.number == root.findtext(f"{cbc}ID")
    assert len(bill.lines) == len(root.findall(".//{*}InvoiceLine"))


def test_a_brochure_and_a_dividend_are_neither_trade_nor_invoice():
    for paper in (brochure(1), dividend_advice(DAY, 1)):
        assert paper.truth == {"type": "other", "trades": []}
        assert words(paper.pdf)


def test_check_digits_hold():
    chance = random.Random(5)
    for shelf in (SHARES, BONDS, FUNDS):
        assert all(isin.is_valid(instrument.isin) for instrument in shelf.values())
    for country in ("DE", "FR", "IT", "NL", "SE", "ES", "GB", "AT"):
        assert all(iban.is_valid(iban_of(country, chance)) for _ in range(20))
    assert all(vat.is_valid(german_vat(chance)) for _ in range(20))


def test_numbers_are_written_as_people_write_them_there():
    amount = Decimal("-1234567.5")

    assert GERMAN.number(amount) == "-1.234.567,50"
    assert FRENCH.number(amount) == "-1 234 567,50"
    assert SWISS.number(amount) == "-1'234'567.50"
    assert GERMAN.long_date(DAY) == "12. November 2026"
    assert FRENCH.long_date(DAY) == "12 novembre 2026"
