"""What a paper says about its own age: of which day it is, from when and until when it holds."""

from __future__ import annotations

import re
import tomllib
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources

from postroom.mail.sentences import fold
from postroom.rooms.replies.rules.sentencing import sentence_texts

TOP = 700  # letters of a paper in which its version stands
MOST_VERSION_WORDS = 10
NEAR_TOP = 320  # letters in which a validity needs no other word to be the paper's
_ISO = re.compile(r"\b((?:19|20)\d\d)-(\d{1,2})(?:-(\d{1,2}))?\b")
_NUMERIC = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d\d)\b")
_WRITTEN = re.compile(
    r"(?:\b(\d{1,2})(?:st|nd|rd|th|\.|er|º)?\s+(?:de\s+|of\s+)?)?\b([^\W\d_]{3,12})\.?,?\s+(?:de\s+)?((?:19|20)\d\d)\b"
)
_AMERICAN = re.compile(r"\b([^\W\d_]{3,12})\s+(\d{1,2})(?:st|nd|rd|th)?,\s+((?:19|20)\d\d)\b")
_YEAR = re.compile(r"(?<![\d.,])((?:19|20)\d\d)(?![\d.,]\d|\d)")


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
def months() -> Mapping[str, int]:
    raw = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/calendar.toml").read_text("utf-8"))
    found: dict[str, int] = {}
    for number, names in raw["months"].items():
        found |= dict.fromkeys((fold(name) for name in names.split()), int(number))
    return found


@cache
def _cues() -> Mapping[str, re.Pattern[str]]:
    raw = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/calendar.toml").read_text("utf-8"))
    return {
        name: re.compile(r"(?<!\w)(?:" + "|".join(re.escape(each) for each in phrases) + r")(?!\w)", re.IGNORECASE)
        for name, phrases in raw["cues"].items()
    }


def written_dates(text: str) -> list[WrittenDate]:
    """All days and months with a year, in the order of the text."""
    found = [*_iso(text), *_numeric(text), *_american(text), *_written(text)]
    found.sort(key=lambda each: (each.start, -each.end))
    kept: list[WrittenDate] = []
    for each in found:
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _made(year: int, month: int, day: int | None, place: tuple[int, int]) -> Iterator[WrittenDate]:
    try:
        first = date(year, month, day or 1)
    except ValueError:
        return
    last = first if day else first.replace(day=monthrange(year, month)[1])
    yield WrittenDate(first, last, *place)


def _iso(text: str) -> Iterator[WrittenDate]:
    for match in _ISO.finditer(text):
        yield from _made(int(match[1]), int(match[2]), int(match[3]) if match[3] else None, match.span())


def _numeric(text: str) -> Iterator[WrittenDate]:
    for match in _NUMERIC.finditer(text):
        yield from _made(int(match[3]), int(match[2]), int(match[1]), match.span())


def _american(text: str) -> Iterator[WrittenDate]:
    for match in _AMERICAN.finditer(text):
        if month := months().get(fold(match[1])):
            yield from _made(int(match[3]), month, int(match[2]), match.span())


def _written(text: str) -> Iterator[WrittenDate]:
    for match in _WRITTEN.finditer(text):
        if month := months().get(fold(match[2])):
            yield from _made(int(match[3]), month, int(match[1]) if match[1] else None, match.span())


def validity(text: str, about: Mapping[str, str], name: str) -> Validity:
    """By what the file says of itself, else by the sentences at its top and at its end, else by its name."""
    told = " ".join(about.get(key, "") for key in ("date", "version", "updated", "stand", "datum", "last-modified"))
    until = " ".join(
        about.get(key, "") for key in ("valid_until", "valid until", "expires", "gueltig bis", "gültig bis")
    )
    top, ends = text[:TOP], text[-TOP:] if len(text) > TOP else ""
    valid_from, valid_until = _range(f"{top}\n{ends}")
    dated = next(iter(_days(told)), None) or _of_version(top) or _of_version(ends) or valid_from or _of_name(name)
    stated = next((each.last for each in written_dates(until)), None)
    return Validity(dated, valid_from, stated or valid_until)


def only_dates(text: str) -> bool:
    """A line that says nothing but of when the paper is, and by whom."""
    found = written_dates(text)
    if len(found) != 1 or len(text.split()) > MOST_VERSION_WORDS or re.search(r"[.!?]\s+\w", text):
        return False
    cue = _cues()["version"].search(text) is not None
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
            if _cues()["version"].search(before):
                return each.day
    for line in text.split("\n")[:6]:
        found = written_dates(line)
        if (
            len(found) == 1
            and len(line) - (found[0].end - found[0].start) < 70
            and _cues()["until"].search(line) is None
        ):
            return found[0].day
    return None


def _range(text: str) -> tuple[date | None, date | None]:
    """From the sentences that say it of the paper: those near its top, and those that name the paper itself."""
    first = last = None
    at = 0
    for sentence in sentence_texts(text, "de"):
        at += len(sentence)
        if not _cues()["valid"].search(sentence) or not (at < NEAR_TOP or _cues()["paper"].search(sentence)):
            continue
        days = written_dates(sentence)
        if not days and (told := _strict_years(sentence)):
            first, last = first or date(min(told), 1, 1), last or date(max(told), 12, 31)
        for each in days:
            before = sentence[max(0, each.start - 24) : each.start]
            if _cues()["until"].search(before) and (each is not days[0] or not _cues()["from"].search(before)):
                last = last or each.last
            elif _cues()["from"].search(before):
                first = first or each.day
    return first, last


def _strict_years(sentence: str) -> list[int]:
    """The years of "valid for 2025 and 2026"; what applies to a year's bills says nothing about the paper."""
    cue = _cues()["valid_for"].search(sentence)
    return [int(year) for year in _YEAR.findall(sentence[cue.end() : cue.end() + 40])] if cue else []


def _of_name(name: str) -> date | None:
    stem = name.rpartition("/")[2].rpartition(".")[0]
    if days := list(_days(re.sub(r"[-_ ]+", " ", stem))) or list(_days(stem)):
        return days[0]
    years = _YEAR.findall(re.sub(r"[-_]+", " ", stem))
    return date(int(years[-1]), 1, 1) if years else None
