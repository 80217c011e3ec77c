"""How trades are read: fully right per broker and language, the gate, many trades, no trades, brokers left out.

    python -m benchmarks.evals.trades DATA… [--closed] [--failures] [--json PATH] [--pdf N] [--ocr N] [--refit] …

DATA is a folder with `single_trades.json`, `ground_truth.json` and `texts/`, or the parent of such folders (`trades*`).
A document is right only if exactly the right number of trades was read and all fields are. `--closed` adds the figures
of the brokers whose papers stay closed (`trades_data.fold_of`), as totals only. `--pdf N` prints N texts to PDF and
reads them back; `--ocr N` does so through images. `--refit` writes the package's `confidence.toml` anew, and `--publish`
the table in docs/explain/confidence.md. `--forget` reads each broker without the words only it uses.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.evals import trades_data, trades_fit, trades_forget, trades_print, trades_publish
from benchmarks.evals.trades_data import FOLDS, Case, Corpus, interval, key, lenient, misread
from benchmarks.evals.trades_fit import Sample
from postroom import reading
from postroom.nouns.documents import Extraction, Trade
from postroom.reading.confidence import Calibration, shipped
from postroom.reading.extractor import extract

PACKAGE = Path(reading.__file__).parent
EDGES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
"""Where the bands of the reliability table part."""


def first(answer: Extraction) -> Trade | None:
    return answer.trades[0] if answer.trades else None


def one_trade(cases: Sequence[Case], *, failures: bool) -> dict[str, Any]:
    """One-trade documents: fully right, by field, broker and language, and the gate, with the shipped curves."""
    fields: Counter[str] = Counter()
    brokers: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    languages: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    gate = Counter[str]()
    for case in cases:
        answer = case.judged(shipped())
        trade = first(answer)
        bad = misread(answer, case.truth[0])
        kind = lenient(bad, trade, case.truth[0])
        for group in (brokers[case.broker], languages[answer.language or "?"]):
            group[0] += not bad
            group[1] += 1
        fields.update(bad)
        gate.update({"right": not bad, "right, value day too": not kind})
        if answer.auto_confirm:
            gate.update({"passed": 1, "passed right": not bad, "passed right, value day too": not kind})
        if failures and bad:
            _show(case, answer, bad)
    return {
        "documents": len(cases),
        "right": gate["right"],
        "right_with_value_day": gate["right, value day too"],
        "gate": {name: gate[name] for name in ("passed", "passed right", "passed right, value day too")},
        "wrong_fields": dict(fields),
        "brokers": {name: tuple(group) for name, group in sorted(brokers.items())},
        "languages": {name: tuple(group) for name, group in sorted(languages.items())},
        "milliseconds": _milliseconds(cases),
    }


def _milliseconds(cases: Sequence[Case]) -> float:
    """What reading one document costs, from its words on."""
    documents = [case.document for case in cases]
    started = time.process_time()
    for document in documents:
        extract(document)
    return round(1000 * (time.process_time() - started) / len(documents), 2)


def _show(case: Case, answer: Extraction, bad: list[str]) -> None:
    truth, trade = case.truth[0], first(answer)
    wanted = " ".join(str(truth[name]) for name in ("type", "date", "isin", "shares", "amount", "currency"))
    got = trade and " ".join(str(getattr(trade, name)) for name in trades_data.FIELDS)
    print(f"  {'PASSED ' if answer.auto_confirm else ''}{case.broker}/{case.name} {bad}")
    print(f"    want {wanted}\n    got  {got}\n    said {answer.because}")


def several_trades(cases: Sequence[Case]) -> dict[str, Any]:
    """Documents of many trades: how many of the asserted ones are among those read."""
    count = Counter[str]()
    for case in cases:
        answer = case.judged(shipped())
        got = Counter(key(t.direction, t.trade_date, t.quantity, t.net, t.currency) for t in answer.trades)
        want = Counter(key(t["type"], t["date"], t["shares"], t["amount"], t["amount_currency"]) for t in case.truth)
        hit = sum((got & want).values())
        count.update(documents=1, asserted=len(case.truth), found=hit, read=len(answer.trades), told=case.expected)
        count.update({"documents with all": hit == len(case.truth), "unattended": answer.auto_confirm})
    return dict(count)


def no_trades(cases: Sequence[Case]) -> dict[str, Any]:
    """Dividends, account statements, taxes and transfers: not to be taken for trades."""
    by_kind: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for case in cases:
        answer = case.judged(shipped())
        group = by_kind[case.kinds.most_common(1)[0][0]]
        group[0] += not answer.trades
        group[1] += 1
        group[2] += answer.auto_confirm
    return {name: tuple(group) for name, group in sorted(by_kind.items())}


def left_out(samples: Sequence[Sample], by_broker: Mapping[str, Calibration]) -> dict[str, Any]:
    """Every document judged by curves, steps and thresholds fitted without its broker."""
    count = Counter[str]()
    bands: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for one in samples:
        judged = by_broker[one.case.broker]
        if one.disguised:
            continue
        if not one.right:
            count.update({"none past the gate": one.case.judged(judged).auto_confirm})
            continue
        answer = one.case.judged(judged)
        bad = misread(answer, one.case.truth[0])
        good = not lenient(bad, first(answer), one.case.truth[0])
        count.update({"documents": 1, "right": not bad, "right_with_value_day": good})
        if answer.auto_confirm:
            count.update({"passed": 1, "passed right": not bad, "passed right, value day too": good})
        sure = judged.of_document(one.flags)
        band = bands[bisect_right(EDGES, sure)]
        for place, value in enumerate((1, sure, one.right["document"])):
            band[place] += value
    names = ("documents", "right", "right_with_value_day", "passed", "passed right", "passed right, value day too")
    return {name: count[name] for name in (*names, "none past the gate")} | {
        "reliability": {
            _band(band): (int(seen), round(total / seen, 3), round(good / seen, 3))
            for band, (seen, total, good) in sorted(bands.items())
        },
    }


def _band(place: int) -> str:
    if place == 0:
        return f"below {EDGES[0]:.2f}"
    above = EDGES[place] if place < len(EDGES) else 1.0
    return f"{EDGES[place - 1]:.2f}–{above:.2f}"


def report(figures: dict[str, Any]) -> None:
    for fold in FOLDS:
        if fold in figures:
            _report_fold(fold, figures[fold])
    for name, out in (("brokers left out", figures["left out"]), ("and their own words", figures["strangers"])):
        total = out["documents"]
        print(f"{name}: {out['right']}/{total} = {out['right'] / total:.1%} right")
        _report_gate("  gate", out, total)
        print(f"  papers without a trade, or with several, past the gate: {out['none past the gate']}")
        print("  reliability: band, documents, stated, true")
        for band, (count, stated, true) in out["reliability"].items():
            print(f"    {band:<12}{count:>6}{stated:>8.2f}{true:>8.2f}")


def _report_fold(fold: str, found: dict[str, Any]) -> None:
    one, total = found["one trade"], found["one trade"]["documents"]
    low, high = interval(one["right"], total)
    print(f"{fold}: {one['right']}/{total} = {one['right'] / total:.1%} fully right ({low:.1%} to {high:.1%};", end="")
    print(f" {one['right_with_value_day'] / total:.1%} if the value day counts), {one['milliseconds']} ms each")
    print("  wrong:", ", ".join(f"{name} {count}" for name, count in one["wrong_fields"].items()))
    print("  languages:", ", ".join(f"{name} {a}/{b}" for name, (a, b) in one["languages"].items()))
    if fold != "closed":
        print("  brokers:", ", ".join(f"{name} {a}/{b}" for name, (a, b) in one["brokers"].items()))
    _report_gate("  gate, shipped curves", one["gate"], total)
    print("  many trades:", ", ".join(f"{name} {count}" for name, count in found["many trades"].items()))
    print("  no trades, recognised:", ", ".join(f"{k} {a}/{b}" for k, (a, b, _) in found["no trades"].items()))
    print("    let through the gate:", sum(passed for _, _, passed in found["no trades"].values()))


def _report_gate(name: str, gate: dict[str, Any], total: int) -> None:
    passed = gate["passed"]
    if not passed:
        print(f"{name}: nothing passes")
        return
    right = gate["passed right"]
    low, high = interval(right, passed)
    print(
        f"{name}: {passed}/{total} = {passed / total:.1%} pass, {right}/{passed} = {right / passed:.1%} of them right"
        f" ({low:.1%} to {high:.1%}; {gate['passed right, value day too'] / passed:.1%} if the value day counts)"
    )


def figures_of(fold: str, corpus: Corpus, *, failures: bool) -> dict[str, Any]:
    """One fold's documents, judged by the shipped curves; of the closed one nothing is shown but totals."""
    single, several, none = ([case for case in cases if case.fold == fold] for cases in corpus)
    one = one_trade(single, failures=failures and fold != "closed")
    if fold == "closed":
        del one["brokers"]
    return {"one trade": one, "many trades": several_trades(several), "no trades": no_trades(none)}


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--pdf", type=int, default=0)
    parser.add_argument("--ocr", type=int, default=0)
    for name in ("closed", "failures", "refit", "publish", "forget"):
        parser.add_argument(f"--{name}", action="store_true")
    return parser.parse_args()


