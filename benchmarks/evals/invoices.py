"""How invoices are read: XML exactly, printed ones field by field, line items, and how sure we are.

    python -m benchmarks.evals.invoices DATA [--made N] [--written] [--failures] [--json PATH] [--calibrate PATH]

DATA is a folder with `truth.json` and PDFs (and `invoice2data/` pairs), or its parent. `--made N` adds N simulated
invoices of each made-up supplier, `--written` the ones that were written by hand for the tests, printed to PDFs.
`--calibrate` writes the table of evidence that confidence is taken from, by the real and the simulated ones.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from postroom.nouns.documents import DocumentText, Invoice, typed
from postroom.outside.readers.pool import Readers
from postroom.reading.extractor import extract
from postroom.reading.invoices import e_invoice_among, is_invoice, read_text_invoice
from postroom.reading.invoices.layout import sheet_of
from postroom.reading.invoices.money import totals
from postroom.reading.invoices.text import findings

KEY = ("number", "issue_date", "grand_total", "currency")
SEEN = ("line: text and total", "tax by rate", "known as an invoice", "extract() says invoice")
FIELDS = (*KEY, "due_date", "net_total", "tax_total", "supplier", "buyer", "iban")


@dataclass
class Case:
    """One document: what is true of it, and of which supplier's making it is."""

    name: str
    supplier: str
    document: DocumentText
    truth: dict[str, Any]
    lines: list[dict[str, Any]]
    has_xml: bool = False
    kind: str = ""


@dataclass
class Score:
    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def count(self, name: str, right: bool) -> None:
        self.asked[name] += 1
        self.right[name] += right

    def share(self, name: str) -> float:
        return self.right[name] / self.asked[name] if self.asked[name] else 1.0


def corpus(data: Path, readers: Readers) -> Iterator[Case]:
    for record in json.loads((data / "truth.json").read_text("utf-8")):
        truth = dict(record["truth"])
        for name in ("issue_date", "due_date"):
            truth[name] = truth[name] and f"{truth[name][:4]}-{truth[name][4:6]}-{truth[name][6:8]}"
        lines = [item for item in truth["items"] if any(value is not None for value in item.values())]
        document = readers.read((data / record["pdf"]).read_bytes())
        kind = _class_of(record["pdf"])
        yield Case(record["pdf"], _flat(truth["supplier"]), document, truth, lines, has_xml=True, kind=kind)


def _class_of(name: str) -> str:
    """By what the samples are about."""
    if "versicherung" in name:
        return "insurers' letters"
    return "accounting programs" if re.search("Mustang|acme|Facture|compliant", name) else "the standard's samples"


def pairs(data: Path, readers: Readers) -> Iterator[Case]:
    names = {"invoice_number": "number", "date": "issue_date", "date_due": "due_date", "amount": "grand_total",
             "amount_untaxed": "net_total", "amount_tax": "tax_total", "issuer": "supplier"}  # fmt: skip
    for path in sorted((data / "invoice2data").glob("*.json")):
        said = json.loads(path.read_text("utf-8"))[0]
        truth = {names.get(key, key): value for key, value in said.items()}
        lines = [
            {"description": line["name"], "line_total": line["price_subtotal"]}
            for line in said.get("lines", ())
            if "name" in line and "price_subtotal" in line
        ]
        document = readers.read(path.with_suffix(".pdf").read_bytes())
        yield Case(path.stem, _flat(truth["supplier"]), document, truth, lines, kind="shops, telecoms, hotels")


def made(count: int, readers: Readers) -> Iterator[Case]:
    from postroom_simulators.papers.invoices import SUPPLIERS, bill_of, invoice

    for supplier in SUPPLIERS.values():
        for seed in range(count):
            bill = bill_of(supplier, date(2025, 1, 7) + timedelta(days=37 * seed), seed)
            truth = bill.truth()["invoice"]
            paper = invoice(bill)
            raw = paper if isinstance(paper, bytes) else paper.pdf
            name = f"made {supplier.key} {seed}"
            yield Case(name, _flat(truth["supplier"]), readers.read(raw), truth, truth["lines"], kind="made up")


