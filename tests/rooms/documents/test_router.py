"""`ExtractionRouter` by itself: wholly or not at all, and the database as the last guard."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date
from decimal import Decimal

import psycopg
import pytest

from postroom.nouns.documents import Extraction, Trade
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import DocumentId, new_id
from postroom.nouns.mail import Trust
from postroom.rooms.documents.routing import ExtractionRouter
from postroom.rooms.documents.store import documents
from postroom.rooms.documents.store.documents import NewDocument
from rooms.documents.dealing import NOON

TRADE = Trade(
    direction="SELL",
    trade_date=date(2026, 2, 4),
    quantity=Decimal(30),
    isin="DE0008404005",
    currency="EUR",
    net=Decimal("7000.10"),
    confidence=0.99,
)
READ = Extraction(type="contract_note", trades=(TRADE,), auto_confirm=True, because="All fits.")


async def recorded(desk, name: str = "note.pdf", **changes) -> DocumentId:
    document = NewDocument(
        id=DocumentId(new_id()),
        message_id=None,
        mailbox_id=None,
        attachment_path=name,
        filename=name,
        content_type="application/pdf",
        size=1,
        sha256=hashlib.sha256(name.encode()).hexdigest(),
        source="manual_upload",
        source_metadata={},
        sender_email="anna@bank.example",
        received_at=NOON,
        trust=Trust("trusted", "Known."),
    )
    async with desk.db.tenant(desk.tenant) as tx:
        await documents.put(tx, desk.tenant, replace(document, **changes), NOON)
    return document.id


async def test_it_confirms_and_says_so(desk):
    document = await recorded(desk)

    routed = await ExtractionRouter(desk.scope()).process_and_route(document, READ, "anna@bank.example")

    assert ("confirmed", "All fits. Known.", 1) == (routed.status, routed.because, routed.confirmed)
    assert (["confirmed"], ["confirmed"]) == (desk.statuses(), desk.trades())
    (told,) = desk.facts("document.routed")
    assert "confirmed" == told["status"]


async def test_equal_rows_of_one_document_are_different_trades_and_the_document_again_is_known(desk):
    twice = replace(READ, type="activity_statement", trades=(TRADE, TRADE))
    router = ExtractionRouter(desk.scope())

    first = await router.process_and_route(await recorded(desk, "a.pdf"), twice, None)
    again = await router.process_and_route(await recorded(desk, "b.pdf"), twice, None)
    third = await router.process_and_route(
        await recorded(desk, "c.pdf"), replace(twice, trades=(TRADE, TRADE, TRADE)), None
    )

    assert ("confirmed", 2) == (first.status, first.confirmed)
    assert ("duplicate", 0) == (again.status, again.confirmed)
    assert ("confirmed", 1) == (third.status, third.confirmed)


async def test_one_order_is_filled_once_by_two_equal_rows(desk):
    from postroom.rooms.documents import commands

    order = {"username": "kb", "isin": TRADE.isin, "direction": "SELL", "quantity": "30", "placed_on": "2026-02-03"}
    await commands.place_order(desk.scope(), order)
    twice = replace(READ, type="activity_statement", trades=(TRADE, TRADE))

    routed = await ExtractionRouter(desk.scope()).process_and_route(await recorded(desk), twice, None)

    assert ("review", 1) == (routed.status, routed.confirmed)
    assert ["confirmed", "review"] == desk.trades()
    assert [(Decimal(30), "filled")] == desk.own("SELECT filled, status FROM postroom.pending_order")


async def test_a_document_that_is_not_there_changes_nothing(desk):
    with pytest.raises(NotFound):
        await ExtractionRouter(desk.scope()).process_and_route(DocumentId(new_id()), READ, None)

    assert [] == desk.trades()


async def test_in_the_callers_transaction_nothing_stays_when_the_caller_fails(desk):
    document = await recorded(desk)
    scope = desk.scope()

    async def fails() -> None:
        async with scope.finish() as tx:
            await ExtractionRouter(scope, tx).process_and_route(document, READ, None)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fails()

    assert (["read"], [], []) == (desk.statuses(), desk.trades(), desk.facts("document.routed"))


async def test_the_database_itself_books_a_trade_once(desk):
    document = await recorded(desk)
    await ExtractionRouter(desk.scope()).process_and_route(document, READ, None)

    with pytest.raises(psycopg.errors.UniqueViolation, match="trade_is_booked_once"):
        desk.own(
            "INSERT INTO postroom.trade (id, tenant_id, document_id, position, status, because, direction, trade_date,"
            " quantity, isin, net, currency, confidence, fingerprint, confirmed_by, confirmed_at)"
            " SELECT gen_random_uuid(), tenant_id, document_id, 9, status, because, direction, trade_date, quantity,"
            " isin, net, currency, confidence, fingerprint, confirmed_by, confirmed_at FROM postroom.trade"
        )


async def test_words_with_control_characters_are_kept_without_them(desk):
    odd = replace(TRADE, name="Alli\0anz \ud800 SE")
    document = await recorded(desk, "odd\0.pdf")

    await ExtractionRouter(desk.scope()).process_and_route(document, replace(READ, trades=(odd,)), None)

    ((name,),) = desk.own("SELECT name FROM postroom.trade")
    assert name.startswith("Alli")