def main() -> int:
    asked = options()
    data = trades_data.folders(asked.data)
    if not data:
        sys.exit(f"{asked.data[0]} has no single_trades.json: give the folder that holds the trades.")
    corpus = trades_data.corpus(data)
    single, several, none = ([case for case in cases if case.fold != "closed"] for cases in corpus)
    every = [*single, *several, *none]
    forgetful = trades_forget.Forgetful(every)
    samples = [trades_fit.sample(case) for case in every]
    samples += [trades_fit.sample(forgetful.harsh_twin(case), disguised=True) for case in every]
    if asked.refit:
        trades_fit.write(trades_fit.fit(samples), PACKAGE / "confidence.toml")
        shipped.cache_clear()
    strange = [trades_fit.sample(forgetful.twin(case)) for case in single]
    by_broker = trades_fit.never_seen(samples)
    figures: dict[str, Any] = {"left out": left_out(samples, by_broker), "strangers": left_out(strange, by_broker)}
    for fold in FOLDS:
        if any(case.fold == fold for case in corpus.single) and (fold != "closed" or asked.closed):
            figures[fold] = figures_of(fold, corpus, failures=asked.failures)
    report(figures)
    if asked.publish:
        trades_publish.publish(figures)
    if asked.forget:
        figures["forgetting"] = trades_forget.forgetting(forgetful, single, shipped())
        print("without the words that only its own broker uses:", figures["forgetting"])
    if asked.pdf:
        figures["printed"] = trades_print.as_pdf(single[:: max(len(single) // asked.pdf, 1)][: asked.pdf])
        print("printed to PDF and read back:", figures["printed"])
    if asked.ocr:
        figures["scanned"] = trades_print.as_scan(single[:: max(len(single) // asked.ocr, 1)][: asked.ocr])
        print("printed, scanned and recognised:", figures["scanned"])
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0 if figures["left out"]["right"] >= 0.85 * len(single) else 1


if __name__ == "__main__":
    sys.exit(main())
