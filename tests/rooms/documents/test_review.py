"""People at work on documents: confirm, correct, reject, hand in, look."""

from __future__ import annotations

import contextlib
import itertools
from decimal import Decimal
from uuid import uuid4

import pytest

from postroom.db import sql
from postroom.nouns.documents import Invoice, Trade
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands
from postroom_simulators.papers import NOTES, activity_statement, locked
from rooms.documents.dealing import BROKER, DAY
from rooms.documents.test_learning import odd_bill, odd_dividend

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
PERSON = "rosalind@larkspur.example"


async def in_review(desk, paper=NOTE):
    await desk.receives(("note.pdf", paper.pdf))
    await desk.works()
    assert ["review"] == desk.statuses()
    return desk.only_document()


async def test_a_person_confirms_and_the_order_is_filled_by_it(desk):
    await desk.places_order(NOTE)
    document = await in_review(desk)

    assert "confirmed" == await commands.confirm(desk.scope(), document)

    ((by, order, key),) = desk.own(
        "SELECT t.confirmed_by, o.status, t.trade_key FROM postroom.trade t JOIN postroom.pending_order o ON o.id = t.order_id"
    )
    assert (PERSON, "filled") == (by, order)
    assert key.startswith("rwhitlock-20260204-")
    (told,) = desk.facts("trade.confirmed")
    assert f"Confirmed by {PERSON}." == told["because"]
    with pytest.raises(Conflict, match="nothing in it waits"):
        await commands.confirm(desk.scope(), document)


async def test_a_correction_is_kept_with_both_values_and_its_place_and_confirmed_afterwards(desk):
    document = await in_review(desk)
    detail = await commands.get_document(desk.scope(), document)
    net = detail.trades[0].net

    corrected = await commands.correct(desk.scope(), document, {"net": str(net + 1), "currency": "GBP"})

    assert 1 == len(corrected.doubts)
    after = await commands.get_document(desk.scope(), document)
    assert (net + 1, "review", PERSON) == (
        after.trades[0].net,
        after.document.status,
        after.trades[0].corrected_by,
    )
    (correction,) = after.corrections
    assert ("net", f"{net.normalize():f}", BROKER, 1) == (
        correction.field,
        correction.before,
        correction.sender_email,
        correction.page,
    )
    assert 4 == len(correction.box)
    (told,) = desk.facts("document.corrected")
    assert {"net": correction.before} == told["before"]
    assert {"net": correction.after} == told["after"]
    with pytest.raises(BadRequest, match="Say why it is right all the same"):
        await commands.confirm(desk.scope(), document)
    assert "confirmed" == await commands.confirm(desk.scope(), document, reason="They say so on the phone.")
    (told,) = desk.facts("trade.confirmed")
    assert f"Confirmed by {PERSON}: They say so on the phone." == told["because"]


async def test_nonsense_is_refused_and_changes_nothing(desk):
    document = await in_review(desk)
    before = desk.own("SELECT * FROM postroom.trade")

    for changes in ({"net": "many"}, {"isin": "US0378331006"}, {"colour": "red"}, {}):
        with pytest.raises(BadRequest):
            await commands.correct(desk.scope(), document, changes)

    assert before == desk.own("SELECT * FROM postroom.trade")


async def test_what_is_incomplete_is_not_booked(desk):
    document = await in_review(desk)
    await commands.correct(desk.scope(), document, {"trade_date": ""})

    with pytest.raises(BadRequest, match=r"Not found: trade date. Correct it first."):
        await commands.confirm(desk.scope(), document)


@pytest.mark.parametrize("quantity", ["-60", "0"])
async def test_a_quantity_that_no_trade_has_is_neither_written_nor_booked(desk, quantity):
    document = await in_review(desk)
    with pytest.raises(BadRequest, match="The quantity must be greater than 0"):
        await commands.correct(desk.scope(), document, {"quantity": quantity})

    desk.own(f"UPDATE postroom.trade SET quantity = {quantity}")  # as a reader may have read it
    with pytest.raises(BadRequest, match=r"The quantity must be greater than 0.* Correct it first\."):
        await commands.confirm(desk.scope(), document)

    assert ["review"] == desk.trades()


