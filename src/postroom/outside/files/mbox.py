"""An mbox file as its messages, without ever holding more than one of them.

https://www.rfc-editor.org/rfc/rfc4155 and the `mboxrd` way of quoting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import mktime_tz, parsedate_tz
from functools import partial
from typing import BinaryIO

from postroom.outside.files.folders import MBOX_START

# Prose can begin a line with "From" too; an envelope line ends in a time and a year.
_ENVELOPE = re.compile(rb"From .*\d{1,2}:\d\d(?::\d\d)?\b.*\b\d{4}\b")
_DATE = re.compile(r"[A-Z][a-z]{2},? [A-Z0-9].*\d")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_BLANK = (b"\r\n", b"\n")
_LINE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """`raw` is None for a message larger than was allowed. `envelope` is the line before it."""

    number: int
    envelope: bytes
    raw: bytes | None
    end: int  # where in the file it ends


def entries(file: BinaryIO, largest: int) -> Iterator[Entry]:
    """Whatever stands before the first envelope line is not a message."""
    number, envelope = 0, b""
    parts: list[bytes] = []
    size, place = 0, 0
    after_blank, at_start = True, True
    for line in iter(partial(file.readline, _LINE), b""):
        if after_blank and line.startswith(MBOX_START) and (not number or _ENVELOPE.match(line)):
            if number:
                yield Entry(number, envelope, _whole(parts, size, largest), place)
            number, envelope, parts, size, after_blank = number + 1, line, [], 0, False
        elif number:
            size += len(line)
            if size <= largest:
                parts.append(line)
            after_blank = at_start and line in _BLANK
        at_start = line.endswith(b"\n")
        place += len(line)
    if number:
        yield Entry(number, envelope, _whole(parts, size, largest), place)


def _whole(parts: list[bytes], size: int, largest: int) -> bytes | None:
    """Unquoted, and without the blank line that separates it from the next."""
    if size > largest:
        return None
    raw = b"".join(parts)
    for blank in _BLANK:
        if raw.endswith(blank * 2):
            raw = raw.removesuffix(blank)
            break
    return _QUOTED.sub(rb"\1", raw) if b">From " in raw else raw


def delivered_at(envelope: bytes) -> datetime | None:
    """The envelope line's date; without a zone it is UTC."""
    found = _DATE.search(envelope.decode("latin-1"))
    told = parsedate_tz(found[0]) if found else None
    try:
        return None if told is None else datetime.fromtimestamp(mktime_tz(told), UTC)
    except (ValueError, OverflowError):
        return None
