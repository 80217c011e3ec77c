"""The broker documents: their texts, what is true of them, and when a reading is right."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from postroom.mail.headers import decode_bytes
from postroom.nouns.documents import DocumentText, Extraction, Trade, typed
from postroom.reading.confidence import Calibration
from postroom.reading.entries.entry import EntryReading
from postroom.reading.extractor import TextReading, judged, understand

FIELDS = ("direction", "trade_date", "isin", "quantity", "net", "currency")
TRADES = ("BUY", "SELL")
FIRST = "trades"
"""The folder that the reading was made with; what another one holds came from strangers."""
FOLDS = ("known", "open", "closed")
Z = 1.96
"""Of the interval that a share lies in with 95 %."""


def fold_of(folder: str, broker: str) -> str:
    """Known brokers; strangers whose papers were looked at; strangers whose papers nobody looks at until the end.

    The rule was fixed before any paper of a stranger was read: a third by the broker's name.
    """
    if folder == FIRST:
        return "known"
    digest = hashlib.md5(broker.encode(), usedforsecurity=False).hexdigest()
    return "closed" if int(digest, 16) % 3 == 2 else "open"


@dataclass
class Case:
    """One document: whose it is, what is true of it, and what was understood."""

    broker: str
    name: str
    text: str
    truth: list[dict[str, Any]] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    expected: int = 0
    complete: bool = True
    understood: TextReading | None = None
    fold: str = "known"

    @property
    def document(self) -> DocumentText:
        return typed(self.text)

    def read(self) -> TextReading:
        if self.understood is None:
            self.understood = understand(self.document)
        return self.understood

    def judged(self, calibration: Calibration) -> Extraction:
        """Read once, judged by any curves."""
        return judged(self.document, self.read(), calibration)


def folders(data: Sequence[Path]) -> list[Path]:
    """The folders that hold trades: those named, or those in a named one."""
    found = []
    for one in data:
        inside = sorted(one.glob("trades*"))
        found += [one] if (one / "single_trades.json").is_file() else inside
    return [one for one in found if (one / "single_trades.json").is_file()]


class Corpus(NamedTuple):
    """Documents of one trade, of several, and of none."""

    single: list[Case]
    several: list[Case]
    none: list[Case]


def corpus(data: Sequence[Path]) -> Corpus:
    found = Corpus([], [], [])
    for one in data:
        several, none = others(one)
        found.single.extend(single_trades(one))
        found.several.extend(several)
        found.none.extend(none)
    return found


def single_trades(data: Path) -> list[Case]:
    """Documents that tell of one purchase or sale."""
    rows = json.loads((data / "single_trades.json").read_text("utf-8"))
    return [
        Case(
            row["broker"],
            row["file"],
            decode_bytes((data / row["text"]).read_bytes()),
            [row],
            expected=1,
            fold=fold_of(data.name, row["broker"]),
        )
        for row in rows
    ]


def others(data: Path) -> tuple[list[Case], list[Case]]:
    """Documents of several trades, and documents of none."""
    several, none = [], []
    for case in _all(data):
        if len(case.truth) > 1:
            several.append(case)
        elif not case.truth and case.kinds:
            none.append(case)
    return several, none


def one_of_a_kind(data: Path, kind: str) -> Iterator[tuple[str, DocumentText, dict[str, Any]]]:
    """Papers of a single booking of this kind whose amount is known: broker, text and what is true of it."""
    for row in json.loads((data / "ground_truth.json").read_text("utf-8")):
        path = data / "texts" / row["broker"] / row["files"][0]
        told = [one for one in row["transactions"] if one["type"] == kind and "amount" in one]
        if len(row["files"]) == len(told) == len(row["transactions"]) == 1 and row["complete"] and path.is_file():
            yield row["broker"], typed(decode_bytes(path.read_bytes())), told[0]


def _all(data: Path) -> Iterator[Case]:
    seen: set[str] = set()
    for row in json.loads((data / "ground_truth.json").read_text("utf-8")):
        path = data / "texts" / row["broker"] / row["files"][0]
        if len(row["files"]) != 1 or str(path) in seen or not path.is_file():
            continue
        seen.add(str(path))
        kinds = Counter(item["type"] for item in row["transactions"])
        trades = [item for item in row["transactions"] if item["type"] in TRADES]
        yield Case(
            row["broker"],
            row["files"][0],
            decode_bytes(path.read_bytes()),
            trades,
            kinds,
            row["counts"].get("buysell", len(trades)) if not row["complete"] else len(trades),
            bool(row["complete"]),
            fold=fold_of(data.name, row["broker"]),
        )


def misread(answer: Extraction, truth: dict[str, Any]) -> list[str]:
    """What is not exactly right in the answer to a one-trade document: a field, or how many trades it tells of."""
    bad = wrong(answer.trades[0] if answer.trades else None, truth)
    return [*bad, "count"] if len(answer.trades) > 1 else bad


def misread_entries(found: Sequence[EntryReading], truth: dict[str, Any]) -> list[str]:
    """The same before anything is judged."""
    bad = wrong(found[0] if found else None, truth)
    return [*bad, "count"] if len(found) > 1 else bad


def interval(right: int, seen: int, z: float = Z) -> tuple[float, float]:
    """Wilson's interval for a share: where it lies with 95 %."""
    if not seen:
        return 0.0, 1.0
    share, spread = right / seen, z * z / seen
    middle, reach = share + spread / 2, z * ((share * (1 - share) / seen + spread / (4 * seen)) ** 0.5)
    return (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)


def wrong(trade: Trade | EntryReading | None, truth: dict[str, Any]) -> list[str]:
    """The fields that are not exactly right. A bond's quantity counts in hundreds, as the data has it."""
    if trade is None:
        return ["missing"]
    bad = []
    if trade.direction != truth["type"]:
        bad.append("direction")
    if str(trade.trade_date) != truth["date"]:
        bad.append("trade_date")
    if truth["isin"] and trade.isin != truth["isin"]:
        bad.append("isin")
    if trade.quantity is None or abs(float(trade.quantity) - truth["shares"]) > 1e-6 * max(1.0, truth["shares"]):
        bad.append("quantity")
    if trade.net is None or abs(float(trade.net) - truth["amount"]) > 0.0051:
        bad.append("net")
    if trade.currency != truth["currency"]:
        bad.append("currency")
    return bad


def lenient(bad: list[str], trade: Trade | EntryReading | None, truth: dict[str, Any]) -> list[str]:
    """The same, but the value day, which some banks' data hold as trade day, counts too."""
    if trade is not None and "trade_date" in bad and str(trade.settlement_date) == truth["date"]:
        return [name for name in bad if name != "trade_date"]
    return bad


def key(direction: Any, day: Any, shares: Any, amount: Any, currency: Any) -> tuple[Any, ...]:
    return (direction, str(day)[:10], round(float(shares or 0), 6), round(float(amount or 0), 2), currency)