ODD = ("1e15", "-1e15", "0.000000000000001", "-0", "0", "1_000", "\u0663", "0001-01-01", "9999-12-31", "\u00df" * 3)
ODD_TEXTS = ("'; --", "\U0001f4a9" * 500, "\u202e", "%s", "\\", "".join(map(chr, range(0x4E00, 0x4E00 + 500))))


@pytest.mark.parametrize(
    ("paper", "names"),
    [
        *((NOTE.pdf, names) for names in (Trade.NAMES[::3], Trade.NAMES[1::3], Trade.NAMES[2::3])),
        (odd_dividend("14.05.2026"), ("pay_date", "isin", "name", "quantity", "net", "currency")),
        (odd_bill("OF-1/26"), Invoice.NAMES),
    ],
    ids=["trade", "of a trade", "further of a trade", "dividend", "invoice"],
)
async def test_whatever_a_person_types_is_booked_or_refused_with_a_sentence(desk, paper, names):
    await desk.receives(("paper.pdf", paper))
    await desk.works()
    document = desk.only_document()
    for name, text in itertools.product(names, (*ODD, *ODD_TEXTS)):
        with contextlib.suppress(BadRequest):
            await commands.correct(desk.scope(), document, {name: text})
            await commands.confirm(desk.scope(), document, reason="Asked the broker.")
        if desk.statuses() == ["confirmed"]:
            await commands.take_back(desk.scope(), document)

    assert ["review"] == desk.statuses()


async def test_a_rejected_document_stays_with_its_reason_and_frees_its_order(desk):
    await desk.places_order(NOTE)
    document = await in_review(desk)
    await commands.confirm(desk.scope(), document)
    with pytest.raises(BadRequest, match="Say why"):
        await commands.reject(desk.scope(), document, "  ")

    await commands.reject(desk.scope(), document, "Sent to us by mistake.")

    assert (["rejected"], ["rejected"]) == (desk.statuses(), desk.trades())
    assert [f"Rejected by {PERSON}: Sent to us by mistake."] == desk.reasons()
    assert [("open", Decimal(0))] == desk.own("SELECT status, filled FROM postroom.pending_order")
    (told,) = desk.facts("document.rejected")
    assert ("confirmed", "Sent to us by mistake.") == (told["before"], told["because"])
    assert 1 == len(desk.archived())


async def test_what_looks_booked_already_needs_a_person_who_says_that_it_happened_twice(desk):
    await desk.trusts()
    await desk.receives(("note.pdf", NOTE.pdf))
    await desk.works()
    await desk.receives(("second.pdf", NOTE.pdf + b"\n"))
    await desk.works()
    assert ["confirmed", "duplicate"] == desk.statuses()
    ((second,),) = desk.own("SELECT id FROM postroom.document WHERE status = 'duplicate'")

    with pytest.raises(Conflict, match="nothing in it waits"):
        await commands.confirm(desk.scope(), second)
    await commands.correct(desk.scope(), second, {"name": "The same again"})
    with pytest.raises(Conflict, match=r"booked already, from note.pdf"):
        await commands.confirm(desk.scope(), second)
    assert "confirmed" == await commands.confirm(desk.scope(), second, another=True)

    assert ["confirmed", "confirmed"] == desk.trades()


async def test_trades_of_a_statement_are_confirmed_one_by_one_or_all_at_once(desk):
    await desk.receives(("s.pdf", activity_statement(DAY, 5, trades=4).pdf))
    await desk.works()
    document = desk.only_document()
    trades = (await commands.get_document(desk.scope(), document)).trades

    assert "review" == await commands.confirm(desk.scope(), document, trade_id=trades[0].id)
    assert ["confirmed", "review", "review", "review"] == desk.trades()
    with pytest.raises(BadRequest, match="tells of 4 trades"):
        await commands.correct(desk.scope(), document, {"net": "1"})
    assert "confirmed" == await commands.confirm(desk.scope(), document)


