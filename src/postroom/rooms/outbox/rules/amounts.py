"""Amounts of money in a text, read so that none looks smaller than it may be."""

from __future__ import annotations

import re
from decimal import Decimal

_CODES = "EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|JPY|CNY|AUD|CAD|INR|SGD|HKD|ZAR|BRL|MXN|TRY|RON|BGN|ISK|NZD"
_WORDS = "euros?|dollars?|pounds?|francs?|franken|kronor|kroner|złotych|zł|kr|Fr\\."
_SIGNS = "€|\\$|£|¥|₹|CHF"
_NUMBER = r"\d{1,3}(?:[ .,’'\u00a0\u202f]\d{3}){1,7}(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,4})?"
_MULTIPLES = {"k": 1_000, "thousand": 1_000, "tsd": 1_000, "m": 1_000_000, "mio": 1_000_000, "million": 1_000_000,
              "millionen": 1_000_000, "bn": 1_000_000_000, "billion": 1_000_000_000, "mrd": 1_000_000_000}  # fmt: skip
_TIMES = rf"(?:\s?(?P<times{{n}}>{'|'.join(sorted(_MULTIPLES, key=len, reverse=True))})\.?\b)?"
_MONEY = re.compile(
    rf"(?<![\w])(?:{_SIGNS}|(?:{_CODES})\b)\s?(?P<a>{_NUMBER}){_TIMES.format(n='a')}"
    rf"|(?<![\w.,])(?P<b>{_NUMBER})(?:,-|,–)?{_TIMES.format(n='b')}\s?(?:{_SIGNS}|(?:{_CODES})\b|(?:{_WORDS})(?!\w))",
    re.IGNORECASE,
)


def amounts(text: str) -> list[Decimal]:
    """All of them, in order."""
    return [_value(found) for found in _MONEY.finditer(text)]


def largest_amount(text: str) -> Decimal | None:
    return max(amounts(text), default=None)


def _value(found: re.Match[str]) -> Decimal:
    which = "a" if found["a"] else "b"
    times = (found[f"times{which}"] or "").lower()
    return _number(found[which]) * _MULTIPLES.get(times, 1)


def _number(text: str) -> Decimal:
    """`1.234` is a thousand or little more than one: the larger, since a second look costs less than a mistake."""
    plain = re.sub(r"[ ’'\u00a0\u202f]", "", text)
    last = max(plain.rfind("."), plain.rfind(","))
    if last < 0:
        return Decimal(plain)
    whole, fraction = re.sub(r"[.,]", "", plain[:last]), plain[last + 1 :]
    return Decimal(f"{whole}{fraction}") if len(fraction) == 3 else Decimal(f"{whole or 0}.{fraction}")
