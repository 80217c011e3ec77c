"""Files without printed pages: documents per CPU-second from bytes to extraction, by kind, and the parent's memory.

    python -m benchmarks.unprinted [--documents N] [--keep]

The files are made here by the libraries that others write them with: one trade as HTML, text and CSV, an invoice as a Word
file, a statement of 60 trades as a workbook.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import docx
import openpyxl

from benchmarks.bench import keep
from benchmarks.documents import FLAT, own_seconds, resident_kilobytes, seconds_of_children
from postroom.memory import keep_what_is_loaded
from postroom.outside.readers.pool import Readers

HEADS = ("Trade date", "Type", "ISIN", "Security", "Quantity", "Price", "Currency", "Amount", "Commission", "Net amount")  # fmt: skip
TRADES = 60


def trade(number: int) -> tuple[Any, ...]:
    quantity, price = 10 + number % 90, 10 + number % 50 + 0.25
    gross = quantity * price
    day = date(2024, 3, 1) + timedelta(days=number % 28)
    return day, "Buy", "US0378331005", "Apple Inc.", quantity, price, "USD", gross, 10.0, gross + 10.0


def page(number: int) -> bytes:
    values = [f"{value:.2f}" if isinstance(value, float) else str(value) for value in trade(number)]
    rows = "".join(f"<tr><td>{head}<td>{value}" for head, value in zip(HEADS, values, strict=True))
    print_ = "<p>This confirmation was made by a machine and is not signed. Please check it at once.</p>" * 20
    return f"<html><body><h1>Trade confirmation: we bought</h1><table>{rows}</table>{print_}</body></html>".encode()


def typed(number: int) -> bytes:
    values = [f"{value:.2f}" if isinstance(value, float) else str(value) for value in trade(number)]
    lines = [f"{head + ':':20}{value}" for head, value in zip(HEADS, values, strict=True)]
    return "\n".join(["Trade confirmation: we bought", *lines, *(["Please check it at once."] * 20)]).encode()


def delimited(number: int) -> bytes:
    rows = [HEADS, *(trade(number + at) for at in range(TRADES))]
    return "\n".join(";".join(map(str, row)) for row in rows).encode()


def word(number: int) -> bytes:
    document = docx.Document()
    document.add_paragraph(f"Kestrel Cleaning Ltd\nInvoice number: KC-{number}\nInvoice date: 2024-03-13")
    rows = document.add_table(rows=0, cols=2)
    net = 100 + number % 900
    for texts in (("Cleaning", f"{net}.00"), ("Net total", f"{net}.00"), ("VAT 20 %", f"{net / 5:.2f}")):
        for cell, text in zip(rows.add_row().cells, texts, strict=True):
            cell.text = f"{text} GBP" if text[0].isdigit() else text
    document.add_paragraph(f"Total due {net * 1.2:.2f} GBP")
    return _saved(document)


def book(number: int) -> bytes:
    made = openpyxl.Workbook()
    made.active.append(HEADS)
    for at in range(TRADES):
        made.active.append(trade(number + at))
    return _saved(made)


def _saved(writable: Any) -> bytes:
    held = io.BytesIO()
    writable.save(held)
    return held.getvalue()


KINDS = {"html": page, "text": typed, "csv": delimited, "docx": word, "xlsx": book}


def measure(count: int) -> dict[str, Any]:
    made = {name: [make(number) for number in range(20)] for name, make in KINDS.items()}
    keep_what_is_loaded()
    return {name: measured(files, count) for name, files in made.items()}


def measured(files: Sequence[bytes], count: int) -> dict[str, Any]:
    before, at, memory, missed = seconds_of_children(), own_seconds(), [], 0
    with Readers(processes=1, ocr=False) as readers:
        for number in range(count):
            missed += not readers.extract(files[number % len(files)]).extraction.entries
            memory.append(resident_kilobytes())
    spent = own_seconds() - at + seconds_of_children() - before
    grown = memory[-1] - memory[count // 10]
    return {"per_cpu_second": round(count / spent, 1), "not_read": missed, "parent_grew_kilobytes": grown}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=200, help="of each kind")
    parser.add_argument("--keep", action="store_true", help="write the figures to benchmarks/results")
    figures = measure(parser.parse_args().documents)
    keep("unprinted", figures)
    bad = [name for name in KINDS if figures[name]["not_read"] or figures[name]["parent_grew_kilobytes"] > FLAT]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
