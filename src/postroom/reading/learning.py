"""What a correction teaches of its sender: kept only if it mends its own document and breaks no earlier one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from postroom.nouns.documents import DocumentText, Value
from postroom.reading.extractor import extract
from postroom.reading.profiles import SenderProfile, labels_beside

CHECKED = ("direction", "trade_date", "quantity", "isin", "currency", "net", "fees", "taxes", "settlement_date")
HABIT = 3  # documents that must agree before a sender is said to have a habit


@dataclass(frozen=True, slots=True)
class CheckedPaper:
    """A document of one trade, with what a person found right in it."""

    text: DocumentText
    values: Mapping[str, Value]


def taught(
    before: SenderProfile | None, paper: CheckedPaper, changed: Collection[str], earlier: Sequence[CheckedPaper]
) -> SenderProfile:
    """The sender's profile after a correction of the fields in `changed`, held against the sender's earlier papers."""
    known = before or SenderProfile()
    corrected = {name: paper.values[name] for name in changed if name in paper.values}
    for name, phrases in labels_beside(paper.text, corrected):
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
    if known.trades_on_settlement_day or "trade_date" not in changed:
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
    """The fields that are read otherwise than a person found them; of none or several trades, all."""
    trades = extract(paper.text, profile).trades
    names = [name for name in CHECKED if name in paper.values]
    if len(trades) != 1:
        return frozenset(names)
    return frozenset(name for name in names if getattr(trades[0], name) != paper.values[name])
