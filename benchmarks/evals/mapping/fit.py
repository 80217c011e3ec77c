"""Fit the weights on the open fold: python -m benchmarks.evals.mapping.fit [--mails N] [--curves] [--write].

Every candidate's score is the sum of what speaks for it; beside the candidates stands "nobody in the book". The weights are
those under which the true answers are likeliest, pulled a little towards where they were; then the chances that come out on
other books are held against how often they were right, which gives the curve.
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.evals.mapping.desk import Desk, Judged, account_id, index
from benchmarks.evals.mapping.made_book import make_book
from benchmarks.evals.mapping.made_mail import MailMaker
from postroom.nouns.clients import SIGNALS, Signal
from postroom.rooms.clients.rules import weights as held
from postroom.rooms.clients.rules.learning import outcomes
from postroom.rooms.clients.rules.suggesting import is_identified
from postroom.rooms.clients.rules.weights import PERSON_SAID, SignalWeights

OPEN_SEED = 11
CURVES = {"curve": True, "curve_about": False}  # whether it is known who writes
CURVE_SEEDS = (21, 22, 23)  # other books: on its own, chances look better than they are
GUESSES: list[Signal] = [signal for signal in SIGNALS if signal not in PERSON_SAID]
PULL = 0.003  # towards where they were, so that a signal which is seldom seen does not run away
FEW = 10.0  # outcomes, below which a signal's precision is mostly what one would expect of any
STEPS, RATE = 1500, 0.05
LOWEST, HIGHEST = 0.3, 8.0
KNOTS = (0.0, 0.1, 0.2, 0.4, 0.5, 0.6, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.96, 0.97, 0.98, 0.99, 0.995, 1.01)
FEWEST = 40  # mails between two knots, below which their share says nothing
TARGET = Path(__file__).parents[3] / "src/postroom/rooms/clients/rules/weights.toml"


@dataclass
class Samples:
    """Mails by candidates by signals, padded; `truth` counts from 0, and the last one is nobody."""

    features: np.ndarray
    offsets: np.ndarray
    present: np.ndarray
    truth: np.ndarray


def samples(judged: Sequence[Judged], most: int = 9) -> Samples:
    count = len(judged)
    features = np.zeros((count, most, len(GUESSES)))
    offsets, present = np.zeros((count, most)), np.zeros((count, most), dtype=bool)
    truth = np.full(count, most)
    said = {signal: held.fitted().of(signal) for signal in PERSON_SAID}
    for row, each in enumerate(judged):
        right = account_id(each.mail.truth) if each.mail.truth else None
        order = sorted(each.strengths, key=lambda one: (-sum(each.strengths[one].values()), one))
        if right in order[most:]:  # kept among those that are looked at; otherwise nothing tells it from the rest
            order[most - 1] = right
        for place, account in enumerate(order[:most]):
            present[row, place] = True
            for signal, strength in each.strengths[account].items():
                if signal in PERSON_SAID:
                    offsets[row, place] += said[signal] * strength
                else:
                    features[row, place, GUESSES.index(signal)] = strength
            if account == right:
                truth[row] = place
    return Samples(features, offsets, present, truth)


def fit(data: Samples, start: SignalWeights) -> SignalWeights:
    before = np.array([start.bias, *(start.of(signal) for signal in GUESSES)])
    values, first, second = before.copy(), np.zeros_like(before), np.zeros_like(before)
    rows = np.arange(len(data.truth))
    for step in range(1, STEPS + 1):
        chances = _chances(data, values)
        wrong = chances.copy()
        wrong[rows, data.truth] -= 1.0
        slope = np.array([wrong[:, :-1][data.present].sum(), *np.einsum("nc,ncs->s", wrong[:, :-1], data.features)])
        slope = slope / len(rows) + 2 * PULL * (values - before)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        values -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        values[1:] = values[1:].clip(LOWEST, HIGHEST)
    found = dict(zip(GUESSES, values[1:].round(2).tolist(), strict=True))
    return replace(start, bias=round(float(values[0]), 2), weights={**start.weights, **found})


def _chances(data: Samples, values: np.ndarray) -> np.ndarray:
    """Of each candidate, and last of nobody."""
    scores = values[0] + data.features @ values[1:] + data.offsets
    scores = np.where(data.present, scores, -1e9)
    whole = np.concatenate([scores, np.zeros((len(scores), 1))], axis=1)
    parts = np.exp(whole - whole.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


def curve(judged: Iterable[Judged], bias: float, *, identified: bool) -> list[tuple[float, float]]:
    """From the chance of the likeliest to how often it was right, at a few knots, never falling.

    The chances are those that a tenant had at that moment, after what its people had taught. Mails with a doubt of staleness
    are left out: they pay a penalty instead. So are forgeries, which no evidence tells from the real thing. Those where only
    what a mail is about speaks have a curve of their own: at the same chance they are wrong much more often.
    """
    counted = [each for each in judged if _counts(each) and is_identified(each.found.candidates[0].clues) == identified]
    said = np.array([(_chance(each, bias), each.top[0] == each.mail.truth) for each in counted])
    points: list[tuple[float, float, float]] = []  # how many, mean chance, share right
    for low, high in itertools.pairwise(KNOTS):
        inside = said[(said[:, 0] >= low) & (said[:, 0] < high)]
        if len(inside) >= FEWEST:
            points.append((len(inside), inside[:, 0].mean(), (inside[:, 1].sum() + 0.5) / (len(inside) + 1)))
    middle = [(round(float(x), 4), round(float(y), 3)) for x, y in _rising(points)]
    return [(0.0, 0.0), *middle, (1.0, middle[-1][1])]


def _counts(each: Judged) -> bool:
    return bool(each.found.candidates) and not each.found.staleness and not _is_fraud(each)


def _chance(each: Judged, bias: float) -> float:
    """What was computed for the likeliest before the curve."""
    scores = {one.account.id: bias + sum(clue.weight for clue in one.clues) for one in each.found.candidates}
    return held.fitted().chances(scores)[each.found.candidates[0].account.id]


def _rising(points: Sequence[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """Neighbours that fall are put together until none does, each counting by how many it stands for."""
    blocks: list[list[tuple[float, float, float]]] = []
    for point in points:
        blocks.append([point])
        while len(blocks) > 1 and _level(blocks[-2]) > _level(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return [(x, _level(block)) for block in blocks for _, x, _ in block]


def _level(block: Sequence[tuple[float, float, float]]) -> float:
    return sum(count * share for count, _, share in block) / sum(count for count, _, _ in block)


def _is_fraud(each: Judged) -> bool:
    return each.mail.kind in ("look-alike", "spoofed")


def precision(judged: Sequence[Judged]) -> dict[Signal, float]:
    """How often each signal was right among what people decided: that is what outcomes are held against later."""
    right: dict[Signal, float] = defaultdict(lambda: 0.0)
    wrong: dict[Signal, float] = defaultdict(lambda: 0.0)
    for each in judged:
        if each.decided and each.mail.truth:
            clues = {one.account.id: one.clues for one in each.found.candidates}
            for one in outcomes(clues, account_id(each.mail.truth)):
                right[one.signal] += one.right
                wrong[one.signal] += one.wrong
    return {each: round((right[each] + FEW * 0.8) / (right[each] + wrong[each] + FEW), 3) for each in GUESSES}


def judged_with(
    weights: SignalWeights, seed: int, mails: int, *, collect: bool = False, person: bool = True
) -> list[Judged]:
    book = make_book(seed)
    desk = Desk(index(book), weights, person=person, collect=collect)
    return [desk.judge(mail) for mail in MailMaker(book, Random(seed + 1)).year(mails)]


def as_toml(weights: SignalWeights) -> str:
    lines = [
        "# Fitted by `python -m benchmarks.evals.mapping.fit --write`: log-odds, on a made-up book and a year of its mail.",
        "",
        "[model]",
        f"bias = {weights.bias}",
        *(f"{name} = [{', '.join(f'[{x}, {y}]' for x, y in getattr(weights, name))}]" for name in CURVES),
        "",
        "[weights]",
        *(f"{signal} = {weights.of(signal)}" for signal in GUESSES),
        "",
        "[said_by_people]",
        *(f"{signal} = {weights.of(signal)}" for signal in SIGNALS if signal in PERSON_SAID),
        "",
        "# How often a signal was right among the mails that a person decided.",
        "[precision]",
        *(f"{signal} = {weights.precision[signal]}" for signal in GUESSES),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mails", type=int, default=10_000)
    options.add_argument("--curves", action="store_true", help="only the curves; the weights stay as they are")
    options.add_argument("--write", action="store_true", help="into the rules of the clients room")
    asked = options.parse_args()
    weights = held.fitted()
    for _ in range(0 if asked.curves else 2):  # what was mapped by then depends on the weights
        judged = judged_with(weights, OPEN_SEED, asked.mails, collect=True)
        weights = fit(samples(judged), weights)
        weights = replace(weights, precision={**weights.precision, **precision(judged)})
    stated = [each for seed in CURVE_SEEDS for each in judged_with(weights, seed, asked.mails)]
    both = {name: curve(stated, weights.bias, identified=who) for name, who in CURVES.items()}
    weights = replace(weights, **both)
    text = as_toml(weights)
    print(text)
    if asked.write:
        TARGET.write_text(text)


if __name__ == "__main__":
    main()
