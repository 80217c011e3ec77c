"""The gate: whether a document may be posted without a person, and the sentence that says why or why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from postroom.nouns.documents import DocumentText, plain
from postroom.reading.confidence import REQUIRED, Calibration
from postroom.reading.trades.trade import EntryReading

LONGEST_SETTLEMENT_DAYS = 12
WITNESSES = 2  # a day is believed against another one if the document repeats it
REDEEMED = 2.1
LOUDER = 1.0
CALLED = 1.0
PLAINLY_CALLED = 2.5


@dataclass(frozen=True, slots=True)
class GateVerdict:
    unattended: bool
    because: str


def review(because: str) -> GateVerdict:
    return GateVerdict(unattended=False, because=because)


def verdict(
    text: DocumentText, found: Sequence[EntryReading], sure_of_trade: float, calibration: Calibration
) -> GateVerdict:
    """The first objection decides."""
    if text.scripted:
        return review("The file carries a script.")
    if text.source == "ocr":
        return review("The text was recognised from an image.")
    if len(found) > 1:
        return review(f"It tells of {len(found)} trades.")
    (trade,) = found
    if objection := _objection(trade):
        return review(objection)
    if sure_of_trade < calibration.kind_gate:
        return review(f"It may not be a contract note ({sure_of_trade:.2f}).")
    sure = calibration.of_document(trade.flags)
    if sure < calibration.gate:
        return review(_doubt(trade, sure, calibration))
    return GateVerdict(unattended=True, because=_reason(trade))


def _objection(trade: EntryReading) -> str | None:
    missing = [name for name in REQUIRED if name != "isin" and getattr(trade, name) is None]
    if missing:
        return f"There is no {', '.join(missing).replace('_', ' ')}."
    if not trade.flags.get("filled"):
        return "Quantity and price do not multiply to a printed amount."
    if not (trade.flags.get("explained") or trade.flags.get("one_amount")):
        return "The net amount does not follow from the gross amount and the charges."
    if trade.isin is None and not trade.flags.get("numbered"):
        return "There is no ISIN and no other number of the security."
    if trade.isin is not None and not trade.flags.get("isin_checks"):
        return "The ISIN's check digit is wrong."
    if trade.flags.get("isins", 0.0) > 1 and not trade.flags.get("isin_said"):
        return "It names more than one security."
    if objection := _objection_to_net(trade):
        return objection
    if trade.flags.get("redeemed", 0.0) >= REDEEMED:
        return "It reads like a repayment, which has no trade day."
    return _objection_to_days(trade)


def _objection_to_net(trade: EntryReading) -> str | None:
    if trade.flags.get("direction_sums", 0.0) < 0:
        return "The charges make a purchase cheaper or a sale dearer."
    if trade.flags.get("net_louder", 0.0) >= LOUDER:
        return "Another amount is called the net amount more plainly."
    if not trade.flags.get("net_currency") and trade.flags.get("currencies", 0.0) > 1:
        return "It names several currencies, but none beside the net amount."
    return None


def _objection_to_days(trade: EntryReading) -> str | None:
    if trade.flags.get("day_borrowed"):
        return "It prints a settlement day but no trade day."
    if trade.flags.get("day_score", 0.0) < CALLED and trade.flags.get("days", 0.0) > 1:
        return "It prints several days, and calls none the trade day."
    if trade.trade_date is None or trade.settlement_date is None:
        return None
    wait = (trade.settlement_date - trade.trade_date).days
    if not 0 <= wait <= LONGEST_SETTLEMENT_DAYS:
        return f"Settlement comes {wait} days after the trade."
    if wait and not _is_witnessed(trade):
        return "It prints the trade day only once, and other days beside it."
    return None


def _is_witnessed(trade: EntryReading) -> bool:
    """Whether the document tells the trade day twice, or to the minute, or no other day but that of settlement.

    A fraction is bought in bulk for many, and its time is that of the bulk order.
    """
    flags = trade.flags
    whole = trade.quantity is not None and trade.quantity == trade.quantity.to_integral_value()
    no_other = flags.get("days", 0.0) == 2 and flags.get("day_score", 0.0) >= PLAINLY_CALLED
    return flags.get("day_seen", 0.0) >= WITNESSES or no_other or bool(whole and flags.get("day_timed"))


def _doubt(trade: EntryReading, sure: float, calibration: Calibration) -> str:
    weak = sorted(REQUIRED, key=lambda name: calibration.of_field(name, trade.flags))[:2]
    named = " and ".join(f"{name.replace('_', ' ')} ({calibration.of_field(name, trade.flags):.2f})" for name in weak)
    return f"Only {sure:.2f} sure of all together; least of {named}."


def _reason(trade: EntryReading) -> str:
    rate = " (converted)" if trade.flags.get("converted") else ""
    told = f"{plain(trade.quantity)} × {plain(trade.price)} = {plain(trade.gross)}{rate}"
    charges = (trade.fees or Decimal(0)) + (trade.taxes or Decimal(0))
    net = f"{plain(trade.net)} {trade.currency}"
    return f"{told}; with charges of {plain(charges)} it comes to {net}; one valid ISIN, days in order."
