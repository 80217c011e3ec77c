"""Contract notes: from the mail to one confirmed trade, or to a person with the reason."""

from __future__ import annotations

import hashlib

from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands
from postroom_simulators.papers import NOTES, activity_statement, dividend_advice, locked, scanned
from rooms.documents.dealing import BROKER, DAY, FAILED

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")


async def test_a_note_of_a_trusted_broker_is_confirmed_linked_archived_and_accounted_for(scope):
    await scope.trusts()
    await scope.places_order(NOTE)
    message = await scope.receives(("Contract_Note.pdf", NOTE.pdf))

    await scope.works()

    assert ["confirmed"] == scope.statuses(), scope.reasons()
    ((isin, direction, net, order, key),) = scope.own(
        "SELECT t.isin, t.direction, t.net::text, o.status, t.trade_key FROM postroom.trade t JOIN postroom.pending_order o ON o.id = t.order_id"
    )
    truth = NOTE.truth["trades"][0]
    assert (truth["isin"], "BUY", truth["net"], "filled") == (isin, direction, net, order)
    assert key.startswith("rwhitlock-20260204-")
    assert {"pad_contract_notes": "processed", "ap_invoices": "filtered"} == scope.dispositions(message)
    assert [("ap_invoices", "skipped"), ("pad_contract_notes", "success")] == scope.ledger()
    sender = "archive/sender_email=settlements%40thornburyvale%2Eexample"
    assert [f"{sender}/received_date=2026-02-04/{key}/Contract_Note.pdf"] == scope.archived()
    assert 1 == len(scope.facts("trade.confirmed")) == len(scope.facts("document.read"))


async def test_the_same_note_by_two_mails_is_one_trade_and_one_object(scope):
    await scope.trusts()
    await scope.places_order(NOTE)
    await scope.receives(("Contract_Note.pdf", NOTE.pdf))
    await scope.works()
    message = await scope.receives(("document.pdf", NOTE.pdf), subject="RE-SENT")

    await scope.works()

    assert ["confirmed", "duplicate"] == scope.statuses()
    assert "The same file as Contract_Note.pdf of 2026-02-04." == scope.reasons()[1]
    assert ["confirmed"] == scope.trades()
    assert 1 == len(scope.archived())
    assert "processed" == scope.dispositions(message)["pad_contract_notes"]


async def test_the_same_note_sent_again_as_a_scan_is_recognised_as_the_same_trade(scope):
    await scope.trusts()
    await scope.places_order(NOTE)
    await scope.receives(("Contract_Note.pdf", NOTE.pdf))
    await scope.works()
    await scope.receives(("Copy.pdf", scanned(NOTE, 1).pdf))

    await scope.works()

    assert ["confirmed", "duplicate"] == scope.statuses(), scope.reasons()
    assert "The same trade came with Contract_Note.pdf of 2026-02-04." == scope.reasons()[1]
    assert ["confirmed", "duplicate"] == scope.trades()
    assert 2 == len(scope.archived())


async def test_a_spoofed_broker_goes_to_a_person_with_the_reason(scope):
    await scope.trusts()
    await scope.places_order(NOTE)
    await scope.receives(("Contract_Note.pdf", NOTE.pdf), verdict=FAILED)

    await scope.works()

    assert ["review"] == scope.statuses()
    assert ["DMARC failed for thornburyvale.example: the mail does not come from there."] == scope.reasons()
    assert ["open"] == [row[0] for row in scope.own("SELECT status FROM postroom.pending_order")]


async def test_a_sender_who_is_not_on_the_list_goes_to_a_person(scope):
    await scope.places_order(NOTE)
    await scope.receives(("Contract_Note.pdf", NOTE.pdf))

    await scope.works()

    assert ["review"] == scope.statuses()
    assert "not on your list of trusted senders" in scope.reasons()[0]


async def test_a_trade_that_no_order_asked_for_goes_to_a_person(scope):
    await scope.trusts()
    await scope.places_order(NOTES["hansekontor"](DAY, 1))
    await scope.receives(("Contract_Note.pdf", NOTE.pdf))

    await scope.works()

    assert ["review"] == scope.statuses()
    assert [f"No pending order is for {NOTE.truth['trades'][0]['isin']}."] == scope.reasons()


