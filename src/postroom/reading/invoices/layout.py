"""The page as cells: what stands beside, what stands below, and which label a value belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from postroom.nouns.documents import Box, DocumentText
from postroom.reading.invoices.words import InvoiceLabel, labels_in, with_own
from postroom.reading.page.lines import PrintedLine
from postroom.reading.page.tokens import Token, TokenLine, TokenText, tokenise

_CELL = re.compile(r"\S+(?: \S+)*")
_LOOK_DOWN = 34.0  # points: a value stands at most about three lines under its label
_LOOK_UP_LINES = 14
_CURRENCY = re.compile(r"[A-Z]{3}|[€£$]|kr\.?|zł|Fr\.")
_WORDS = re.compile(r"[^\W\d_]{4}")


@dataclass(slots=True)
class SheetCell:
    """A run of words without a wide gap."""

    text: str
    page: int
    line: int
    start: int
    end: int
    box: Box
    labels: list[InvoiceLabel] = field(default_factory=list)

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


@dataclass(slots=True)
class InvoiceSheet:
    """A document ready for questions: its typed lines, and the same lines in cells with labels."""

    tokens: TokenText
    rows: list[list[SheetCell]]
    source: DocumentText

    @property
    def lines(self) -> list[TokenLine]:
        return self.tokens.lines

    @property
    def plain_lines(self) -> list[PrintedLine]:
        return [typed.line for typed in self.tokens.lines]

    def cells(self) -> Iterator[SheetCell]:
        for row in self.rows:
            yield from row

    def cell_of(self, token: Token) -> SheetCell | None:
        return next((cell for cell in self.rows[token.line] if cell.start <= token.start < cell.end), None)


def sheet_of(document: DocumentText, own: Mapping[str, str] | None = None) -> InvoiceSheet:
    """`own` are a sender's words for fields: they count more than any other label where they stand."""
    tokens = tokenise(document)
    return InvoiceSheet(tokens, [_cells(line, own or {}) for line in tokens.lines], document)


def _cells(typed: TokenLine, own: Mapping[str, str]) -> list[SheetCell]:
    line = typed.line
    found = [
        SheetCell(match[0], line.page, line.index, match.start(), match.end(), line.box_of(*match.span()))
        for match in _CELL.finditer(line.text)
    ]
    for label in with_own(line.text, own) if own else labels_in(line.text):
        for cell in found:
            if cell.start <= label.start < cell.end:
                cell.labels.append(label)
    return found


def right_of(sheet: InvoiceSheet, cell: SheetCell) -> list[SheetCell]:
    """Cells at the same height further right, nearest first; neighbours slightly off the line count too."""
    height = cell.box[3] - cell.box[1]
    found = [
        other
        for row in sheet.rows[max(cell.line - 2, 0) : cell.line + 3]
        for other in row
        if other.page == cell.page
        and other.box[0] >= cell.box[2] - 1
        and abs(other.middle - cell.middle) <= 0.7 * max(height, 1.0)
    ]
    return sorted(found, key=lambda other: other.box[0])


def left_of(sheet: InvoiceSheet, cell: SheetCell) -> list[SheetCell]:
    """Cells at the same height further left, nearest first."""
    height = cell.box[3] - cell.box[1]
    found = [
        other
        for row in sheet.rows[max(cell.line - 2, 0) : cell.line + 3]
        for other in row
        if other.page == cell.page
        and other.box[2] <= cell.box[0] + 1
        and abs(other.middle - cell.middle) <= 0.7 * max(height, 1.0)
    ]
    return sorted(found, key=lambda other: -other.box[2])


def below(sheet: InvoiceSheet, cell: SheetCell, reach: float = _LOOK_DOWN) -> list[SheetCell]:
    """Cells under this one that share some of its width, nearest first."""
    found = [
        other
        for row in sheet.rows[cell.line + 1 : cell.line + _LOOK_UP_LINES]
        for other in row
        if other.page == cell.page and 0 < other.box[1] - cell.box[1] <= reach and shares_width(cell.box, other.box)
    ]
    return sorted(found, key=lambda other: other.box[1])


def shares_width(one: Box, other: Box, slack: float = 4.0) -> bool:
    return one[0] - slack < other[2] and other[0] - slack < one[2]


def label_before(cell: SheetCell, start: int) -> InvoiceLabel | None:
    """The last label in the cell before a place in the line."""
    return next((label for label in reversed(cell.labels) if label.end <= start), None)


def labels_for(
    sheet: InvoiceSheet, token: Token, *, trailing: bool = False, in_table: bool = False
) -> list[tuple[InvoiceLabel, float]]:
    """Labels that may name a value, each with a weight: in its cell, left of it, over its column, right behind it.

    `in_table` says that a row with words of its own is an item, which the head of its column does not name.
    """
    row = sheet.rows[token.line]
    found: list[tuple[InvoiceLabel, float]] = []
    own = sheet.cell_of(token)
    if own is not None:
        if label := label_before(own, token.start):
            between = sheet.lines[token.line].text[label.end : token.start]
            found.append((label, 1.0 if len(between) <= 12 else 0.8))
        if trailing:
            found.extend((label, 0.5) for label in own.labels if label.start >= token.end)
    beside = [cell for cell in (left_of(sheet, own) if own else reversed(row)) if not _CURRENCY.fullmatch(cell.text)]
    for steps, cell in enumerate(beside):
        if cell.labels:
            found.append((cell.labels[-1], 0.95 if steps == 0 else 0.85))
            found.extend((label, 0.7) for label in cell.labels[:-1])
            break
    item = 0.4 if in_table and any(not cell.labels and _WORDS.search(cell.text) for cell in row) else 1.0
    found.extend((label, weight * item) for label, weight in _over(sheet, token))
    return found


def _over(sheet: InvoiceSheet, token: Token) -> Iterator[tuple[InvoiceLabel, float]]:
    """Labels nearest above in the same column; the farther, the less they say."""
    for line in range(token.line - 1, max(token.line - _LOOK_UP_LINES, -1), -1):
        found = [
            (label, cell)
            for cell in sheet.rows[line]
            if cell.page == token.page and cell.labels and not _holds_numbers(sheet, cell)
            for label in cell.labels
            if shares_width(label_box(sheet, cell, label), token.box, 2.0)
        ]
        if found:
            distance = token.box[1] - found[0][1].box[1]
            yield from ((label, 0.75 if distance < _LOOK_DOWN else 0.5) for label, _ in found)
            return


def label_box(sheet: InvoiceSheet, cell: SheetCell, label: InvoiceLabel) -> Box:
    return sheet.lines[cell.line].line.box_of(label.start, label.end)


def _holds_numbers(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    return any(cell.start <= token.start < cell.end for token in sheet.lines[cell.line].tokens)


def strength(labels: Sequence[tuple[InvoiceLabel, float]], kind: str) -> float:
    """How strongly the best label says this kind."""
    return max((label.strength(kind) * weight for label, weight in labels), default=0.0)
