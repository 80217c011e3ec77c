"""Values in a text: money, percentages, times, days, durations, measures, telephone numbers, addresses, links."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal

from postroom.mail.sentences import fold
from postroom.rooms.replies.rules.dating import months

ValueKind = Literal[
    "money", "percent", "time", "date", "duration", "measure", "phone", "email", "link", "address", "number"
]  # fmt: skip
# Everything that repeats is bounded or possessive: one mail could hold up a whole process otherwise.
_NUMBER = r"\d{1,3}(?:[ .’'\u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,4})?|\d+(?:[.,]\d{1,4})?"


_STREETS = r"[Rr]ue|[Vv]ia|[Pp]iazza|[Cc]alle|[Rr]ua|[Aa]venue|[Aa]venida|ul\."


@dataclass(frozen=True, slots=True)
class FoundValue:
    """As written, where, and in a form in which equal values are equal."""

    kind: ValueKind
    text: str
    start: int
    end: int
    same: str


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/values.toml").read_text("utf-8"))


@cache
def number_words() -> Mapping[str, int]:
    return {word: int(number) for number, words in _raw()["numbers"].items() for word in map(str.lower, words.split())}


@cache
def times_words() -> Mapping[str, int]:
    return {fold(word): int(n) for n, words in _raw()["times_a_period"].items() for word in words.split()}


def unit_words() -> Mapping[str, str]:
    """How spans of time are called, each as a list of forms."""
    raw: Mapping[str, str] = _raw()["durations"]
    return raw


def _any(words: str) -> str:
    return "|".join(sorted(set(words.split()), key=len, reverse=True))


@cache
def _patterns() -> tuple[tuple[ValueKind, re.Pattern[str]], ...]:
    raw = _raw()
    spoken = _any(" ".join(sorted(number_words())))
    units, measures = (_any(" ".join(raw[name].values())) for name in ("durations", "measures"))
    before, after = _any(raw["currency"]["before"]), _any(raw["currency"]["after"])
    day = r"(?:[0-2]?\d|3[01])"
    month = "|".join(sorted((re.escape(name) for name in _month_names()), key=len, reverse=True))
    clock = r"(?:[01]?\d|2[0-4])[:.h][0-5]\d"
    hour = r"(?:[01]?\d|2[0-4])"
    to = r"\s*(?:–|—|-|bis|to|until|till|tot|à|a|al|til|till|do|e|and|und|et|en|og|och|i)\s*"
    said = _any(raw["times"]["after"])
    street = (
        r"(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|allee|ring|ufer|damm|straat|laan|plein|kade|gatan|gata|vägen|gade|vej)"
    )
    ends = r"(?:\.|st|nd|rd|th|º|er)?"
    year = r"(?:19|20)\d\d"
    amount, spoken_amount = rf"(?:{_NUMBER})", rf"(?:{_NUMBER}|{spoken})"
    between = r"\s*(?:–|-|bis|to|à|a|tot|til|till|do|oder|or|und|and)\s*"
    name = r"[A-ZÄÖÜ][\w.-]{1,40}"
    made: list[tuple[ValueKind, str]] = [
        ("link", r"(?:https?://|www\.)[^\s<>\"')\]]+"),
        ("email", r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"),
        ("money", rf"(?<!\w)(?:{before})\s?{amount}(?!\w)(?:,-)?"),
        ("money", rf"(?<![\w.,]){amount}(?:,-|,–)?\s?(?:{after})(?!\w)"),
        ("percent", rf"(?<![\w.,]){amount}\s?(?:{_any(raw['percent']['words'])})(?!\w)"),
        ("date", rf"\b{year}-\d\d-\d\d\b|(?<![\d.])\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)?\d\d(?!\d)"),
        (
            "date",
            rf"(?<![\w.]){day}{ends}(?:{to}{day}{ends})?\s+(?:de\s+|of\s+)?(?:{month})(?:\.?,?\s+(?:de\s+)?{year})?(?!\w)",
        ),
        ("date", rf"(?<!\w)(?:{month})\s+{day}(?:st|nd|rd|th)?(?:,\s+{year})?(?![\w:.])"),
        ("date", rf"(?<!\w)(?:{month})\s+{year}(?!\w)"),
        ("time", rf"(?<![\w.,:/]){clock}(?:{to}{clock})?(?:\s?(?:{said})(?!\w))?(?![\d:])"),
        ("time", rf"(?<![\w.,:/]){hour}(?:{to}{hour})?\s?(?:{said})(?!\w)"),
        ("time", rf"(?<!\w)(?:{_any(raw['times']['words'])})(?!\w)"),
        ("phone", r"(?<![\w.,])(?:\+\d{1,3}|\(?0\d{2,5}\)?)[ /.-]?\d[\d /.-]{4,24}\d(?!\w)"),
        (
            "duration",
            rf"(?<![\w.,]){spoken_amount}(?:{between}{spoken_amount})?[\s-]+(?:\w{{4,14}}\s+)?(?:{units})(?!\w)",
        ),
        ("measure", rf"(?<![\w.,]){amount}(?:\s?[x×]\s?{amount})?\s?(?:{measures})(?!\w)"),
        ("address", rf"(?<!\w)[A-ZÄÖÜ][\w-]{{0,40}}{street}\s+\d{{1,4}}\s?[a-z]?(?!\w)"),
        ("address", rf"(?<!\w){name}(?:\s+{name})?\s+[A-ZÄÖÜ]?{street}\s+\d{{1,4}}(?!\w)"),
        ("address", rf"(?<!\w)\d{{1,4}}\s+{name}(?:\s+{name})?\s+(?:Street|Road|Avenue|Lane|Square|Drive|Place)(?!\w)"),
        (
            "address",
            rf"(?<!\w)(?:{_STREETS})\s+(?:[\w'’.-]{{1,40}}\s+){{1,4}}\d{{1,4}}(?!\w)",
        ),
        ("number", rf"(?<![\w.,]){amount}(?![\w])"),
    ]
    return tuple((kind, re.compile(pattern, re.IGNORECASE if kind != "address" else 0)) for kind, pattern in made)


@cache
def _month_names() -> tuple[str, ...]:
    raw = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/calendar.toml").read_text("utf-8"))
    return tuple({name for names in raw["months"].values() for name in names.split()})


_SIGNS = re.compile(r"\d|@|www\.|http")


def find_values(text: str) -> list[FoundValue]:
    """In the order of the text, none inside another."""
    return list(_found(text))


@lru_cache(8192)
def _found(text: str) -> tuple[FoundValue, ...]:
    bare = _SIGNS.search(text) is None
    taken: list[tuple[int, int]] = []  # in order, none inside another
    found: list[FoundValue] = []
    for kind, pattern in _patterns():
        if bare and kind not in ("duration", "time"):
            continue
        for match in pattern.finditer(text):
            at = bisect_left(taken, match.span())
            if any(match.start() < end and start < match.end() for start, end in taken[max(at - 1, 0) : at + 1]):
                continue
            if kind == "time" and not _is_time(match[0], text):
                continue
            taken.insert(at, match.span())
            found.append(FoundValue(kind, match[0], *match.span(), _same(kind, match[0])))
    return tuple(sorted(found, key=lambda each: each.start))


def _is_time(written: str, text: str) -> bool:
    """9.30 is a time where another word of the text says so: a price has the same form."""
    if ":" in written or "h" in written.lower() or not re.search(r"\d\.\d\d", written):
        return True
    return bool(
        re.search(
            r"[-–—]|uhr|uur|kl|tot|bis|o'clock|am\b|pm\b"
            r"|\b(?:ore|alle|dalle|dopo le|entro le|prima delle|las|horas|heures)\b",
            written + text[:400],
            re.IGNORECASE,
        )
    )


def _same(kind: ValueKind, written: str) -> str:
    """`€ 6,50`, `6.50 EUR` and `6.50 euros` are one; so are `8.00` and `8:00`, `two weeks` and `2 weeks`."""
    lower = written.lower().strip()
    if kind in ("link", "email", "address"):
        return f"{kind}:{''.join(lower.split()).rstrip('.,;/')}"
    if kind == "phone":
        return "phone:" + re.sub(r"\D", "", lower)
    if kind == "date":
        return "date:" + _same_date(lower)
    if kind == "time":
        return "time:" + "-".join(_clock(part) for part in re.findall(r"\d{1,2}(?:[:.h]\d\d)?", lower)) + _half(lower)
    numbers = "-".join(_plain_number(part) for part in re.findall(_NUMBER, lower)) or _spoken(lower)
    return f"{kind}:{numbers}{_unit(kind, lower)}"


def _unit(kind: ValueKind, lower: str) -> str:
    if kind not in ("duration", "measure"):
        return ""
    return next((f":{name}" for name, pattern in _units(kind) if pattern.search(lower)), "")


@cache
def _units(kind: ValueKind) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"(?<![^\W\d])(?:{_any(words)})$")) for name, words in _raw()[f"{kind}s"].items())


def _half(lower: str) -> str:
    return "pm" if re.search(r"\bp\.?m", lower) else ""


def _spoken(lower: str) -> str:
    words = [
        str(number_words()[word]) for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)?", lower) if word in number_words()
    ]
    return "-".join(words) or " ".join(lower.split())


def _clock(part: str) -> str:
    hour, _, minute = part.replace(".", ":").replace("h", ":").partition(":")
    return f"{int(hour):02d}:{minute or '00'}"


def _plain_number(part: str) -> str:
    """Thousands and decimals told apart by the last mark: two digits after it are cents."""
    bare = re.sub(r"[ ’'\u00a0\u202f]", "", part)
    head, mark, tail = bare.rpartition("," if bare.rfind(",") > bare.rfind(".") else ".")
    if mark and len(tail) == 3 and len(head.replace(".", "").replace(",", "")) <= 3:
        return (head + tail).replace(".", "").replace(",", "")
    whole = (head if mark else bare).replace(".", "").replace(",", "")
    cents = tail.rstrip("0") if mark else ""
    return f"{int(whole or 0)}.{cents}" if cents else str(int(whole or 0))


def _same_date(lower: str) -> str:
    parts = [str(months()[fold(word)]) + "m" for word in re.findall(r"[^\W\d_]{3,}", lower) if fold(word) in months()]
    digits = [str(int(number)) for number in re.findall(r"\d+", lower)]
    if not parts and len(digits) == 3 and len(digits[2]) != 4 and len(digits[0]) != 4:
        digits[2] = f"20{digits[2]}"
    return "-".join(sorted(parts) + sorted(digits, key=int))


def value_kinds(text: str) -> frozenset[ValueKind]:
    return frozenset(each.kind for each in find_values(text))
