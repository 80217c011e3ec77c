"""What a trade or an invoice must have before anybody may book it."""

from __future__ import annotations

from postroom.nouns.documents import Booking, Invoice, Trade
from postroom.reading.kinds.kind import kinds


def missing_in_trade(trade: Trade) -> str:
    """A sentence that names what was not found; empty when nothing is missing."""
    wanted = ("direction", "trade_date", "quantity", "net", "currency")
    missing = [name.replace("_", " ") for name in wanted if getattr(trade, name) is None]
    if not (trade.isin or trade.ticker or trade.name):
        missing.append("instrument")
    return f"Not found: {', '.join(missing)}." if missing else ""


def missing_in_booking(booking: Booking) -> str:
    """What its kind says it must have; of a kind that nobody described, nothing."""
    wanted = next((each.required for each in kinds() if each.name == booking.kind), ())
    missing = [name.replace("_", " ") for name in wanted if booking.values.get(name) is None]
    return f"Not found: {', '.join(missing)}." if missing else ""


def missing_in_invoice(invoice: Invoice) -> str:
    wanted = ("number", "issue_date", "grand_total", "currency")
    missing = [name.replace("_", " ") for name in wanted if getattr(invoice, name) is None]
    return f"Not found: {', '.join(missing)}." if missing else ""
