"""What commands print: tables for people, lines for programs. Light: a command without a house starts at once."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

out = Console(soft_wrap=True, markup=False)  # names and subjects may hold [brackets]
err = Console(stderr=True, soft_wrap=True, markup=False)


def show(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]], *, empty: str) -> None:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*("" if cell is None else printable(str(cell)) for cell in row))
    if table.row_count:
        out.print(table)
    else:
        out.print(empty, highlight=False)


def printable(text: str) -> str:
    """A file's name need not be UTF-8; JSON reads the escape back as it was."""
    return text.encode("utf-8", "backslashreplace").decode()
