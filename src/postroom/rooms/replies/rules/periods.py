"""From when until when a part of a paper holds, and about which days a question asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache

from postroom.mail.sentences import fold
from postroom.rooms.replies.rules.calendar_terms import calendar_terms
from postroom.rooms.replies.rules.dating import (
    WrittenDate,
    calendar_words,
    cue_pattern,
    last_day,
    months,
    speaks_of_validity,
    written_dates,
)
from postroom.rooms.replies.rules.values import value_kinds

LONGEST_NOTICE = 1_000  # letters of such a sentence
MOST_NOTICE_WORDS = 18  # of a sentence that says nothing but how long something holds
MOST_BETWEEN = 4  # words between "valid" and "until"
_YEARLESS = (
    re.compile(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|\.?º|°|er|\.)?\s+(?:de\s+|of\s+)?(?P<month>[^\W\d_]{3,12})\b"),
    re.compile(r"\b(?P<month>[^\W\d_]{3,12})\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"),
    re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?!\d)"),
)
_YEAR = re.compile(r"(?<![\d.,])((?:19|20)\d\d)(?![\d.,]\d|\d)")
_OPENING = re.compile(r"^[\s\W]*")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`; None is without end. `itself`: the line says so, not what stands above it."""

    first: date | None = None
    last: date | None = None
    itself: bool = False

    def __bool__(self) -> bool:
        return self.first is not None or self.last is not None

    def is_over(self, on: Period) -> bool:
        return self.last is not None and on.first is not None and self.last < on.first

    def is_to_come(self, on: Period) -> bool:
        return self.first is not None and on.last is not None and self.first > on.last


ALWAYS = Period()


@dataclass(frozen=True, slots=True)
class _Bound:
    """A day of a text with the word before it: from then on, or until then."""

    at: WrittenDate
    is_until: bool
    is_valid: bool  # a word such as "valid" leads to it
    opens: bool  # the text begins with it


def stated_period(text: str, dated: date | None = None, *, heading: bool = False) -> Period:
    """How long what a heading, a sentence, an item or a row's name says holds, by its own words.

    A year is needed: "1 May to 30 September" is a season, which comes again. Only what "rises" or "changes" on a day
    means the first such day after the paper's date. Days of contracts, orders or births are conditions, and a sentence
    that tells both the old and the new holds all the time.
    """
    days = written_dates(text) or list(_after(text, dated))
    if not days or cue_pattern("condition").search(text[: days[-1].start]):
        return ALWAYS
    bounds = list(_bounds(text, days))
    until = [each for each in bounds if each.is_until]
    since = [each for each in bounds if not each.is_until]
    if len(until) > 1 or len(since) > 1 or (until and since and until[0].at.start < since[0].at.start):
        return ALWAYS
    states = heading or cue_pattern("state").search(text) is not None
    last = next((each.at.last for each in until if states or each.is_valid or each.opens), None)
    if last is None and until and any(each.is_valid or each.opens for each in since):
        last = until[0].at.last
    first = next((each.at.day for each in since if each.is_valid or _changes(text, each, until, heading=heading)), None)
    return Period(first, last)


def _changes(text: str, since: _Bound, until: list[_Bound], *, heading: bool) -> bool:
    """Whether another rule holds from that day on: a course or a sale that begins then is no rule."""
    told = cue_pattern("change").search(text) is not None
    if heading:
        return told or not until
    if not since.opens and not told:
        return False
    after = text[since.at.end :].lstrip(" *_)")
    return told or after.startswith(":") or (not until and bool(value_kinds(after) & {"money", "percent"}))


def _bounds(text: str, days: list[WrittenDate]) -> Iterator[_Bound]:
    ended = 0
    for each in days:
        started, ended = ended, each.end
        if (gone := last_day(text, each, started)) is not None:
            yield _Bound(gone, is_until=True, is_valid=True, opens=True)
            continue
        before = _without_weekday(text[started : each.start])
        until, since = _leads(before, "until_strong"), _leads(before, "from")
        if until is None and since is None and len(days) > 1 and each is not days[0]:
            until = _leads(before, "until") or _leads(before, "dash")
        found = until if until is not None else since
        if found is None and len(days) > 1 and each is days[0]:
            found = _bare_valid(before)
        if found is None:
            continue
        lead = before[:found]
        opens = not _OPENING.sub("", lead) and each is days[0]
        yield _Bound(each, until is not None, _is_valid(lead) or _said_by(before[found:]), opens)


