"""Where an extracted document goes. When in doubt, to a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal
from uuid import UUID

from postroom.nouns.confirming import ConfirmingMode, GateVerdict
from postroom.nouns.counting import told_apart
from postroom.nouns.documents import Extraction, Invoice, Trade
from postroom.nouns.mail import Trust
from postroom.reading.unbookable import unbookable_invoice, unbookable_trade
from postroom.rooms.documents.rules.fingerprints import same_money, same_supplier
from postroom.rooms.documents.rules.orders import Matched, PendingOrder, match

PROVED_BY = 3  # documents that people confirm as read before a lesson is believed unseen

WOULD_CONFIRM = "Shadow: it would have been confirmed by itself."

PostedStatus = Literal["confirmed", "review", "rejected", "duplicate"]


@dataclass(frozen=True, slots=True)
class Confirm:
    because: str
    order: Matched | None = None


@dataclass(frozen=True, slots=True)
class Review:
    because: str
    order: Matched | None = None


@dataclass(frozen=True, slots=True)
class Duplicate:
    of: UUID
    because: str


Route = Confirm | Review | Duplicate


@dataclass(frozen=True, slots=True)
class Twin:
    """A trade or invoice we hold already that looks like this one."""

    id: UUID
    document_id: UUID
    filename: str
    status: PostedStatus
    same_print: bool
    net: Decimal | None = None
    order_id: UUID | None = None
    supplier: str | None = None
    received_on: date | None = None

    @property
    def said(self) -> str:
        return f"{self.filename}" + (f" of {self.received_on}" if self.received_on else "")


@dataclass(frozen=True, slots=True)
class RoutingContext:
    """What is known about a document besides its words."""

    trust: Trust
    doubts: Sequence[str] = ()  # sentences about the file itself, such as a script in it
    sender_email: str | None = None
    keeps_orders: bool = True  # a tenant that keeps orders wants one for every trade
    sure_enough: float = 0.0  # a floor that the tenant sets on top of the calibrated gate
    accounts: frozenset[str] = frozenset()  # where this sender's confirmed invoices were to be paid to
    confirmed_since_learnt: int | None = None  # documents found right as read since we learnt of this sender, if ever


def route_trade(
    trade: Trade,
    extraction: Extraction,
    standing: RoutingContext,
    twins: Sequence[Twin],
    orders: Sequence[PendingOrder],
) -> Route:
    """Where one trade goes. The first rule that applies decides."""
    booked = [twin for twin in twins if twin.same_print and twin.status in ("confirmed", "review")]
    taken = {twin.order_id for twin in booked}
    found = match(trade, [order for order in orders if order.id not in taken], standing.sender_email)
    order = found if isinstance(found, Matched) else None
    if booked and (order is None or order.doubt):
        return Duplicate(booked[0].id, f"The same trade came with {booked[0].said}.")
    if booked:
        assert order is not None
        why = f"It looks like the trade of {booked[0].said}, but {order.order.said} still waits for one like it."
        return Review(why, order)
    if (
        why := _looks_known(trade, twins)
        or _objection(extraction, standing, trade.confidence)
        or unbookable_trade(trade)
    ):
        return Review(why, order)
    if order is not None:
        return Review(order.doubt, order) if order.doubt else Confirm(_confirmed(extraction, standing), order)
    if standing.keeps_orders:
        return Review(found.because)
    return Confirm(_confirmed(extraction, standing))


def route_invoice(invoice: Invoice, extraction: Extraction, standing: RoutingContext, twins: Sequence[Twin]) -> Route:
    booked = [twin for twin in twins if twin.same_print and twin.status in ("confirmed", "review")]
    for twin in booked:
        if same_supplier(invoice.supplier, twin.supplier):
            return Duplicate(twin.id, f"The same invoice came with {twin.said}.")
    if booked:
        return Review(f"Number, day and total are those of {booked[0].said}, but the supplier is another.")
    for twin in twins:
        if twin.status == "rejected" and twin.same_print:
            return Review(f"The same invoice came with {twin.said} and was rejected.")
        if not twin.same_print and twin.status != "duplicate" and same_supplier(invoice.supplier, twin.supplier):
            return Review(f"{invoice.number} came before with {twin.said}, with another day or total.")
    objection = _objection(extraction, standing, invoice.confidence)
    unknown = _new_account(invoice, standing) or _unproved(invoice, standing)
    if why := objection or unbookable_invoice(invoice) or unknown:
        return Review(why)
    return Confirm(_confirmed(extraction, standing))


def _new_account(invoice: Invoice, standing: RoutingContext) -> str:
    """The oldest trick: a genuine-looking invoice with somebody else's bank account."""
    if not invoice.iban or not standing.accounts or invoice.iban in standing.accounts:
        return ""
    return f"{invoice.iban} is a new bank account for {_who(standing.sender_email)}; ask them by a way you know."


