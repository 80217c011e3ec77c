"""Which papers may answer: public ones, that hold today, and of two versions the newer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from postroom.mail.sentences import tokens
from postroom.rooms.replies.rules.dating import months
from postroom.rooms.replies.rules.papers import Paper, held_within

SAME_TITLE = 0.6  # share of the titles' words, years and months aside
OVERLAP = 0.35  # share of the shorter paper's words that the other has too
_VERSION_WORDS = frozenset(
    [
        "version",
        "versie",
        "versione",
        "versión",
        "wersja",
        "stand",
        "fassung",
        "ausgabe",
        "edition",
        "édition",
        "v",
        "of",
        "vom",
        "from",
        "du",
        "del",
        "van",
        "z",
        "den",
        "der",
        "die",
        "das",
        "the",
    ]
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A paper that does not answer, and why."""

    source: str
    because: str


@dataclass(frozen=True, slots=True)
class Shelf:
    papers: tuple[Paper, ...]
    left_out: tuple[LeftOut, ...] = ()


def shelf(papers: Sequence[Paper], today: date) -> Shelf:
    kept: list[Paper] = []
    out: list[LeftOut] = []
    for paper in papers:
        if paper.audience == "internal":
            out.append(LeftOut(paper.source, "It is internal."))
        elif paper.validity.valid_until and paper.validity.valid_until < today:
            out.append(LeftOut(paper.source, f"It held until {paper.validity.valid_until.isoformat()}."))
        else:
            kept.append(paper)
    words = {paper.source: _words(paper) for paper in kept}
    stays: list[Paper] = []
    for paper in kept:
        newer = [(since, each) for each in kept if (since := _replaces(each, paper, words)) is not None]
        since, by = min(newer, key=lambda each: each[0], default=(None, None))
        if since is None or by is None or since > today:
            stays.append(_bounded(paper, today, since))
        else:
            out.append(LeftOut(paper.source, f"{by.source} is newer."))
    return Shelf(tuple(stays), tuple(out))


def _bounded(paper: Paper, today: date, replaced: date | None) -> Paper:
    """What does not hold yet, or not for ever, answers only who asks about a day on which it holds."""
    begins, ends = paper.validity.valid_from, paper.validity.valid_until
    first = begins if begins and begins > today else None
    last = min((each for each in (ends, replaced and replaced - date.resolution) if each), default=None)
    return replace(paper, snippets=tuple(held_within(each, first, last) for each in paper.snippets))


def _replaces(newer: Paper, older: Paper, words: dict[str, frozenset[str]]) -> date | None:
    """From when on: the same title, much of the same text, and both dated."""
    since = _takes_over(newer, older)
    return since if since is not None and _alike(newer, older, words[newer.source], words[older.source]) else None


def replaced_from(newer: Paper, older: Paper) -> date | None:
    """From when on a paper takes the place of another; None: never."""
    return _replaces(newer, older, {each.source: _words(each) for each in (newer, older)})


def _takes_over(newer: Paper, older: Paper) -> date | None:
    if newer is older or newer.dated is None or older.dated is None or newer.dated <= older.dated:
        return None
    return max(newer.dated, newer.validity.valid_from or newer.dated)


def _alike(newer: Paper, older: Paper, new_words: frozenset[str], old_words: frozenset[str]) -> bool:
    return title_agreement(newer.title, older.title) >= SAME_TITLE and _overlap(new_words, old_words) >= OVERLAP


def title_agreement(one: str, other: str) -> float:
    first, second = _title_words(one), _title_words(other)
    return len(first & second) / len(first | second) if first and second else 0.0


def _title_words(title: str) -> frozenset[str]:
    """Without what tells versions apart."""
    return frozenset(
        word
        for word in tokens(title)
        if not re.fullmatch(r"\d+", word) and word not in months() and word not in _VERSION_WORDS
    )


def _words(paper: Paper) -> frozenset[str]:
    return frozenset(
        word for snippet in paper.snippets for line in snippet.lines for word in tokens(line.text) if not word.isdigit()
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))
