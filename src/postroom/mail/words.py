"""The word lists of this folder, compiled once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from postroom.nouns.pipelines import PIPELINES


@cache
def _lists() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text("utf-8"))


def any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) + ")"


@cache
def words(section: str, name: str) -> re.Pattern[str]:
    """A list as one pattern, whole words, either case."""
    return re.compile(rf"(?<!\w){any_of(_lists()[section][name])}(?!\w)", re.IGNORECASE)


@cache
def pipeline_words(pipelines: tuple[str, ...]) -> re.Pattern[str]:
    """By which words a mail for one of these is known."""
    lists = _lists()["pipelines"]
    chosen = {word for name in PIPELINES if name in pipelines for word in lists[name]}
    return re.compile(rf"(?<!\w){any_of(chosen)}" if chosen else r"(?!)", re.IGNORECASE)
