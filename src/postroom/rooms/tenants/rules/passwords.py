"""Which passwords will not do: short ones, those that everybody tries first, and one's own name."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from importlib import resources

SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 200
FEWEST_DIFFERENT = 5  # characters
FEWEST_OWN = 5  # characters that must be left besides what others know or try first
SHORTEST_NAME = 3
_LOOK_ALIKES = str.maketrans("013457@$!|", "oieastasil")
_KEYS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertz",
    "yxcvbnm",
    "azerty",
)
_RUNS = tuple(
    run[at : at + size]
    for keys in _KEYS
    for run in (keys, keys[::-1])
    for size in range(len(run), 3, -1)
    for at in range(len(run) - size + 1)
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SAME = re.compile(r"(.)\1+")
_PATTERN = re.compile(r"(.{1,6}?)\1{2,}.{0,5}", re.DOTALL)


def objection_to_password(password: str, *known: str) -> str | None:
    """What is wrong with it; None when nothing is. `known` is what others know: address, name, tenant."""
    if len(password) < SHORTEST_PASSWORD:
        return f"Use at least {SHORTEST_PASSWORD} characters."
    if len(password) > LONGEST_PASSWORD:
        return f"Use at most {LONGEST_PASSWORD} characters."
    if len(set(password)) < FEWEST_DIFFERENT or _PATTERN.fullmatch(password):
        return "Use more than a few different characters."
    if password.isdecimal():
        return "Use more than digits."
    text, names = password.lower(), _names(known)
    if any(name in text for name in names) and _own(text, [*names, *common_words()]) < FEWEST_OWN:
        return "It is made of your own name or address. Use something that others cannot know."
    if min(_own(text, common_words()), _own(text.translate(_LOOK_ALIKES), common_words())) < FEWEST_OWN:
        return "It is made of words and numbers that everybody tries first. Use several unrelated words."
    return None


def _names(known: Iterable[str]) -> list[str]:
    parts = (part for each in known for part in re.split(r"[^a-z0-9]+", each.lower()))
    return [part for part in parts if len(part) >= SHORTEST_NAME]


def _own(text: str, words: Iterable[str]) -> int:
    """How many characters are left without these words, runs on the keyboard, years and repetitions."""
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, "")
    for run in _RUNS:
        text = text.replace(run, "")
    return len(_SAME.sub(r"\1", _YEAR.sub("", text)))


@functools.cache
def common_words() -> tuple[str, ...]:
    raw = tomllib.loads(resources.files(__package__).joinpath("common_passwords.toml").read_text("utf-8"))
    return tuple(word for words in raw.values() for word in words)
