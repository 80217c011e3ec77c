"""Dates as people print them, in fifteen languages; day and month order follows the document's habit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from functools import lru_cache

_NAMES = {
    1: "januar january janvier gennaio enero januari styczen stycznia janeiro janner jaenner jan gen ene sty",
    2: "februar february fevrier febbraio febrero februari luty lutego fevereiro feber feb fev fevr lut",
    3: "marz maerz march mars marzo maart marts marca marzec marco mar mrz mae maa mrt",
    4: "april avril aprile abril kwiecien kwietnia apr avr abr kwi",
    5: "mai may maggio mayo mei maj maja maio mag",
    6: "juni june juin giugno junio czerwiec czerwca junho jun giu cze",
    7: "juli july juillet luglio julio lipiec lipca julho jul juil lug lip",
    8: "august aout agosto augustus augusti sierpien sierpnia aug ago agt sie",
    9: "september septembre settembre septiembre wrzesien wrzesnia setembro sep sept set wrz",
    10: "oktober october octobre ottobre octubre pazdziernik pazdziernika outubro okt oct ott out paz",
    11: "november novembre noviembre listopad listopada novembro nov lis",
    12: "dezember december decembre dicembre diciembre grudzien grudnia dezembro dez dec dic gru",
}
MONTHS = {name: month for month, names in _NAMES.items() for name in names.split()}
_LETTER = r"[^\W\d_]"
_GAP = r"[ \u00a0.,/-]*"
NUMERIC = r"\d{1,2}[./-][ ]?\d{1,2}[./-][ ]?(?:\d{4}|\d{2})(?![\d.,/-]\d|\d)"
ISO = r"\d{4}[./-]\d{1,2}[./-]\d{1,2}(?!\d)"
PRESSED = r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?![\w./-])"
"""20240312. Only where a word for a day stands before it: any number may look so."""
PARTED = r"(?<![\d.,] )[0-3]\d [01]\d (?:19|20)\d{2}(?! ?[\d.,])"
"""12 03 2024. Only where a paper prints no day in another way."""
DAY_FIRST = (
    rf"(?!\d{{1,2}} +- )"
    rf"\d{{1,2}}(?:\.|st|nd|rd|th|er|º|°)?(?:[ \u00a0-]*(?:de|di|of|den)[ \u00a0])?{_GAP}{_LETTER}{{3,12}}\.?"
    rf"(?:[ \u00a0]?(?:de|del|of)[ \u00a0])?{_GAP}(?:\d{{4}}|\d{{2}}(?! ?,? ?\d{{4}}))(?![\d:])"
)
MONTH_FIRST = rf"{_LETTER}{{3,12}}+\.?[ \u00a0]\d{{1,2}}(?:st|nd|rd|th)? ?,?[ \u00a0]\d{{4}}(?!\d)"

_SPLIT = re.compile(rf"\d+|{_LETTER}+")
PRESSED_DIGITS = 8


@lru_cache(maxsize=1024)
def read_date(text: str, *, day_first: bool = True) -> date | None:
    """The date `text` prints, or None if there is no such day."""
    parts = _SPLIT.findall(text)
    numbers = [part for part in parts if part.isdigit()]
    if len(numbers) == 1 and len(text) == PRESSED_DIGITS:
        return _day(text[:4], int(text[4:6]), int(text[6:]))
    if len(numbers) == 2:
        return _spelt(parts, numbers)
    if len(numbers) != 3:
        return None
    if len(numbers[0]) == 4:
        return _day(numbers[0], int(numbers[1]), int(numbers[2]))
    first, second = int(numbers[0]), int(numbers[1])
    day, month = (first, second) if day_first else (second, first)
    if month > 12 >= day:
        day, month = month, day
    return _day(numbers[2], month, day)


def _spelt(parts: list[str], numbers: list[str]) -> date | None:
    for part in parts:
        month = MONTHS.get(fold(part).rstrip("."))
        if month is not None:
            day, year = numbers
            return _day(year, month, int(day))
    return None


def _day(year: str, month: int, day: int) -> date | None:
    full = int(year)
    if len(year) == 2:
        full += 2000 if full < 70 else 1900
    if not 1970 <= full <= 2100:
        return None
    try:
        return date(full, month, day)
    except ValueError:
        return None


class FoldedWords(dict[str, str]):
    """Words by how they are printed; documents use few."""

    def __missing__(self, word: str) -> str:
        small = word.casefold()
        if not small.isascii():
            small = small.replace("ł", "l").replace("ø", "o").replace("æ", "ae")
            small = "".join([c for c in unicodedata.normalize("NFKD", small) if not unicodedata.combining(c)])
        if len(self) > MOST_FOLDED:
            self.clear()
        self[word] = small
        return small


MOST_FOLDED = 50_000
fold: Callable[[str], str] = FoldedWords().__getitem__
"""A word for comparison: small letters, no accents. Looked up, as is done for every word of a paper."""


_ORDER = re.compile(r"(\d(?<![\d./-]\d)\d?)([./-])(\d{1,2})[./-](?:\d{4}|\d{2})(?![\d./:-]?\d)")
_PARTED = re.compile(rf"(?<![\w.,/-]){PARTED}")
_JOINED = re.compile(rf"(?<![\w.,/-])(?:{ISO}|{NUMERIC})")
_DOTTED = re.compile(r"(?<!\d)\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?!\d)")
_EITHER_WAY = re.compile(r"(?<![\d./-])(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?![\d./:-]?\d)")
LONGEST_MONTH = 31
SETTLES_WITHIN = 7  # days


def puts_day_first(text: str, *, american: bool = False, pointed: bool = False) -> bool:
    """Whether 05/06/2024 is the fifth of June here: by dates that leave no doubt, else by custom.

    Who puts points puts the day first; 10.37.05 is a time. `pointed` says that fractions follow a point, as where the
    month comes first.
    """
    day, month = 0, 0
    for first, mark, second in _ORDER.findall(text):
        day += LONGEST_MONTH >= int(first) > 12 >= int(second)
        month += mark != "." and LONGEST_MONTH >= int(second) > 12 >= int(first)
    if day != month:
        return day > month
    if month == 0 and pointed and _is_nearer_month_first(text):
        return False
    return not american or bool(_DOTTED.search(text))


def parts_days(text: str) -> bool:
    """Whether days are printed as 12 03 2024: so they are if none is printed with marks."""
    return _PARTED.search(text) is not None and _JOINED.search(text) is None


def _is_nearer_month_first(text: str) -> bool:
    """05-10-2022 and 05-12-2022: a deal and its settlement two days later rather than two months."""
    printed = {(int(year), int(first), int(second)) for first, second, year in _EITHER_WAY.findall(text)}
    days = [_day(str(year), second, first) for year, first, second in printed]
    turned = [_day(str(year), first, second) for year, first, second in printed]
    as_days, as_turned = ([day for day in read if day is not None] for read in (days, turned))
    if len(printed) != 2 or len(as_turned) < len(printed) or len(as_days) < len(printed):
        return False
    apart, turned_apart = (max(read) - min(read) for read in (as_days, as_turned))
    return turned_apart.days <= SETTLES_WITHIN and apart.days > LONGEST_MONTH