def written(readers: Readers) -> Iterator[Case]:
    """The invoices of the tests, as PDFs; letters that the built-in faces lack are plain in the truth as well."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    papers = importlib.import_module("rules.invoices.printed")
    for one in papers.PRINTED:
        plain = {name: papers.on_paper(value) if isinstance(value, str) else value for name, value in one.truth.items()}
        lines = [
            {"description": papers.on_paper(text), "line_total": total} for text, total in one.truth.get("lines", ())
        ]
        supplier = _flat(plain.get("supplier", one.name))
        yield Case(one.name, supplier, readers.read(papers.drawn(one.text)), plain, lines, kind="written by hand")


def _flat(text: Any) -> str:
    return re.sub(r"\W+", " ", str(text).casefold()).strip()


def _same(name: str, got: Any, want: Any) -> bool:
    if want is None:
        return True
    if got is None:
        return False
    if name.endswith("_total"):
        return abs(Decimal(str(want)) - got) < Decimal("0.005")
    if name in ("supplier", "buyer"):
        one, other = _flat(got), _flat(want)
        return one == other or (len(one) >= 4 and (one in other or other in one))
    if name == "iban":
        return re.sub(r"\s", "", str(got)) == re.sub(r"\s", "", str(want))
    return str(got) == str(want)


def xml_exact(case: Case, score: Score) -> None:
    reading = e_invoice_among(case.document.embedded)
    wrong = ["no XML"] if reading is None else _wrong_in_xml(reading.invoice, case)
    score.count("XML exact", not wrong)
    if wrong:
        score.failures.append(f"XML {case.name}: {', '.join(wrong)}")


def _wrong_in_xml(invoice: Invoice, case: Case) -> list[str]:
    wrong = [
        name
        for name in FIELDS
        if not _same(name, getattr(invoice, name), case.truth.get(name))  # what the truth leaves out is not asked
    ]
    want = [(_flat(line["description"]), _amount(line["line_total"])) for line in case.lines]
    got = [(_flat(line.description), line.total) for line in invoice.lines]
    return wrong if want == got else [*wrong, "lines"]


def _amount(value: Any) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def printed(case: Case, score: Score) -> Invoice:
    """The same document with its XML out of sight."""
    invoice = read_text_invoice(case.document).invoice
    wrong = []
    for name in FIELDS:
        want = case.truth.get(name)
        if want in (None, ""):
            continue
        right = _same(name, getattr(invoice, name), want)
        score.count(name, right)
        if not right:
            wrong.append(f"{name} {getattr(invoice, name)} ≠ {want}")
    key = _all_four(invoice, case)
    score.count("all four", key)
    for line in case.lines:
        score.count("line: text and total", _line_found(invoice, line))
    if rates := case.truth.get("tax_by_rate"):
        want = {Decimal(rate): Decimal(tax) for rate, tax in rates.items()}
        score.count("tax by rate", want == dict(invoice.tax_by_rate))
    words_only = replace(case.document, embedded=())
    score.count("known as an invoice", is_invoice(words_only))
    score.count("extract() says invoice", extract(words_only).type == "invoice")
    if wrong:
        score.failures.append(f"{'' if key else '* '}{case.name}: {'; '.join(wrong)}")
    return invoice


def _line_found(invoice: Invoice, want: dict[str, Any]) -> bool:
    words = set(_flat(str(want["description"] or "").split("\n")[0]).split())
    total = _amount(want["line_total"])
    return any(
        line.total is not None
        and total is not None
        and abs(line.total - total) < Decimal("0.005")
        and len(words & set(_flat(line.description).split())) >= 0.6 * len(words)
        for line in invoice.lines
    )


def evidence(cases: list[Case]) -> dict[str, dict[str, list[tuple[str, bool]]]]:
    """For each field and class of evidence, the suppliers it was seen with and whether it was right."""
    seen: dict[str, dict[str, list[tuple[str, bool]]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        sheet = sheet_of(case.document)
        for name, found in findings(sheet, totals(sheet)).items():
            if found is not None and case.truth.get(name) not in (None, ""):
                right = _same(name, found.value, case.truth[name])
                seen[name][found.evidence].append((case.supplier, right))
    return seen


def reliability(seen: dict[str, dict[str, list[tuple[str, bool]]]]) -> list[tuple[str, int, float, float]]:
    """Stated and true shares by band of confidence, each supplier judged by the others' counts."""
    bands: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for classes in seen.values():
        for outcomes in classes.values():
            for supplier, right in outcomes:
                votes = _votes([(other, hit) for other, hit in outcomes if other != supplier])
                stated = (sum(votes) + 1) / (len(votes) + 2)
                low = min(int(stated * 10), 9)
                bands[f"{low / 10:.1f}–{(low + 1) / 10:.1f}"].append((stated, right))
    return [
        (band, len(pairs), sum(s for s, _ in pairs) / len(pairs), sum(r for _, r in pairs) / len(pairs))
        for band, pairs in sorted(bands.items())
    ]


def _votes(outcomes: list[tuple[str, bool]]) -> list[float]:
    """One vote a supplier, however many invoices it sent: the share that was right."""
    by_supplier: dict[str, list[bool]] = defaultdict(list)
    for supplier, right in outcomes:
        by_supplier[supplier].append(right)
    return [sum(rights) / len(rights) for rights in by_supplier.values()]


