"""How sure we are: evidence weighed by coefficients fitted on measured outcomes, never self-reported."""

from __future__ import annotations

import math
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import repeat
from operator import mul
from typing import Any

from postroom.reading.entries.flags import FIELDS, scaled

KINDS = ("trade", "dividend")
REQUIRED = ("direction", "trade_date", "quantity", "isin", "net", "currency")
DOCUMENT = tuple(dict.fromkeys(name for names in FIELDS.values() for name in names))
"""The evidence for a document as a whole: all of its fields'."""
STEEPEST = 30.0


@dataclass(frozen=True, slots=True)
class EvidenceCurve:
    """A logistic curve over named evidence, then steps that say how often such a score came true.

    The steps rise: a higher score never states less confidence.
    """

    bias: float
    by_name: Mapping[str, float]
    scores: tuple[float, ...] = ()
    true: tuple[float, ...] = ()

    def judge(self, names: Sequence[str], values: Sequence[float]) -> float:
        raw = self.score(names, values)
        return self._stated(raw) if self.scores else raw

    def score(self, names: Sequence[str], values: Sequence[float]) -> float:
        total = self.bias + sum(map(mul, map(self.by_name.get, names, repeat(0.0)), values))
        return 1.0 / (1.0 + math.exp(-max(min(total, STEEPEST), -STEEPEST)))

    def _stated(self, raw: float) -> float:
        """Between two steps as far as the score is."""
        at = bisect_right(self.scores, raw)
        if at in (0, len(self.scores)):
            return self.true[0 if at == 0 else -1]
        left, right = self.scores[at - 1], self.scores[at]
        share = (raw - left) / (right - left)
        return self.true[at - 1] + share * (self.true[at] - self.true[at - 1])


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

    def of_kinds(self, names: Sequence[str], evidence: Sequence[float]) -> dict[str, float]:
        """How likely each kind is that papers are read for."""
        return {kind: self.curves[f"kind_{kind}"].judge(names, evidence) for kind in KINDS}


def from_table(table: Mapping[str, Mapping[str, Any]]) -> Calibration:
    curves = {name: _curve(values) for name, values in table.items() if name != "gate"}
    return Calibration(curves, table["gate"]["document"], table["gate"]["kind"])


def _curve(values: Mapping[str, Any]) -> EvidenceCurve:
    named = {key: float(value) for key, value in values.items() if key not in ("bias", "scores", "true")}
    return EvidenceCurve(values["bias"], named, tuple(values.get("scores", ())), tuple(values.get("true", ())))


@cache
def shipped() -> Calibration:
    """The coefficients that come with the package, fitted by `benchmarks/evals/trades.py --refit`."""
    text = (resources.files(__package__) / "confidence.toml").read_text("utf-8")
    return from_table(tomllib.loads(text))
