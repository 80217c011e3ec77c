"""Days without a year at the beginning of a row: the year follows from the dates that are printed in full."""

from __future__ import annotations

import re
from bisect import insort
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from postroom.reading.page.dates import MONTHS, fold
from postroom.reading.page.tokens import Token, TokenKind, TokenLine, TokenText

LONGEST_PERIOD = timedelta(days=370)
LATE = timedelta(days=10)  # a value day may come after the period
_NUMERIC = re.compile(r"(?<![\d.,/-])(\d{2})([./])(\d{2})\.?(?=\s|$)")
_SPELT = re.compile(r"\b([^\W\d_]{3,9})\.? (\d{1,2})\b(?!,? ?\d{4})(?![.,]\d)")
_SPELT_BEHIND = re.compile(r"(?<![\d.,/-])(\d{1,2})[ -]([^\W\d_]{3,9})\b\.?(?![ -]\d)")
_MONTH_OF_YEAR = re.compile(r"\b([^\W\d_]{3,12})\.? (\d{4})\b")
_DAYS_OF_MONTH = re.compile(r"\b([^\W\d_]{3,12})\.? \d{1,2} ?[-–] ?\d{1,2}, (\d{4})\b")
_GOES_ON = re.compile(r"\s*(?:[^\W\d_]{2}|\d{2}[./]\d{2}|\*)")


@dataclass(frozen=True, slots=True)
class ShortDate:
    """A day and month at their place in a line."""

    month: int
    day: int
    start: int
    end: int


def complete(text: TokenText) -> None:
    """Adds the dates that rows print without a year, if the document tells of which year they are."""
    rows = [(line, found) for line in text.lines if line.line.numbered and (found := _leading(line, text))]
    if not rows:
        return
    known = [token.day for token in text.of(TokenKind.DATE)] + list(_months(text))
    if not known:
        return
    first, last = _period(text) or (max(known) - LONGEST_PERIOD, max(known))
    for line, leading in rows:
        for short in (leading, *_further(line, leading, text)):
            day = _dated(short, first, last)
            if day is not None:
                _put(line, short, day)


def _leading(line: TokenLine, text: TokenText) -> ShortDate | None:
    """A row begins with a day, goes on with words and ends with an amount."""
    tokens = line.tokens
    if len(tokens) < 2 or tokens[-1].kind not in (TokenKind.NUMBER, TokenKind.CURRENCY):
        return None
    short = next(_shorts(line.text[:12], text), None)
    if short is None or line.text[: short.start].strip() or not _GOES_ON.match(line.text, short.end):
        return None
    taken = tokens[0].kind is TokenKind.DATE and tokens[0].start <= short.end
    return None if taken else short


def _further(line: TokenLine, leading: ShortDate, text: TokenText) -> Iterator[ShortDate]:
    """A second day in such a row, which is when the money moves."""
    for short in _shorts(line.text, text):
        amount = any(_overlap(token, short) for token in line.tokens if token.decimals > 2)
        if short.start >= leading.end and not amount:
            yield short


def _shorts(line: str, text: TokenText) -> Iterator[ShortDate]:
    for found in _NUMERIC.finditer(line):
        if found[2] == "/" or text.locale.decimal == ",":
            first, second = int(found[1]), int(found[3])
            day, month = (first, second) if text.locale.day_first else (second, first)
            if 1 <= month <= 12 and 1 <= day <= 31:
                yield ShortDate(month, day, found.start(), found.end())
    for pattern, name, number in ((_SPELT, 1, 2), (_SPELT_BEHIND, 2, 1)):
        for found in pattern.finditer(line):
            spelt = MONTHS.get(fold(found[name]))
            if spelt is not None and 1 <= int(found[number]) <= 31:
                yield ShortDate(spelt, int(found[number]), found.start(), found.end())


def _months(text: TokenText) -> Iterator[date]:
    for line in text.lines:
        for pattern in (_MONTH_OF_YEAR, _DAYS_OF_MONTH) if line.line.numbered else ():
            for found in pattern.finditer(line.text):
                month = MONTHS.get(fold(found[1]))
                if month is not None and 1970 <= int(found[2]) <= 2100:
                    yield date(int(found[2]), month, monthrange(int(found[2]), month)[1])


def _period(text: TokenText) -> tuple[date, date] | None:
    """From when to when the document reports: the first line that prints two days of one year."""
    for line in text.lines:
        days = [token.day for token in line.tokens if token.kind is TokenKind.DATE]
        if len(days) == 2 and LATE < days[1] - days[0] <= LONGEST_PERIOD:
            return days[0], days[1]
    return None


def _dated(short: ShortDate, first: date, last: date) -> date | None:
    likely = [day for year in range(first.year, last.year + 2) if (day := _day(year, short)) is not None]
    fitting = [day for day in likely if first - LATE <= day <= last + LATE]
    return max(fitting, default=None)


def _day(year: int, short: ShortDate) -> date | None:
    try:
        return date(year, short.month, short.day)
    except ValueError:
        return None


def _put(line: TokenLine, short: ShortDate, day: date) -> None:
    kept = [token for token in line.tokens if not _overlap(token, short)]
    printed, text = line.line, line.text[short.start : short.end]
    token = Token(TokenKind.DATE, text, printed.page, printed.index, short.start, short.end, printed, day)
    insort(kept, token, key=lambda other: other.start)
    line.tokens[:] = kept


def _overlap(token: Token, short: ShortDate) -> bool:
    return token.start < short.end and short.start < token.end
