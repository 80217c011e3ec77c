"""Invoices: e-invoices exactly, printed ones to a person till one was confirmed, each once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from postroom.rooms.documents import commands
from postroom_simulators.papers import SUPPLIERS, bill_of, brochure, factur_x, invoice, ubl_xml
from rooms.documents.dealing import DAY

BILL = bill_of(next(iter(SUPPLIERS.values())), DAY, 1)
SENDER = "billing@supplier.example"


@pytest.mark.parametrize("kind", ["pdf", "xml"])
async def test_an_e_invoice_of_a_trusted_supplier_is_confirmed_with_its_lines(desk, kind):
    await desk.trusts("supplier.example", "ap_invoices")
    content = factur_x(BILL).pdf if kind == "pdf" else ubl_xml(BILL)
    message = await desk.receives((f"invoice.{kind}", content), sender=SENDER, kind=f"application/{kind}")

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    assert {"pad_contract_notes": "filtered", "ap_invoices": "processed"} == desk.dispositions(message)
    assert [("ap_invoices", "success"), ("pad_contract_notes", "skipped")] == desk.ledger()
    detail = await commands.get_document(desk.scope(), desk.only_document())
    truth = factur_x(BILL).truth["invoice"]
    assert (truth["number"], truth["grand_total"]) == (detail.invoice.number, f"{detail.invoice.grand_total:.2f}")
    assert len(detail.lines) == len(BILL.lines)
    assert 1 == len(desk.facts("invoice.confirmed"))


async def test_the_same_invoice_in_another_file_is_a_duplicate(desk):
    await desk.trusts("supplier.example", "ap_invoices")
    await desk.receives(("invoice.pdf", factur_x(BILL).pdf), sender=SENDER)
    await desk.works()
    await desk.receives(("invoice.xml", ubl_xml(BILL)), sender=SENDER, kind="application/xml")

    await desk.works()

    assert ["confirmed", "duplicate"] == desk.statuses(), desk.reasons()
    assert "The same invoice came with invoice.pdf of 2026-02-04." == desk.reasons()[1]


async def test_an_e_invoice_from_a_stranger_goes_to_a_person_who_corrects_and_confirms(desk):
    await desk.receives(("invoice.pdf", factur_x(BILL).pdf), sender=SENDER)
    await desk.works()
    assert ["review"] == desk.statuses()
    document = desk.only_document()

    corrected = await commands.correct(desk.scope(), document, {"supplier": "Somebody Ltd", "due_date": "2026-03-06"})

    assert [] == list(corrected.doubts)
    assert "confirmed" == await commands.confirm(desk.scope(), document)
    ((supplier, due, by),) = desk.own("SELECT supplier, due_date::text, confirmed_by FROM postroom.invoice")
    assert ("Somebody Ltd", "2026-03-06", "rosalind@larkspur.example") == (supplier, due, by)


async def test_a_mailbox_takes_part_only_in_its_own_pipelines(desk):
    desk.own("UPDATE postroom.mailbox SET pipelines = '{pad_contract_notes}'")
    message = await desk.receives(("invoice.pdf", factur_x(BILL).pdf), sender=SENDER)

    await desk.works()

    assert ["skipped"] == desk.statuses()
    assert ["notes@larkspur.example does not take part in ap_invoices."] == desk.reasons()
    assert {"pad_contract_notes": "filtered"} == desk.dispositions(message)
    assert [] == desk.own("SELECT 1 FROM postroom.invoice")


async def test_xml_that_is_no_invoice_is_left_out(desk):
    other = b"<?xml version='1.0'?><rss><channel>News</channel></rss>"
    message = await desk.receives(("feed.xml", other), sender=SENDER, kind="application/xml")

    await desk.works()

    assert [] == desk.statuses()
    assert "filtered" == desk.dispositions(message)["ap_invoices"]


async def test_a_new_bank_account_of_a_known_supplier_goes_to_a_person(desk):
    await desk.trusts("supplier.example", "ap_invoices")
    await desk.receives(("one.xml", ubl_xml(BILL)), sender=SENDER, kind="application/xml")
    await desk.works()
    ((account,),) = desk.own("SELECT iban FROM postroom.invoice")
    other = next(
        each for each in (bill_of(one, DAY, 7) for one in SUPPLIERS.values()) if account.encode() not in ubl_xml(each)
    )

    await desk.receives(("two.xml", ubl_xml(other)), sender=SENDER, kind="application/xml")
    await desk.works()

    assert ["confirmed", "review"] == desk.statuses(), desk.reasons()
    assert "is a new bank account for billing@supplier.example" in desk.reasons()[1]


async def test_a_printed_invoice_passes_unseen_only_after_a_person_let_one_pass(desk):
    await desk.trusts("supplier.example", "ap_invoices")
    again = replace(bill_of(BILL.supplier, DAY, 2), iban=BILL.iban)
    await desk.receives(("first.pdf", invoice(BILL).pdf), sender=SENDER)
    await desk.works()
    assert ["review"] == desk.statuses()
    assert ["First invoice from billing@supplier.example: check it once, the next will be quicker."] == (desk.reasons())

    await commands.confirm(desk.scope(), desk.only_document())
    await desk.receives(("second.pdf", invoice(again).pdf), sender=SENDER)
    await desk.works()

    assert ["confirmed", "confirmed"] == desk.statuses(), desk.reasons()
    assert "tax at" in desk.reasons()[1]


async def test_a_catalogue_is_no_invoice(desk):
    message = await desk.receives(("Autumn-catalogue.pdf", brochure(3).pdf), sender=SENDER)

    await desk.works()

    assert ["skipped"] == desk.statuses()
    assert ["It says of itself that it is none (“not an invoice”)."] == desk.reasons()
    assert "filtered" == desk.dispositions(message)["ap_invoices"]
