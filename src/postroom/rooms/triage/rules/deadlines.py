"""The day by which a mail wants something, counted from the day it was sent: "by Friday", "bis 12.3."."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib import resources

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence, fold, sentences
from postroom.nouns.conversations import Turn
from postroom.reading.page.dates import MONTHS
from postroom.rooms.triage.rules.concepts import lexicon
from postroom.rooms.triage.rules.verdicts import languages_of, words_that_count
from postroom.rooms.triage.rules.vocabulary import ORDER

ASKING = frozenset({"ask_for_action", "request", "question", "haste"})  # concepts of a sentence that wants something
_REACH = 4  # words between "by" and the day: "by the end of Friday"
_ENDINGS = ("st", "nd", "rd", "th", "er", "e", "o")  # the 12th, le 1er, de 12e
_LATER = frozenset({"after", "apres", "pasado", "depois"})  # before "tomorrow"
_PAST = timedelta(days=60)  # a date without a year that is longer ago than this is next year's


@dataclass(frozen=True, slots=True)
class _DeadlineWords:
    before: frozenset[str]
    days: tuple[str, ...]
    near: tuple[frozenset[str], ...]  # today, tomorrow, the day after


def deadline(mail: Turn) -> date | None:
    """The first day that a sentence which asks for something names as its last; None if no day is named."""
    if mail.sent_at is None:
        return None
    languages = languages_of(words_that_count(mail))
    found = [
        day for each in sentences(mail.own_text) if asks(each, languages)
        for day in _named(each, languages, mail.sent_at.date())
    ]  # fmt: skip
    return min(found, default=None)


def asks(sentence: Sentence, languages: Iterable[Language]) -> bool:
    hits = lexicon(*sorted({*languages, "en"})).hits(sentence)
    return "?" in sentence.text or any(hit.concept in ASKING and not hit.negated for hit in hits)


def _named(sentence: Sentence, languages: Iterable[Language], sent: date) -> Iterator[date]:
    for words in (_words()[language] for language in languages):
        for at, token in enumerate(sentence.tokens):
            if token in words.before:
                day = _first_day(sentence, range(at + 1, min(at + 2 + _REACH, len(sentence.tokens))), words, sent)
                if day is not None:
                    yield day


def _first_day(sentence: Sentence, places: range, words: _DeadlineWords, sent: date) -> date | None:
    for at in places:
        token = sentence.tokens[at]
        for days, names in enumerate(words.near):
            if token in names:
                return sent + timedelta(days=days + (not _LATER.isdisjoint(sentence.tokens[at - 2 : at])))
        for weekday, name in enumerate(words.days):
            if token.startswith(name):
                return sent + timedelta(days=(weekday - sent.weekday()) % 7)
        if (day := _day_of_month(token)) is not None:
            return _calendar_day(sentence, at, day, sent)
    return None


def _day_of_month(token: str) -> int | None:
    number = next((token.removesuffix(end) for end in _ENDINGS if token.endswith(end)), token)
    return int(number) if number.isdecimal() and len(number) <= 2 and 1 <= int(number) <= 31 else None


def _calendar_day(sentence: Sentence, at: int, day: int, sent: date) -> date | None:
    """A number alone is a day only if it is written like one ("the 12th", "den 12."): it may be an hour or a price."""
    month = _month_after(sentence, at) or (_month_before(sentence, at) if at else None)
    if month is not None:
        return _next(day, month, sent)
    written = sentence.text[slice(*sentence.spans[at])]
    after = sentence.text[sentence.spans[at][1] :][:2]
    if written.isdecimal() and not (after[:1] == "." and not after[1:].isdecimal()):
        return None
    this = _next(day, sent.month, sent)
    if this is not None and this >= sent:
        return this
    return _next(day, sent.month % 12 + 1, sent)


def _month_after(sentence: Sentence, at: int) -> int | None:
    for place in range(at + 1, min(at + 3, len(sentence.tokens))):  # "4 de mayo", "4th of May"
        token = sentence.tokens[place]
        if token in _MONTHS:
            return _MONTHS[token]
        if token.isdecimal() and place == at + 1:
            between = sentence.text[sentence.spans[at][1] : sentence.spans[place][0]].strip()
            return int(token) if between in {".", "/", "-"} and 1 <= int(token) <= 12 else None
    return None


def _month_before(sentence: Sentence, at: int) -> int | None:
    return _MONTHS.get(sentence.tokens[at - 1])


def _next(day: int, month: int, sent: date) -> date | None:
    try:
        found = date(sent.year, month, day)
        return found if found >= sent - _PAST else date(sent.year + 1, month, day)
    except ValueError:  # the 31st of April
        return None


_MONTHS = {fold(name): month for name, month in MONTHS.items() if len(name) > 2}


@cache
def _words() -> dict[Language, _DeadlineWords]:
    told = tomllib.loads(resources.files("postroom.rooms.triage").joinpath("lexicon/deadlines.toml").read_text("utf-8"))
    return {
        language: _DeadlineWords(
            frozenset(told[language]["before"]),
            tuple(told[language]["days"]),
            tuple(map(frozenset, told[language]["near"])),
        )
        for language in ORDER
    }
