"""Fit ranking and gate on the open folders: python -m benchmarks.evals.replies.fit [--write] [--gates 0.5,0.6] [--plain].

First the weights of a line's features, under which the lines that hold an answer are likeliest to come first; then those of
the best passage's, under which the chance of being right fits. Each folder is left out once: the figures are of folders that
the weights have not seen, and only these are printed. Two sets are fitted: with and without the sentence encoder.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.evals.replies import corpus, score
from postroom.mail.sentences import tokens
from postroom.outside.encoder.encoder import open_encoder
from postroom.ports import Encoder
from postroom.rooms.replies.rules.answers import choose, quoted, runners_up
from postroom.rooms.replies.rules.questions import Asked, Question
from postroom.rooms.replies.rules.ranking import (
    Hit,
    passage_features,
    rank,
    with_nearness,
)
from postroom.rooms.replies.rules.replying import read_question
from postroom.rooms.replies.rules.search import TUNING, IndexedSnippet, Statistics, statistics_of
from postroom.rooms.replies.rules.weights import (
    LINE_FEATURES,
    NEAR_FEATURES,
    PASSAGE_FEATURES,
    FittedWeights,
    fitted,
)

OPEN = [name for name in corpus.FOLDERS if name.startswith("dev")]
TARGET = Path(__file__).parents[3] / "src/postroom/rooms/replies/rules/weights.toml"
MOST_LINES = 60  # of a question, best first by the weights before; and those that hold an answer
PULL_LINE, PULL_PASSAGE = 0.008, 0.01
STEPS, RATE = 200, 0.08
NONE = FittedWeights(dict.fromkeys(LINE_FEATURES, 0.0), dict.fromkeys(PASSAGE_FEATURES, 0.0), 0.0)
# Signs that are known beforehand: what is missing never speaks for a line, what is there never against it.
NEGATIVE = {"own_missing", "strange_missing", "firm_missing", "unheard", "row_strange", "name_unheard", "subject_unheard", "untouched"}  # fmt: skip
FREE = {"length", "row", "own_language", "alone"}
MADE = 0.5  # weight of a question whose papers were taken away
MADE_NEARER = 1.0  # the same with the encoder: what it gains is spent on holding back


@dataclass
class Sample:
    """A question of a mail with every line that has to do with it, and which of them hold an answer."""

    folder: str
    mail: corpus.Mail
    question: Question
    hits: list[Hit]
    features: np.ndarray
    right: np.ndarray
    made: bool = False  # the papers that answer were taken off the shelf


def samples(folder: str) -> list[Sample]:
    """Every question, and once more with the papers that answer it taken off the shelf: then nothing is an answer."""
    papers = score.read_library(folder)
    found: list[Sample] = []
    for mail in corpus.mails(folder):
        if mail["expect"]["draft"] == "optional":
            continue
        thread = score.conversation(mail)
        latest = thread.latest
        assert latest is not None
        asked, _ = read_question(thread, latest, papers.today)
        found += _ranked(folder, mail, asked, papers.indexed, papers.statistics)
        proofs = {proof["document"] for proof in _proofs(mail)}
        if proofs:
            left = [each for each in papers.indexed if each.snippet.source not in proofs]
            found += [replace(each, made=True) for each in _ranked(folder, mail, asked, left, statistics_of(left))]
    return found


def _ranked(
    folder: str, mail: corpus.Mail, asked: Asked, indexed: Sequence[IndexedSnippet], statistics: Statistics
) -> Iterator[Sample]:
    for question in asked.questions:
        hits = rank(question, indexed, statistics, asked.context, replace(TUNING, weights=NONE))
        if hits:
            is_open = _is_open(question.text, mail)
            right = [not is_open and _holds_answer(hit, mail) for hit in hits]
            yield _shortened(
                Sample(folder, mail, question, hits, np.array([hit.features for hit in hits]), np.array(right))
            )


def _shortened(sample: Sample) -> Sample:
    """Far more lines share a word with a question than could ever come first."""
    told = sample.features @ np.array([fitted().line.get(name, 0.0) for name in LINE_FEATURES])
    best = np.argsort(-told, kind="stable")
    kept = [at for place, at in enumerate(best) if place < MOST_LINES or sample.right[at]]
    return replace(
        sample, hits=[sample.hits[at] for at in kept], features=sample.features[kept], right=sample.right[kept]
    )


def nearer(data: Sequence[Sample], encoder: Encoder) -> list[Sample]:
    """The same with what an encoder says of the best lines by their words."""
    found = []
    for each in data:
        hits = with_nearness(each.hits, encoder)
        found.append(replace(each, hits=hits, features=np.array([hit.features for hit in hits])))
    return found


def _is_open(text: str, mail: corpus.Mail) -> bool:
    """Of a mail that is answered in part: whether this is the question that no paper answers."""
    if mail["expect"]["draft"] != "partial":
        return False
    answered = max((_alike(text, answer["question"]) for answer in mail["expect"]["answers"]), default=0.0)
    return max(_alike(text, each) for each in mail["expect"]["open"]) > answered


def _alike(text: str, other: str) -> float:
    said, told = ({word[:5] for word in tokens(each) if len(word) > 3} for each in (text, other))
    return len(said & told) / max(1, min(len(said), len(told)))


def _proofs(mail: corpus.Mail) -> list[corpus.Evidence]:
    proofs = [proof for answer in mail["expect"]["answers"] for proof in answer["evidence"]]
    return proofs + mail["expect"].get("contradiction", [])


def _holds_answer(hit: Hit, mail: corpus.Mail) -> bool:
    said = _bare(hit.line.raw)
    return any(
        proof["document"] == hit.source and (said in _bare(proof["passage"]) or _bare(proof["passage"]) in said)
        for proof in _proofs(mail)
    )


def _bare(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


def fit_lines(data: Sequence[Sample], steps: int = STEPS) -> dict[str, float]:
    """Softmax over the lines of each question; lines that hold an answer share the truth."""
    use = [each for each in data if each.right.any()]
    weight = np.array([1.0 / sum(other.mail is each.mail for other in use) for each in use])
    starts = np.cumsum([0, *(len(each.right) for each in use)])
    rows = np.concatenate([each.features for each in use])
    right = np.concatenate([each.right for each in use])
    scale = rows.std(axis=0) + 1e-6
    rows = rows / scale
    owner = np.repeat(np.arange(len(use)), np.diff(starts))
    values = np.zeros(rows.shape[1])
    first, second = np.zeros_like(values), np.zeros_like(values)
    names = (*LINE_FEATURES, *NEAR_FEATURES)[: len(values)]
    bounds = _bounds(names)
    for step in range(1, steps + 1):
        told = rows @ values
        top = np.maximum.reduceat(told, starts[:-1])
        part = np.exp(told - top[owner])
        every = np.add.reduceat(part, starts[:-1])
        true = np.add.reduceat(part * right, starts[:-1])
        slope_rows = (part / every[owner] - part * right / true[owner]) * weight[owner]
        slope = slope_rows @ rows / weight.sum() + 2 * PULL_LINE * values
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        values -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        values = np.clip(values, *bounds)
    return dict(zip(names, (values / scale).round(4).tolist(), strict=True))


def _bounds(names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    low = np.array([-9.0 if name in NEGATIVE or name in FREE else 0.0 for name in names])
    high = np.array([0.0 if name in NEGATIVE else 9.0 for name in names])
    return low, high


@dataclass
class Outcome:
    """The best passage of a question, and whether it holds an answer."""

    sample: Sample
    hit: Hit
    features: tuple[float, ...]
    right: bool


def outcomes(data: Sequence[Sample], line: dict[str, float]) -> list[Outcome]:
    weights = np.array(list(line.values()))
    ranked = [_ordered(each, weights) for each in data]
    firsts = [choose(each.question, hits) for each, hits in zip(data, ranked, strict=True)]
    mails: dict[tuple[int, bool], list[int]] = {}
    for at, each in enumerate(data):
        mails.setdefault((id(each.mail), each.made), []).append(at)
    found = []
    for at, (each, hits, best) in enumerate(zip(data, ranked, firsts, strict=True)):
        passage = quoted(best, hits)
        lines = {id(line) for shown in (passage, *runners_up(best, passage, hits)) for line in shown.lines}
        right = any(each.right[at] for at, hit in enumerate(each.hits) if id(hit.line) in lines)
        mates = [firsts[other] for other in mails[id(each.mail), each.made] if other != at]
        found.append(Outcome(each, best, passage_features(best, hits, mates), right))
    return found


def _ordered(sample: Sample, weights: np.ndarray) -> list[Hit]:
    told = sample.features @ weights
    return [replace(sample.hits[at], score=float(told[at])) for at in np.argsort(-told, kind="stable")[:60]]


def fit_passages(data: Sequence[Outcome], made: float = MADE, steps: int = 2 * STEPS) -> tuple[dict[str, float], float]:
    rows = np.array([each.features for each in data])
    truth = np.array([each.right for each in data], dtype=float)
    weight = np.array([made if each.sample.made else 1.0 for each in data])
    weight /= weight.sum()
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    rows = (rows - mean) / scale
    values, bias = np.zeros(rows.shape[1]), 0.0
    first, second = np.zeros(len(values) + 1), np.zeros(len(values) + 1)
    bounds = _bounds(PASSAGE_FEATURES)
    for step in range(1, steps + 1):
        wrong = 1 / (1 + np.exp(-(rows @ values + bias))) - truth
        wrong *= weight
        slope = np.append(wrong @ rows + 2 * PULL_PASSAGE * values, wrong.sum())
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        move = RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        values, bias = np.clip(values - move[:-1], *bounds), bias - move[-1]
    real = values / scale
    return dict(zip(PASSAGE_FEATURES, real.round(4).tolist(), strict=True)), round(float(bias - (real * mean).sum()), 4)


@dataclass
class Unseen:
    """Of each folder: the weights of lines that never saw it, and what they put first there."""

    line: dict[str, dict[str, float]]
    found: dict[str, list[Outcome]]


def unseen(data: Sequence[Sample]) -> Unseen:
    made = Unseen({}, {})
    for folder in dict.fromkeys(each.folder for each in data):
        made.line[folder] = fit_lines([each for each in data if each.folder != folder])
        made.found[folder] = outcomes([each for each in data if each.folder == folder], made.line[folder])
    return made


def fit(data: Sequence[Sample], made: float = MADE) -> FittedWeights:
    """The gate learns from passages that were ranked by weights which had not seen their folder either."""
    passage, bias = fit_passages([each for found in unseen(data).found.values() for each in found], made)
    return FittedWeights(fit_lines(data), passage, bias)


def left_out(data: Sequence[Sample], made: float = MADE) -> dict[str, FittedWeights]:
    """For each folder weights that never saw it; only the order of the others' passages, from which its gate is learnt, did."""
    known = unseen(data)
    left = {}
    for folder, line in known.line.items():
        others = [each for name, found in known.found.items() if name != folder for each in found]
        left[folder] = FittedWeights(line, *fit_passages(others, made))
    return left


