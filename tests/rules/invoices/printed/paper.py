"""An invoice as text with what it says, and how such a text is printed."""

from __future__ import annotations

import io
import re
import unicodedata
from typing import Any, NamedTuple

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen import canvas

STEP = 4.4  # points a letter of the text is wide on paper
PITCH = 12.0
MARGIN = 36.0
SIZE = 8.0
_CELL = re.compile(r"\S+(?: \S+)*")
_FLUSH_RIGHT = re.compile(
    r"^[^\w(-]*[-(]?(?:[A-Z]{3} |kr\.? |[€£$] ?)?[-(]?\d[\d.,' ]*\)?(?: ?(?:[A-Z]{3}|kr|zł|%|€))?$"
)
_STROKES = str.maketrans("łŁ−’", "lL-'")


class Printed(NamedTuple):
    name: str
    text: str
    truth: dict[str, Any]


def printed(name: str, text: str, **truth: Any) -> Printed:
    return Printed(name, text, truth)


def on_paper(text: str) -> str:
    """What the built-in faces can show of it."""
    plain = text.translate(_STROKES)
    return "".join(c if c.encode("cp1252", "ignore") else unicodedata.normalize("NFKD", c)[0] for c in plain)


def drawn(text: str) -> bytes:
    """As a PDF in a proportional face: each cell at its place, amounts flush right, the widest line within the page."""
    pages = on_paper(text).split("\f")
    width = max(595.0, 2 * MARGIN + STEP * max(len(line) for page in pages for line in page.split("\n")))
    out = io.BytesIO()
    sheet = canvas.Canvas(out, pagesize=(width, 842.0), invariant=1)
    for page in pages:
        for number, line in enumerate(page.split("\n")):
            for match in _CELL.finditer(line):
                _draw(sheet, match, 800 - PITCH * number)
        sheet.showPage()
    sheet.save()
    return out.getvalue()


def _draw(sheet: canvas.Canvas, match: re.Match[str], height: float) -> None:
    room = STEP * len(match[0])
    size = min(SIZE, SIZE * room / max(stringWidth(match[0], "Helvetica", SIZE), 1.0))
    sheet.setFont("Helvetica", max(size, 6.0))
    if _FLUSH_RIGHT.match(match[0]):
        sheet.drawRightString(MARGIN + STEP * match.end(), height, match[0])
    else:
        sheet.drawString(MARGIN + STEP * match.start(), height, match[0])
