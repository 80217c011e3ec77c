"""What a paper says about its own age: of which day it is, from when and until when it holds."""

from __future__ import annotations

import re
import tomllib
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import Any

from postroom.mail.sentences import fold
from postroom.rooms.replies.rules.sentencing import sentence_texts

TOP = 700  # letters of a paper in which its version stands
MOST_VERSION_WORDS = 10
NEAR_TOP = 320  # letters in which a validity needs no other word to be the paper's
_DIGIT = re.compile(r"\d")
_ISO = re.compile(r"\b((?:19|20)\d\d)(?:-(\d{1,2})(?:-(\d{1,2}))?|/(\d{1,2})/(\d{1,2}))\b")
_NUMERIC = re.compile(
    r"(?<![\d.])(\d{1,2})(?:([./-])|\. )(\d{1,2})(?(2)\2|\. )((?:19|20)\d\d|[2-4]\d)(?![\d:]|[./-]\d)"
)
_WRITTEN = re.compile(
    r"(?:\b(\d{1,2})(?:st|nd|rd|th|\.?º|\.|er|°)?\s+(?:de\s+|of\s+)?)?\b([^\W\d_]{3,12})\.?,?\s+(?:de\s+)?((?:19|20)\d\d)\b"
)
_AMERICAN = re.compile(r"\b([^\W\d_]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b")
_DAY_BEFORE = re.compile(
    r"(?:(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|\.?º|\.|er|°)?\s+(?:de\s+|of\s+)?(?P<month>[^\W\d_]{3,12})|(?<!\d)(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.)"
    r"\s*(?:[–—-]|to|until|till|through|bis|bis zum|au|al|a|hasta|hasta el|fino al|tot|tot en met|t/m|até|até ao|do"
    r"|till och med|til|til og med)"
    r"\s*(?:the |den |dem )?$",
    re.IGNORECASE,
)
_MONTH = re.compile(r"(?<![\w./-])(?:(\d{1,2})/|(\d\d)\.)((?:19|20)\d\d)(?![\w/]|[.,-]\d)")
_YEAR = re.compile(r"(?<![\d.,])((?:19|20)\d\d)(?![\d.,]\d|\d)")
_FEW_WORDS = r"(?:[ ,]+[\w'’-]+){0,6}?"


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A day, with its place in the text; a month or a year alone is its first day, `last` its last."""

    day: date
    last: date
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Validity:
    dated: date | None = None
    valid_from: date | None = None
    valid_until: date | None = None


@cache
def calendar_words() -> Mapping[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/calendar.toml").read_text("utf-8"))


@cache
def months() -> Mapping[str, int]:
    found: dict[str, int] = {}
    for number, names in calendar_words()["months"].items():
        found |= dict.fromkeys((fold(name) for name in names.split()), int(number))
    return found


@cache
def cue_pattern(name: str) -> re.Pattern[str]:
    """The phrases of a list as whole words; `*` ends a stem."""
    phrases = sorted(calendar_words()["cues"][name], key=len, reverse=True)
    each = (re.escape(phrase).replace(r"\*", r"\w*") for phrase in phrases)
    return re.compile(r"(?<!\w)(?:" + "|".join(each) + r")(?!\w)", re.IGNORECASE)


def written_dates(text: str) -> list[WrittenDate]:
    """All days and months with a year, in the order of the text."""
    if not _DIGIT.search(text):
        return []
    found = [*_iso(text), *_numeric(text), *_american(text), *_written(text), *_months(text), *_year_ends(text)]
    found.sort(key=lambda each: (each.start, -each.end))
    kept: list[WrittenDate] = []
    for each in found:
        if not kept or each.start >= kept[-1].end:
            kept += [*_before(text[kept[-1].end if kept else 0 : each.start], each), each]
    return kept


def _before(text: str, until: WrittenDate) -> Iterator[WrittenDate]:
    """The first day of "1 May – 31 October 2026", whose year is said once."""
    if not (match := _DAY_BEFORE.search(text)):
        return
    month = int(match["m"]) if match["m"] else months().get(fold(match["month"]), 0)
    if month:
        at = until.start - len(text)
        year = until.day.year - (month > until.day.month)
        yield from _made(
            year, month, int(match["d"] or match["day"]), (at + match.start(), at + match.end(match.lastgroup or 0))
        )


def _made(year: int, month: int, day: int | None, place: tuple[int, int]) -> Iterator[WrittenDate]:
    try:
        first = date(year, month, day or 1)
    except ValueError:
        return
    last = first if day else first.replace(day=monthrange(year, month)[1])
    yield WrittenDate(first, last, *place)


def _iso(text: str) -> Iterator[WrittenDate]:
    for match in _ISO.finditer(text):
        day = match[3] or match[5]
        yield from _made(int(match[1]), int(match[2] or match[4]), int(day) if day else None, match.span())


def _numeric(text: str) -> Iterator[WrittenDate]:
    for match in _NUMERIC.finditer(text):
        year, month, day = int(match[4]), int(match[3]), int(match[1])
        if year < 100 and match[2] != ".":  # 10-12-24 is seldom a day
            continue
        if month > 12 >= day:  # 10/31/2026
            month, day = day, month
        yield from _made(year if year > 99 else 2000 + year, month, day, match.span())


def _american(text: str) -> Iterator[WrittenDate]:
    for match in _AMERICAN.finditer(text):
        if month := months().get(fold(match[1])):
            yield from _made(int(match[3]), month, int(match[2]), match.span())


def _written(text: str) -> Iterator[WrittenDate]:
    for match in _WRITTEN.finditer(text):
        if month := months().get(fold(match[2])):
            yield from _made(int(match[3]), month, int(match[1]) if match[1] else None, match.span())


def _months(text: str) -> Iterator[WrittenDate]:
    """Such as 10/2026."""
    for match in _MONTH.finditer(text):
        yield from _made(int(match[3]), int(match[1] or match[2]), None, match.span())


def _year_ends(text: str) -> Iterator[WrittenDate]:
    """The year of "until the end of 2026": its last month."""
    for match in re.finditer(
        rf"{cue_pattern('month_end').pattern}\s+(?:de\s+|of\s+)?((?:19|20)\d\d)(?![\w/]|[.,-]\d)", text, re.I
    ):
        yield from _made(int(match[1]), 12, None, match.span(1))


def speaks_of_validity(text: str) -> bool:
    said = text.lower()
    named = any(cue_pattern(name).search(text) for name in ("valid", "expiry", "ended", "ceased"))
    return named or any(first in said for first, _ in _around())


def last_day(text: str, each: WrittenDate, after: int = 0) -> WrittenDate | None:
    """The day with its `last`, if by what stands beside it the text no longer holds then: "superseded on 1 November
    2026" ends on 31 October. Where it is said of something else, it is news: "paper tickets are void from …"."""
    before, behind = text[after : each.start], text[each.end :]
    if _leads_to(before, "expiry", "") or any(_stands_around(before, behind, *pair) for pair in _around()):
        return each
    if _ends(before, behind, "ended", "ended_after") or _ends(before, behind, "ceased", "ended_after"):
        return each
    gone = (
        _ends(before, behind, "ended", "ended_from")
        or _ends(before, behind, "ceased", "ended_from")
        or _ends(before, behind, "ceased", "ended_on")
        or (_follows("no_more", behind) and cue_pattern("valid").search(before) and _leads_to(before, "ended_from", ""))
    )
    return replace(each, last=each.day - timedelta(days=1)) if gone else None


