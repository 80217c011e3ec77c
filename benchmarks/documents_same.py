"""The same words read as text, from a printed PDF, and from a picture of it: do they give the same answer?

    python -m benchmarks.documents_same DATA [--documents N] [--scans N] [--keep]

DATA holds broker documents as text (see benchmarks.evals.trades). Every one is printed to a PDF in one typeface; a sample
that fits a sheet of paper is also drawn as a picture and recognised. An answer is the same when every trade has the same
direction, day, security, quantity, amount and currency.
"""

from __future__ import annotations

import argparse
import io
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen import canvas

from benchmarks.bench import keep
from benchmarks.evals.trades_data import FIELDS, folders, single_trades
from postroom.nouns.documents import CannotRead, DocumentText, plain, typed
from postroom.outside.readers.pool import Readers
from postroom.reading.extractor import extract

AIMS = {"pdf": 0.99, "scan": 0.85}
SIZE, LEADING, MARGIN = 9.0, 12.0, 40.0
LONGEST_SHEET, WIDEST_SHEET = 70, 105  # lines and columns of a sheet of paper
DOTS = 200  # an inch, as an office scanner draws


def typeface() -> str:
    """One that has the letters of all our languages, where the machine has one."""
    try:
        pdfmetrics.registerFont(TTFont("Typewriter", "DejaVuSansMono.ttf"))
    except TTFError:
        return "Courier"
    return "Typewriter"


def printed(text: str, face: str) -> bytes:
    """As typed: one sheet for each of the text's, as large as it needs to be."""
    out = io.BytesIO()
    paper = canvas.Canvas(out, invariant=1)
    for sheet in text.split("\f"):
        lines = sheet.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8).split("\n")
        high = 2 * MARGIN + LEADING * len(lines)
        wide = 2 * MARGIN + 0.62 * SIZE * max(len(line) for line in lines)
        paper.setPageSize((max(wide, 595.0), max(high, 842.0)))
        paper.setFont(face, SIZE)
        for row, line in enumerate(lines, start=1):
            paper.drawString(MARGIN, max(high, 842.0) - MARGIN - LEADING * row, line)
        paper.showPage()
    paper.save()
    return out.getvalue()


def drawn(pdf: bytes) -> bytes:
    """A picture of the first page."""
    document = pypdfium2.PdfDocument(pdf)
    out = io.BytesIO()
    document[0].render(scale=DOTS / 72).to_pil().convert("L").save(out, "PNG")
    document.close()
    return out.getvalue()


def answer(text: DocumentText) -> Any:
    found = extract(text)
    return found.type, [[plain(getattr(trade, name)) for name in FIELDS] for trade in found.trades]


def fits_a_sheet(text: str) -> bool:
    lines = text.split("\n")
    return "\f" not in text and len(lines) <= LONGEST_SHEET and max(map(len, lines)) <= WIDEST_SHEET


def compared(texts: Sequence[tuple[str, str]], read: Callable[[str], DocumentText]) -> dict[str, Any]:
    different = []
    for name, text in texts:
        try:
            same = answer(typed(text)) == answer(read(text))
        except CannotRead:
            same = False
        if not same:
            different.append(name)
    return {
        "documents": len(texts),
        "same": round(1 - len(different) / max(len(texts), 1), 4),
        "different": different[:30],
    }


def measure(data: Path, documents: int | None, scans: int) -> dict[str, Any]:
    # By a hash of the name, so that a sample is of all brokers and always the same.
    cases = sorted(
        [case for one in folders([data]) for case in single_trades(one) if case.fold == "known"],
        key=lambda case: zlib.crc32(case.name.encode()),
    )
    texts = [(f"{case.broker}/{case.name}", case.text) for case in cases]
    face = typeface()
    sheets = [each for each in texts if fits_a_sheet(each[1])][:scans]
    with Readers(processes=1) as readers:
        return {
            "pdf": compared(texts[:documents], lambda text: readers.read(printed(text, face))),
            "scan": compared(sheets, lambda text: readers.read(drawn(printed(text, face)))),
            "aims": AIMS,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--documents", type=int, help="print so many; all by default")
    parser.add_argument("--scans", type=int, default=40)
    parser.add_argument("--keep", action="store_true", help="write the figures to benchmarks/results")
    options = parser.parse_args()
    figures = measure(options.data, options.documents, options.scans)
    keep("documents_same", figures)
    return 0 if all(figures[way]["same"] >= aim for way, aim in AIMS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
