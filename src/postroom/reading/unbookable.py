"""Why a trade, an invoice or another entry cannot be booked: something is missing, or a number cannot be so."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from postroom.nouns.documents import Booking, Invoice, Trade, Value, plain
from postroom.reading.kinds.kind import kinds

NEVER_NEGATIVE = ("price", "gross", "net")


def unbookable_trade(trade: Trade) -> str:
    """A sentence that says what stands against it; empty when nothing does."""
    wanted = ("direction", "trade_date", "quantity", "net", "currency")
    missing = [name.replace("_", " ") for name in wanted if getattr(trade, name) is None]
    if not (trade.isin or trade.ticker or trade.name):
        missing.append("instrument")
    return _not_found(missing) or impossible_in_trade({name: getattr(trade, name) for name in Trade.NAMES})


def unbookable_booking(booking: Booking) -> str:
    """By what its kind says it must have; of a kind that nobody described, nothing is missing."""
    wanted = next((each.required for each in kinds() if each.name == booking.kind), ())
    missing = [name.replace("_", " ") for name in wanted if booking.values.get(name) is None]
    return _not_found(missing) or impossible_in_booking(booking.values)


def unbookable_invoice(invoice: Invoice) -> str:
    """Its amounts may be negative: then it is a credit note."""
    wanted = ("number", "issue_date", "grand_total", "currency")
    return _not_found([name.replace("_", " ") for name in wanted if getattr(invoice, name) is None])


def impossible_in_trade(values: Mapping[str, Value | None]) -> str:
    """What no trade has. Charges may be negative: something was paid back."""
    if why := impossible_in_booking(values):
        return f"{why} Whether it was bought or sold is said by the direction."
    for name in NEVER_NEGATIVE:
        number = values.get(name)
        if isinstance(number, Decimal) and number < 0:
            return f"The {name} of a trade is never negative, and {plain(number)} is; the direction says who paid."
    return ""


def impossible_in_booking(values: Mapping[str, Value | None]) -> str:
    quantity = values.get("quantity")
    if isinstance(quantity, Decimal) and quantity <= 0:
        return f"The quantity must be greater than 0, and {plain(quantity)} is not."
    return ""


def _not_found(missing: list[str]) -> str:
    return f"Not found: {', '.join(missing)}." if missing else ""
