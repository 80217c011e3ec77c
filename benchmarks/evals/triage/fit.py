"""Fit the classifier of `rules/meaning.py`: python -m benchmarks.evals.triage.fit [--without dev | fresh | 13] [--write].

It learns from `training/*.txt` (short mails written for this, a line each: topic, intent, urgency, text) and from the `dev`
half of the labelled threads; never from `closed` nor `fresh`. Without `--write` it says how it does on what it did not
learn from (each fold of `dev`, or what `--without` names: all of `dev`, the `fresh` mails, a round of written ones), together
with the lists and at several thresholds, and names the misses at those in force; `training/*-retold.txt`, which retell
threads of `dev`, are left out when `dev` is judged.
"""

from __future__ import annotations

import argparse
import io
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy

from benchmarks.evals.replies import corpus as replies
from benchmarks.evals.triage import corpus
from postroom.mail.parse import read_mail
from postroom.outside.files.mbox import entries
from postroom.rooms.triage.rules.assembling import thread_from_files
from postroom.rooms.triage.rules.features import ANALYSIS_KINDS, TOPIC_KINDS, Found, Kinds, brought_to_length, looks
from postroom.rooms.triage.rules.meaning import (
    INTENTS,
    LABELS,
    SCALE,
    SENSITIVE,
    SURE_OF_TOPIC,
    TOPIC_LABELS,
    TOPICS,
    URGENCIES,
    Meaning,
    analysis_of_looks,
    topics_of_looks,
)
from postroom.rooms.triage.rules.topics import TopicMatch, sensitive_topics
from postroom.rooms.triage.rules.verdicts import NOT_AT_ALL, languages_of, topics_meant

HERE = Path(__file__).parent
TARGET = Path("src/postroom/rooms/triage/lexicon/meaning.tsv")
TOPIC = dict(zip("RMSLE", TOPICS, strict=True))
INTENT = dict(zip("rqucio", INTENTS, strict=True))
URGENCY = dict(zip("lnhc", URGENCIES, strict=True))
# Features that weigh most in most mails: 20,000 lose 2 points of recall and of intents, 50,000 about one of each.
KEPT = 100_000
WHOLE_ROUNDS = frozenset(map(str, range(19, 42)))
PART_COUNTS = 0.5  # what a few sentences of a longer harmless mail teach

STEPS = 200
FOLDS = 3
MEMORY = 10
CLOSE = 1e-5


@dataclass
class Example:
    """The features of a text, whole and by window, and its labels; None: nobody labelled that."""

    windows: list[Found]
    topics: set[str]
    intent: str | None
    urgency: str | None
    intents: frozenset[str | None] = frozenset()
    urgencies: frozenset[str | None] = frozenset()
    whole: bool = False  # a mail as people send it, not a line written to show one thing
    counts: float = 1.0
    sensitive: bool = False
    wording: str = ""
    ref: str = ""
    batch: str = "dev"
    listed: Sequence[TopicMatch] = ()


def written(folder: str = "training") -> list[Example]:
    paths = sorted((HERE / folder).glob("*.txt"))
    return [_told(path.stem, line) for path in paths for line in path.read_text("utf-8").splitlines()]


def _told(stem: str, line: str) -> Example:
    """A line; mails to measure with say after the topic whether its words are in the mail (`e`) or only its meaning (`i`)."""
    head, _, text = line.partition(" | ")
    topic, *wording, intent, urgency = head.split()
    text, topics = text.replace(corpus.BREAK, "\n\n"), {TOPIC[letter] for letter in topic if letter in TOPIC}
    language, _, number = stem.partition("-")
    return Example(
        list(looks(text, tuple(sorted({language, "en"})))),
        topics,
        INTENT[intent],
        URGENCY[urgency],
        frozenset({INTENT[intent]}),
        frozenset({URGENCY[urgency]}),
        number in WHOLE_ROUNDS,
        sensitive=bool(topics),
        wording="explicit" if wording == ["e"] else "implicit",
        ref=f"{language}: {text[:40]!r}",
        batch=number or "1",
        listed=sensitive_topics(text, languages_of(text)),
    )


