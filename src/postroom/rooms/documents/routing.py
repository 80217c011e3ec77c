"""From what was read to what is booked: duplicates, orders, and the doubts that go to a person."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.documents import Extraction, Trade
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import DocumentId, InvoiceId, TradeId, new_id
from postroom.nouns.mail import Trust
from postroom.rooms.documents.rules import fingerprints as prints
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.rules.orders import PendingOrder
from postroom.rooms.documents.rules.routes import (
    Confirm,
    Duplicate,
    Route,
    RoutingContext,
    document_verdict,
    route_invoice,
    route_trade,
)
from postroom.rooms.documents.store import books, documents, invoices
from postroom.rooms.documents.store.books import PlannedTrade


@dataclass(frozen=True, slots=True)
class Routed:
    """Where a document went, and what came of it."""

    status: Status
    because: str
    trades: Sequence[PlannedTrade] = ()
    invoice_id: InvoiceId | None = None

    @property
    def confirmed(self) -> int:
        return sum(isinstance(each.route, Confirm) for each in self.trades)


class ExtractionRouter:
    """Routes documents that were recorded. With `tx` it takes part in the caller's transaction."""

    def __init__(self, scope: TenantScope, tx: Tx | None = None) -> None:
        self._desk, self._tx = scope, tx

    async def process_and_route(
        self, document_id: DocumentId, extraction: Extraction, sender_email: str | None
    ) -> Routed:
        """Fingerprint dedupe, auto-confirm or review, link to pending orders: wholly or not at all."""
        async with self._transaction() as tx:
            await documents.take_turns(tx, self._desk.tenant_id)
            document = await documents.document(tx, document_id)
            if document is None:
                raise NotFound(f"There is no document {document_id}.")
            context = await routing_context(tx, document, sender_email)
            routed = await self._route(tx, document_id, extraction, context)
            await documents.set_status(tx, document_id, routed.status, routed.because, self._desk.now)
            told = facts.DocumentRouted(
                document_id=document_id,
                message_id=document.message_id,
                mailbox_id=document.mailbox_id,
                document_kind=extraction.type,
                status=routed.status,
                because=routed.because,
                trades=len(routed.trades),
            )
            await self._desk.tell(tx, told)
            return routed

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Tx]:
        if self._tx is not None:
            yield self._tx
            return
        async with self._desk.finish() as tx:
            yield tx

    async def _route(self, tx: Tx, document_id: DocumentId, extraction: Extraction, context: RoutingContext) -> Routed:
        if extraction.type == "invoice" and extraction.invoice is not None:
            return await self._route_invoice(tx, document_id, extraction, context)
        if extraction.type in ("contract_note", "activity_statement") and extraction.trades:
            return await self._route_trades(tx, document_id, extraction, context)
        if extraction.type == "other":
            return Routed("skipped", extraction.because or "Neither a trade nor an invoice.")
        return Routed(
            "review", extraction.because or f"It looks like a {extraction.type}, but nothing was found in it."
        )

    async def _route_trades(
        self, tx: Tx, document_id: DocumentId, extraction: Extraction, context: RoutingContext
    ) -> Routed:
        planned = await plan_trades(tx, document_id, extraction, context)
        await books.put_trades(tx, self._desk.tenant_id, document_id, planned, self._desk.now)
        confirmed = [each for each in planned if isinstance(each.route, Confirm)]
        await books.fill_orders(tx, [_fill(each) for each in confirmed if each.order_id], self._desk.now)
        for each in confirmed:
            told = facts.TradeConfirmed(
                document_id=document_id, trade_id=each.id, order_id=each.order_id, because=each.route.because
            )
            await self._desk.tell(tx, told)
        status, because = document_verdict([each.route for each in planned])
        return Routed(status, because, planned)

    async def _route_invoice(
        self, tx: Tx, document_id: DocumentId, extraction: Extraction, context: RoutingContext
    ) -> Routed:
        invoice = extraction.invoice
        assert invoice is not None
        mark = prints.invoice_fingerprint(invoice)
        twins = await invoices.similar_invoices(tx, document_id, invoice, mark)
        route = route_invoice(invoice, extraction, context, twins)
        invoice_id = InvoiceId(new_id())
        await invoices.put_invoice(
            tx, self._desk.tenant_id, document_id, invoice_id, invoice, mark, route, self._desk.now
        )
        if isinstance(route, Confirm):
            told = facts.InvoiceConfirmed(document_id=document_id, invoice_id=invoice_id, because=route.because)
            await self._desk.tell(tx, told)
        status, because = document_verdict([route])
        return Routed(status, because, invoice_id=invoice_id)


async def routing_context(tx: Tx, document: documents.Document, sender_email: str | None) -> RoutingContext:
    tenant = await documents.tenant(tx)
    wishes = tenant.policy.get("documents") or {}
    return RoutingContext(
        trust=Trust(document.trust, document.trust_because),
        doubts=document.doubts,
        sender_email=sender_email,
        keeps_orders=bool(wishes.get("require_order", await books.keeps_orders(tx))),
        sure_enough=float(wishes.get("sure_enough", 0.0)),
        accounts=await invoices.accounts_of_sender(tx, sender_email) if document.kind == "invoice" else frozenset(),
    )


async def plan_trades(
    tx: Tx, document_id: DocumentId, extraction: Extraction, context: RoutingContext
) -> list[PlannedTrade]:
    """Every trade with its route. An order that one trade takes is not there for the next."""
    marks = [prints.trade_fingerprint(trade) for trade in extraction.trades]
    numbers = prints.instances(marks)
    known = await books.similar_trades(tx, document_id, list(zip(extraction.trades, marks, numbers, strict=True)))
    orders = await books.open_orders(tx, extraction.trades)
    planned = []
    for at, (trade, mark, number) in enumerate(zip(extraction.trades, marks, numbers, strict=True)):
        route = route_trade(trade, extraction, context, known.get(at, ()), orders)
        orders = _after(orders, trade, route)
        planned.append(PlannedTrade(TradeId(new_id()), trade, mark, number, route, key_for(trade, route)))
    return planned


def key_for(trade: Trade, route: Route) -> str | None:
    """The trade key is known once we know whose trade it is."""
    if isinstance(route, Duplicate) or route.order is None:
        return None
    return prints.trade_key(route.order.order.username, trade)


def _after(orders: Sequence[PendingOrder], trade: Trade, route: Route) -> list[PendingOrder]:
    if isinstance(route, Duplicate) or route.order is None:
        return list(orders)
    taken, quantity = route.order.order.id, trade.quantity or Decimal(0)
    left = [replace(each, filled=each.filled + quantity) if each.id == taken else each for each in orders]
    return [each for each in left if each.left > 0]


def _fill(planned: PlannedTrade) -> tuple[UUID, Decimal]:
    assert planned.order_id is not None
    assert planned.trade.quantity is not None
    return planned.order_id, planned.trade.quantity
