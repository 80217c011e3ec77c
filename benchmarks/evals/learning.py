"""What learning from corrections does: every sender's papers in turn, each that is misread corrected, as a person would.

    python -m benchmarks.evals.learning DATA… [--closed]

DATA as for `benchmarks.evals.trades`. Each paper is read with what the sender's earlier papers taught; then, if it is
wrong, its wrong fields are corrected, and it is confirmed, which may teach something or drop it again. Learning must lower neither figure: how many papers
are fully right, and how many of those past the gate. Papers of one dividend, and printed invoices where DATA has an
`invoices` folder beside, are replayed in the same way; senders of both are replayed by kind.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.evals import invoices, trades_data
from benchmarks.evals.trades_data import Case, misread
from postroom.nouns.documents import Value
from postroom.outside.readers.pool import Readers
from postroom.reading import learning
from postroom.reading.extractor import extract
from postroom.reading.learning import INVOICE, CheckedPaper, taught
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
    known = {name: value for name, value in values.items() if value is not None}
    return CheckedPaper(case.document, known, id=case.name)


def heard(
    before: SenderProfile | None,
    paper: CheckedPaper,
    changed: Collection[str],
    earlier: Sequence[CheckedPaper],
    count: Counter[str],
) -> SenderProfile | None:
    """The profile after a person confirmed the paper. Who was never corrected has none, as in the product."""
    if not changed and before is None:
        return None
    after = taught(before, paper, changed, earlier[-REMEMBERED:])
    known = before or SenderProfile()
    count.update(corrected=bool(changed), taught=read_with(after) != read_with(known))
    count.update(dropped=len(after.dropped) - len(known.dropped))
    return after


def read_with(profile: SenderProfile) -> tuple[Mapping[str, str], bool]:
    return profile.labels, profile.trades_on_settlement_day


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
        changed = [name for name in after if name in paper.values]
        profile = heard(profile, paper, changed, earlier, count)
        earlier.append(paper)
    return count


def replay_papers(papers: Sequence[CheckedPaper]) -> Counter[str]:
    """One sender's papers of another kind; what is told of them is how many are read wholly right."""
    count = Counter[str]()
    profile: SenderProfile | None = None
    for place, paper in enumerate(papers):
        before, after = learning.misread(paper, None), learning.misread(paper, profile)
        count.update(papers=1, right=not before, right_learnt=not after, broken=bool(after and not before))
        profile = heard(profile, paper, after, papers[:place], count)
    return count


def dividends(data: Sequence[Path], *, closed: bool) -> Iterator[list[CheckedPaper]]:
    """Papers of one dividend and nothing else, by sender."""
    for folder in data:
        by_broker: dict[str, list[CheckedPaper]] = defaultdict(list)
        for broker, text, truth in trades_data.one_of_a_kind(folder, "DIVIDENDS"):
            if closed or trades_data.fold_of(folder.name, broker) != "closed":
                own = by_broker[broker]
                own.append(CheckedPaper(text, paid(truth), "dividend", id=str(len(own))))
        yield from by_broker.values()


def paid(truth: Mapping[str, Any]) -> dict[str, Value]:
    values: dict[str, Value | None] = {
        "isin": truth.get("isin"),
        "pay_date": date.fromisoformat(truth["date"][:10]),
        "quantity": Decimal(str(truth["shares"])) if truth.get("shares") else None,
        "net": Decimal(str(truth["amount"])),
        "currency": truth["amount_currency"],
    }
    return {name: value for name, value in values.items() if value is not None}


def bills(data: Path) -> Iterator[list[CheckedPaper]]:
    """Printed invoices, their XML out of sight, by supplier."""
    by_supplier: dict[str, list[CheckedPaper]] = defaultdict(list)
    with Readers(ocr=False) as readers:
        for case in (*invoices.corpus(data, readers), *invoices.pairs(data, readers)):
            stated = {name: case.truth.get(name) for name in learning.CHECKED[INVOICE]}
            values = {name: _typed(name, value) for name, value in stated.items() if value not in (None, "")}
            own = by_supplier[case.supplier]
            text = replace(case.document, embedded=())
            own.append(CheckedPaper(text, values, INVOICE, id=str(len(own))))
    yield from by_supplier.values()


def _typed(name: str, value: Any) -> Value:
    if name.endswith("_date"):
        return date.fromisoformat(value)
    return Decimal(str(value)) if name.endswith("_total") else str(value)


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
        print(
            f"{fold}: {count['papers']} papers, {count['corrected']} corrected, {count['taught']} taught something, {count['dropped']} dropped"
        )
        print(f"  fully right {count['right']}, with learning {count['right_learnt']}, broken {count['broken']}")
        print(
            f"  past the gate {count['passed']}, of them wrong {count['passed_wrong']};"
            f" with learning {count['passed_learnt']}, of them wrong {count['passed_wrong_learnt']}"
        )
    folders = trades_data.folders(asked.data)
    found = [("dividends", list(dividends(folders, closed=asked.closed)))]
    printed = asked.data[0] / "invoices"
    if (printed / "truth.json").is_file():
        found.append(("printed invoices", list(bills(printed))))
    for name, papers in found:
        count = sum((replay_papers(own) for own in papers), Counter[str]())
        worse += count["right_learnt"] < count["right"]
        print(f"{name}: {count['papers']} papers, {count['corrected']} corrected, {count['taught']} taught something")
        print(f"  wholly right {count['right']}, with learning {count['right_learnt']}, broken {count['broken']}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