async def test_a_person_may_say_which_order_it_is(desk):
    document = await in_review(desk)
    order = await commands.place_order(
        desk.scope(),
        {
            "username": "kbrandt",
            "name": "Something else",
            "direction": "BUY",
            "quantity": "5000",
            "placed_on": "2026-01-01",
        },
    )

    with pytest.raises(NotFound, match="no open order"):
        await commands.confirm(desk.scope(), document, order_id=uuid4())
    await commands.confirm(desk.scope(), document, order_id=order)

    assert [(order,)] == desk.own("SELECT order_id FROM postroom.trade")
    assert [("open",)] == desk.own("SELECT status FROM postroom.pending_order")


async def test_an_upload_goes_through_the_same_door_and_its_bytes_are_not_kept_here(desk):
    await desk.places_order(NOTE)
    document = await commands.upload(desk.scope(), NOTE.pdf, "note.pdf")
    assert ["waiting"] == desk.statuses()

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    assert [] == desk.own("SELECT 1 FROM postroom.upload")
    detail = await commands.get_document(desk.scope(), document)
    assert ("manual_upload", "trusted", PERSON) == (
        detail.document.source,
        detail.document.trust,
        detail.document.sender_email,
    )
    assert desk.archived()[0].startswith("archive/sender_email=rosalind%40larkspur%2Eexample/received_date=2026-02-04/")


async def test_an_upload_of_what_came_by_mail_is_a_duplicate(desk):
    await in_review(desk)
    await commands.upload(desk.scope(), NOTE.pdf, "again.pdf")

    await desk.works()

    assert ["review", "duplicate"] == desk.statuses()


async def test_an_upload_that_cannot_be_read_waits_and_is_tried_again(desk):
    document = await commands.upload(desk.scope(), locked(NOTE, "sesame").pdf, "note.pdf")
    await desk.works()
    assert ["failed"] == desk.statuses()
    assert [(1,)] == desk.own("SELECT count(*) FROM postroom.upload")
    await commands.retry(desk.scope(), document)
    await desk.works()
    assert ["failed"] == desk.statuses()

    await commands.add_password(desk.scope(), desk.outside.sealer, "Thornbury", Secret("sesame"))
    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    with pytest.raises(Conflict, match="only what could not be read"):
        await commands.retry(desk.scope(), document)


async def test_pages_of_documents_follow_each_other_without_gaps(desk):
    for number in range(5):
        await commands.upload(desk.scope(), NOTE.pdf + b"\n" * number, f"{number}.pdf")
    seen, before = [], None
    while True:
        page = await commands.documents(desk.scope(), before=before, most=2)
        seen += [each.filename for each in page.items]
        before = page.next
        if before is None:
            break

    assert sorted(seen, reverse=True) == [f"{number}.pdf" for number in (4, 3, 2, 1, 0)]
    assert 5 == len((await commands.documents(desk.scope(), status="waiting")).items)
    assert 5 == len((await commands.documents(desk.scope(), kind="other")).items)
    assert [] == (await commands.documents(desk.scope(), status="review")).items
    with pytest.raises(BadRequest, match="is not a status"):
        await commands.documents(desk.scope(), status="lost")


async def test_the_tally_follows_every_change_and_folding_does_not_change_it(desk):
    document = await in_review(desk)
    assert [("contract_note", "review", 1)] == [
        (each.kind, each.status, each.count) for each in await commands.tally(desk.scope())
    ]
    await commands.reject(desk.scope(), document, "Wrong.")
    told = await commands.tally(desk.scope())
    async with desk.db.tenant(desk.tenant) as tx:
        await tx.run(sql.Query("fold", "SELECT postroom.fold_document_tally(%(t)s)"), t=desk.tenant)

    assert told == await commands.tally(desk.scope())
    assert [("contract_note", "rejected", 1)] == [(each.kind, each.status, each.count) for each in told]
    assert [(1,)] == desk.own("SELECT count(*) FROM postroom.document_tally")