def write_table(path: Path, seen: dict[str, dict[str, list[tuple[str, bool]]]]) -> None:
    lines = [
        "# Right and all readings by field and class of evidence, one vote a supplier;",
        "# written by benchmarks/evals/invoices.py --calibrate.",
    ]
    for name, classes in sorted(seen.items()):
        lines.append(f"\n[{name}]")
        for said, outcomes in sorted(classes.items()):
            votes = _votes(outcomes)
            lines.append(f'"{said}" = [{sum(votes):.2f}, {len(votes)}]')
    path.write_text("\n".join(lines) + "\n", "utf-8")


def report(title: str, cases: list[Case], *, failures: bool) -> dict[str, Any]:
    score = Score()
    for case in cases:
        if case.has_xml:
            xml_exact(case, score)
        printed(case, score)
    print(f"{title}: {len(cases)} invoices of {len({case.supplier for case in cases})} suppliers")
    for name in ("XML exact", "all four", *FIELDS, *SEEN):
        if score.asked[name]:
            print(f"  {name:<22}{score.right[name]:>5} / {score.asked[name]:<5}{score.share(name):>7.1%}")
    by_supplier: dict[str, Score] = defaultdict(Score)
    for case in cases:
        printed(case, by_supplier[case.supplier])
    even = sum(one.share("all four") for one in by_supplier.values()) / max(len(by_supplier), 1)
    print(f"  {'all four, by supplier':<22}{even:>20.1%}")
    if failures:
        print("".join(f"    {failure}\n" for failure in score.failures), end="")
    shares = {name: [score.right[name], score.asked[name]] for name in score.asked}
    return {"shares": shares, "all four by supplier": even, "failures": score.failures}


def gate(title: str, cases: list[Case]) -> dict[str, int]:
    """How many printed invoices pass the reading's gate, and how many of those are right in all four."""
    passed = [(case, read) for case in cases if (read := extract(replace(case.document, embedded=()))).auto_confirm]
    right = [case for case, read in passed if read.invoice is not None and _all_four(read.invoice, case)]
    suppliers = len({case.supplier for case, _ in passed})
    print(f"gate, {title}: {len(passed)} / {len(cases)} pass, of {suppliers} suppliers; {len(right)} of them right")
    return {"invoices": len(cases), "passed": len(passed), "right": len(right), "suppliers": suppliers}


def _all_four(invoice: Invoice, case: Case) -> bool:
    return all(_same(name, getattr(invoice, name), case.truth.get(name)) for name in KEY)


def by_class(cases: list[Case]) -> None:
    """What is read of each class of suppliers, as a table for people."""
    shown = ("all four", *FIELDS, "line: text and total")
    print("| class | " + " | ".join(name.replace("_", " ") for name in shown) + " |")
    for kind in dict.fromkeys(case.kind for case in cases):
        score = Score()
        for case in cases:
            if case.kind == kind:
                printed(case, score)
        print(f"| {kind} | " + " | ".join(f"{score.right[name]}/{score.asked[name]}" for name in shown) + " |")


def brokers(data: Path) -> None:
    """How many of the brokers' papers beside the invoices would be taken for one."""
    papers = sorted((data.parent / "trades" / "texts").rglob("*.txt"))
    taken = [path.name for path in papers if is_invoice(typed(path.read_bytes().decode("utf-8", "replace")))]
    if papers:
        print(f"brokers' papers taken for an invoice: {len(taken)} / {len(papers)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--made", type=int, default=0)
    parser.add_argument("--written", action="store_true")
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--calibrate", type=Path)
    options = parser.parse_args()
    data = options.data / "invoices" if (options.data / "invoices").is_dir() else options.data
    if not (data / "truth.json").is_file():
        sys.exit(f"{data} has no truth.json: give the folder that holds the invoices.")
    started = time.perf_counter()
    with Readers(ocr=False) as readers:
        real = [*corpus(data, readers), *pairs(data, readers)]
        simulated = list(made(options.made, readers)) if options.made else []
        by_hand = list(written(readers)) if options.written else []
    print(f"read in {time.perf_counter() - started:.1f} s")
    started = time.perf_counter()
    figures: dict[str, Any] = {"real": report("real", real, failures=options.failures)}
    if simulated:
        figures["made"] = report("made", simulated, failures=options.failures)
    if by_hand:
        figures["written"] = report("written", by_hand, failures=options.failures)
    groups = {"real": real, "made": simulated, "written": by_hand}
    figures["gate"] = {title: gate(title, cases) for title, cases in groups.items() if cases}
    by_class(real + simulated + by_hand)
    brokers(data)
    seen = evidence(real + simulated)
    print("confidence, each supplier by the others' counts: band, readings, stated, true")
    for band, count, stated, true in reliability(seen):
        print(f"  {band:<9}{count:>6}{stated:>8.2f}{true:>8.2f}")
    print(f"extracted in {time.perf_counter() - started:.1f} s")
    if options.calibrate:
        write_table(options.calibrate, seen)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    shares = figures["real"]["shares"]
    good = shares["XML exact"][0] == shares["XML exact"][1] and shares["all four"][0] >= 0.8 * shares["all four"][1]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
