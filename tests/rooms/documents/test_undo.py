"""Decisions that are about what a person saw, and that can be taken back."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from postroom.nouns.errors import BadRequest, Conflict, StaleRevision
from postroom.rooms.documents import commands
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
ANNA, BOB = "person:anna@larkspur.example", "person:bob@larkspur.example"
BOOKED = "SELECT to_jsonb(t) - 'updated_at' FROM postroom.trade t"


async def in_review(desk):
    await desk.places_order(NOTE)
    await desk.receives(("note.pdf", NOTE.pdf))
    await desk.works()
    return desk.only_document()


async def revision(desk, document) -> int:
    return (await commands.get_document(desk.scope(), document)).document.revision


async def test_a_stale_form_undoes_nobody_s_correction_and_says_who_changed_what(desk):
    document = await in_review(desk)
    seen = await revision(desk, document)
    await commands.correct(desk.scope(ANNA), document, {"fees": "11.00"}, revision=seen)

    with pytest.raises(StaleRevision, match=r"anna@larkspur.example corrected it at 12:00 UTC: fees \S+ → 11"):
        await commands.correct(desk.scope(BOB), document, {"net": "1"}, revision=seen)
    with pytest.raises(StaleRevision):
        await commands.confirm(desk.scope(BOB), document, revision=seen)
    with pytest.raises(StaleRevision):
        await commands.reject(desk.scope(BOB), document, "Not ours.", revision=seen)

    ((fees, by, status),) = desk.own("SELECT fees, corrected_by, status FROM postroom.trade")
    assert (Decimal("11.00"), ANNA, "review") == (fees, by, status)


@pytest.mark.parametrize("decision", ["confirmed", "corrected", "rejected"])
async def test_a_decision_is_taken_back_and_everything_is_as_before(desk, decision):
    document = await in_review(desk)
    before, orders = desk.own(BOOKED), desk.own("SELECT status, filled FROM postroom.pending_order")
    told = (await commands.get_document(desk.scope(), document)).document.because
    match decision:
        case "confirmed":
            await commands.confirm(desk.scope(), document)
        case "corrected":
            await commands.correct(desk.scope(), document, {"name": "Something else", "fees": "12.50"})
        case "rejected":
            await commands.reject(desk.scope(), document, "Not ours.")
    assert before != desk.own(BOOKED)

    done = await commands.take_back(desk.scope(), document, revision=await revision(desk, document))

    assert (decision, "review") == (done.did, done.status)
    assert before == desk.own(BOOKED)
    assert orders == desk.own("SELECT status, filled FROM postroom.pending_order")
    assert told == (await commands.get_document(desk.scope(), document)).document.because
    (fact,) = desk.facts("document.undone")
    assert (done.did, "review") == (fact["did"], fact["status"])
    with pytest.raises(Conflict, match="nothing to take back"):
        await commands.take_back(desk.scope(), document)


async def test_what_was_confirmed_and_then_rejected_goes_back_step_by_step(desk):
    document = await in_review(desk)
    await commands.confirm(desk.scope(), document)
    await commands.reject(desk.scope(), document, "Wrong.")
    assert [("open", Decimal(0))] == desk.own("SELECT status, filled FROM postroom.pending_order")

    assert "confirmed" == (await commands.take_back(desk.scope(), document)).status
    assert [("filled",)] == desk.own("SELECT status FROM postroom.pending_order")
    again = await commands.take_back(desk.scope(), document)
    assert ("reopened", "review") == (again.did, again.status)
    assert [("open", Decimal(0))] == desk.own("SELECT status, filled FROM postroom.pending_order")
    (fact,) = desk.facts("document.reopened")
    assert "confirmed" == fact["before"]


async def test_what_was_nothing_for_us_can_go_to_review_and_be_entered_by_hand(desk):
    desk.outside.reader.change = lambda read: replace(read, type="other", trades=(), because="Neither.")
    await desk.receives(("note.pdf", NOTE.pdf))
    await desk.works()
    document = desk.only_document()
    assert ["skipped"] == desk.statuses()

    assert "review" == (await commands.take_back(desk.scope(), document)).status
    values = {"direction": "BUY", "trade_date": "2026-02-04", "quantity": "10", "isin": "US0378331005"}
    await commands.enter(desk.scope(), document, "contract_note", {**values, "net": "1,875.00", "currency": "USD"})
    assert "confirmed" == await commands.confirm(desk.scope(), document)

    assert [(Decimal("1875.00"), "confirmed", "contract_note")] == desk.own(
        "SELECT t.net, t.status, d.kind FROM postroom.trade t JOIN postroom.document d ON d.id = t.document_id"
    )
    (fact,) = desk.facts("document.entered")
    assert "1875" == fact["values"]["net"]


async def test_what_could_not_be_read_is_entered_by_hand_and_taken_back(desk):
    await desk.receives(("broken.pdf", b"%PDF-1.4 broken"))
    await desk.works()
    document = desk.only_document()
    assert ["failed"] == desk.statuses()
    bill = {"number": "R-1", "issue_date": "2026-02-01", "grand_total": "119", "currency": "EUR"}

    with pytest.raises(BadRequest, match="is not a day"):
        await commands.enter(desk.scope(), document, "invoice", {**bill, "issue_date": "soon"})
    assert ["failed"] == desk.statuses()
    await commands.enter(desk.scope(), document, "invoice", bill)
    assert ["review"] == desk.statuses()
    await commands.take_back(desk.scope(), document)

    assert ["failed"] == desk.statuses()
    assert [] == desk.own("SELECT 1 FROM postroom.invoice")


async def test_a_second_try_says_that_it_is_being_read_until_it_was(desk):
    await desk.receives(("broken.pdf", b"%PDF-1.4 broken"))
    await desk.works()
    document = desk.only_document()

    await commands.retry(desk.scope(), document)
    assert ["waiting"] == desk.statuses()
    await desk.works()

    assert ["failed"] == desk.statuses()


async def test_the_reason_why_it_waits_survives_a_correction(desk):
    await desk.receives(("note.pdf", NOTE.pdf))
    await desk.works()
    document = desk.only_document()
    why = (await commands.get_document(desk.scope(), document)).document.because

    await commands.correct(desk.scope(), document, {"name": "Another name"})

    assert why == (await commands.get_document(desk.scope(), document)).document.because


async def test_what_looks_forged_is_booked_only_with_a_reason(desk):
    document = await in_review(desk)
    desk.own("UPDATE postroom.document SET trust = 'spoofed', trust_because = 'The sender is not who it says.'")

    with pytest.raises(BadRequest, match=r"It looks forged. The sender is not who it says."):
        await commands.confirm(desk.scope(), document)
    assert "confirmed" == await commands.confirm(desk.scope(), document, reason="We called the broker.")
