"""From what was read to what is booked: duplicates, orders, and the doubts that go to a person."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.confirming import GateVerdict
from postroom.nouns.documents import Booking, Extraction, Invoice, Trade
from postroom.nouns.errors import NotFound, Unavailable
from postroom.nouns.ids import DocumentId, InvoiceId, TradeId, new_id
from postroom.nouns.mail import Trust
from postroom.nouns.pipelines import CONTRACT_NOTES, INVOICES
from postroom.rooms.documents.rules import fingerprints as prints
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.rules.orders import PendingOrder
from postroom.rooms.documents.rules.routes import (
    Confirm,
    Duplicate,
    Route,
    RoutingContext,
    as_allowed,
    document_verdict,
    gate_verdict,
    route_invoice,
    route_trade,
)
from postroom.rooms.documents.store import beside, bookings, books, documents, gate, invoices
from postroom.rooms.documents.store.beside import Beside, BesideQuestion
from postroom.rooms.documents.store.books import PlannedTrade

A_PERSON_DECIDES = "A person decides about entries of this kind."


@dataclass(frozen=True, slots=True)
class Routed:
    """Where a document went, and what came of it."""

    status: Status
    because: str
    trades: Sequence[PlannedTrade] = ()
    invoice_id: InvoiceId | None = None
    invoice_route: Route | None = None
    gate: GateVerdict | None = None
    bookings: Sequence[Booking] = ()

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
            marks = [f"document {document_id}", *prints.collisions(extraction)]
            await beside.take_turn(tx, self._desk.tenant_id, marks)
            document = await documents.document(tx, document_id)
            if document is None:
                raise NotFound(f"There is no document {document_id}.")
            question = BesideQuestion(document_id, extraction, sender_email, mailbox_id=document.mailbox_id)
            trust = Trust(document.trust, document.trust_because)
            held = await beside.beside(tx, question)
            routed = await self.plan(tx, question, held, trust, document.doubts)
            await self.book(tx, question, routed)
            await documents.set_status(tx, document_id, routed.status, routed.because, self._desk.now)
            told = facts.DocumentRouted(
                document_id=document_id,
                message_id=document.message_id,
                mailbox_id=document.mailbox_id,
                document_kind=extraction.type,
                status=routed.status,
                because=routed.because,
                trades=len(routed.trades),
                tells_of=extraction.tells_of,
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

    async def plan(self, tx: Tx, question: BesideQuestion, held: Beside, trust: Trust, doubts: Sequence[str]) -> Routed:
        """Where it goes, by what the books hold; nothing is written yet."""
        read = question.extraction
        others = [entry for entry in read.entries if isinstance(entry, Booking)]
        if read.type == "invoice" and read.invoice is not None:
            accounts = await invoices.accounts_of_sender(tx, question.sender_email)
            context = replace(routing_context(held, trust, doubts, question.sender_email), accounts=accounts)
            return _beside(_route_bill(read, read.invoice, context, held), others, read)
        if read.type in ("contract_note", "activity_statement") and read.trades:
            routed = _route_trades(read, routing_context(held, trust, doubts, question.sender_email), held)
            return _beside(routed, others, read)
        if others:
            return Routed("review", read.because or A_PERSON_DECIDES, bookings=others)
        if read.type == "other":
            return Routed("skipped", read.because or "Neither a trade nor an invoice.")
        return Routed("review", read.because or f"It looks like a {read.type}, but nothing was found in it.")

    async def book(self, tx: Tx, question: BesideQuestion, routed: Routed) -> None:
        """Write down what was planned, and tell what is confirmed by it."""
        document_id, invoice = question.document_id, question.extraction.invoice
        if routed.trades and not await books.put_trades(
            tx, self._desk.tenant_id, document_id, routed.trades, routed.gate, self._desk.now
        ):
            raise Unavailable("An order was filled by another document at the same moment; it is looked at again.")
        for each in routed.trades:
            if isinstance(each.route, Confirm):
                told = facts.TradeConfirmed(
                    document_id=document_id, trade_id=each.id, order_id=each.order_id, because=each.route.because
                )
                await self._desk.tell(tx, told)
        if invoice is not None and routed.invoice_id is not None and routed.invoice_route is not None:
            mark, route = prints.invoice_fingerprint(invoice), routed.invoice_route
            await invoices.put_invoice(
                tx, self._desk.tenant_id, document_id, routed.invoice_id, invoice, mark, route, self._desk.now
            )
            if isinstance(route, Confirm):
                booked = facts.InvoiceConfirmed(
                    document_id=document_id, invoice_id=routed.invoice_id, because=route.because
                )
                await self._desk.tell(tx, booked)
        if routed.bookings:
            entries = (routed.bookings, routed.because, self._desk.now)
            await bookings.put_bookings(tx, self._desk.tenant_id, document_id, *entries)
        if routed.gate is not None:
            if not routed.trades:  # else it is put with them
                await gate.put_verdict(tx, self._desk.tenant_id, document_id, routed.gate, self._desk.now)
            await self._tell_shadowed(tx, question, routed.gate)

    async def _tell_shadowed(self, tx: Tx, question: BesideQuestion, said: GateVerdict) -> None:
        """What the gate said is noted for the scorecard; in shadow also told, since nobody sees it happen."""
        if said.mode == "shadow":
            told = facts.ConfirmationShadowed(
                document_id=question.document_id,
                mailbox_id=question.mailbox_id,
                pipeline=said.pipeline,
                would="confirm" if said.passed else "review",
                stated=round(said.stated, 4),
                because=said.because,
            )
            await self._desk.tell(tx, told)


def _beside(routed: Routed, others: Sequence[Booking], read: Extraction) -> Routed:
    """With entries of other kinds that the paper tells of too, or may tell of instead: a person sees all of them."""
    if not others:
        return routed
    because = routed.because if routed.status == "review" else read.because or A_PERSON_DECIDES
    return replace(routed, status="review", because=because, bookings=others)


def _route_bill(read: Extraction, invoice: Invoice, context: RoutingContext, held: Beside) -> Routed:
    mode = held.rules.confirms(INVOICES)
    route = route_invoice(invoice, read, context, held.invoices)
    bare = route_invoice(invoice, read, replace(context, sure_enough=0.0), held.invoices)
    said = gate_verdict(INVOICES, mode, invoice.confidence, [route], [bare])
    allowed = as_allowed(route, mode)
    status, because = document_verdict([allowed])
    return Routed(status, because, invoice_id=InvoiceId(new_id()), invoice_route=allowed, gate=said)


def _route_trades(read: Extraction, context: RoutingContext, held: Beside) -> Routed:
    mode = held.rules.confirms(CONTRACT_NOTES)
    planned = plan_trades(read, context, held)
    bare = plan_trades(read, replace(context, sure_enough=0.0), held) if context.sure_enough else planned
    stated = min(trade.confidence for trade in read.trades)
    said = gate_verdict(CONTRACT_NOTES, mode, stated, [each.route for each in planned], [each.route for each in bare])
    allowed = [replace(each, route=as_allowed(each.route, mode)) for each in planned]
    status, because = document_verdict([each.route for each in allowed])
    return Routed(status, because, allowed, gate=said)


def routing_context(held: Beside, trust: Trust, doubts: Sequence[str], sender_email: str | None) -> RoutingContext:
    return RoutingContext(
        trust,
        doubts,
        sender_email,
        held.keeps_orders,
        held.sure_enough,
        confirmed_since_learnt=held.confirmed_since_learnt,
    )


def plan_trades(extraction: Extraction, context: RoutingContext, held: Beside) -> list[PlannedTrade]:
    """Every trade with its route. An order that one trade takes is not there for the next."""
    marks = [prints.trade_fingerprint(trade) for trade in extraction.trades]
    orders, filled = list(held.orders), {each.id: each.filled for each in held.orders}
    planned = []
    for at, (trade, mark, number) in enumerate(zip(extraction.trades, marks, prints.instances(marks), strict=True)):
        route = route_trade(trade, extraction, context, held.trades.get(at, ()), orders)
        orders = _after(orders, trade, route)
        made = PlannedTrade(TradeId(new_id()), trade, mark, number, route, key_for(trade, route))
        planned.append(replace(made, filled_before=filled[made.order_id]) if made.order_id else made)
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
