"""What commands print: tables for people, lines for programs. Light: a command without a house starts at once."""

from __future__ import annotations

import os
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

out = Console(soft_wrap=True, markup=False, emoji=False)  # names and subjects may hold [brackets], times 10:x:30
err = Console(stderr=True, soft_wrap=True, markup=False, emoji=False)
ROOM_IN_A_PIPE = 2000  # columns: whoever greps for an address must find it in one piece


def show(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]], *, empty: str) -> None:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*("" if cell is None else printable(str(cell)) for cell in row))
    if table.row_count:
        _wide_enough().print(table)
    else:
        out.print(empty, highlight=False)


def _wide_enough() -> Console:
    if out.is_terminal or "COLUMNS" in os.environ:
        return out
    return Console(soft_wrap=True, markup=False, emoji=False, width=ROOM_IN_A_PIPE)


def printable(text: str) -> str:
    """A file's name need not be UTF-8; JSON reads the escape back as it was."""
    return text.encode("utf-8", "backslashreplace").decode()
