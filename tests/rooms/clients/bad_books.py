"""Client books as they come when something went wrong, each with the one word that is said about every bad line."""

from __future__ import annotations

import pytest

_COLUMNS = "The first line names the columns: code,name,aliases,domains,status."
_NOT_TEXT = "This line is not UTF-8; save the file as CSV in UTF-8."
_LONG = "This is not CSV: a cell is longer than 131,072 characters."
_GOOD = b"code,name\nGRANIT,Granit Bau AG\n"

# The content of accounts.csv, and what is said: (line, sentence) in this order, nothing else.
BAD_ACCOUNTS = [
    pytest.param(b"", [(1, f"The first line is empty. {_COLUMNS}")], id="empty file"),
    pytest.param(b"\xef\xbb\xbf", [(1, f"The first line is empty. {_COLUMNS}")], id="byte order mark alone"),
    pytest.param(
        "code,name\nGRANIT,Granit\nCAFE,Café\nBÄR,Bär\n".encode("latin-1"),
        [(3, _NOT_TEXT), (4, _NOT_TEXT)],
        id="latin-1",
    ),
    pytest.param(
        "code\nGRANIT\n".encode("utf-16-le"),
        [(1, f"'c\\x00o\\x00d\\x00e\\x00' is no column of accounts.csv. {_COLUMNS}")],
        id="utf-16 without a mark",
    ),
    pytest.param(
        b"\xef\xbb\xbfcode;name\r\nGRANIT;Granit\r\nROT;\r\n", [(3, "The name is missing.")], id="mark and semicolons"
    ),
    pytest.param(_GOOD + b"granit,Again\n", [(3, "granit stands in line 2 already.")], id="code twice"),
    pytest.param(
        b"kunde,bezeichnung\nGRANIT,Granit\n", [(1, f"'kunde' is no column of accounts.csv. {_COLUMNS}")], id="columns"
    ),
    pytest.param(
        _GOOD + b"ROT,Rot, Blau\n",
        [(3, "It has 3 cells where the first line has 2; quote those with a , in them.")],
        id="a cell too many",
    ),
    pytest.param(
        _GOOD + b"ROT," + b"x" * 10_000_000 + b"\n,B\n", [(3, _LONG), (4, "The code is missing.")], id="10 MB"
    ),
    pytest.param(b"x" * 10_000_000, [(1, _LONG)], id="10 MB and nothing else"),
    pytest.param(
        _GOOD + b"ROT,Ro\0t\n", [(3, "name 'Ro\\x00t' has a character in it that is no text.")], id="nul in a name"
    ),
    pytest.param(
        _GOOD + b"R\0T,Rot\n",
        [(3, "code 'R\\x00T' will not do: letters, digits and - _ . / : only, 64 at most.")],
        id="nul in a code",
    ),
    pytest.param(
        _GOOD + b'ROT,"Rot\n', [(3, "This is not CSV: a quote is opened here and never closed.")], id="open quote"
    ),
    pytest.param(
        _GOOD + b",A\nB,\nROT,Rot\n!,C\n",
        [
            (3, "The code is missing."),
            (4, "The name is missing."),
            (6, "code '!' will not do: letters, digits and - _ . / : only, 64 at most."),
        ],
        id="several",
    ),
]
