"""Fitting the coefficients of confidence: logistic curves over evidence, brokers left out in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from benchmarks.evals.trades_data import Case, wrong
from postroom.reading import document_type as kinds
from postroom.reading.confidence import DOCUMENT, Calibration, EvidenceCurve, from_table
from postroom.reading.trades.flags import FIELDS, scaled

FOLDS = 10
PULL = 1.0  # towards zero, so that few documents cannot shout
WANTED_PRECISION = 0.99
LOWEST_GATE = 0.7  # however few are wrong below
Table = dict[str, dict[str, float]]


@dataclass
class Sample:
    """One document's evidence and outcomes, per curve."""

    case: Case
    is_trade: bool
    flags: dict[str, float] = field(default_factory=dict)
    kind: list[float] = field(default_factory=list)
    right: dict[str, bool] = field(default_factory=dict)
    strange: bool = False
    """Whether it was read without what only its broker uses."""


def sample(case: Case, *, is_trade: bool, judged: Calibration, strange: bool = False) -> Sample:
    understood = case.read()
    made = Sample(case, is_trade, dict(understood.whole.flags), understood.kind_evidence, strange=strange)
    if len(case.truth) == 1:
        answer = case.judged(_always(judged))
        trade = answer.trades[0] if answer.trades else None
        bad = wrong(trade, case.truth[0])
        made.right = {name: name not in bad and "missing" not in bad for name in FIELDS}
        made.right["document"] = not bad
    return made


def _always(judged: Calibration) -> Calibration:
    """The same, but everything is taken for a trade: outcomes must not depend on the kind's curve."""
    curves = dict(judged.curves)
    curves["kind"] = type(curves["kind"])(10.0, {})
    return Calibration(curves, judged.gate, judged.kind_gate)


def folds(samples: Sequence[Sample]) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """Training and held-out documents; a broker is never in both."""
    sizes: dict[str, int] = {}
    for one in samples:
        sizes[one.case.broker] = sizes.get(one.case.broker, 0) + 1
    fold_of: dict[str, int] = {}
    load = [0] * FOLDS
    for broker in sorted(sizes, key=lambda name: (-sizes[name], name)):
        fold_of[broker] = load.index(min(load))
        load[fold_of[broker]] += sizes[broker]
    for fold in range(FOLDS):
        held = [one for one in samples if fold_of[one.case.broker] == fold]
        yield [one for one in samples if fold_of[one.case.broker] != fold], held


def fit(samples: Sequence[Sample]) -> Table:
    """All curves from these documents. The gate is set afterwards."""
    single = [one for one in samples if one.right]
    table: Table = {}
    table["kind"] = _curve(kinds.EVIDENCE, [one.kind for one in samples], [one.is_trade for one in samples])
    for name, evidence in FIELDS.items():
        rows = [scaled(one.flags, evidence) for one in single]
        table[name] = _curve(evidence, rows, [one.right[name] for one in single])
    rows = [scaled(one.flags, DOCUMENT) for one in single]
    table["document"] = _curve(DOCUMENT, rows, [one.right["document"] for one in single])
    table["gate"] = {"document": 0.95, "kind": 0.9}
    return table


def _curve(names: Sequence[str], rows: Sequence[Sequence[float]], outcomes: Sequence[bool]) -> dict[str, float]:
    x = np.column_stack([np.ones(len(rows)), np.array(rows, dtype=float)])
    y = np.array(outcomes, dtype=float)
    weights = np.zeros(x.shape[1])
    pull = np.full(x.shape[1], PULL)
    pull[0] = 0.01
    for _ in range(40):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - pull * weights
        bend = (x * (p * (1 - p))[:, None]).T @ x + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return {"bias": round(float(weights[0]), 4)} | {
        name: round(float(weight), 4) for name, weight in zip(names, weights[1:], strict=True)
    }


@dataclass(frozen=True)
class Outcome:
    """A document judged by curves that never saw its broker."""

    sample: Sample
    judged: Calibration
    fold: int

    @property
    def sure(self) -> float:
        return self.judged.of_document(self.sample.flags)


def raw_outcomes(samples: Sequence[Sample]) -> list[Outcome]:
    """Each document judged by curves that never saw its broker."""
    raw: list[Outcome] = []
    for fold, (training, held) in enumerate(folds(samples)):
        judged = from_table(fit(training))
        raw.extend(Outcome(one, judged, fold) for one in held)
    return raw


def tempered(raw: Sequence[Outcome]) -> list[Outcome]:
    """The same, each turned down by how brokers of the other folds fared."""
    tempers = {fold: temper([one for one in raw if one.fold != fold]) for fold in {one.fold for one in raw}}
    return [replace(one, judged=_cooled(one.judged, *tempers[one.fold])) for one in raw]


def temper(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    """How far stated confidence must be turned down to come true with brokers never seen: slope and shift of its log odds."""
    single = [one for one in outcomes if one.sample.right]
    odds = np.array([_log_odds(one.sure) for one in single])
    y = np.array([one.sample.right["document"] for one in single], dtype=float)
    x = np.column_stack([odds, np.ones(len(odds))])
    weights, start = np.array([1.0, 0.0]), np.array([1.0, 0.0])
    for _ in range(40):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        bend = (x * (p * (1 - p))[:, None]).T @ x + np.eye(2)
        weights = weights + np.linalg.solve(bend, x.T @ (y - p) - (weights - start))
    return float(weights[0]), float(weights[1])


def _log_odds(sure: float) -> float:
    kept = min(max(sure, 1e-6), 1 - 1e-6)
    return float(np.log(kept / (1 - kept)))


def _cooled(judged: Calibration, slope: float, shift: float) -> Calibration:
    curve = judged.curves["document"]
    cool = EvidenceCurve(curve.bias * slope + shift, {name: slope * weight for name, weight in curve.by_name.items()})
    return Calibration({**judged.curves, "document": cool}, judged.gate, judged.kind_gate)


def fit_tempered(samples: Sequence[Sample], raw: Sequence[Outcome]) -> Table:
    """All curves from all documents, the whole document's turned down by what leaving brokers out has shown."""
    table = fit(samples)
    slope, shift = temper(raw)
    curve = table["document"]
    table["document"] = {name: round(slope * weight, 4) for name, weight in curve.items()}
    table["document"]["bias"] = round(slope * curve["bias"] + shift, 4)
    return table


def choose_gate(scored: Sequence[tuple[float, bool]]) -> float:
    """The lowest threshold from which on nearly all are right."""
    best, right = 1.0, 0
    for seen, (sure, good) in enumerate(sorted(scored, key=lambda item: -item[0]), start=1):
        right += good
        if right >= WANTED_PRECISION * seen:
            best = sure
    return max(best, LOWEST_GATE)


def write(table: Table, path: Path) -> None:
    lines = ["# Fitted by `python -m benchmarks.evals.trades DATA --refit`; not to be edited by hand.", ""]
    for section, values in table.items():
        lines.append(f"[{section}]")
        lines.extend(f"{name} = {value}" for name, value in values.items())
        lines.append("")
    path.write_text("\n".join(lines), "utf-8")
