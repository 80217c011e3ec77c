"""What marks a paper as internal, and a paragraph as spoken to a machine instead of a person."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from postroom.mail.sentences import tokens

LONGEST_MARK_LINE = 90  # letters; a sentence that only speaks of something internal is longer
LONGEST_GAP = 4
TOP_LINES = 8
Pattern = tuple[str, ...]


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/marks.toml").read_text("utf-8"))


def pattern_of(phrase: str) -> Pattern:
    """Words as tokens; `...` stays a gap and `*` marks a stem."""
    parts: list[str] = []
    for part in phrase.split():
        if part == "...":
            parts.append(part)
        else:
            said = tokens(part)
            parts += [*said[:-1], said[-1] + ("*" if part.endswith("*") else "")] if said else []
    return tuple(parts)


def find_pattern(said: Sequence[str], pattern: Pattern) -> tuple[int, int] | None:
    """The first place, as the first and the last token."""
    return next(((at, end) for at in range(len(said)) if (end := _fits(said, at, pattern)) is not None), None)


def _fits(said: Sequence[str], at: int, pattern: Pattern) -> int | None:
    for number, part in enumerate(pattern):
        if part == "...":
            rest = pattern[number + 1 :]
            ends = (_fits(said, at + skipped, rest) for skipped in range(LONGEST_GAP + 1))
            return next((end for end in ends if end is not None), None)
        if at >= len(said) or not (said[at].startswith(part[:-1]) if part.endswith("*") else said[at] == part):
            return None
        at += 1
    return at - 1


@cache
def _machine_patterns() -> dict[str, list[Pattern]]:
    """By their first letters, so that most texts cost nothing."""
    found: dict[str, list[Pattern]] = {}
    for phrase in _raw()["machines"]["phrases"]:
        pattern = pattern_of(phrase)
        found.setdefault(pattern[0][:2], []).append(pattern)
    return found


def speaks_to_machines(text: str) -> bool:
    """An order to whoever answers automatically: no evidence, and no question either."""
    said, known = tokens(text), _machine_patterns()
    return any(_fits(said, at, each) is not None for at, word in enumerate(said) for each in known.get(word[:2], ()))


@cache
def _internal_marks() -> re.Pattern[str]:
    phrases = sorted(_raw()["internal"]["heading"], key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(each) for each in phrases) + r")(?![\w-])", re.IGNORECASE)


def is_internal(path: str, stated: str, top: Iterable[tuple[str, bool]]) -> bool:
    """By folder, by the audience that the file states, by a heading, or by a short line at the top that says so.

    `top` has the first lines, each with whether it is a heading.
    """
    marks = _raw()["internal"]
    folders = {part.lower() for part in PurePosixPath(path).parts[:-1]}
    if folders & set(marks["folders"]) or stated.strip().lower() in marks["fields"]:
        return True
    return any(
        (heading or len(line) <= LONGEST_MARK_LINE) and _internal_marks().search(line)
        for line, heading in list(top)[:TOP_LINES]
    )
