"""Contract notes: from the mail to one confirmed trade, or to a person with the reason."""

from __future__ import annotations

import hashlib

import pytest

from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands
from postroom_simulators.papers import NOTES, activity_statement, dividend_advice, locked, scanned
from rooms.documents.dealing import BROKER, DAY, FAILED

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")


async def test_a_note_of_a_trusted_broker_is_confirmed_linked_archived_and_accounted_for(desk):
    await desk.trusts()
    await desk.places_order(NOTE)
    message = await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    ((isin, direction, net, order, key),) = desk.own(
        "SELECT t.isin, t.direction, t.net::text, o.status, t.trade_key FROM postroom.trade t JOIN postroom.pending_order o ON o.id = t.order_id"
    )
    truth = NOTE.truth["trades"][0]
    assert (truth["isin"], "BUY", truth["net"], "filled") == (isin, direction, net, order)
    assert key.startswith("rwhitlock-20260204-")
    assert {"pad_contract_notes": "processed", "ap_invoices": "filtered"} == desk.dispositions(message)
    assert [("ap_invoices", "skipped"), ("pad_contract_notes", "success")] == desk.ledger()
    sender = "archive/sender_email=settlements%40thornburyvale%2Eexample"
    assert [f"{sender}/received_date=2026-02-04/{key}/Contract_Note.pdf"] == desk.archived()
    assert 1 == len(desk.facts("trade.confirmed")) == len(desk.facts("document.read"))


async def test_the_same_note_by_two_mails_is_one_trade_and_one_object(desk):
    await desk.trusts()
    await desk.places_order(NOTE)
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))
    await desk.works()
    message = await desk.receives(("document.pdf", NOTE.pdf), subject="RE-SENT")

    await desk.works()

    assert ["confirmed", "duplicate"] == desk.statuses()
    assert "The same file as Contract_Note.pdf of 2026-02-04." == desk.reasons()[1]
    assert ["confirmed"] == desk.trades()
    assert 1 == len(desk.archived())
    assert "processed" == desk.dispositions(message)["pad_contract_notes"]


@pytest.mark.long
async def test_the_same_note_sent_again_as_a_scan_is_recognised_as_the_same_trade(desk):
    await desk.trusts()
    await desk.places_order(NOTE)
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))
    await desk.works()
    await desk.receives(("Copy.pdf", scanned(NOTE, 1).pdf))

    await desk.works()

    assert ["confirmed", "duplicate"] == desk.statuses(), desk.reasons()
    assert "The same trade came with Contract_Note.pdf of 2026-02-04." == desk.reasons()[1]
    assert ["confirmed", "duplicate"] == desk.trades()
    assert 2 == len(desk.archived())


async def test_a_spoofed_broker_goes_to_a_person_with_the_reason(desk):
    await desk.trusts()
    await desk.places_order(NOTE)
    await desk.receives(("Contract_Note.pdf", NOTE.pdf), verdict=FAILED)

    await desk.works()

    assert ["review"] == desk.statuses()
    assert ["DMARC failed for thornburyvale.example: the mail does not come from there."] == desk.reasons()
    assert ["open"] == [row[0] for row in desk.own("SELECT status FROM postroom.pending_order")]


async def test_a_sender_who_is_not_on_the_list_goes_to_a_person(desk):
    await desk.places_order(NOTE)
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    assert ["review"] == desk.statuses()
    assert "not on your list of trusted senders" in desk.reasons()[0]


async def test_a_trade_that_no_order_asked_for_goes_to_a_person(desk):
    await desk.trusts()
    await desk.places_order(NOTES["hansekontor"](DAY, 1))
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    assert ["review"] == desk.statuses()
    assert [f"No pending order is for {NOTE.truth['trades'][0]['isin']}."] == desk.reasons()


