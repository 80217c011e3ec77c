"""How sure we are: evidence weighed by coefficients fitted on measured outcomes, never self-reported."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from postroom.reading.trades.flags import FIELDS, scaled

REQUIRED = ("direction", "trade_date", "quantity", "isin", "net", "currency")
DOCUMENT = tuple(dict.fromkeys(name for names in FIELDS.values() for name in names))
"""The evidence for a document as a whole: all of its fields'."""


@dataclass(frozen=True, slots=True)
class EvidenceCurve:
    """A logistic curve over named evidence."""

    bias: float
    by_name: Mapping[str, float]

    def judge(self, names: Sequence[str], values: Sequence[float]) -> float:
        total = self.bias + sum(self.by_name.get(name, 0.0) * value for name, value in zip(names, values, strict=True))
        return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """All curves, and from where on a document may go unattended."""

    curves: Mapping[str, EvidenceCurve]
    gate: float
    kind_gate: float

    def of_field(self, name: str, flags: Mapping[str, float]) -> float:
        names = FIELDS[name]
        return self.curves[name].judge(names, scaled(flags, names))

    def of_document(self, flags: Mapping[str, float]) -> float:
        return self.curves["document"].judge(DOCUMENT, scaled(flags, DOCUMENT))

    def of_kind(self, names: Sequence[str], evidence: Sequence[float]) -> float:
        return self.curves["kind"].judge(names, evidence)


def from_table(table: Mapping[str, Mapping[str, float]]) -> Calibration:
    curves = {
        name: EvidenceCurve(values["bias"], {key: value for key, value in values.items() if key != "bias"})
        for name, values in table.items()
        if name != "gate"
    }
    return Calibration(curves, table["gate"]["document"], table["gate"]["kind"])


@cache
def shipped() -> Calibration:
    """The coefficients that come with the package, fitted by `benchmarks/evals/trades.py --refit`."""
    text = (resources.files(__package__) / "confidence.toml").read_text("utf-8")
    return from_table(tomllib.loads(text))
