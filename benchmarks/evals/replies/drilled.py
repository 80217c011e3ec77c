"""How the shipped weights do on the drills, by far the most strangers there are: python -m benchmarks.evals.replies.drilled.

Each question of the drills, ranked among its organisation's papers, and its passage held against the gate. Only in whether the passage
that is quoted holds the answer, for the drills do not say what a draft must say. Nothing was fitted to them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from benchmarks.evals.replies import corpus, fit
from postroom.outside.encoder.encoder import open_encoder
from postroom.rooms.replies.rules.search import TUNING
from postroom.rooms.replies.rules.weights import fitted


def table(name: str, found: Iterable[tuple[fit.Outcome, float]], by: Callable[[fit.Outcome], str]) -> str:
    """Of each class: answerable questions and those whose passage is right; how many pass the gate, and how many of these are right."""
    rows: defaultdict[str, list[tuple[fit.Outcome, float]]] = defaultdict(list)
    for outcome, chance in found:
        rows[by(outcome)].append((outcome, chance))
    lines = [f"| {name} | answerable | passage right | past the gate | of them right |", "|---|---|---|---|---|"]
    for what, each in sorted(rows.items()):
        within = sum(bool(outcome.sample.right.any()) for outcome, _ in each)
        right = sum(outcome.right for outcome, _ in each)
        passed = [outcome.right for outcome, chance in each if chance >= TUNING.gate]
        lines.append(
            f"| {what} | {within} | {right} = {right / max(1, within):.1%} "
            f"| {len(passed)} of {len(each)} | {sum(passed)} = {sum(passed) / max(1, len(passed)):.1%} |"
        )
    return "\n".join(lines)


def told_apart(found: Sequence[tuple[fit.Outcome, float]]) -> float:
    """How often a passage that is right has the higher chance than one that is not: 0.5 is none, 1 is always."""
    right = np.array([chance for outcome, chance in found if outcome.right])
    wrong = np.array([chance for outcome, chance in found if not outcome.right])
    higher = (right[:, None] > wrong[None, :]).mean() + 0.5 * (right[:, None] == wrong[None, :]).mean()
    return float(higher)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--plain", action="store_true", help="without the sentence encoder")
    plain = options.parse_args().plain
    weights, encoder = fitted(), None if plain else open_encoder()
    data = [each for folder in corpus.DRILLS for each in fit.samples(folder) if not each.made]
    if encoder is not None and weights.nearer is not None:
        weights, data = weights.nearer, fit.nearer(data, encoder)
    found = [(each, weights.chance(each.features)) for each in fit.outcomes(data, dict(weights.line))]
    print(table("all", found, lambda _: "all"), end="\n\n")
    print(table("language", found, lambda each: each.sample.mail["language"]), end="\n\n")
    print(table("kind", found, lambda each: each.sample.mail["expect"]["note"]), end="\n\n")
    print(f"the gate tells right from wrong with {told_apart(found):.3f}")


if __name__ == "__main__":
    main()
