"""The broker documents: their texts, what is true of them, and when a reading is right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from postroom.nouns.documents import DocumentText, Extraction, Trade, typed
from postroom.outside.readers.sniff import decode
from postroom.reading.confidence import Calibration
from postroom.reading.extract import Understood, judged, understand

FIELDS = ("direction", "trade_date", "isin", "quantity", "net", "currency")
TRADES = ("BUY", "SELL")


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
    understood: Understood | None = None

    @property
    def document(self) -> DocumentText:
        return typed(self.text)

    def read(self) -> Understood:
        if self.understood is None:
            self.understood = understand(self.document)
        return self.understood

    def judged(self, calibration: Calibration) -> Extraction:
        """Read once, judged by any curves."""
        return judged(self.document, self.read(), calibration)


def folder(data: Path) -> Path:
    return data / "trades" if (data / "trades").is_dir() else data


def single_trades(data: Path) -> list[Case]:
    """Documents that tell of one purchase or sale."""
    rows = json.loads((data / "single_trades.json").read_text("utf-8"))
    return [
        Case(row["broker"], row["file"], decode((data / row["text"]).read_bytes()), [row], expected=1) for row in rows
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
            decode(path.read_bytes()),
            trades,
            kinds,
            row["counts"].get("buysell", len(trades)) if not row["complete"] else len(trades),
            bool(row["complete"]),
        )


def wrong(trade: Trade | None, truth: dict[str, Any]) -> list[str]:
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


def lenient(bad: list[str], trade: Trade | None, truth: dict[str, Any]) -> list[str]:
    """The same, but the value day, which some banks' data hold as trade day, counts too."""
    if trade is not None and "trade_date" in bad and str(trade.settlement_date) == truth["date"]:
        return [name for name in bad if name != "trade_date"]
    return bad


def key(direction: Any, day: Any, shares: Any, amount: Any, currency: Any) -> tuple[Any, ...]:
    return (direction, str(day)[:10], round(float(shares or 0), 6), round(float(amount or 0), 2), currency)
