"""A document as a reviewer sees it: its trades or its invoice, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from postroom.doors.console import words
from postroom.nouns.documents import Invoice, Trade, plain
from postroom.rooms.documents import commands
from postroom.rooms.documents.rules import checks

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
    if (bill := detail.invoice) is not None:
        doubts = checks.doubts_of_invoice(bill.as_invoice())
        lines = _lines(bill, Invoice.NAMES, typed or {})
        return [ReviewPart(bill.id, "invoice", bill.status, bill.because, lines, doubts=doubts)]
    return [
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


def _lines(row: Any, names: Sequence[str], typed: Mapping[str, str]) -> list[FieldLine]:
    lines = []
    for name in names:
        place: dict[str, Any] = row.fields.get(name) or {}
        value = getattr(row, name)
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