def left_out_of_both(data: Sequence[Sample], encoder: Encoder) -> dict[str, FittedWeights]:
    near = left_out(nearer(data, encoder), MADE_NEARER)
    return {folder: replace(weights, nearer=near[folder]) for folder, weights in left_out(data).items()}


def write(weights: FittedWeights) -> None:
    lines = ["# Fitted by `python -m benchmarks.evals.replies.fit --write` on the open folders: log-odds a unit.", ""]
    lines += [f"bias = {weights.bias}", *_section("line", weights.line), *_section("passage", weights.passage)]
    if near := weights.nearer:
        lines += ["", "# With the sentence encoder.", "[nearer]", f"bias = {near.bias}"]
        lines += [*_section("nearer.line", near.line), *_section("nearer.passage", near.passage)]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _section(name: str, weights: Mapping[str, float]) -> list[str]:
    return ["", f"[{name}]", *(f"{feature} = {value}" for feature, value in weights.items())]


def _reached(data: Sequence[Sample]) -> None:
    """How often the quoted passage holds the answer, where one is within reach."""
    total = 0
    for folder in OPEN:
        held = [each for each in data if each.folder == folder and each.right.any()]
        found = outcomes(held, fit_lines([each for each in data if each.folder != folder]))
        total += sum(each.right for each in found)
        print(f"{folder:28} {sum(each.right for each in found)}/{len(found)}")
    within = sum(each.right.any() for each in data)
    print(f"{total}/{within} = {total / within:.1%}")


