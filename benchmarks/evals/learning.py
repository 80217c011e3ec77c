"""What learning from corrections does: every sender's papers in turn, each that is misread corrected, as a person would.

    python -m benchmarks.evals.learning DATA… [--closed]

DATA as for `benchmarks.evals.trades`. Each paper is read with what the sender's earlier corrections taught; then, if it
is wrong, its wrong fields are corrected and the profile is taught. Learning must lower neither figure: how many papers
are fully right, and how many of those past the gate.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

from benchmarks.evals import trades_data
from benchmarks.evals.trades_data import Case, misread
from postroom.nouns.documents import Value
from postroom.reading.extractor import extract
from postroom.reading.learning import CheckedPaper, taught
from postroom.reading.profiles import SenderProfile

REMEMBERED = 8
"""Earlier papers of a sender that a lesson is held against, as in the product."""


def confirmed(case: Case) -> CheckedPaper:
    """What a person would leave in the form."""
    truth = case.truth[0]
    values: dict[str, Value | None] = {
        "direction": truth["type"],
        "trade_date": date.fromisoformat(truth["date"]),
        "quantity": Decimal(str(truth["shares"])),
        "isin": truth["isin"],
        "currency": truth["currency"],
        "net": Decimal(str(truth["amount"])),
    }
    return CheckedPaper(case.document, {name: value for name, value in values.items() if value is not None})


def replay(cases: Sequence[Case]) -> Counter[str]:
    """One sender's papers in the order of their names."""
    count = Counter[str]()
    profile: SenderProfile | None = None
    earlier: list[CheckedPaper] = []
    for case in cases:
        plain, learnt = extract(case.document), extract(case.document, profile)
        before, after = misread(plain, case.truth[0]), misread(learnt, case.truth[0])
        count.update(papers=1, right=not before, right_learnt=not after, broken=bool(after and not before))
        count.update(passed=plain.auto_confirm, passed_wrong=plain.auto_confirm and bool(before))
        count.update(passed_learnt=learnt.auto_confirm, passed_wrong_learnt=learnt.auto_confirm and bool(after))
        paper = confirmed(case)
        if after:
            changed = [name for name in after if name in paper.values]
            taught_now = taught(profile, paper, changed, earlier[-REMEMBERED:])
            count.update(corrected=1, taught=taught_now != (profile or SenderProfile()))
            profile = taught_now
        earlier.append(paper)
    return count


def senders(cases: Sequence[Case]) -> Iterator[list[Case]]:
    by_broker: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_broker[case.broker].append(case)
    for _, own in sorted(by_broker.items()):
        yield sorted(own, key=lambda case: case.name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--closed", action="store_true")
    asked = parser.parse_args()
    corpus = trades_data.corpus(trades_data.folders(asked.data))
    if not corpus.single:
        sys.exit(f"{asked.data[0]} has no single_trades.json: give the folder that holds the trades.")
    worse = 0
    for fold in trades_data.FOLDS:
        cases = [case for case in corpus.single if case.fold == fold]
        if not cases or (fold == "closed" and not asked.closed):
            continue
        count = sum((replay(own) for own in senders(cases)), Counter[str]())
        worse += count["right_learnt"] < count["right"] or count["passed_wrong_learnt"] > count["passed_wrong"]
        print(f"{fold}: {count['papers']} papers, {count['corrected']} corrected, {count['taught']} taught something")
        print(f"  fully right {count['right']}, with learning {count['right_learnt']}, broken {count['broken']}")
        print(
            f"  past the gate {count['passed']}, of them wrong {count['passed_wrong']};"
            f" with learning {count['passed_learnt']}, of them wrong {count['passed_wrong_learnt']}"
        )
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
