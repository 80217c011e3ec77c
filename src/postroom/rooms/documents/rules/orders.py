"""Which pending order a trade fulfils, and why this one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal
from uuid import UUID

from postroom.nouns.documents import Direction, Trade, plain
from postroom.rooms.documents.rules.fingerprints import name_words

LASTS_DAYS = 30  # an order placed longer ago is not what was executed now
NAMES_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class PendingOrder:
    """Somebody's wish to trade that waits for its contract note."""

    id: UUID
    external_id: str
    username: str
    isin: str | None
    ticker: str | None
    name: str | None
    direction: Direction
    quantity: Decimal
    filled: Decimal
    limit_price: Decimal | None
    currency: str | None
    placed_on: date
    status: Literal["open", "filled", "cancelled"]

    @property
    def left(self) -> Decimal:
        return self.quantity - self.filled

    @property
    def said(self) -> str:
        return f"{self.username}'s order {self.external_id}"


@dataclass(frozen=True, slots=True)
class Matched:
    """This one, because. With `doubt`, a person should look."""

    order: PendingOrder
    because: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Unmatched:
    because: str


Match = Matched | Unmatched


def match(trade: Trade, orders: Sequence[PendingOrder], sender_email: str | None) -> Match:
    """Instrument, side, day and quantity must fit; among several that do, the sender's own, then the oldest."""
    if trade.direction is None or trade.trade_date is None or trade.quantity is None:
        return Unmatched("Without side, day and quantity no order can be looked for.")
    near = [(order, how) for order in orders if (how := _instrument(trade, order))]
    if not near:
        return Unmatched(f"No pending order is for {_shown(trade)}.")
    same_side = [(order, how) for order, how in near if order.direction == trade.direction]
    if not same_side:
        return Unmatched(f"{near[0][0].said} for {_shown(trade)} is to {near[0][0].direction}, not {trade.direction}.")
    in_time = [(order, how) for order, how in same_side if _in_time(trade.trade_date, order)]
    if not in_time:
        order = same_side[0][0]
        return Unmatched(f"{order.said} was placed on {order.placed_on}, which does not fit {trade.trade_date}.")
    return _by_quantity(trade, in_time, sender_email)


def _by_quantity(trade: Trade, orders: Sequence[tuple[PendingOrder, str]], sender_email: str | None) -> Match:
    assert trade.quantity is not None
    quantity = trade.quantity
    exact = [(order, how) for order, how in orders if order.left == quantity]
    if exact:
        return _choose(trade, exact, sender_email)
    part = [(order, how) for order, how in orders if order.left > quantity]
    if part:
        order, how = min(part, key=lambda pair: _rank(pair[0], sender_email))
        because = f"{order.said} has the same {how} and side; {plain(quantity)} of {plain(order.left)} left."
        return Matched(order, because, f"Only {plain(quantity)} of {plain(order.left)} of {order.said} were executed.")
    order = orders[0][0]
    return Unmatched(f"{order.said} is for {plain(order.left)}, but {plain(quantity)} were traded.")


def _choose(trade: Trade, exact: Sequence[tuple[PendingOrder, str]], sender_email: str | None) -> Match:
    ranked = sorted(exact, key=lambda pair: _rank(pair[0], sender_email))
    order, how = ranked[0]
    because = f"{order.said} has the same {how}, side and quantity, and was placed on {order.placed_on}."
    if _own(order, sender_email):
        return Matched(order, f"{because} The mail came from {sender_email}.", _limit_doubt(trade, order))
    others = sorted({other.username for other, _ in ranked[1:] if other.username != order.username})
    if others:
        return Matched(order, because, f"It fits orders of {', '.join([order.username, *others])} equally well.")
    if len(ranked) > 1:
        because += f" It is the oldest of {len(ranked)} that fit."
    doubt = "The instrument was matched by its name only." if how == "name" else _limit_doubt(trade, order)
    return Matched(order, because, doubt)


def _rank(order: PendingOrder, sender_email: str | None) -> tuple[bool, date, str]:
    return (not _own(order, sender_email), order.placed_on, order.external_id)


def _own(order: PendingOrder, sender_email: str | None) -> bool:
    return bool(sender_email) and order.username.lower() in (sender_email, str(sender_email).partition("@")[0])


def _in_time(traded: date, order: PendingOrder) -> bool:
    return 0 <= (traded - order.placed_on).days <= LASTS_DAYS


def _instrument(trade: Trade, order: PendingOrder) -> str:
    """By what the two instruments are the same; empty when they are not."""
    if trade.isin and order.isin:
        return "ISIN" if trade.isin.upper() == order.isin.upper() else ""
    if trade.ticker and order.ticker:
        return "ticker" if trade.ticker.upper() == order.ticker.upper() else ""
    one, other = name_words(trade.name), name_words(order.name)
    if not one or not other:
        return ""
    return "name" if len(one & other) / min(len(one), len(other)) >= NAMES_ALIKE else ""


def _limit_doubt(trade: Trade, order: PendingOrder) -> str:
    """A price beyond the limit, where both are surely in one currency."""
    if order.limit_price is None or trade.price is None or not order.currency or order.currency != trade.currency:
        return ""
    beyond = trade.price > order.limit_price if order.direction == "BUY" else trade.price < order.limit_price
    if not beyond:
        return ""
    return f"The price {plain(trade.price)} is beyond the limit {plain(order.limit_price)} of {order.said}."


def _shown(trade: Trade) -> str:
    return trade.isin or trade.ticker or trade.name or "this instrument"