async def test_a_house_that_keeps_no_orders_confirms_without_them(scope):
    await scope.trusts()
    await scope.receives(("Contract_Note.pdf", NOTE.pdf))

    await scope.works()

    assert ["confirmed"] == scope.statuses(), scope.reasons()
    folder = hashlib.sha256(scope.received[0].encode()).hexdigest()[:16]
    assert [f"2026-02-04/{folder}/Contract_Note.pdf"] == [path.partition("_date=")[2] for path in scope.archived()]


async def test_a_protected_note_waits_for_its_password_and_is_read_when_it_is_given(scope):
    await scope.trusts()
    sealed = locked(NOTE, "larkspur-2026")
    message = await scope.receives(("Contract_Note.pdf", sealed.pdf))
    await scope.works()
    assert ["failed"] == scope.statuses()
    assert "password" in scope.reasons()[0]
    assert "failed" == scope.dispositions(message)["pad_contract_notes"]
    assert ("pad_contract_notes", "failed") in scope.ledger()

    assert 1 == await commands.add_password(scope.teller(), scope.outside.sealer, "Thornbury", Secret("larkspur-2026"))
    await scope.works()

    assert ["confirmed"] == scope.statuses(), scope.reasons()
    assert "processed" == scope.dispositions(message)["pad_contract_notes"]
    assert ("pad_contract_notes", "success") in scope.ledger()
    assert [] == scope.own("SELECT 1 FROM postroom.pdf_password WHERE position('larkspur'::bytea in sealed) > 0")


async def test_a_protected_note_whose_password_is_known_goes_straight_through(scope):
    await scope.trusts()
    await commands.add_password(scope.teller(), scope.outside.sealer, "Thornbury", Secret("larkspur-2026"))
    await scope.receives(("Contract_Note.pdf", locked(NOTE, "larkspur-2026").pdf))

    await scope.works()

    assert ["confirmed"] == scope.statuses(), scope.reasons()
    assert scope.outside.fetcher.fetched == scope.received


async def test_a_statement_does_not_book_again_what_a_note_booked(scope):
    statement = activity_statement(DAY, 4, trades=6)
    await scope.trusts("pinecrest.example")
    await scope.receives(("january.pdf", statement.pdf), sender="statements@pinecrest.example")
    await scope.works()
    booked = scope.trades()
    assert ["confirmed"] * 6 == booked, scope.reasons()

    await scope.receives(
        ("january-again.pdf", activity_statement(DAY, 4, trades=6).pdf + b"\n"), sender="statements@pinecrest.example"
    )
    await scope.works()

    assert ["confirmed"] * 6 + ["duplicate"] * 6 == scope.trades()
    assert "duplicate" == scope.statuses()[1]


async def test_a_dividend_is_read_and_set_aside_with_the_reason(scope):
    message = await scope.receives(("Dividende.pdf", dividend_advice(DAY, 1).pdf))

    await scope.works()

    assert ["skipped"] == scope.statuses()
    assert "dividend" in scope.reasons()[0]
    assert {"pad_contract_notes": "filtered", "ap_invoices": "filtered"} == scope.dispositions(message)
    assert [] == scope.archived()


async def test_a_bounce_and_a_mail_without_files_are_accounted_for_without_being_fetched(scope):
    bounce = await scope.receives(("note.pdf", NOTE.pdf), automatic="bounce")
    chat = await scope.receives(subject="Lunch?")

    await scope.works()

    assert {"filtered"} == {*scope.dispositions(bounce).values(), *scope.dispositions(chat).values()}
    assert [] == scope.outside.fetcher.fetched
    rules = {row[0] for row in scope.own("SELECT rule FROM postroom.disposition")}
    assert {"automatic", "no_document"} == rules


async def test_source_and_provenance_are_kept_with_every_document(scope):
    await scope.receives(("Contract_Note.pdf", NOTE.pdf), subject="Your bargain")

    await scope.works()

    ((source, about, sender),) = scope.own("SELECT source, source_metadata, sender_email FROM postroom.document")
    assert ("graph_webhook", BROKER) == (source, sender)
    assert {
        "provider": "outlook",
        "message_id": scope.received[0],
        "from": BROKER,
        "subject": "Your bargain",
        "received_at": "2026-02-04T12:00:00+00:00",
        "attachment_filename": "Contract_Note.pdf",
    } == about
