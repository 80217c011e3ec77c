"""Months and days of a text as terms, with all that lies between two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from postroom.mail.sentences import fold
from postroom.rooms.replies.rules.dating import calendar_words, months

_RANGE = (
    r"\s*(?:\d{1,2}[.:]?(?:st|nd|rd|th)?\s*)?"
    r"(?:–|—|-|bis|to|until|till|through|t/m|tot en met|tot|au|à|a|al|ao|do|til|till)"
    r"\s*(?:zum\s+|einschließlich\s+|and including\s+)?(?:\d{1,2}\.?(?:st|nd|rd|th)?\s+)?(?:de\s+)?"
)


@cache
def _short_days() -> Mapping[str, int]:
    return {name: int(number) for number, names in calendar_words()["short_days"].items() for name in names.split()}


@cache
def _short() -> tuple[re.Pattern[str], ...]:
    """Two short days with what lies between them, two beside each other, and one before an hour."""
    day = "|".join(sorted(map(re.escape, _short_days()), key=len, reverse=True))
    capital = r"(?<![\w-])(?-i:(?=[A-ZÅÄÖØŚ]))"
    made = (
        rf"(?<![\w-])({day})\.?\s*(?:–|—|-)\s*({day})(?!\w)|{capital}({day})\.?\s+(?:bis|to|tot|t/m|au|al|a|do|till?)\s+({day})(?!\w)",
        rf"{capital}({day})\.?\s*(?:und|and|et|y|en|og|och|,|\+|/|&)\s*({day})(?!\w)",
        rf"{capital}({day})(?:\.:?|:)?\s+\d{{1,2}}(?:[.:h]\d\d)?\s*(?:–|—|-|bis|to|a|do|till?)",
    )
    return tuple(re.compile(each, re.IGNORECASE) for each in made)


@cache
def _days() -> Mapping[str, int]:
    return {fold(name): int(number) for number, names in calendar_words()["days"].items() for name in names.split()}


@cache
def _names(kind: str) -> re.Pattern[str]:
    names = sorted({name for each in calendar_words()[kind].values() for name in each.split()}, key=len, reverse=True)
    return re.compile(
        r"(?<![\w-])("
        + "|".join(map(re.escape, names))
        + rf")(?!\w)(?:{_RANGE}({'|'.join(map(re.escape, names))})(?!\w))?",
        re.IGNORECASE,
    )


@cache
def _several() -> tuple[tuple[re.Pattern[str], tuple[int, ...]], ...]:
    meant = {"workdays": (1, 2, 3, 4, 5), "weekend": (6, 7), "daily": (1, 2, 3, 4, 5, 6, 7)}
    made = []
    for name, words in calendar_words()["several_days"].items():
        choices = "|".join(re.escape(word).replace("_", r"\s+") for word in words.split())
        made.append((re.compile(rf"(?<!\w)(?:{choices})(?!\w)", re.IGNORECASE), meant[name]))
    return tuple(made)


def is_day_or_month(word: str) -> bool:
    """Those are compared as calendar terms, so that a day inside a range is found."""
    folded = fold(word)
    return folded in _days() or (folded in months() and folded not in ("may", "mars"))


def _between(first: int, last: int, most: int) -> Iterator[int]:
    at = first
    while True:
        yield at
        if at == last:
            return
        at = at % most + 1


def calendar_terms(text: str) -> Iterator[str]:
    """`m:7` for July, also inside "1 May to 30 September"; `d:6` for Saturday, also inside a weekend."""
    for match in _names("months").finditer(text):
        if not _is_month(match[1], text, match.start()):
            continue
        first = months()[fold(match[1])]
        last = months()[fold(match[2])] if match[2] else first
        yield from (f"m:{number}" for number in _between(first, last, 12))
    for match in _names("days").finditer(text):
        first = _days()[fold(match[1])]
        last = _days()[fold(match[2])] if match[2] else first
        yield from (f"d:{number}" for number in _between(first, last, 7))
    span, pair, single = _short()
    for match in span.finditer(text):
        first, last = (_short_days()[name.lower()] for name in match.groups() if name)
        yield from (f"d:{number}" for number in _between(first, last, 7))
    for match in pair.finditer(text):
        yield from (f"d:{_short_days()[match[side].lower()]}" for side in (1, 2))
    yield from (f"d:{_short_days()[match[1].lower()]}" for match in single.finditer(text))
    for pattern, numbers in _several():
        if pattern.search(text):
            yield from (f"d:{number}" for number in numbers)


def _is_month(word: str, text: str, at: int) -> bool:
    """The verb "may" is no month, nor is the Polish "maja" of somebody's name."""
    if word.lower() != "may":
        return True
    return word == "May" and bool(
        re.search(r"(?:\d(?:st|nd|rd|th)?|\b(?:in|of|from|to|until|by|since|during|–|-|and|or|every))\s*$", text[:at])
    )