async def test_a_house_that_keeps_no_orders_confirms_without_them(desk):
    await desk.trusts()
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    folder = hashlib.sha256(desk.received[0].encode()).hexdigest()[:16]
    assert [f"2026-02-04/{folder}/Contract_Note.pdf"] == [path.partition("_date=")[2] for path in desk.archived()]


async def test_a_protected_note_waits_for_its_password_and_is_read_when_it_is_given(desk):
    await desk.trusts()
    sealed = locked(NOTE, "larkspur-2026")
    message = await desk.receives(("Contract_Note.pdf", sealed.pdf))
    await desk.works()
    assert ["failed"] == desk.statuses()
    assert "password" in desk.reasons()[0]
    assert "failed" == desk.dispositions(message)["pad_contract_notes"]
    assert ("pad_contract_notes", "failed") in desk.ledger()

    assert 1 == await commands.add_password(desk.scope(), desk.outside.sealer, "Thornbury", Secret("larkspur-2026"))
    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    assert "processed" == desk.dispositions(message)["pad_contract_notes"]
    assert ("pad_contract_notes", "success") in desk.ledger()
    assert [] == desk.own("SELECT 1 FROM postroom.pdf_password WHERE position('larkspur'::bytea in sealed) > 0")


async def test_a_protected_note_whose_password_is_known_goes_straight_through(desk):
    await desk.trusts()
    await commands.add_password(desk.scope(), desk.outside.sealer, "Thornbury", Secret("larkspur-2026"))
    await desk.receives(("Contract_Note.pdf", locked(NOTE, "larkspur-2026").pdf))

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    assert desk.outside.fetcher.fetched == desk.received


async def test_a_statement_does_not_book_again_what_a_note_booked(desk):
    statement = activity_statement(DAY, 4, trades=6)
    await desk.trusts("pinecrest.example")
    await desk.receives(("january.pdf", statement.pdf), sender="statements@pinecrest.example")
    await desk.works()
    booked = desk.trades()
    assert ["confirmed"] * 6 == booked, desk.reasons()

    await desk.receives(
        ("january-again.pdf", activity_statement(DAY, 4, trades=6).pdf + b"\n"), sender="statements@pinecrest.example"
    )
    await desk.works()

    assert ["confirmed"] * 6 + ["duplicate"] * 6 == desk.trades()
    assert "duplicate" == desk.statuses()[1]


async def test_a_dividend_is_no_trade_and_waits_for_a_person(desk):
    message = await desk.receives(("Dividende.pdf", dividend_advice(DAY, 1).pdf))

    await desk.works()

    assert (["review"], []) == (desk.statuses(), desk.trades())
    assert "dividend" in desk.reasons()[0]
    assert {"pad_contract_notes": "filtered", "ap_invoices": "filtered"} == desk.dispositions(message)
    assert 1 == len([path for path in desk.archived() if path.endswith(".pdf")])


async def test_a_bounce_and_a_mail_without_files_are_accounted_for_without_being_fetched(desk):
    bounce = await desk.receives(("note.pdf", NOTE.pdf), automatic="bounce")
    chat = await desk.receives(subject="Lunch?")

    await desk.works()

    assert {"filtered"} == {*desk.dispositions(bounce).values(), *desk.dispositions(chat).values()}
    assert [] == desk.outside.fetcher.fetched
    rules = {row[0] for row in desk.own("SELECT rule FROM postroom.disposition")}
    assert {"automatic", "no_document"} == rules


async def test_source_and_provenance_are_kept_with_every_document(desk):
    await desk.receives(("Contract_Note.pdf", NOTE.pdf), subject="Your bargain")

    await desk.works()

    ((source, about, sender),) = desk.own("SELECT source, source_metadata, sender_email FROM postroom.document")
    assert ("graph_webhook", BROKER) == (source, sender)
    assert {
        "provider": "outlook",
        "message_id": desk.received[0],
        "from": BROKER,
        "subject": "Your bargain",
        "received_at": "2026-02-04T12:00:00+00:00",
        "attachment_filename": "Contract_Note.pdf",
    } == about