def _ends(before: str, behind: str, what: str, when: str) -> bool:
    """Whether what says so stands before its day, or after it."""
    found = _leads_to(before, what, rf"{_FEW_WORDS}[ ,]+(?:{cue_pattern(when).pattern})") or _leads_to(
        before, what, " ?:"
    )
    if found:
        return _is_about_itself(before[: found.start()])
    opened = _leads_to(before, when, "")
    return opened is not None and _follows(what, behind) and _is_about_itself(before[: opened.start()], behind)


def _leads_to(before: str, name: str, rest: str) -> re.Match[str] | None:
    return re.search(rf"{cue_pattern(name).pattern}{rest}\s*:?\s*$", before, re.IGNORECASE)


def _follows(name: str, behind: str) -> bool:
    return re.match(rf"{_FEW_WORDS}[ ,]+{cue_pattern(name).pattern}", behind, re.IGNORECASE) is not None


def _stands_around(before: str, behind: str, first: str, second: str) -> bool:
    return before.rstrip().lower().endswith(first) and re.match(rf"\s+(?:\w+\s+)?{second}\b", behind, re.I) is not None


def _around() -> Sequence[tuple[str, str]]:
    return [(first, second) for first, second in calendar_words()["cues"]["until_around"]]


def _is_about_itself(lead: str, behind: str = "") -> bool:
    """Nothing else is named that ends: it is the paper, its prices or its rules. `behind` is what follows the day."""
    said = re.split(r"[.;!?]\s", lead)[-1]
    bare = cue_pattern("ended_verbs").sub("", said).rstrip()
    opens = not re.search(r"\w", bare) or bare[-1] in "(:–—*"
    if names_itself(said) or not behind:
        return opens or names_itself(said)
    at_once = any(re.match(rf"[ ,]+{cue_pattern(name).pattern}", behind, re.I) for name in ("ended", "ceased"))
    return opens and (at_once or names_itself(re.split(r"[.;!?]", behind)[0]))


def names_itself(text: str) -> bool:
    told = re.split(cue_pattern("replaced_by").pattern, text, maxsplit=1, flags=re.I)[0]
    return cue_pattern("document").search(told) is not None or cue_pattern("itself").search(told) is not None


