"""Phrases by their words, and what marks a paragraph as spoken to a machine instead of a person."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from postroom.mail.sentences import tokens

LONGEST_GAP = 4
Pattern = tuple[str, ...]


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/marks.toml").read_text("utf-8"))


def mark_words() -> Mapping[str, list[str]]:
    """The words that mark a paper as internal."""
    words: Mapping[str, list[str]] = _raw()["internal"]
    return words


def pattern_of(phrase: str) -> Pattern:
    """Words as tokens; `...` stays a gap, `*` marks a stem and `#` a number."""
    parts: list[str] = []
    for part in phrase.split():
        if part == "...":
            parts.append(part)
        else:
            said = tokens(part) or (("#",) if part == "#" else ())
            parts += [*said[:-1], said[-1] + ("*" if part.endswith("*") else "")] if said else []
    return tuple(parts)


def _is_word(word: str, part: str) -> bool:
    if part == "#":
        return word.isdigit()
    return word.startswith(part[:-1]) if part.endswith("*") else word == part


def fitting(said: Sequence[str], at: int, pattern: Pattern) -> int | None:
    """The last token of a pattern that begins at this one, if it does."""
    for number, part in enumerate(pattern):
        if part == "...":
            rest = pattern[number + 1 :]
            ends = (fitting(said, at + skipped, rest) for skipped in range(LONGEST_GAP + 1))
            return next((end for end in ends if end is not None), None)
        if at >= len(said) or not _is_word(said[at], part):
            return None
        at += 1
    return at - 1


def find_pattern(said: Sequence[str], pattern: Pattern) -> tuple[int, int] | None:
    """The first place, as the first and the last token."""
    return next(((at, end) for at in range(len(said)) if (end := fitting(said, at, pattern)) is not None), None)


@cache
def _machine_patterns() -> dict[str, list[Pattern]]:
    """By their first word, stems by their first letters, so that most texts cost nothing."""
    found: dict[str, list[Pattern]] = {}
    marks = _raw()["machines"]
    spoken_to = [f"{first} {then}" for pair in marks["pairs"] for first in pair["first"] for then in pair["then"]]
    for phrase in (*marks["phrases"], *spoken_to):
        pattern = pattern_of(phrase)
        first = pattern[0]
        found.setdefault(f"{first[:2]}*" if first.endswith("*") else first, []).append(pattern)
    return found


def speaks_to_machines(text: str) -> bool:
    """An order to whoever answers automatically: no evidence, and no question either."""
    said, known = tokens(text), _machine_patterns()
    return any(
        fitting(said, at, each) is not None
        for at, word in enumerate(said)
        for each in (*known.get(word, ()), *known.get(f"{word[:2]}*", ()))
    )
