"""Tables of cells (.xlsx, .csv) to words with places. For reading processes only."""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from itertools import pairwise
from typing import Any

import openpyxl

from postroom.mail.sniff import separator
from postroom.nouns.documents import BrokenFile, FileTooLarge
from postroom.outside.readers.office import has_macros, unpacked
from postroom.reading.page.grid import CELL_WIDTH, TableCell, TextBlock, paragraph, table

MOST_CELLS = 50_000  # of all sheets: 5,000 trades in ten columns
LONGEST_SHOWN = 20  # digits after the point
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_CELL = re.compile(rb"<(?:\w+:)?c[ >]")
_NO_RESULT = re.compile(
    rb"<c\b(?![^>]*\bt=\"str\")[^>]*>\s*<f\b[^>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)
_LITERAL = re.compile(r'"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|\\(.)')
_MONEY = re.compile(r"\b[A-Z]{3}\b|[€$£¥]")

Row = Sequence[tuple[int, str, int]]
"""Column, what is shown there, and how many columns it spans."""


def workbook(content: bytes) -> tuple[list[TextBlock], bool, bool]:
    """The sheets that people see, whether others or parts of them are hidden, and whether the file carries macros."""
    package = unpacked(content)
    _look_at_sheets(package)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(content), data_only=True, keep_links=False)
            sheets = list(book.worksheets)
    except MemoryError:
        raise
    except Exception as failure:
        raise BrokenFile(f"The workbook is damaged ({type(failure).__name__}); ask for it again.") from failure
    if not sheets:
        raise BrokenFile("The workbook has no sheets; ask for it again, or for a PDF.")
    seen = [sheet for sheet in sheets if sheet.sheet_state == "visible"]
    hidden = len(seen) < len(sheets) or any(map(_hides, seen))
    blocks = [block for sheet in seen if (block := _laid_out(_rows(sheet)))]
    return blocks, hidden, has_macros(package)


def _look_at_sheets(package: zipfile.ZipFile) -> None:
    """Before they are loaded: how many cells there are, and whether formulas lack their results, as programs leave them
    that do not calculate."""
    sheets = [package.read(name) for name in package.namelist() if _SHEET.fullmatch(name)]
    if sum(len(_CELL.findall(sheet)) for sheet in sheets) > MOST_CELLS:
        raise _too_many_cells()
    for sheet in sheets:
        if _NO_RESULT.search(sheet):
            raise BrokenFile(
                "The workbook has formulas without results; open it in a spreadsheet program, save it, and hand it in."
            )


def _too_many_cells() -> FileTooLarge:
    return FileTooLarge(f"The table has more than {MOST_CELLS:,} cells; ask for fewer, or a PDF.")


def _hides(sheet: Any) -> bool:
    return any(each.hidden for each in (*sheet.row_dimensions.values(), *sheet.column_dimensions.values()))


def _rows(sheet: Any) -> Iterator[Row | None]:
    """Row by row; None where some are empty. Only cells that exist: a sheet may end at row 1,048,576."""
    cells: dict[int, list[Any]] = {}
    for _, cell in sorted(sheet._cells.items()):  # noqa: SLF001 - all others are counted, not listed
        if cell.value is not None:
            cells.setdefault(cell.row, []).append(cell)
    hidden = {number for number, each in sheet.row_dimensions.items() if each.hidden}
    unseen = set(_hidden_columns(sheet))
    spans = {(each.min_row, each.min_col): each.max_col - each.min_col + 1 for each in sheet.merged_cells.ranges}
    numbers = [number for number in cells if number not in hidden]
    for before, number in pairwise([0, *numbers]):
        if number > before + 1 and before:
            yield None
        shown = [(cell.column, _shown(cell), spans.get((number, cell.column), 1)) for cell in cells[number]]
        yield [each for each in shown if each[0] not in unseen and each[1].strip()]


def _hidden_columns(sheet: Any) -> Iterator[int]:
    for each in sheet.column_dimensions.values():
        if each.hidden:
            yield from range(each.min or 1, (each.max or each.min or 1) + 1)


def _shown(cell: Any) -> str:
    """As people see it, but with a point before decimals and days in ISO form."""
    value = cell.value
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d" if value.time() == time() else "%Y-%m-%d %H:%M:%S")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return number(value, str(cell.number_format))


def number(value: float, shown_as: str = "General") -> str:
    """As its format rounds it, with its currency. Three decimals become four, which nobody takes for thousands."""
    section = shown_as.split(";")[0]
    literals = " ".join("".join(each) for each in _LITERAL.findall(section))
    money = _MONEY.search(literals) or _MONEY.search(_LITERAL.sub("", section))
    digits = _LITERAL.sub("", section)
    exact = Decimal(f"{value:.15g}")
    if "%" in digits:
        exact *= 100
    _, point, decimals = digits.partition(".")
    if "0" in digits or "#" in digits:
        places = len(decimals) - len(decimals.lstrip("0#?")) if point else 0
        exact = round(exact, min(places, LONGEST_SHOWN))
    text = f"{exact:f}"
    if len(text.partition(".")[2]) == 3:
        text += "0"
    return text + ("%" if "%" in digits else "") + (f" {money[0]}" if money else "")


def _laid_out(rows: Iterable[Row | None]) -> TextBlock:
    """Rows as one table. What stands alone in its row is a title: it takes no column."""
    known = list(rows)
    columns = sorted({one[0] for row in known if row for one in row})
    return table([_cells(row, columns) if row else [TableCell(TextBlock([[]]))] for row in known])


def _cells(row: Row, columns: Sequence[int]) -> list[TableCell]:
    """`columns` are those that anything stands in."""
    cells: list[TableCell] = []
    at = 0
    for column, text, spanned in row:
        place = bisect_left(columns, column)
        if place > at:
            cells.append(TableCell(TextBlock(), place - at))
        across = (len(columns) if len(row) == 1 else bisect_left(columns, column + spanned)) - place
        cells.append(TableCell(paragraph(text, CELL_WIDTH), across))
        at = place + across
    return cells


def delimited(text: str) -> TextBlock:
    """A table as text (.csv), whatever parts its cells."""
    rows: list[Row] = []
    cells = 0
    mark = separator(text[:4096]) or ","
    try:
        for row in _joined(csv.reader(io.StringIO(text, newline=""), delimiter=mark), two=_is_of_two(text, mark)):
            rows.append([(at, cell.strip(), 1) for at, cell in enumerate(row) if cell.strip()])
            cells += len(row)
            if cells > MOST_CELLS:
                raise _too_many_cells()
    except csv.Error as failure:
        raise BrokenFile(f"The table of text is damaged ({failure}); ask for it again.") from failure
    return _laid_out([row or None for row in rows])


def _is_of_two(text: str, mark: str) -> bool:
    """Whether most rows of a table that commas part have two cells."""
    widths = Counter(map(len, csv.reader(text[:4096].splitlines(), delimiter=mark)))
    return mark == "," and widths.most_common(1)[:1] == [(2, widths[2])]


def _joined(rows: Iterable[list[str]], *, two: bool) -> Iterator[list[str]]:
    """In a table of two columns an amount with a decimal comma is one cell: `Kurs,100,00`."""
    for row in rows:
        broken = two and len(row) == 3 and row[1][-1:].isdigit() and len(row[2].strip()) == 2
        yield [row[0], ",".join(row[1:])] if broken and row[2].strip().isdigit() else row