def _drafted(data: Sequence[Sample], gates: Sequence[float], encoder: Encoder | None, *, funnel: bool) -> None:
    """The whole way, each folder with weights that never saw it."""
    rows: dict[float, list[score.Judged]] = {gate: [] for gate in gates}
    lost: dict[float, dict[str, Counter[str]]] = {gate: {} for gate in gates}
    for folder, weights in (left_out_of_both(data, encoder) if encoder else left_out(data)).items():
        for gate in gates:
            tuning = replace(TUNING, weights=weights, gate=gate, encoder=encoder)
            if funnel:
                lost[gate] |= score.losses([folder], tuning)
            else:
                rows[gate] += score.judge([folder], tuning)
    for gate in gates:
        told = score.loss_table(lost[gate]) if funnel else score.table(rows[gate])
        print(f"--- gate {gate}, each folder with weights that never saw it\n{told}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(
        "--write", action="store_true", help="fit on all open folders and keep the weights; the other set stays"
    )
    options.add_argument("--ranking", action="store_true", help="only how often the best passage holds the answer")
    options.add_argument(
        "--funnel", action="store_true", help="where answerable mails are lost, instead of the figures"
    )
    options.add_argument("--gates", default="0.35,0.4,0.45,0.5", help="thresholds to compare; empty for none")
    options.add_argument("--plain", action="store_true", help="the set and the figures without the sentence encoder")
    asked = options.parse_args()
    encoder = open_encoder()
    assert encoder is not None, "install what requirements-encoder.lock names"
    data = [each for folder in OPEN for each in samples(folder)]
    if asked.ranking:
        _reached(data if asked.plain else nearer(data, encoder))
    elif asked.gates:
        used = None if asked.plain else encoder
        _drafted(data, [float(gate) for gate in asked.gates.split(",")], used, funnel=asked.funnel)
    if asked.write:
        near = fitted().nearer if asked.plain else fit(nearer(data, encoder), MADE_NEARER)
        write(replace(fit(data) if asked.plain else fitted(), nearer=near))


if __name__ == "__main__":
    main()
