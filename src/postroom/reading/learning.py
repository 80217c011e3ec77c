"""What a correction teaches of its sender: kept only if it mends its own document and breaks no earlier one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from postroom.nouns.documents import Booking, DocumentText, Value
from postroom.reading.extractor import extract
from postroom.reading.profiles import OF_BOOKINGS, OF_INVOICES, OF_TRADES, SenderProfile, labels_beside

TRADE, INVOICE = "trade", "invoice"
CHECKED = {
    TRADE: ("direction", "trade_date", "quantity", "isin", "currency", "net", "fees", "taxes", "settlement_date"),
    INVOICE: ("number", "issue_date", "due_date", "currency", "net_total", "tax_total", "grand_total", "iban"),
}
OF_ANOTHER = ("isin", "pay_date", "ex_date", "quantity", "currency", "net", "fees", "taxes", "gross")
"""What is checked of a dividend and of kinds to come."""
LEARNABLE = {TRADE: OF_TRADES, INVOICE: OF_INVOICES}
HABIT = 3  # documents that must agree before a sender is said to have a habit


@dataclass(frozen=True, slots=True)
class CheckedPaper:
    """A document of one entry, with what a person found right in it; `kind` is the entry's, all trades being one."""

    text: DocumentText
    values: Mapping[str, Value]
    kind: str = TRADE


def taught(
    before: SenderProfile | None, paper: CheckedPaper, changed: Collection[str], earlier: Sequence[CheckedPaper]
) -> SenderProfile:
    """The sender's profile after a correction of the fields in `changed`, held against the sender's earlier papers."""
    known = before or SenderProfile()
    corrected = {name: paper.values[name] for name in changed if name in paper.values}
    for name, phrases in labels_beside(paper.text, corrected, LEARNABLE.get(paper.kind, OF_BOOKINGS)):
        for phrase in phrases:
            tried = replace(known, labels={**known.labels, phrase: name})
            if _mends(known, tried, paper) and _breaks_none(known, tried, earlier):
                known = tried
                break
    return _with_habit(known, paper, changed, earlier)


def _with_habit(
    known: SenderProfile, paper: CheckedPaper, changed: Collection[str], earlier: Sequence[CheckedPaper]
) -> SenderProfile:
    """A trade day that was moved to the settlement day counts; only several that agree make a habit of it."""
    if known.trades_on_settlement_day or paper.kind != TRADE or "trade_date" not in changed:
        return known
    tried = replace(known, trades_on_settlement_day=True)
    if not _mends(known, tried, paper):
        return known
    counted = replace(known, moved_to_settlement=known.moved_to_settlement + 1)
    agreed = counted.moved_to_settlement >= HABIT and _breaks_none(known, tried, earlier)
    return replace(counted, trades_on_settlement_day=agreed)


def _mends(before: SenderProfile, after: SenderProfile, paper: CheckedPaper) -> bool:
    return misread(paper, after) < misread(paper, before)


def _breaks_none(before: SenderProfile, after: SenderProfile, earlier: Sequence[CheckedPaper]) -> bool:
    return all(misread(paper, after) <= misread(paper, before) for paper in earlier)


def misread(paper: CheckedPaper, profile: SenderProfile | None) -> frozenset[str]:
    """The fields that are read otherwise than a person found them; of none or several entries, all."""
    names = [name for name in CHECKED.get(paper.kind, OF_ANOTHER) if name in paper.values]
    read = _read(paper, profile)
    if len(read) != 1:
        return frozenset(names)
    return frozenset(name for name in names if read[0].get(name) != paper.values[name])


def _read(paper: CheckedPaper, profile: SenderProfile | None) -> list[Mapping[str, Value | None]]:
    """The values of each entry of the paper's kind."""
    read = extract(paper.text, profile)
    if paper.kind == TRADE:
        return [{name: getattr(trade, name) for name in trade.NAMES} for trade in read.trades]
    if paper.kind == INVOICE:
        bill = read.invoice
        return [] if bill is None else [{name: getattr(bill, name) for name in bill.NAMES}]
    return [entry.values for entry in read.entries if isinstance(entry, Booking) and entry.kind == paper.kind]
