"""What has no printed pages (a mail, a table of cells) laid out as if typed: paragraphs below, cells beside each other.

Every word then has a place, as on paper, so that labels, columns and sums are found there the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from postroom.nouns.documents import CHARACTER_WIDTH, LINE_HEIGHT, TextPage, Word

LINE_WIDTH = 110  # letters; a longer paragraph goes on in the next line
CELL_WIDTH = 60  # letters, in a table of several columns
COLUMN_GAP = 3  # letters: wide enough to part columns
PAGE_LINES = 1_000
MARGIN = 12.0  # points

Run = tuple[int, str]
"""Where a stretch of text begins in its line, in letters, and what it says."""


@dataclass(slots=True)
class TextBlock:
    """Lines of runs from left to right, and how wide the widest is."""

    lines: list[list[Run]] = field(default_factory=list)
    width: int = 0

    def __bool__(self) -> bool:
        return any(self.lines)


@dataclass(frozen=True, slots=True)
class TableCell:
    block: TextBlock
    across: int = 1  # columns
    down: int = 1  # rows


def paragraph(text: str, most: int = LINE_WIDTH) -> TextBlock:
    """Its lines, broken between words where they are too long."""
    lines = [part for line in text.split("\n") for part in _broken(line, most)]
    return TextBlock([[(0, line)] if line else [] for line in lines], max(map(len, lines), default=0))


def _broken(line: str, most: int) -> Iterator[str]:
    line = line.rstrip()
    while len(line) > most:
        at = line.rfind(" ", 1, most + 1)
        at = at if at > 0 else line.find(" ", most)
        if at < 0:
            break
        yield line[:at].rstrip()
        line = line[at + 1 :].lstrip()
    yield line


def stacked(blocks: Iterable[TextBlock]) -> TextBlock:
    """One below the other."""
    parts = list(blocks)
    return TextBlock([line for part in parts for line in part.lines], max((part.width for part in parts), default=0))


def table(rows: Sequence[Sequence[TableCell]]) -> TextBlock:
    """Cells beside each other, each column as wide as its widest cell; a column without words takes no room."""
    placed = list(_placed(rows))
    widths = _widths(placed)
    starts = [0, *accumulate(width + COLUMN_GAP if width else 0 for width in widths)]
    lines: list[list[Run]] = []
    for row in placed:
        below: list[list[Run]] = [[] for _ in range(max((len(cell.block.lines) for _, cell in row), default=0))]
        for column, cell in row:
            for line, runs in zip(below, cell.block.lines, strict=False):
                line.extend((starts[column] + at, text) for at, text in runs)
        lines.extend(below)
    ends = [starts[column] + cell.block.width for row in placed for column, cell in row]
    return TextBlock(lines, max(ends, default=0))


def _placed(rows: Sequence[Sequence[TableCell]]) -> Iterator[list[tuple[int, TableCell]]]:
    """Each row's cells with their columns: what reaches down from above is stepped over."""
    taken: dict[int, int] = {}
    for row in rows:
        column, found = 0, []
        for cell in row:
            while taken.get(column):
                column += 1
            found.append((column, cell))
            if cell.down > 1:
                taken |= dict.fromkeys(range(column, column + cell.across), cell.down)
            column += cell.across
        taken = {at: left - 1 for at, left in taken.items() if left > 1}
        yield found


def _widths(placed: Sequence[Sequence[tuple[int, TableCell]]]) -> list[int]:
    widths = [0] * max((column + cell.across for row in placed for column, cell in row), default=0)
    wide = []
    for row in placed:
        for column, cell in row:
            if cell.across == 1:
                widths[column] = max(widths[column], cell.block.width)
            else:
                wide.append((column, cell))
    furthest = max((column for row in placed for column, cell in row if cell.block), default=0)
    for column, cell in wide:  # what they need beyond the columns they span goes to the last of them
        last = column + cell.across - 1
        if last < furthest:
            room = sum(width + COLUMN_GAP for width in widths[column:last] if width)
            widths[last] = max(widths[last], cell.block.width - room)
    return widths


def pages(sheets: Iterable[TextBlock]) -> list[TextPage]:
    """Each sheet on pages of its own."""
    found: list[TextPage] = []
    for sheet in sheets:
        for at in range(0, max(len(sheet.lines), 1), PAGE_LINES):
            found.append(_page(len(found) + 1, sheet.lines[at : at + PAGE_LINES]))
    return found


def _page(number: int, lines: Sequence[Sequence[Run]]) -> TextPage:
    words = [
        word for row, line in enumerate(lines) for start, text in line for word in _words(number, row, start, text)
    ]
    right = max((word.box[2] for word in words), default=MARGIN)
    return TextPage(number, right + MARGIN, 2 * MARGIN + LINE_HEIGHT * max(len(lines), 1), tuple(words))


def _words(page: int, row: int, start: int, text: str) -> Iterator[Word]:
    at, top = 0, MARGIN + row * LINE_HEIGHT
    for word in text.split():
        begins = text.index(word, at)
        at = begins + len(word)
        left, right = (MARGIN + (start + each) * CHARACTER_WIDTH for each in (begins, at))
        yield Word(word, page, (left, top, right, top + LINE_HEIGHT))
