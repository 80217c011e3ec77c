"""Which papers may answer: public ones, that hold today, and of two versions the newer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from postroom.mail.sentences import tokens
from postroom.rooms.replies.rules.dating import months
from postroom.rooms.replies.rules.papers import Paper

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
        newer = next((each for each in kept if _replaces(each, paper, words, today)), None)
        if newer is None:
            stays.append(paper)
        else:
            out.append(LeftOut(paper.source, f"{newer.source} is newer."))
    return Shelf(tuple(stays), tuple(out))


def _replaces(newer: Paper, older: Paper, words: dict[str, frozenset[str]], today: date) -> bool:
    """The same title, much of the same text, and both dated. One that does not hold yet replaces none."""
    since = _takes_over(newer, older)
    return since is not None and since <= today and _alike(newer, older, words[newer.source], words[older.source])


def replaced_from(newer: Paper, older: Paper) -> date | None:
    """From when on a paper takes the place of another; None: never."""
    since = _takes_over(newer, older)
    return since if since is not None and _alike(newer, older, _words(newer), _words(older)) else None


def _takes_over(newer: Paper, older: Paper) -> date | None:
    if newer is older or newer.dated is None or older.dated is None or newer.dated <= older.dated:
        return None
    return min(newer.dated, newer.validity.valid_from or newer.dated)


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
