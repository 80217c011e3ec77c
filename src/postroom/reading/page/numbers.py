"""Numbers as people print them: signs before or behind; points, commas, apostrophes, blanks in any role."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

DecimalMark = Literal[".", ","]

BLANKS = " \u00a0\u202f\u2009"
MINUS = "-\u2212\u2013"
CORE = (
    rf"\d{{1,3}}(?:['’´`]\d{{3}})+(?:[.,]\d+)?"
    rf"|\d{{1,3}}(?:\.\d{{3}})+(?:,\d+)?(?![\d.])"
    rf"|\d{{1,3}}(?:,\d{{2,3}})*,\d{{3}}(?:\.\d+)?(?![\d,])"
    rf"|\d{{1,3}}(?:[{BLANKS}]\d{{3}})+(?:[.,]\d+)?(?![\d])"
    rf"|\d+(?:[.,]\d+)?"
    rf"|[.,]\d+"
)
TAIL = r"(?:[.,](?:--?|[–—])(?=\s|$|\D))?"
_JUNK = re.compile(r"[^\d.,]")
_DASHED = re.compile(r"[.,](?:--?|[–—])$")
_DASHES = "-–—"


class PrintedNumber(NamedTuple):
    """`value` is the likelier reading; `also` the other, when a separator with three digits leaves doubt."""

    value: Decimal
    decimals: int
    also: Decimal | None = None


@lru_cache(maxsize=4096)
def read_number(text: str, decimal: DecimalMark = ",") -> PrintedNumber | None:
    """The unsigned number `text` prints; `decimal` is the document's habit and settles what is ambiguous."""
    printed = text.strip()
    if printed.isascii() and printed.isdigit():
        return PrintedNumber(Decimal(printed), 0)
    whole = _DASHED.sub("", printed) if printed and printed[-1] in _DASHES else printed
    digits = _JUNK.sub("", whole)
    if not digits.strip(".,"):
        return None
    if whole != printed:
        return PrintedNumber(Decimal(digits.replace(".", "").replace(",", "")), 0)
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        mark: DecimalMark = "." if digits.rfind(".") > digits.rfind(",") else ","
        return _with_mark(digits, mark)
    if points + commas == 0:
        return PrintedNumber(Decimal(digits), 0)
    own: DecimalMark = "." if points else ","
    if points + commas > 1:
        return PrintedNumber(Decimal(digits.replace(own, "")), 0)
    return _single_mark(digits, own, decimal)


def _single_mark(digits: str, own: DecimalMark, decimal: DecimalMark) -> PrintedNumber:
    head, _, tail = digits.partition(own)
    fraction = _with_mark(digits, own)
    if len(tail) != 3 or not 1 <= len(head) <= 3 or head == "0" or head.startswith("0"):
        return fraction
    whole = PrintedNumber(Decimal(head + tail), 0)
    likely, other = (fraction, whole) if own == decimal else (whole, fraction)
    return PrintedNumber(likely.value, likely.decimals, also=other.value)


def _with_mark(digits: str, mark: DecimalMark) -> PrintedNumber:
    other = "," if mark == "." else "."
    head, _, tail = digits.replace(other, "").rpartition(mark)
    return PrintedNumber(Decimal(f"{head.replace(mark, '') or '0'}.{tail or '0'}"), len(tail))


# Each begins with what it consumes and looks back only then, so that a search skips from digit to digit.
_COMMA_DECIMAL = re.compile(r"\d(?:(?<![\d.,]\d)\d*(?:[.'’ ]\d{3})*,(?:\d{1,2}|\d{4,}|--?)(?![\d.,])|\.\d{3},\d)")
_POINT_DECIMAL = re.compile(
    r"\d(?:(?<![\d.,]\d)\d*(?:[,'’ ]\d{3})*\.(?:\d{1,2}|\d{4,})(?![\d.,])|,\d{3}\.\d|['’]\d{3})"
)
_BLANK_BEFORE_COMMA = re.compile(rf"\d(?<![\d.,]\d)(?<!\d[{BLANKS}]\d)\d{{0,2}}(?:[{BLANKS}]\d{{3}})+,\d{{2}}(?!\d)")
_BLANK_BEFORE_POINT = re.compile(rf" (?<=\b[A-Z]{{3}} )\d{{1,3}}(?:[{BLANKS}]\d{{3}})+\.\d{{2,3}}(?!\d)")


def decimal_habit(text: str) -> tuple[int, int]:
    """How often the text uses a comma and how often a point before the fraction, where there is no doubt."""
    return len(_COMMA_DECIMAL.findall(text)), len(_POINT_DECIMAL.findall(text))


def parts_thousands_by_blank(text: str) -> bool:
    return bool(_BLANK_BEFORE_COMMA.search(text) or _BLANK_BEFORE_POINT.search(text))
