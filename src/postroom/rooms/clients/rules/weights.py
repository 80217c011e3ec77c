"""How evidence adds up: weights in log-odds, probabilities among the candidates, and confidence as it was measured."""

from __future__ import annotations

import math
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import cast

from postroom.nouns.clients import SIGNALS, AccountId, Signal

HIGHEST_GUESS = Decimal("0.99")
CERTAIN = Decimal("1.00")
OUTCOMES_HALVE_AFTER = timedelta(days=180)
REJECTION_HALVES_AFTER = timedelta(days=90)
CAUTION = 20.0  # outcomes that the fitted precision counts for, so that a few surprises do not overturn it
LOWEST, HIGHEST = -3.0, 0.5  # how far a tenant's outcomes may move a weight
LEAST = 0.1  # what speaks for an account never speaks against it, however often it misled
PERSON_SAID = frozenset(("choice", "correction", "rejected"))  # not guesses: nothing is learnt about them


@dataclass(frozen=True, slots=True)
class SignalTally:
    """How a signal did on one day: how often it spoke for the right account, and how often for another."""

    signal: Signal
    day: datetime
    right: float
    wrong: float


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """Fitted on labelled mails, see `benchmarks/evals/mapping`."""

    bias: float
    weights: Mapping[Signal, float]
    precision: Mapping[Signal, float]
    # From what is computed to what was seen, both rising: where we know who writes, and where only what about.
    curve: Sequence[tuple[float, float]]
    curve_about: Sequence[tuple[float, float]]

    def of(self, signal: Signal) -> float:
        return self.weights[signal]

    def chances(self, scores: Mapping[AccountId, float]) -> dict[AccountId, float]:
        """The chance of each candidate, beside the chance that it is none of them."""
        peak = max([0.0, *scores.values()])
        parts = {account: math.exp(score - peak) for account, score in scores.items()}
        whole = math.exp(-peak) + sum(parts.values())
        return {account: part / whole for account, part in parts.items()}

    def confidence(self, chance: float, *, identified: bool) -> Decimal:
        """In hundredths, as often right as it says; a guess is never certain."""
        curve = self.curve if identified else self.curve_about
        return min(Decimal(str(round(_along(curve, chance), 2))).quantize(Decimal("0.01")), HIGHEST_GUESS)


def _along(curve: Sequence[tuple[float, float]], at: float) -> float:
    if not curve:
        return at
    place = bisect_right([x for x, _ in curve], at)
    if place == 0:
        return curve[0][1]
    if place == len(curve):
        return curve[-1][1]
    (x0, y0), (x1, y1) = curve[place - 1], curve[place]
    return y0 + (y1 - y0) * (at - x0) / (x1 - x0)


@cache
def fitted() -> SignalWeights:
    return from_table(tomllib.loads(resources.files(__package__).joinpath("weights.toml").read_text("utf-8")))


def from_table(table: Mapping[str, Mapping[str, object]]) -> SignalWeights:
    weights = {**table["weights"], **table["said_by_people"]}
    return SignalWeights(
        bias=_number(table["model"]["bias"]),
        weights={signal: _number(weights[signal]) for signal in SIGNALS},
        precision={signal: _number(table["precision"].get(signal, 0.5)) for signal in SIGNALS},
        curve=_curve(table["model"]["curve"]),
        curve_about=_curve(table["model"]["curve_about"]),
    )


def _curve(points: object) -> list[tuple[float, float]]:
    return [(_number(x), _number(y)) for x, y in cast("list[list[float]]", points)]


def _number(value: object) -> float:
    return float(cast("float", value))


def adjusted(weights: SignalWeights, tallies: Sequence[SignalTally], now: datetime) -> SignalWeights:
    """The same weights after what this tenant's people said of each signal; old outcomes count less and less."""
    moved = dict(weights.weights)
    for signal in SIGNALS:
        if signal not in PERSON_SAID:
            by = shift(weights.precision[signal], [each for each in tallies if each.signal == signal], now)
            moved[signal] = max(moved[signal] + by, LEAST)
    return replace(weights, weights=moved)


def shift(expected: float, tallies: Sequence[SignalTally], now: datetime) -> float:
    """By how much the outcomes move a weight: the odds that were seen against those that were expected."""
    right = sum(each.right * faded(now - each.day, OUTCOMES_HALVE_AFTER) for each in tallies)
    wrong = sum(each.wrong * faded(now - each.day, OUTCOMES_HALVE_AFTER) for each in tallies)
    if not right and not wrong:
        return 0.0
    seen = (right + CAUTION * expected) / (right + wrong + CAUTION)
    return max(LOWEST, min(HIGHEST, _odds(seen) - _odds(expected)))


def _odds(share: float) -> float:
    inside = min(max(share, 0.001), 0.999)
    return math.log(inside / (1 - inside))


def faded(age: timedelta, halves_after: timedelta) -> float:
    """What is left of a memory: half after each such time."""
    return float(0.5 ** (max(age, timedelta()) / halves_after))
