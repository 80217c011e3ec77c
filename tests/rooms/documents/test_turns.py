"""Who routes at the same moment: what could collide goes one after the other, everything else beside each other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal

import pytest

from postroom.db.sql import Query
from postroom.engine.work import TenantScope
from postroom.nouns.errors import Unavailable
from postroom.nouns.facts import ConfirmingSwitched
from postroom.nouns.mail import Trust
from postroom.nouns.pipelines import CONTRACT_NOTES
from postroom.rooms.documents import commands
from postroom.rooms.documents.routing import ExtractionRouter, Routed
from postroom.rooms.mailboxes import commands as mailboxes
from rooms.documents.test_router import READ, TRADE, recorded

EXPLAINED = (
    "EXPLAIN SELECT id FROM postroom.trade WHERE tenant_id = (SELECT postroom.tenant())"
    " AND likeness = 'DE0008404005 SELL 9531 30'"
)
OTHER = replace(READ, trades=(replace(TRADE, quantity=Decimal(31), net=Decimal("7233.44")),))


@contextlib.asynccontextmanager
async def routed_and_not_committed(desk, document, read) -> AsyncIterator[asyncio.Event]:
    """Somebody has booked, and commits when the event is set."""
    booked, commit = asyncio.Event(), asyncio.Event()

    async def routes() -> None:
        scope = desk.scope()
        async with scope.finish() as tx:
            await ExtractionRouter(scope, tx).process_and_route(document, read, None)
            booked.set()
            await commit.wait()

    running = asyncio.create_task(routes())
    await asyncio.wait_for(booked.wait(), 10)
    try:
        yield commit
    finally:
        commit.set()
        await running


def routing(desk, document, read) -> asyncio.Task[Routed]:
    return asyncio.create_task(ExtractionRouter(desk.scope()).process_and_route(document, read, None))


async def test_two_copies_of_a_note_at_the_same_moment_make_one_trade(desk):
    first, second = await recorded(desk, "a.pdf"), await recorded(desk, "b.pdf")
    async with routed_and_not_committed(desk, first, READ) as commit:
        other = routing(desk, second, READ)
        await desk.waits_for_locks(1)  # for what could be the same trade
        commit.set()
        assert "duplicate" == (await other).status

    assert ["confirmed", "duplicate"] == sorted(desk.trades())


async def test_another_trade_of_the_same_tenant_waits_for_nobody(desk):
    first, second = await recorded(desk, "a.pdf"), await recorded(desk, "b.pdf")
    async with routed_and_not_committed(desk, first, READ):
        assert "confirmed" == (await asyncio.wait_for(routing(desk, second, OTHER), 10)).status

    assert ["confirmed", "confirmed"] == desk.trades()


async def test_what_a_person_decides_waits_for_what_is_being_routed(desk):
    first, second = (
        await recorded(desk, "a.pdf"),
        await recorded(desk, "b.pdf", trust=Trust("unknown", "Nobody knows them.")),
    )
    await routing(desk, second, OTHER)
    async with routed_and_not_committed(desk, first, READ) as commit:
        person = asyncio.create_task(commands.confirm(desk.scope(), second))
        await desk.waits_for_locks(1)
        commit.set()
        assert "confirmed" == await person


async def test_who_switches_confirming_off_waits_for_what_is_being_routed_and_nothing_is_confirmed_after_it(desk):
    await mailboxes.set_confirming(desk.scope(), desk.mailbox, {CONTRACT_NOTES: "on"})
    first, second = [await recorded(desk, name, mailbox_id=desk.mailbox) for name in ("a.pdf", "b.pdf")]
    async with asyncio.timeout(20), routed_and_not_committed(desk, first, READ) as commit:
        person = asyncio.create_task(mailboxes.set_confirming(desk.scope(), desk.mailbox, {CONTRACT_NOTES: "off"}))
        await desk.waits_for_locks(1)
        commit.set()
        await person

    assert "review" == (await routing(desk, second, OTHER)).status
    assert ["confirmed", "review"] == sorted(desk.trades())


async def test_what_is_routed_while_confirming_is_being_switched_off_goes_to_a_person(desk):
    await mailboxes.set_confirming(desk.scope(), desk.mailbox, {CONTRACT_NOTES: "on"})
    document = await recorded(desk, "a.pdf", mailbox_id=desk.mailbox)
    switched, commit = asyncio.Event(), asyncio.Event()
    tell = TenantScope.tell

    async def told(scope, tx, fact, payload=None) -> None:
        await tell(scope, tx, fact, payload)
        if isinstance(fact, ConfirmingSwitched):
            switched.set()
            await commit.wait()

    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(TenantScope, "tell", told)
        person = asyncio.create_task(mailboxes.set_confirming(desk.scope(), desk.mailbox, {CONTRACT_NOTES: "off"}))
        async with asyncio.timeout(20):
            await switched.wait()
            other = routing(desk, document, READ)
            await desk.waits_for_locks(1)
            commit.set()
            await person

            assert "review" == (await other).status


async def test_documents_of_one_mailbox_do_not_wait_for_each_other(desk):
    await mailboxes.set_confirming(desk.scope(), desk.mailbox, {CONTRACT_NOTES: "on"})
    first, second = [await recorded(desk, name, mailbox_id=desk.mailbox) for name in ("a.pdf", "b.pdf")]
    async with routed_and_not_committed(desk, first, READ):
        assert "confirmed" == (await asyncio.wait_for(routing(desk, second, OTHER), 10)).status


async def test_an_order_is_filled_once_even_by_trades_that_share_no_mark(desk):
    """One names the instrument by its ISIN, the other by its ticker: no lock sees that both are for one order."""
    wanted = {"isin": TRADE.isin, "ticker": "ALV", "direction": "SELL", "quantity": "30", "placed_on": "2026-02-03"}
    await commands.place_order(desk.scope(), {"username": "kb", **wanted})
    by_ticker = replace(READ, trades=(replace(TRADE, isin=None, ticker="ALV", net=Decimal("7001.00")),))
    first, second = await recorded(desk, "a.pdf"), await recorded(desk, "b.pdf")
    async with routed_and_not_committed(desk, first, READ) as commit:
        other = routing(desk, second, by_ticker)
        await desk.waits_for_locks(1)
        commit.set()
        with pytest.raises(Unavailable, match="another document"):
            await other
    again = await ExtractionRouter(desk.scope()).process_and_route(second, by_ticker, None)

    assert ("review", 0) == (again.status, again.confirmed)
    assert [(Decimal(30), "filled")] == desk.own("SELECT filled, status FROM postroom.pending_order")


async def test_a_like_trade_is_found_by_its_index_however_many_there_are_of_that_day(desk):
    """Row-level security keeps an index from being searched by numbers; by one text it may be."""
    async with desk.db.tenant(desk.tenant) as tx:
        await tx.run(Query("index", "SET LOCAL enable_seqscan = off"))
        lines = await tx.values(Query("explained", EXPLAINED))

    assert any("trade_by_likeness" in line for line in lines)
    assert any("Index Cond" in line and "likeness = " in line for line in lines), lines
