"""Fitting confidence: curves over evidence whose signs are fixed, then steps that rise, brokers left out in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.evals.trades_data import Case, interval, misread_entries
from postroom.reading.confidence import DOCUMENT, Calibration, from_table
from postroom.reading.entries.flags import AGAINST, FIELDS, scaled
from postroom.reading.extractor import entries_of
from postroom.reading.kinds.competition import EVIDENCE

FOLDS = 10
INNER_FOLDS = 5
PULL = 1.0  # towards zero, so that few documents cannot shout
FEWEST_IN_STEP = 25  # documents
WANTED = 0.99  # of those past the gate are right
WANTED_AT_LEAST = 0.975  # is the lower end of the interval for that
LOWEST_GATE = 0.7  # however few are wrong below
ONE_SIDED = 1.645
Table = dict[str, dict[str, Any]]


@dataclass
class Sample:
    """One document's evidence and outcomes, per curve."""

    case: Case
    flags: dict[str, float] = field(default_factory=dict)
    kind: list[float] = field(default_factory=list)
    right: dict[str, bool] = field(default_factory=dict)
    disguised: bool = False
    """Whether it is another paper in a stranger's dress: to learn from, never to be counted."""
    unopposed: bool = False
    """Whether only the curves, and no plain objection, could keep it from the gate."""

    @property
    def is_trade(self) -> bool:
        return bool(self.case.truth)

    @property
    def is_dividend(self) -> bool:
        return not self.case.truth and self.case.kinds.most_common(1)[0][0] == "DIVIDENDS"


def sample(case: Case, *, disguised: bool = False) -> Sample:
    understood = case.read()
    made = Sample(case, dict(understood.whole.flags), understood.kind_evidence, {}, disguised, _unopposed(case))
    if len(case.truth) == 1:
        bad = misread_entries(entries_of(understood), case.truth[0])
        made.right = {name: name not in bad and "missing" not in bad for name in FIELDS}
        made.right["document"] = not bad
    return made


def _unopposed(case: Case) -> bool:
    """Judged as a trade that nothing could make surer: what then goes to a person was objected to."""
    certain = {"bias": 30.0}
    curves: Table = dict.fromkeys((*FIELDS, "document", "kind_trade"), certain)
    sure = from_table(curves | {"kind_dividend": {"bias": -30.0}, "gate": {"document": 0.0, "kind": 0.0}})
    return case.judged(sure).auto_confirm


def never_seen(samples: Sequence[Sample]) -> dict[str, Calibration]:
    """For each broker curves, steps and thresholds that never saw it."""
    found: dict[str, Calibration] = {}
    for training, held in folds(samples):
        found |= dict.fromkeys((one.case.broker for one in held), from_table(fit(training)))
    return found


def folds(samples: Sequence[Sample], count: int = FOLDS) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """Training and held-out documents; a broker is never in both."""
    fold_of = fold_numbers(samples, count)
    for fold in range(count):
        held = [one for one in samples if fold_of[one.case.broker] == fold]
        yield [one for one in samples if fold_of[one.case.broker] != fold], held


def fold_numbers(samples: Sequence[Sample], count: int = FOLDS) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for one in samples:
        sizes[one.case.broker] = sizes.get(one.case.broker, 0) + 1
    fold_of: dict[str, int] = {}
    load = [0] * count
    for broker in sorted(sizes, key=lambda name: (-sizes[name], name)):
        fold_of[broker] = load.index(min(load))
        load[fold_of[broker]] += sizes[broker]
    return fold_of


def fit(samples: Sequence[Sample]) -> Table:
    """All curves from these documents, and the gate. In a stranger's dress they teach only what kind they are."""
    table = _raw(samples)
    single = [one for one in samples if one.right and not one.disguised]
    told = [(_score(judged, one), one) for judged, one in _inner(single)]
    scores, true = rising([(score, one.right["document"]) for score, one in told])
    table["document"] |= {"scores": scores, "true": true}
    judged = from_table(table | {"gate": {"document": 0.0, "kind": 0.0}})
    kind_gate = choose_kind_gate(samples, judged)
    sure = [(float(np.interp(score, scores, true)), one.right["document"]) for score, one in told if one.unopposed]
    table["gate"] = {"document": round(choose_gate(sure), 4), "kind": kind_gate}
    return table


def _raw(samples: Sequence[Sample]) -> Table:
    single = [one for one in samples if one.right and not one.disguised]
    table: Table = {}
    kinds: dict[str, Callable[[Sample], bool]] = {
        "kind_trade": lambda one: one.is_trade,
        "kind_dividend": lambda one: one.is_dividend,
    }
    for name, is_kind in kinds.items():
        rows = [one.kind for one in samples]
        table[name] = curve(EVIDENCE, rows, [is_kind(one) for one in samples], signed=False)
    for name, evidence in FIELDS.items():
        rows = [scaled(one.flags, evidence) for one in single]
        table[name] = curve(evidence, rows, [one.right[name] for one in single])
    table["document"] = _document(single)
    return table