async def test_the_review_queue_gives_the_longest_waiting_first(desk):
    first = await in_review(desk)
    await desk.receives(("other.pdf", NOTES["kestrel"](DAY, 2).pdf))
    await desk.works()

    assert first == await commands.next_in_review(desk.scope())
    second = await commands.next_in_review(desk.scope(), first)
    assert second not in (None, first)
    assert await commands.next_in_review(desk.scope(), second) is None


async def test_a_page_is_drawn_from_the_archive(desk):
    document = await in_review(desk)

    image = await commands.page_image(desk.scope(), desk.outside, document, 1, 300)

    assert image.content.startswith(b"\x89PNG")
    with pytest.raises(BadRequest):
        await commands.page_image(desk.scope(), desk.outside, document, 0)


async def test_another_tenant_sees_nothing(desk, owner_dsn):
    from makers import make_tenant

    document = await in_review(desk)
    desk.tenant = make_tenant(owner_dsn)

    with pytest.raises(NotFound):
        await commands.get_document(desk.scope(), document)
    with pytest.raises(NotFound):
        await commands.reject(desk.scope(), document, "Mine now.")
    assert [] == (await commands.trades(desk.scope())).items


async def test_orders_are_imported_wholly_or_not_at_all_and_once(desk):
    good = b"external_id,user,direction,quantity,date,isin\nA1,kb,BUY,10,2026-02-04,US0378331005\n"

    bad = await commands.import_orders(desk.scope(), good + b"A2,kb,BUY,none,2026-02-04,US0378331005\n")
    assert [(3, "quantity 'none' is not a positive number; write it as 1234.56.")] == [
        (each.line, each.because) for each in bad.bad
    ]
    assert [] == (await commands.orders(desk.scope())).items

    first = await commands.import_orders(desk.scope(), good)
    again = await commands.import_orders(desk.scope(), good)
    changed = await commands.import_orders(desk.scope(), good.replace(b",10,", b",12,"))
    assert [(1, 0, 0), (0, 0, 1), (0, 1, 0)] == [
        (each.new, each.changed, each.unchanged) for each in (first, again, changed)
    ]
    (order,) = (await commands.orders(desk.scope(), status="open")).items
    assert Decimal(12) == order.quantity

    await commands.cancel_order(desk.scope(), order.id)
    with pytest.raises(Conflict, match="is cancelled"):
        await commands.cancel_order(desk.scope(), order.id)
    assert 2 == len(desk.facts("order.placed"))


async def test_senders_and_passwords_are_kept_by_name(desk):
    who = desk.scope()
    assert await commands.allow_sender(who, "ap_invoices", " Supplier.Example ")
    assert not await commands.allow_sender(who, "ap_invoices", "supplier.example")
    (rule,) = await commands.sender_rules(who)
    assert "supplier.example" == rule.entry
    for pipeline, entry in (("ap_invoices", "all of them"), ("ap_invoices", ""), ("nonsense", "a@b.example")):
        with pytest.raises(BadRequest):
            await commands.allow_sender(who, pipeline, entry)
    await commands.disallow_sender(who, rule.id)
    assert [] == await commands.sender_rules(who)

    await commands.add_password(who, desk.outside.sealer, "Thornbury", Secret("sesame"))
    with pytest.raises(Conflict):
        await commands.add_password(who, desk.outside.sealer, "Thornbury", Secret("sesame"))
    (password,) = await commands.passwords(who)
    assert b"sesame" not in bytes(password.sealed)
    await commands.remove_password(who, password.id)
    with pytest.raises(NotFound):
        await commands.remove_password(who, password.id)