def labelled(part: str) -> list[Example]:
    found = []
    for thread in corpus.threads([part], corpus.LANGUAGES):
        expect = thread["expect"]
        if expect["kind"] == "structural":
            continue
        text = _newest(thread)
        languages = tuple(sorted({thread["language"], "en"}))
        found.append(
            Example(
                list(looks(text, languages)),
                set(expect["topics"]),
                expect["intent"],
                expect["urgency"],
                frozenset((expect["intent"], *expect.get("intent_also", ()))),
                frozenset((expect["urgency"], *expect.get("urgency_also", ()))),
                whole=True,
                sensitive=expect["reason"].startswith("sensitive"),
                wording=expect["wording"],
                ref=thread["id"],
                listed=sensitive_topics(text, languages_of(text)),
            )
        )
    return found


def answerable() -> list[Example]:
    """The mails to the open organisations of `evals/replies`: harmless, whatever they tell before they ask."""
    found = []
    for folder in replies.FOLDERS:
        for mail in replies.mails(folder) if folder.startswith(("dev/", "kept/")) else ():
            if mail["expect"]["kind"] != "injection_mail":
                text, languages = _newest(mail), tuple(sorted({mail["language"], "en"}))
                found.append(Example(list(looks(text, languages)), set(), None, None, whole=True, batch=folder))
    return found


def _newest(thread: corpus.Thread) -> str:
    raw = corpus.as_file(thread)
    alone = len(thread["messages"]) == 1
    mails = [read_mail(raw)] if alone else [read_mail(e.raw) for e in entries(io.BytesIO(raw), 10_000_000) if e.raw]
    latest = thread_from_files(mails).latest
    return "\n\n".join(part for part in (latest.subject, latest.own_text, latest.forwarded_text) if part)


@dataclass(frozen=True)
class Learnt:
    """What is learnt together, and how."""

    labels: tuple[str, ...]
    kinds: Kinds
    of_looks: Callable[[Sequence[Mapping[str, float]]], dict[str, float]]
    rarity: float  # how much more a rare feature may weigh: what only some mails say tells more than what all say
    penalty: float
    whole: float  # a whole mail teaches as much as so many of the short ones


ABOUT = Learnt(TOPIC_LABELS, TOPIC_KINDS, topics_of_looks, 1.5, 0.05, 3.0)
WANTED = Learnt((*INTENTS, *URGENCIES), ANALYSIS_KINDS, analysis_of_looks, 0.7, 0.8, 6.0)


class Model:
    """One logistic regression a label, over the same features."""

    def __init__(self, examples: Sequence[Example], learnt: Learnt) -> None:
        self.learnt, labels = learnt, learnt.labels
        known_kinds = {kind for group in learnt.kinds for kind in group}
        seen = Counter(name for each in examples for name in each.windows[0] if name[0] in known_kinds)
        self.place = {name: at for at, name in enumerate(sorted(name for name, many in seen.items() if many > 1))}
        self.often = numpy.array([seen[name] for name in self.place], numpy.float32)
        rarity = numpy.log(len(examples) / self.often)
        scale = ((rarity / rarity.mean()) ** learnt.rarity).astype(numpy.float32)
        rows, columns, values = self._sparse([each.windows[0] for each in examples])
        truth = numpy.array([[_holds(each, label) for label in labels] for each in examples], numpy.float32)
        known = numpy.array([[_known(each, label) for label in labels] for each in examples], numpy.float32)
        counts = numpy.array([learnt.whole if each.whole else each.counts for each in examples], numpy.float32)
        self._descend(rows, columns, values * scale[columns], truth, known * counts[:, None])
        self.weights *= scale[:, None]

    def _sparse(self, texts: Sequence[Found]):
        rows, columns, values = [], [], []
        for row, text in enumerate(texts):
            for name, value in brought_to_length(text, self.learnt.kinds).items():
                if (at := self.place.get(name)) is not None:
                    rows.append(row)
                    columns.append(at)
                    values.append(value)
        return numpy.array(rows), numpy.array(columns), numpy.array(values, numpy.float32)

    def _descend(self, rows, columns, values, truth, known) -> None:
        """All labels at once: their losses do not meet, so one descent serves all."""
        order = numpy.argsort(columns, kind="stable")
        row_of, value_of = rows[order], values[order][:, None]
        starts = numpy.flatnonzero(numpy.r_[True, numpy.diff(columns[order]) > 0])
        touched = columns[order][starts]
        first_row = numpy.flatnonzero(numpy.r_[True, numpy.diff(rows) > 0])
        filled, spread, penalty = rows[first_row], values[:, None], self.learnt.penalty

        def loss(point):
            weights, bias = point[:-1], point[-1]
            odds = numpy.zeros(truth.shape, numpy.float32)
            odds[filled] = numpy.add.reduceat(weights[columns] * spread, first_row, axis=0)
            odds += bias
            cost = (numpy.logaddexp(0, odds) - truth * odds) * known
            wrong = (1 / (1 + numpy.exp(-odds)) - truth) * known
            slope = numpy.zeros_like(point)
            slope[:-1] = penalty * weights
            slope[touched] += numpy.add.reduceat(wrong[row_of] * value_of, starts, axis=0)
            slope[-1] = wrong.sum(axis=0)
            return float(cost.sum(dtype=float) + 0.5 * penalty * (weights**2).sum(dtype=float)), slope

        point = minimum(loss, numpy.zeros((len(self.place) + 1, len(self.learnt.labels)), numpy.float32))
        self.weights, self.bias = point[:-1], point[-1]

    def odds(self, example: Example) -> dict[str, float]:
        rows, columns, values = self._sparse(example.windows)
        sums = numpy.zeros((len(example.windows), len(self.learnt.labels)))
        numpy.add.at(sums, rows, self.weights[columns] * values[:, None])
        return self.learnt.of_looks(
            [dict(zip(self.learnt.labels, map(float, each), strict=True)) for each in sums + self.bias]
        )

    def strongest(self, many: int) -> dict[str, list[str]]:
        said = numpy.abs(self.weights).max(axis=1) * numpy.sqrt(self.often)
        kept = set(numpy.argsort(-said, kind="stable")[:many].tolist())
        return {name: _hundredths(self.weights[at]) for name, at in self.place.items() if at in kept}


