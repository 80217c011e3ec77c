"""A finished paper, and the drawing board it is made on."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4
WIDTH, HEIGHT = A4

Align = Literal["left", "right", "center"]


class SamplePaper(NamedTuple):
    """The bytes as sent, and what a careful reader finds in them (names of the product's JSON output).

    What the paper does not show is absent from the truth. Numbers are decimal strings, dates ISO.
    """

    pdf: bytes
    truth: Mapping[str, Any]


class SheetColumn(NamedTuple):
    title: str
    width: float  # millimetres
    align: Align = "left"


class PaperSheet:
    """A4 pages measured in millimetres from the top left, with a pen that moves down."""

    def __init__(self, *, title: str, author: str, font: str = "Helvetica", bold: str | None = None) -> None:
        self._buffer = io.BytesIO()
        self.canvas = Canvas(self._buffer, pagesize=A4, invariant=True, pageCompression=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor(author)
        self.font = font
        self.bold = bold or f"{font}-Bold"
        self.ink: Color = HexColor("#1a1a1a")
        self.y = 20.0
        self.page = 1

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 9,
        bold: bool = False,
        align: Align = "left",
        color: str | None = None,
    ) -> None:
        self.canvas.setFont(self.bold if bold else self.font, size)
        self.canvas.setFillColor(HexColor(color) if color else self.ink)
        at = (x * MM, HEIGHT - y * MM)
        draw = {
            "left": self.canvas.drawString,
            "right": self.canvas.drawRightString,
            "center": self.canvas.drawCentredString,
        }[align]
        draw(*at, text)

    def lines(self, x: float, y: float, lines: Sequence[str], *, size: float = 9, gap: float = 4.4) -> float:
        """Several lines; returns where the next one would go."""
        for number, line in enumerate(lines):
            self.text(x, y + number * gap, line, size=size)
        return y + len(lines) * gap

    def paragraph(
        self,
        x: float,
        y: float,
        text: str,
        *,
        width: float,
        size: float = 9,
        gap: float | None = None,
        color: str | None = None,
        bold: bool = False,
    ) -> float:
        """Wrapped text; returns where the next paragraph would start."""
        step = gap or size * 0.48
        for line in simpleSplit(text, self.bold if bold else self.font, size, width * MM):
            self.text(x, y, line, size=size, color=color, bold=bold)
            y += step
        return y

    def rule(self, x: float, y: float, width: float, *, color: str = "#444444", weight: float = 0.5) -> None:
        self.canvas.setStrokeColor(HexColor(color))
        self.canvas.setLineWidth(weight)
        self.canvas.line(x * MM, HEIGHT - y * MM, (x + width) * MM, HEIGHT - y * MM)

    def block(self, x: float, y: float, width: float, height: float, color: str, *, radius: float = 0) -> None:
        """A filled rectangle whose top left corner is at x, y."""
        self.canvas.setFillColor(HexColor(color))
        box = (x * MM, HEIGHT - (y + height) * MM, width * MM, height * MM)
        if radius:
            self.canvas.roundRect(*box, radius * MM, stroke=0, fill=1)
        else:
            self.canvas.rect(*box, stroke=0, fill=1)

    def frame(self, x: float, y: float, width: float, height: float, color: str = "#888888") -> None:
        self.canvas.setStrokeColor(HexColor(color))
        self.canvas.setLineWidth(0.6)
        self.canvas.rect(x * MM, HEIGHT - (y + height) * MM, width * MM, height * MM, stroke=1, fill=0)

    def disc(self, x: float, y: float, radius: float, color: str) -> None:
        self.canvas.setFillColor(HexColor(color))
        self.canvas.circle(x * MM, HEIGHT - y * MM, radius * MM, stroke=0, fill=1)

    def shape(self, points: Sequence[tuple[float, float]], color: str) -> None:
        """A filled polygon, for logos."""
        path = self.canvas.beginPath()
        for number, (x, y) in enumerate(points):
            (path.lineTo if number else path.moveTo)(x * MM, HEIGHT - y * MM)
        path.close()
        self.canvas.setFillColor(HexColor(color))
        self.canvas.drawPath(path, stroke=0, fill=1)

    def width_of(self, text: str, size: float, *, bold: bool = False) -> float:
        return float(stringWidth(text, self.bold if bold else self.font, size)) / MM

    def row(
        self,
        x: float,
        y: float,
        columns: Sequence[SheetColumn],
        cells: Sequence[str],
        *,
        size: float = 8.5,
        bold: bool = False,
    ) -> None:
        for column, cell in zip(columns, cells, strict=True):
            at = {"left": x, "right": x + column.width, "center": x + column.width / 2}[column.align]
            self.text(at, y, cell, size=size, bold=bold, align=column.align)
            x += column.width

    def pair(
        self,
        y: float,
        label: str,
        value: str,
        *,
        left: float,
        right: float,
        size: float = 9,
        bold: bool = False,
    ) -> float:
        """A label on the left and its value flush right on the same line; returns the next line."""
        self.text(left, y, label, size=size, bold=bold)
        self.text(right, y, value, size=size, bold=bold, align="right")
        return y + size * 0.55

    def next_page(self) -> None:
        self.canvas.showPage()
        self.page += 1

    def finish(self) -> bytes:
        self.canvas.showPage()
        self.canvas.save()
        return self._buffer.getvalue()