def _bare_valid(before: str) -> int | None:
    """Where "valid" stands if a day follows it at once: "Valid: 1 May 2026 to 31 October 2026"."""
    found = re.search(rf"(?:{cue_pattern('valid').pattern})\s*:?\s*$", before, re.IGNORECASE)
    return found.start() if found else None


def _said_by(lead: str) -> bool:
    return cue_pattern("valid").search(lead) is not None


def _is_valid(lead: str) -> bool:
    """A word such as "valid" stands shortly before: "valid from 1 May", but not "valid for stays from 1 May"."""
    found = list(cue_pattern("valid").finditer(lead))
    if not found:
        return False
    between = lead[found[-1].end() :]
    if (re.search(r"[,;:.]", between) and between.strip() != ":") or cue_pattern("for").search(between):
        return False
    return len(_WORD.findall(between)) <= MOST_BETWEEN


def _leads(before: str, name: str) -> int | None:
    """Where the word stands that ends the text before a day, if it is one of these."""
    found = re.search(rf"(?:{cue_pattern(name).pattern})\s*$", before, re.IGNORECASE)
    return found.start() if found else None


@cache
def _weekdays() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for line in calendar_words()["days"].values() for name in line.split())
    return re.compile(
        rf"(?:{names})\.?,?\s+(?:den\s+|the\s+|dem\s+)?$|\b(?:the|den|dem|le|el|il|o|dia|dnia)\s+$", re.IGNORECASE
    )


def _without_weekday(before: str) -> str:
    bare = _weekdays().sub("", _month_ends().sub("", before))
    return bare if bare.strip() else before


@cache
def _month_ends() -> re.Pattern[str]:
    return re.compile(rf"(?:{cue_pattern('month_end').pattern})\s+(?:de\s+|d['’]|of\s+)?$", re.IGNORECASE)


def _after(text: str, dated: date | None) -> Iterator[WrittenDate]:
    """Days without a year in a sentence that tells a change: the next ones after the paper's date."""
    if dated is None or not cue_pattern("change").search(text):
        return
    for match in (match for pattern in _YEARLESS for match in pattern.finditer(text)):
        month = int(match["month"]) if match["month"].isdigit() else months().get(fold(match["month"]), 0)
        if (found := _next(dated, month, int(match["day"]))) is not None:
            yield WrittenDate(found, found, *match.span())


def _next(after: date, month: int, day: int) -> date | None:
    try:
        made = date(after.year, month, day)
        return made if made >= after else made.replace(year=after.year + 1)
    except ValueError:
        return None


def is_notice(text: str) -> bool:
    """A sentence that says nothing but how long what stands around it holds."""
    if len(text) > LONGEST_NOTICE or len(_WORD.findall(text)) > MOST_NOTICE_WORDS:
        return False
    if not (speaks_of_validity(text) or _is_only_bound(text)):
        return False
    return bool(stated_period(text)) and not value_kinds(text) & {"money", "percent", "time", "phone", "email"}


def _is_only_bound(text: str) -> bool:
    """Such as "Until the end of October 2026"."""
    days = written_dates(text)
    if len(days) != 1 or _WORD.search(text[days[0].end :]):
        return False
    return any(each.is_until and each.opens for each in _bounds(text, days))


def named_days(text: str, today: date) -> Period:
    """The days that a sentence of a mail names. A month without a year is the next one."""
    if days := written_dates(text):
        return Period(min(each.day for each in days), max(each.last for each in days))
    if years := [int(year) for year in _YEAR.findall(text)]:
        return Period(date(min(years), 1, 1), date(max(years), 12, 31))
    if cue_pattern("next_year").search(text):
        return Period(date(today.year + 1, 1, 1), date(today.year + 1, 12, 31))
    named = [int(term[2:]) for term in calendar_terms(text) if term.startswith("m:")]
    if not named:
        return ALWAYS
    firsts = [date(today.year + (month < today.month), month, 1) for month in named]
    return Period(min(max(today, first) for first in firsts), max(_month_end(first) for first in firsts))


def _month_end(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1) - date.resolution
