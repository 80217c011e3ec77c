"""A document's habits of writing numbers, dates and money, inferred once from all of its text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from postroom.reading.page.dates import parts_days, puts_day_first
from postroom.reading.page.numbers import DecimalMark, decimal_habit, parts_thousands_by_blank

CODES = (
    "EUR", "USD", "GBP", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "JPY", "HKD",
    "SGD", "CNY", "CNH", "INR", "ZAR", "BRL", "MXN", "TRY", "ILS", "RON", "BGN", "ISK", "RUB", "THB", "KRW",
    "TWD", "MYR", "IDR", "PHP", "AED", "SAR", "GBX",
)  # fmt: skip
_CODE = "|".join(CODES)
# Each asks first for what few places have, and a number is begun at its first digit only.
_BEFORE = re.compile(
    rf"(?=[A-Z]{{3}}\s?[-+]?\d|[€$£])(?<![\d.,-])(?<!\d )(?:\b(?:{_CODE})|[€$£])\s?[-+]?\d[\d.,'’]*+-?\s*$",
    re.MULTILINE,
)
_AFTER = re.compile(rf"\d(?<!\d\d)[\d.,'’]*+-?\s?(?=[A-Z€$£])(?:(?:{_CODE})\b|[€$£])\s*$", re.MULTILINE)
_DOLLARS = re.compile(r"(?<![A-Za-z])(?:USD|AUD|CAD|NZD|HKD|SGD)(?![A-Za-z])")
_AMERICAN = re.compile(r"\b(?:NYSE|NASDAQ|CUSIP|SIPC|FINRA|401\(k\)|Member SIPC)\b|\b[A-Z]{2} \d{5}(?:-\d{4})?\b")
_EUROPEAN = re.compile(r"€|£|\bEUR\b|\bGBP\b|\bCHF\b|\bAUD\b|\bFCA\b|\bBIC\b|\bIBAN\b")


_HOME = re.compile(
    r"\b(?:(?P<AUD>ABN|ACN|AFSL|ASX|CHESS|AU[A-Z0-9]{9}\d)|(?P<NZD>NZX|FSPR?|NZ[A-Z0-9]{9}\d)"
    r"|(?P<CAD>CIPF|IIROC|CIRO|TSX|Ontario|Toronto|Montr[eé]al|Vancouver|CA[A-Z0-9]{9}\d|[A-Z]\d[A-Z] \d[A-Z]\d)"
    r"|(?P<SGD>SGX|UEN|SG[A-Z0-9]{9}\d)|(?P<HKD>SEHK|HKEX|CCASS|HK[A-Z0-9]{9}\d))\b"
)
"""Who supervises, clears or trades, and whose security it is: whose dollar it is where none is named."""


@dataclass(frozen=True, slots=True)
class PrintHabits:
    decimal: DecimalMark = ","
    day_first: bool = True
    currency_before: bool = True
    blank_thousands: bool = False
    dollar: str = "USD"
    parted_days: bool = False
    """Days are printed with blanks: 12 03 2024."""


def dollar(text: str) -> str:
    """Which dollar `$` alone is: the one the document names most, else that of the land it comes from."""
    named: Counter[str] = Counter(_DOLLARS.findall(text))
    if named:
        return max(named, key=lambda code: (named[code], code == "USD"))
    if _AMERICAN.search(text):
        return "USD"
    home: Counter[str] = Counter(str(found.lastgroup) for found in _HOME.finditer(text))
    return home.most_common(1)[0][0] if home else "USD"


def infer(text: str) -> PrintHabits:
    """The habits of a whole document, by vote of what leaves no doubt."""
    commas, points = decimal_habit(text)
    before, after = len(_BEFORE.findall(text)), len(_AFTER.findall(text))
    american = points >= commas and bool(_AMERICAN.search(text)) and not _EUROPEAN.search(text)
    return PrintHabits(
        decimal="." if points > commas else ",",
        day_first=puts_day_first(text, american=american, pointed=points > commas),
        currency_before=before >= after,
        blank_thousands=parts_thousands_by_blank(text),
        parted_days=parts_days(text),
    )