def _who(sender: str | None) -> str:
    """Who handed a paper in at the console stands for its sender."""
    return (sender or "somebody unknown").removeprefix("person:")


def _unproved(invoice: Invoice, standing: RoutingContext) -> str:
    """A printed invoice is read, not stated: unseen it passes only where a person let one pass to the same account."""
    if invoice.confidence >= 1.0 or (invoice.iban and invoice.iban in standing.accounts):
        return ""
    if not standing.accounts:
        return f"First invoice from {_who(standing.sender_email)}: check it once, the next will be quicker."
    return f"It names no account that we know of {_who(standing.sender_email)}: check where it is to be paid."


def _looks_known(trade: Trade, twins: Sequence[Twin]) -> str:
    for twin in twins:
        if twin.status == "rejected" and twin.same_print:
            return f"The same trade came with {twin.said} and was rejected."
        if not twin.same_print and twin.status in ("confirmed", "review") and not same_money(twin.net, trade.net):
            return f"Instrument, side, day and quantity are those of {twin.said}, but the amount is another."
    return ""


def _objection(extraction: Extraction, standing: RoutingContext, confidence: float) -> str:
    """Why nobody may post this unseen; empty when nothing speaks against it."""
    if standing.trust.level != "trusted":
        return standing.trust.because
    if standing.doubts:
        return " ".join(standing.doubts)
    if not extraction.auto_confirm:
        return extraction.because or "The reading is not sure enough."
    if confidence < standing.sure_enough:
        sure, asked = told_apart(confidence, standing.sure_enough, "%")
        return f"The reading is {sure} sure; {asked} is asked for here."
    return _newly_learnt(standing)


def _newly_learnt(standing: RoutingContext) -> str:
    """After a correction its sender's documents pass unseen again only when some were right as they were read."""
    seen = standing.confirmed_since_learnt
    if seen is None or seen >= PROVED_BY:
        return ""
    return f"A correction told how {standing.sender_email} writes; {seen} of {PROVED_BY} since were right as read."


def _confirmed(extraction: Extraction, standing: RoutingContext) -> str:
    return f"{extraction.because or 'Everything was read with confidence.'} {standing.trust.because}"


def gate_verdict(
    pipeline: str, mode: ConfirmingMode, stated: float, routes: Sequence[Route], bare: Sequence[Route]
) -> GateVerdict | None:
    """What the gate says of a document, also where it may not act on it; None where nothing new is to be confirmed.

    `bare` are the routes that its parts would take if the tenant asked for no confidence at all.
    """
    new = [route for route in routes if not isinstance(route, Duplicate)]
    if not new:
        return None
    passed = all(isinstance(route, Confirm) for route in new)
    clear = all(isinstance(route, Confirm | Duplicate) for route in bare)
    first = next((route for route in new if isinstance(route, Review)), new[0])
    return GateVerdict(pipeline, mode, stated, clear, passed, first.because)


def as_allowed(route: Route, mode: ConfirmingMode) -> Route:
    """The route that a mailbox lets it take: confirming by itself may be off, or only said."""
    if mode == "on" or not isinstance(route, Confirm):
        return route
    if mode == "shadow":
        return Review(f"{WOULD_CONFIRM} {route.because}", route.order)
    return Review(f"Nothing is confirmed by itself here. {route.because}", route.order)


def document_verdict(routes: Sequence[Route]) -> tuple[Literal["review", "confirmed", "duplicate"], str]:
    """A document waits for a person as long as anything in it does."""
    reviews = [route for route in routes if isinstance(route, Review)]
    confirmed = [route for route in routes if isinstance(route, Confirm)]
    doubles = len(routes) - len(reviews) - len(confirmed)
    status: Literal["review", "confirmed", "duplicate"]
    status = "review" if reviews else "confirmed" if confirmed else "duplicate"
    chosen: Sequence[Route] = reviews or confirmed or routes
    if len(routes) == 1:
        return status, chosen[0].because
    counts = f"{len(confirmed)} confirmed, {len(reviews)} for review, {doubles} known already"
    return status, f"Of {len(routes)} trades: {counts}. {chosen[0].because}"
