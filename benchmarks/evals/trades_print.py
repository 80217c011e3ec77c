"""The same text as a real PDF, and as a picture of it: reading must give the same answer."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from typing import Any

from reportlab.pdfgen import canvas

from benchmarks.evals.trades_data import FIELDS, Case
from postroom.nouns.documents import Extraction
from postroom.outside.readers.pool import Readers
from postroom.reading.extractor import extract

MARGIN = 30.0
LINES_A_PAGE = 66


def pdf_of(text: str) -> bytes:
    """Typed text on pages as wide as its longest line needs, in a fixed-width face."""
    lines = [_printable(line) for line in text.replace("\r", "").replace("\f", "\n").expandtabs(8).split("\n")]
    width = max(595.0, 2 * MARGIN + 4.2 * max(map(len, lines)))
    out = io.BytesIO()
    page = canvas.Canvas(out, pagesize=(width, 842.0), invariant=1)
    for start in range(0, len(lines), LINES_A_PAGE):
        page.setFont("Courier", 7)
        for row, line in enumerate(lines[start : start + LINES_A_PAGE]):
            page.drawString(MARGIN, 812.0 - 12.0 * row, line)
        page.showPage()
    page.save()
    return out.getvalue()


def _printable(line: str) -> str:
    """What the built-in face can show."""
    shown = line.replace("\u2212", "-").replace("\u2019", "'")
    return "".join(c if c.encode("cp1252", "ignore") else unicodedata.normalize("NFKD", c)[0] for c in shown).rstrip()


def answers(extraction: Extraction) -> list[tuple[Any, ...]]:
    return [tuple(getattr(trade, name) for name in FIELDS) for trade in extraction.trades]


def as_pdf(cases: Sequence[Case]) -> dict[str, int]:
    same = 0
    with Readers(ocr=False) as readers:
        for case in cases:
            same += answers(extract(readers.read(pdf_of(case.text)))) == answers(extract(case.document))
    return {"documents": len(cases), "same answer": same}


def as_scan(cases: Sequence[Case]) -> dict[str, int]:
    """Only the first page, as a scanner's picture of it."""
    same = 0
    with Readers() as readers:
        for case in cases:
            printed = pdf_of(case.text)
            picture = readers.page_image(printed, 1, width=1700)
            plain = readers.read(printed)
            first = type(plain)(pages=plain.pages[:1], source=plain.source)
            same += answers(extract(readers.read(picture))) == answers(extract(first))
    return {"documents": len(cases), "same answer": same}