def _document(single: Sequence[Sample]) -> dict[str, Any]:
    rows = [scaled(one.flags, DOCUMENT) for one in single]
    return curve(DOCUMENT, rows, [one.right["document"] for one in single])


def _inner(single: Sequence[Sample]) -> Iterator[tuple[Calibration, Sample]]:
    """Each document with a curve that never saw its broker: what the steps and the gate are chosen by."""
    gate = {"gate": {"document": 0.0, "kind": 0.0}}
    for training, held in folds(single, INNER_FOLDS):
        judged = from_table({"document": _document(training)} | gate)
        yield from ((judged, one) for one in held)


def _score(judged: Calibration, one: Sample) -> float:
    return judged.curves["document"].score(DOCUMENT, scaled(one.flags, DOCUMENT))


def curve(
    names: Sequence[str], rows: Sequence[Sequence[float]], outcomes: Sequence[bool], *, signed: bool = True
) -> dict[str, Any]:
    """A logistic curve by Newton's steps; weights that would have the wrong sign are held at zero."""
    x = np.column_stack([np.ones(len(rows)), np.array(rows, dtype=float)])
    y = np.array(outcomes, dtype=float)
    way = np.array([0.0, *(-1.0 if name in AGAINST else 1.0 for name in names)]) if signed else np.zeros(x.shape[1])
    pull = np.full(x.shape[1], PULL)
    pull[0] = 0.01
    weights = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - pull * weights
        free = ~((way != 0) & (weights == 0) & (slope * way <= 0))
        bend = (x[:, free] * (p * (1 - p))[:, None]).T @ x[:, free] + np.diag(pull[free])
        step = np.zeros_like(weights)
        step[free] = np.linalg.solve(bend, slope[free])
        after = weights + step
        after[after * way < 0] = 0.0
        moved = np.abs(after - weights).max()
        weights = after
        if moved < 1e-6:
            break
    named = {name: round(float(weight), 4) for name, weight in zip(names, weights[1:], strict=True) if weight}
    return {"bias": round(float(weights[0]), 4)} | named


def rising(scored: Sequence[tuple[float, bool]]) -> tuple[list[float], list[float]]:
    """Steps that rise: neighbours are pooled until each step is truer than the one below and rests on enough."""
    pools: list[list[float]] = []
    for score, good in sorted(scored):
        pools.append([score, float(good), 1.0])
        while len(pools) > 1 and (pools[-2][2] < FEWEST_IN_STEP or _true(pools[-2]) >= _true(pools[-1])):
            top = pools.pop()
            pools[-1] = [pools[-1][0] + top[0], pools[-1][1] + top[1], pools[-1][2] + top[2]]
    if len(pools) > 1 and pools[-1][2] < FEWEST_IN_STEP:
        top = pools.pop()
        pools[-1] = [pools[-1][0] + top[0], pools[-1][1] + top[1], pools[-1][2] + top[2]]
    return [round(pool[0] / pool[2], 4) for pool in pools], [round(_true(pool), 4) for pool in pools]


def _true(pool: Sequence[float]) -> float:
    """How often it came true, with one right and one wrong document of doubt added."""
    return (pool[1] + 1.0) / (pool[2] + 2.0)


def choose_gate(scored: Sequence[tuple[float, bool]]) -> float:
    """The lowest threshold from which on enough are right, and the interval's lower end says so too.

    If none does, the one whose lower end is highest.
    """
    best, fallback, highest, right = 1.0, 1.0, 0.0, 0
    ranked = sorted(scored, key=lambda item: -item[0])
    for seen, (sure, good) in enumerate(ranked, start=1):
        right += good
        if seen < len(ranked) and ranked[seen][0] == sure:
            continue
        low, _ = interval(right, seen, ONE_SIDED)
        if low >= WANTED_AT_LEAST and right >= WANTED * seen:
            best = sure
        if low > highest:
            fallback, highest = sure, low
    return max(best if best < 1.0 else fallback, LOWEST_GATE)


def choose_kind_gate(samples: Sequence[Sample], judged: Calibration) -> float:
    """So high that nothing passes which is no trade, as far as the documents of none tell."""
    wrong = [judged.of_kinds(EVIDENCE, one.kind)["trade"] for one in samples if not one.is_trade and one.unopposed]
    return round(min(max([0.6, *wrong]) + 0.02, 0.97), 4)


def write(table: Table, path: Path) -> None:
    lines = ["# Fitted by `python -m benchmarks.evals.trades DATA --refit`; not to be edited by hand.", ""]
    for section, values in table.items():
        lines.append(f"[{section}]")
        lines.extend(f"{name} = {value}" for name, value in values.items())
        lines.append("")
    path.write_text("\n".join(lines), "utf-8")
