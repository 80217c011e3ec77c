"""The gate: whether a document may be posted without a person, and the sentence that says why or why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from postroom.nouns.documents import DocumentText, plain
from postroom.rooms.documents.reading.confidence import REQUIRED, Calibration
from postroom.rooms.documents.reading.trades import Found

LONGEST_SETTLEMENT_DAYS = 12


@dataclass(frozen=True, slots=True)
class Verdict:
    unattended: bool
    because: str


def review(because: str) -> Verdict:
    return Verdict(unattended=False, because=because)


def verdict(text: DocumentText, found: Sequence[Found], sure_of_trade: float, calibration: Calibration) -> Verdict:
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
    return Verdict(unattended=True, because=_reason(trade))


def _objection(trade: Found) -> str | None:
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
    return _objection_to_days(trade)


def _objection_to_days(trade: Found) -> str | None:
    if trade.flags.get("day_borrowed"):
        return "It prints a settlement day but no trade day."
    if trade.trade_date is None or trade.settlement_date is None:
        return None
    wait = (trade.settlement_date - trade.trade_date).days
    if not 0 <= wait <= LONGEST_SETTLEMENT_DAYS:
        return f"Settlement comes {wait} days after the trade."
    return None


def _doubt(trade: Found, sure: float, calibration: Calibration) -> str:
    weak = sorted(REQUIRED, key=lambda name: calibration.of_field(name, trade.flags))[:2]
    named = " and ".join(f"{name.replace('_', ' ')} ({calibration.of_field(name, trade.flags):.2f})" for name in weak)
    return f"Only {sure:.2f} sure of all together; least of {named}."


def _reason(trade: Found) -> str:
    rate = " (converted)" if trade.flags.get("converted") else ""
    told = f"{plain(trade.quantity)} × {plain(trade.price)} = {plain(trade.gross)}{rate}"
    charges = (trade.fees or Decimal(0)) + (trade.taxes or Decimal(0))
    net = f"{plain(trade.net)} {trade.currency}"
    return f"{told}; with charges of {plain(charges)} it comes to {net}; one valid ISIN, days in order."
