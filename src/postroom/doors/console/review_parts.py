"""A document as a reviewer sees it: its trades or its invoice, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from postroom.doors.console import words
from postroom.nouns.documents import Invoice, Trade, plain
from postroom.reading.kinds.kind import kinds
from postroom.rooms.documents import commands
from postroom.rooms.documents.rules import checks
from postroom.rooms.documents.store.bookings import BookedEntry

SURE = 0.9
WANTED = ("direction", "trade_date", "quantity", "net", "currency", "number", "issue_date", "grand_total")
AMOUNTS = ("price", "gross", "fees", "taxes", "net", "net_total", "tax_total", "grand_total")


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A field as it is shown: its value as people write it, how sure we are of it, and where it stands on the page."""

    name: str
    value: str
    held: str  # as it is stored
    confidence: float | None
    page: int | None
    box: Sequence[float] | None
    others: Sequence[Mapping[str, Any]] = ()

    @property
    def doubtful(self) -> bool:
        return self.confidence is not None and self.confidence < SURE

    @property
    def weak(self) -> bool:
        return self.doubtful or (not self.value and self.name in WANTED)


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """A trade or an invoice of the document."""

    id: UUID
    what: str
    status: str
    because: str
    lines: Sequence[FieldLine]
    order: str = ""
    doubts: Sequence[str] = ()

    @property
    def doubtful(self) -> bool:
        return bool(self.doubts) or any(line.weak for line in self.lines)

    @property
    def page(self) -> int:
        """Where most of it stands: the first page that any of its fields was read from."""
        return min((line.page for line in self.lines if line.page), default=1)

    def value_of(self, name: str) -> str:
        return next((line.value for line in self.lines if line.name == name), "")


def parts_of(detail: commands.Detail, typed: Mapping[str, str] | None = None) -> list[ReviewPart]:
    """`typed` is what a person had written into fields of an older page, by `part:field`."""
    others = [_entry_part(entry, typed or {}) for entry in detail.bookings]
    if (bill := detail.invoice) is not None:
        doubts = checks.doubts_of_invoice(bill.as_invoice())
        lines = _lines(bill, Invoice.NAMES, typed or {})
        return [ReviewPart(bill.id, "invoice", bill.status, bill.because, lines, doubts=doubts), *others]
    trades = [
        ReviewPart(
            trade.id,
            "trade",
            trade.status,
            trade.because,
            _lines(trade, Trade.NAMES, typed or {}),
            trade.order_because or "",
            checks.doubts_of_trade(trade.as_trade()),
        )
        for trade in detail.trades
    ]
    return trades + others


def _entry_part(entry: BookedEntry, typed: Mapping[str, str]) -> ReviewPart:
    """Of whatever kind: its values by name, in the order in which its kind states them."""
    booking = entry.as_booking()
    stated = next((each.fields for each in kinds() if each.name == entry.kind), ())
    names = [
        *(name for name in stated if name in booking.values),
        *(name for name in booking.values if name not in stated),
    ]
    lines = _lines(entry, names, typed, booking.values)
    return ReviewPart(entry.id, entry.kind, entry.status, entry.because, lines)


@dataclass(frozen=True, slots=True)
class AmountSpot:
    """A printed amount on the page: used by the sums, or left over, with the sentence that says so."""

    said: str
    left: bool
    page: int
    box: Sequence[float]


def amount_spots(detail: commands.Detail) -> list[AmountSpot]:
    """From the explanations of its entries: what the sums used, and what they have no place for."""
    entries = (detail.document.extraction or {}).get("entries") or ()
    explained = [entry.get("explanation") or {} for entry in entries]
    spots = [_spot(each, left=False) for one in explained for each in one.get("used") or ()]
    spots += [_spot(each, left=True) for one in explained for each in one.get("left") or ()]
    return [spot for spot in spots if spot is not None]


def _spot(amount: Mapping[str, Any], *, left: bool) -> AmountSpot | None:
    if not amount.get("page") or not amount.get("box"):
        return None
    named = f"{amount['value']} {amount.get('currency') or ''}".strip()
    called = f" (“{amount['label']}”)" if amount.get("label") else ""
    role = words.plain_name(amount["role"])
    said = f"{named}{called} is left over: the sums have no place for it." if left else f"{role}: {named}{called}"
    return AmountSpot(said, left, amount["page"], amount["box"])


def _lines(
    row: Any, names: Sequence[str], typed: Mapping[str, str], values: Mapping[str, Any] | None = None
) -> list[FieldLine]:
    lines = []
    for name in names:
        place: dict[str, Any] = row.fields.get(name) or {}
        value = getattr(row, name) if values is None else values[name]
        others = [*(place.get("candidates") or ())]
        if mine := typed.get(f"{row.id}:{name}"):
            others.insert(0, {"by": "You typed", "value": mine})
        where = (place.get("confidence"), place.get("page"), place.get("box"))
        lines.append(FieldLine(name, shown(name, value), plain(value) or "", *where, others))
    return lines


def shown(name: str, value: object) -> str:
    """Amounts with their zeros and grouped by thousands; the rest as it is stored."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return words.money(value) if name in AMOUNTS else words.number(value)
    return plain(value) or ""  # type: ignore[arg-type]  # a day or text
