"""Trades, and the orders they fulfil."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.confirming import GateVerdict
from postroom.nouns.documents import Box, Direction, Field, RivalReading, Trade, plain
from postroom.nouns.ids import DocumentId, OrderId, TenantId, TradeId, new_id
from postroom.rooms.documents.rules.order_files import NewOrder
from postroom.rooms.documents.rules.orders import PendingOrder
from postroom.rooms.documents.rules.routes import Confirm, Duplicate, PostedStatus, Route
from postroom.rooms.documents.store.beside import QUERIES as ROUTING
from postroom.rooms.documents.store.documents import MACHINE, QUERIES, clean, json_of
from postroom.rooms.documents.store.gate import verdict_row


@dataclass(frozen=True, slots=True)
class BookedTrade:
    """A trade as it stands in the books."""

    id: TradeId
    document_id: DocumentId
    position: int
    status: PostedStatus
    because: str
    direction: Direction | None
    trade_date: date | None
    settlement_date: date | None
    quantity: Decimal | None
    isin: str | None
    ticker: str | None
    name: str | None
    price: Decimal | None
    currency: str | None
    gross: Decimal | None
    fees: Decimal | None
    taxes: Decimal | None
    net: Decimal | None
    confidence: float
    fields: dict[str, Any]
    fingerprint: str | None
    instance: int
    duplicate_of: TradeId | None
    order_id: OrderId | None
    order_because: str | None
    trade_key: str | None
    confirmed_by: str | None
    confirmed_at: datetime | None
    corrected_by: str | None
    corrected_at: datetime | None
    created_at: datetime

    def as_trade(self) -> Trade:
        values = {name: getattr(self, name) for name in Trade.NAMES}
        return Trade(**values, confidence=self.confidence, fields=fields_from(self.fields, values))


@dataclass(frozen=True, slots=True)
class PlannedTrade:
    """A trade with its place in the books, before it is written."""

    id: TradeId
    trade: Trade
    fingerprint: str | None
    instance: int
    route: Route
    trade_key: str | None = None
    filled_before: Decimal = Decimal(0)  # of the order it is for, as it stands in the books

    @property
    def order_id(self) -> UUID | None:
        if isinstance(self.route, Duplicate) or self.route.order is None:
            return None
        return self.route.order.order.id


@dataclass(frozen=True, slots=True)
class Booked:
    """A confirmed twin."""

    id: UUID
    filename: str
    instance: int


@dataclass(frozen=True, slots=True)
class _PutOrder:
    id: OrderId
    is_new: bool


def fields_from(stored: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Field]:
    """Fields with their places; the value itself stands in its own column."""
    return {
        name: Field(
            values[name],
            float(each.get("confidence") or 0.0),
            each.get("page"),
            _box(each),
            candidates=tuple(
                RivalReading(one["value"], one["by"], one.get("page"), _box(one)) for one in each.get("candidates", ())
            ),
        )
        for name, each in stored.items()
        if values.get(name) is not None
    }


def _box(place: Mapping[str, Any]) -> Box | None:
    return tuple(place["box"]) if place.get("box") else None


def fields_json(fields: Mapping[str, Field]) -> dict[str, Any]:
    return {name: field.as_json() for name, field in fields.items()}


async def put_trades(
    tx: Tx,
    tenant_id: TenantId,
    document_id: DocumentId,
    planned: Sequence[PlannedTrade],
    said: GateVerdict | None,
    now: datetime,
) -> bool:
    """In place of those it had, with what the gate said of them and the orders they fill. False when somebody took one
    of those orders meanwhile."""
    rows = [_trade_row(position, each) for position, each in enumerate(planned)]
    fills = [fill for each in planned if (fill := _fill(each))]
    gate = [verdict_row(said)] if said else []
    values = {"trades": json_of(rows), "fills": json_of(fills), "gate": json_of(gate), "now": now}
    filled: int = await tx.value(ROUTING.put_trades, tenant_id=tenant_id, document_id=document_id, **values)
    return filled == len(fills)


def _fill(planned: PlannedTrade) -> dict[str, Any] | None:
    """What a confirmed trade takes of its order, of which so much was filled when it was matched."""
    if not isinstance(planned.route, Confirm) or planned.order_id is None:
        return None
    quantity, before = plain(planned.trade.quantity), plain(planned.filled_before)
    return {"id": planned.order_id, "quantity": quantity, "filled": before}


def _trade_row(position: int, planned: PlannedTrade) -> dict[str, Any]:
    route, trade = planned.route, planned.trade
    order = None if isinstance(route, Duplicate) else route.order
    return {
        **{name: plain(getattr(trade, name)) for name in Trade.NAMES},
        "id": planned.id,
        "position": position,
        "status": status_of(route),
        "because": route.because,
        "confidence": trade.confidence,
        "fields": fields_json(trade.fields),
        "fingerprint": planned.fingerprint,
        "instance": planned.instance,
        "duplicate_of": route.of if isinstance(route, Duplicate) else None,
        "order_id": planned.order_id,
        "order_because": order.because if order else None,
        "trade_key": planned.trade_key,
        "confirmed_by": MACHINE if isinstance(route, Confirm) else None,
    }


def status_of(route: Route) -> PostedStatus:
    match route:
        case Confirm():
            return "confirmed"
        case Duplicate():
            return "duplicate"
        case _:
            return "review"


async def trades_of_document(tx: Tx, document_id: DocumentId) -> list[BookedTrade]:
    return await tx.rows(QUERIES.trades_of_document, BookedTrade, document_id=document_id)


async def trade(tx: Tx, trade_id: TradeId) -> BookedTrade | None:
    return await tx.row(QUERIES.trade, BookedTrade, id=trade_id)


async def trades(tx: Tx, *, before: TradeId | None, most: int, status: str | None = None) -> list[BookedTrade]:
    if status is not None:
        return await tx.rows(QUERIES.trades_of_status, BookedTrade, status=status, before=before, most=most)
    return await tx.rows(QUERIES.trades, BookedTrade, before=before, most=most)


async def correct_trade(
    tx: Tx,
    trade_id: TradeId,
    corrected: Trade,
    fingerprint: str | None,
    because: str,
    order: tuple[UUID | None, str | None],
    actor: str,
    now: datetime,
) -> None:
    values = {name: getattr(corrected, name) for name in Trade.NAMES}
    values |= {"fields": json_of(fields_json(corrected.fields)), "confidence": corrected.confidence}
    values |= {"order_id": order[0], "order_because": order[1], "because": clean(because), "actor": actor, "now": now}
    await tx.run(QUERIES.correct_trade, id=trade_id, fingerprint=fingerprint, **values)


async def settle_trade(
    tx: Tx,
    trade_id: TradeId,
    status: PostedStatus,
    because: str,
    actor: str,
    now: datetime,
    *,
    instance: int | None = None,
    order_id: OrderId | None = None,
    trade_key: str | None = None,
) -> None:
    values = {"status": status, "because": clean(because), "actor": actor, "now": now}
    await tx.run(QUERIES.settle_trade, id=trade_id, instance=instance, order_id=order_id, trade_key=trade_key, **values)


async def booked_twins(tx: Tx, trade_id: TradeId, fingerprint: str | None) -> list[Booked]:
    return await tx.rows(QUERIES.booked_twin, Booked, id=trade_id, fingerprint=fingerprint)


async def fill_orders(tx: Tx, fills: Sequence[tuple[UUID, Decimal]], now: datetime) -> None:
    rows = [{"id": order_id, "quantity": plain(quantity)} for order_id, quantity in fills]
    await tx.run(QUERIES.fill_orders, fills=json_of(rows), now=now)


async def orders(tx: Tx, *, before: OrderId | None, most: int, status: str | None = None) -> list[PendingOrder]:
    return await tx.rows(QUERIES.orders, PendingOrder, before=before, most=most, status=status)


async def order(tx: Tx, order_id: UUID) -> PendingOrder | None:
    return await tx.row(QUERIES.order, PendingOrder, id=order_id)


async def put_orders(
    tx: Tx, tenant_id: TenantId, new: Sequence[NewOrder], actor: str, now: datetime
) -> tuple[list[OrderId], int]:
    """The orders that are new or changed, and how many of them are new."""
    rows = [
        {"id": new_id(), "placed_on": each.placed_on.isoformat(), "quantity": plain(each.quantity)}
        | {"limit_price": plain(each.limit_price), "direction": each.direction}
        | {
            name: getattr(each, name) and clean(getattr(each, name))
            for name in ("external_id", "username", "isin", "ticker", "name", "currency")
        }
        for each in new
    ]
    put = await tx.rows(QUERIES.put_orders, _PutOrder, tenant_id=tenant_id, orders=json_of(rows), actor=actor, now=now)
    return [each.id for each in put], sum(each.is_new for each in put)


async def cancel_order(tx: Tx, order_id: OrderId, now: datetime) -> str | None:
    external: str | None = await tx.value(QUERIES.cancel_order, id=order_id, now=now)
    return external


async def release_order(tx: Tx, order_id: OrderId, quantity: Decimal, now: datetime) -> None:
    """What was booked for it is not true after all."""
    await tx.run(QUERIES.release_order, id=order_id, quantity=quantity, now=now)