class Models:
    """Topics need the letters of words and no kinds of sentences; intent and urgency the other way round."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.topics = Model([*examples, *_harmless_parts(examples)], ABOUT)
        self.analysis = Model(examples, WANTED)

    def odds(self, example: Example) -> dict[str, float]:
        return {**self.topics.odds(example), **self.analysis.odds(example)}

    def write(self, path: Path) -> None:
        topics, analysis = self.topics.strongest(KEPT), self.analysis.strongest(KEPT)
        none, nothing = [""] * len(TOPIC_LABELS), [""] * len(WANTED.labels)
        lines = [
            "# Fitted by benchmarks/evals/triage/fit.py; hundredths of log-odds for each label. Do not edit by hand.",
            "\t".join(["feature", *LABELS]),
            "\t".join(["bias", *_hundredths([*self.topics.bias, *self.analysis.bias])]),
        ]
        lines += [
            "\t".join([name, *topics.get(name, none), *analysis.get(name, nothing)])
            for name in sorted(topics.keys() | analysis.keys())
        ]
        path.write_text("\n".join(lines) + "\n", "utf-8")


def _harmless_parts(examples: Sequence[Example]) -> list[Example]:
    """Of a harmless mail every part is harmless; of a sensitive one nobody said which part is not."""
    return [
        Example([window], set(), None, None, counts=PART_COUNTS)
        for each in examples
        if not each.topics
        for window in each.windows[1:]
    ]


def minimum(loss, point):
    """Limited-memory BFGS (Nocedal and Wright, algorithm 7.5) with a step that is halved until it helps."""
    value, slope = loss(point)
    past = deque(maxlen=MEMORY)
    for _ in range(STEPS):
        step = _direction(slope, past)
        along, size = float((step * slope).sum()), 1.0 if past else 1.0 / max(1.0, float(numpy.abs(slope).sum()))
        while True:
            tried = point + size * step
            new_value, new_slope = loss(tried)
            if new_value <= value + 1e-4 * size * along or size < 1e-8:
                break
            size /= 2
        moved, turned = tried - point, new_slope - slope
        if float((moved * turned).sum()) > 1e-10:
            past.append((moved, turned, 1 / float((moved * turned).sum())))
        done = abs(value - new_value) < CLOSE * max(1.0, abs(value))
        point, value, slope = tried, new_value, new_slope
        if done:
            break
    return point


def _direction(slope, past):
    step, shares = -slope, []
    for moved, turned, scale in reversed(past):
        share = scale * float((moved * step).sum())
        step = step - share * turned
        shares.append(share)
    if past:
        moved, turned, _ = past[-1]
        step = step * (float((moved * turned).sum()) / float((turned * turned).sum()))
    for (moved, turned, scale), share in zip(past, reversed(shares), strict=True):
        step = step + (share - scale * float((turned * step).sum())) * moved
    return step


def _hundredths(values) -> list[str]:
    return [str(round(value * SCALE)) if round(value * SCALE) else "" for value in values]


def _holds(example: Example, label: str) -> float:
    topics = {SENSITIVE, *example.topics} if example.topics else ()
    return float(label in topics or label in (example.intent, example.urgency))


def _known(example: Example, label: str) -> float:
    if label in INTENTS:
        return float(example.intent is not None)
    return float(example.urgency is not None) if label in URGENCIES else 1.0


def report(rows: Sequence[tuple[Example, dict[str, float]]]) -> None:
    for none in (-3.5, -3.0, -2.5):
        for sure in (-2.3, -1.9, -1.5, -1.1):
            print(f"not at all < {none}, sure ≥ {sure:4}: {_figures(rows, sure, none)}")
    missed, stopped = _misses(rows, SURE_OF_TOPIC, NOT_AT_ALL)
    print(f"at {NOT_AT_ALL} and {SURE_OF_TOPIC}: {_figures(rows, SURE_OF_TOPIC, NOT_AT_ALL)}")
    print(f"{len(missed)} sensitive not found:", ", ".join(f"{each.ref} ({each.wording})" for each in missed))
    print(f"{len(stopped)} harmless stopped:", ", ".join(each.ref for each in stopped))
    told = [
        (each, Meaning(odds, {}).intent, max(URGENCIES, key=odds.__getitem__)) for each, odds in rows if each.intent
    ]
    print(f"intent {100 * sum(intent in each.intents for each, intent, _ in told) / len(told):.1f}")
    print(f"urgency {100 * sum(urgency in each.urgencies for each, _, urgency in told) / len(told):.1f}")


def _misses(rows, sure: float, none: float) -> tuple[list[Example], list[Example]]:
    """The sensitive that are not found and the harmless that are stopped, lists and classifier together."""
    wrong = [
        each
        for each, odds in rows
        if each.sensitive
        != any(match.decides for match in topics_meant(each.listed, Meaning(odds, {}), sure=sure, none=none))
    ]
    return [each for each in wrong if each.sensitive], [each for each in wrong if not each.sensitive]


def _figures(rows, sure: float, none: float) -> str:
    missed, stopped = _misses(rows, sure, none)
    wordings = Counter(each.wording for each, _ in rows if each.sensitive)
    lost = Counter(each.wording for each in missed)
    found = wordings.total() - lost.total()
    by = [f"{name} {100 * (1 - lost[name] / wordings[name]):.1f}" for name in sorted(wordings)]
    return (
        f"recall {100 * found / wordings.total():.1f} ({' '.join(by)})"
        f" precision {100 * found / max(1, found + len(stopped)):.1f},"
        f" others stopped {100 * len(stopped) / (len(rows) - wordings.total()):.1f}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--without", metavar="BATCH", help="learn from the rest, and judge this one")
    options.add_argument("--write", action="store_true", help="learn from everything that may be, and keep it")
    asked = options.parse_args(arguments)
    texts, threads = written() + answerable(), labelled("dev")
    if asked.write:
        Models(texts + threads).write(TARGET)
        return
    if asked.without is None:
        report(_folds([each for each in texts if each.batch != "retold"], threads))
        return
    left_out = {"dev": ("dev", "retold")}.get(asked.without, (asked.without,))
    model = Models([each for each in texts + threads if each.batch not in left_out])
    judged = written("fresh") if asked.without == "fresh" else texts + threads
    report([(each, model.odds(each)) for each in judged if asked.without in (each.batch, "fresh")])


def _folds(texts: Sequence[Example], threads: Sequence[Example]) -> list[tuple[Example, dict[str, float]]]:
    rows = []
    for fold in range(FOLDS):
        model = Models([*texts, *(each for at, each in enumerate(threads) if at % FOLDS != fold)])
        rows += [(each, model.odds(each)) for each in threads[fold::FOLDS]]
    return rows


if __name__ == "__main__":
    main()
