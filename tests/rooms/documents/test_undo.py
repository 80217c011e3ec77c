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


async def in_review(scope):
    await scope.places_order(NOTE)
    await scope.receives(("note.pdf", NOTE.pdf))
    await scope.works()
    return scope.only_document()


async def revision(scope, document) -> int:
    return (await commands.get_document(scope.teller(), document)).document.revision


async def test_a_stale_form_undoes_nobody_s_correction_and_says_who_changed_what(scope):
    document = await in_review(scope)
    seen = await revision(scope, document)
    await commands.correct(scope.teller(ANNA), document, {"fees": "11.00"}, revision=seen)

    with pytest.raises(StaleRevision, match=r"anna@larkspur.example corrected it at 12:00 UTC: fees \S+ → 11"):
        await commands.correct(scope.teller(BOB), document, {"net": "1"}, revision=seen)
    with pytest.raises(StaleRevision):
        await commands.confirm(scope.teller(BOB), document, revision=seen)
    with pytest.raises(StaleRevision):
        await commands.reject(scope.teller(BOB), document, "Not ours.", revision=seen)

    ((fees, by, status),) = scope.own("SELECT fees, corrected_by, status FROM postroom.trade")
    assert (Decimal("11.00"), ANNA, "review") == (fees, by, status)


@pytest.mark.parametrize("decision", ["confirmed", "corrected", "rejected"])
async def test_a_decision_is_taken_back_and_everything_is_as_before(scope, decision):
    document = await in_review(scope)
    before, orders = scope.own(BOOKED), scope.own("SELECT status, filled FROM postroom.pending_order")
    told = (await commands.get_document(scope.teller(), document)).document.because
    match decision:
        case "confirmed":
            await commands.confirm(scope.teller(), document)
        case "corrected":
            await commands.correct(scope.teller(), document, {"name": "Something else", "fees": "12.50"})
        case "rejected":
            await commands.reject(scope.teller(), document, "Not ours.")
    assert before != scope.own(BOOKED)

    done = await commands.take_back(scope.teller(), document, revision=await revision(scope, document))

    assert (decision, "review") == (done.did, done.status)
    assert before == scope.own(BOOKED)
    assert orders == scope.own("SELECT status, filled FROM postroom.pending_order")
    assert told == (await commands.get_document(scope.teller(), document)).document.because
    (fact,) = scope.facts("document.undone")
    assert (done.did, "review") == (fact["did"], fact["status"])
    with pytest.raises(Conflict, match="nothing to take back"):
        await commands.take_back(scope.teller(), document)


async def test_what_was_confirmed_and_then_rejected_goes_back_step_by_step(scope):
    document = await in_review(scope)
    await commands.confirm(scope.teller(), document)
    await commands.reject(scope.teller(), document, "Wrong.")
    assert [("open", Decimal(0))] == scope.own("SELECT status, filled FROM postroom.pending_order")

    assert "confirmed" == (await commands.take_back(scope.teller(), document)).status
    assert [("filled",)] == scope.own("SELECT status FROM postroom.pending_order")
    again = await commands.take_back(scope.teller(), document)
    assert ("reopened", "review") == (again.did, again.status)
    assert [("open", Decimal(0))] == scope.own("SELECT status, filled FROM postroom.pending_order")
    (fact,) = scope.facts("document.reopened")
    assert "confirmed" == fact["before"]


async def test_what_was_nothing_for_us_can_go_to_review_and_be_entered_by_hand(scope):
    scope.outside.reader.change = lambda read: replace(read, type="other", trades=(), because="Neither.")
    await scope.receives(("note.pdf", NOTE.pdf))
    await scope.works()
    document = scope.only_document()
    assert ["skipped"] == scope.statuses()

    assert "review" == (await commands.take_back(scope.teller(), document)).status
    values = {"direction": "BUY", "trade_date": "2026-02-04", "quantity": "10", "isin": "US0378331005"}
    await commands.enter(scope.teller(), document, "contract_note", {**values, "net": "1,875.00", "currency": "USD"})
    assert "confirmed" == await commands.confirm(scope.teller(), document)

    assert [(Decimal("1875.00"), "confirmed", "contract_note")] == scope.own(
        "SELECT t.net, t.status, d.kind FROM postroom.trade t JOIN postroom.document d ON d.id = t.document_id"
    )
    (fact,) = scope.facts("document.entered")
    assert "1875" == fact["values"]["net"]


async def test_what_could_not_be_read_is_entered_by_hand_and_taken_back(scope):
    await scope.receives(("broken.pdf", b"%PDF-1.4 broken"))
    await scope.works()
    document = scope.only_document()
    assert ["failed"] == scope.statuses()
    bill = {"number": "R-1", "issue_date": "2026-02-01", "grand_total": "119", "currency": "EUR"}

    with pytest.raises(BadRequest, match="is not a day"):
        await commands.enter(scope.teller(), document, "invoice", {**bill, "issue_date": "soon"})
    assert ["failed"] == scope.statuses()
    await commands.enter(scope.teller(), document, "invoice", bill)
    assert ["review"] == scope.statuses()
    await commands.take_back(scope.teller(), document)

    assert ["failed"] == scope.statuses()
    assert [] == scope.own("SELECT 1 FROM postroom.invoice")


async def test_a_second_try_says_that_it_is_being_read_until_it_was(scope):
    await scope.receives(("broken.pdf", b"%PDF-1.4 broken"))
    await scope.works()
    document = scope.only_document()

    await commands.retry(scope.teller(), document)
    assert ["waiting"] == scope.statuses()
    await scope.works()

    assert ["failed"] == scope.statuses()


async def test_the_reason_why_it_waits_survives_a_correction(scope):
    await scope.receives(("note.pdf", NOTE.pdf))
    await scope.works()
    document = scope.only_document()
    why = (await commands.get_document(scope.teller(), document)).document.because

    await commands.correct(scope.teller(), document, {"name": "Another name"})

    assert why == (await commands.get_document(scope.teller(), document)).document.because


async def test_what_looks_forged_is_booked_only_with_a_reason(scope):
    document = await in_review(scope)
    scope.own("UPDATE postroom.document SET trust = 'spoofed', trust_because = 'The sender is not who it says.'")

    with pytest.raises(BadRequest, match=r"It looks forged. The sender is not who it says."):
        await commands.confirm(scope.teller(), document)
    assert "confirmed" == await commands.confirm(scope.teller(), document, reason="We called the broker.")