def validity(text: str, about: Mapping[str, str], name: str, head: int = NEAR_TOP) -> Validity:
    """By what the file says of itself, else by the sentences at its top and end, else by its name. `head` are the
    letters above its second section: how long that holds says nothing about the paper."""
    told = " ".join(about.get(key, "") for key in ("date", "version", "updated", "stand", "datum", "last-modified"))
    since, until = _field(about, "valid_from"), _field(about, "valid_until")
    top, ends = text[:TOP], text[-TOP:] if len(text) > TOP else ""
    valid_from, valid_until = _range(f"{top}\n{ends}", head)
    dated = next(iter(_days(told)), None) or _of_version(top) or _of_version(ends) or valid_from or _of_name(name)
    stated = next((each.last for each in written_dates(until)), None)
    gone = next((each.day for each in written_dates(_field(about, "ended_from"))), None)
    stated = stated or (gone - timedelta(days=1) if gone else None)
    begins = next((each.day for each in written_dates(since)), None)
    return Validity(dated or begins, begins, stated or valid_until)


def _field(about: Mapping[str, str], name: str) -> str:
    """What a file says under a name such as `valid_until`, `valid-until`, `validUntil` or `gültig bis`."""
    names = {_squeezed(each) for each in calendar_words()["fields"][name]}
    return " ".join(value for key, value in about.items() if _squeezed(key) in names)


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", fold(name))


def only_dates(text: str) -> bool:
    """A line that says nothing but of when the paper is, and by whom."""
    found = written_dates(text)
    if len(found) != 1 or len(text.split()) > MOST_VERSION_WORDS or re.search(r"[.!?]\s+\w", text):
        return False
    cue = cue_pattern("version").search(text) is not None
    return (cue and found[0].end >= len(text) - 2) or (
        re.search(r"\d[:.,]\d|[€£$]", text) is None and found[0].end >= len(text) - 1 and "," in text
    )


def _days(text: str) -> Iterator[date]:
    for each in written_dates(text):
        yield each.day


def _of_version(text: str) -> date | None:
    """The day beside a word such as "Stand" or "as of"; else a day that stands alone in a line at the top."""
    for line in text.split("\n"):
        for each in written_dates(line):
            before = line[max(0, each.start - 40) : each.start]
            if cue_pattern("version").search(before):
                return each.day
    for line in text.split("\n")[:6]:
        found = written_dates(line)
        if (
            len(found) == 1
            and len(line) - (found[0].end - found[0].start) < 70
            and cue_pattern("until").search(line) is None
            and last_day(line, found[0]) is None
        ):
            return found[0].day
    return None


def _range(text: str, head: int) -> tuple[date | None, date | None]:
    """From the sentences that say it of the paper: those near its top, and those that name the paper itself."""
    first = last = None
    at = 0
    for sentence in sentence_texts(text, "de"):
        at += len(sentence)
        if not (_DIGIT.search(sentence) and speaks_of_validity(sentence)):
            continue
        if at >= NEAR_TOP and not cue_pattern("paper").search(sentence):
            continue
        days = written_dates(sentence)
        if not days and (told := _strict_years(sentence)):
            first, last = first or date(min(told), 1, 1), last or date(max(told), 12, 31)
        for each in days:
            before = sentence[max(0, each.start - 24) : each.start]
            named = re.split(cue_pattern("replaced_by").pattern, sentence, maxsplit=1, flags=re.I)[0]
            known = at < head or cue_pattern("document").search(named)
            if (gone := last_day(sentence, each)) is not None:
                if _goes_on(sentence, each, days):
                    break
                last = last or (gone.last if known else None)
            elif cue_pattern("until").search(before) and (
                each is not days[0] or not cue_pattern("from").search(before)
            ):
                last = last or (each.last if known else None)
            elif cue_pattern("from").search(before):
                first = first or each.day
    return first, last


def _goes_on(sentence: str, gone: WrittenDate, days: Sequence[WrittenDate]) -> bool:
    """Only for a while: "not valid from 24 December 2026 to 6 January 2027"."""
    then = next((each for each in days if each.start > gone.start), None)
    return then is not None and cue_pattern("until").search(sentence[gone.end : then.start]) is not None


def _strict_years(sentence: str) -> list[int]:
    """The years of "valid for 2025 and 2026"; what applies to a year's bills says nothing about the paper."""
    cue = cue_pattern("valid_for").search(sentence)
    return [int(year) for year in _YEAR.findall(sentence[cue.end() : cue.end() + 40])] if cue else []


def _of_name(name: str) -> date | None:
    stem = name.rpartition("/")[2].rpartition(".")[0]
    if days := list(_days(re.sub(r"[-_ ]+", " ", stem))) or list(_days(stem)):
        return days[0]
    years = _YEAR.findall(re.sub(r"[-_]+", " ", stem))
    return date(int(years[-1]), 1, 1) if years else None
