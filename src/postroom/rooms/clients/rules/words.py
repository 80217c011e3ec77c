"""Words of mails and of the book, brought to one spelling: names as phrases, codes, and what a subject is about."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources

LONGEST_PHRASE = 5  # words
LONGEST_TEXT = 6_000  # characters looked at; who it is about is said early
MOST_PHRASES = 500
MOST_CODES = 120
_WORD = re.compile(r"[^\W_]+(?:['’&.][^\W_]+)*|&")
_CODE = re.compile(r"(?<![\w@])#?[^\W_]{1,24}(?:[-_/.:][^\W_]{1,24}){0,5}(?![\w@])")
_TAG = re.compile(r"\[[^\]]{0,60}\]|\(\s*#?[\w-]*\d[\w-]*\s*\)")
_MARKED = re.compile(r"(?<!\w)(?:#\w+|(?=[\w/.-]{0,60}\d)(?=[\w/.-]{0,60}[^\W\d_])[^\W_]+(?:[-_/.][^\W_]+)++)(?!\w)")


@cache
def _lists() -> Mapping[str, frozenset[str]]:
    text = resources.files(__package__).joinpath("words.toml").read_text("utf-8")
    return {name: frozenset(found) for name, found in tomllib.loads(text).items()}


def any_of(name: str) -> str:
    """A list of words as a pattern, the longest first."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(_lists()[name], key=len, reverse=True)) + ")"


@cache
def _prefix() -> re.Pattern[str]:
    counted = r"(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?"
    return re.compile(rf"^\s*(?:{any_of('prefixes')}\s*{counted}\s*[:：]\s*)+", re.IGNORECASE)


@lru_cache(50_000)
def spelled(word: str) -> str:
    """One spelling for a word: no accents, no case, nothing but letters and digits."""
    plain = unicodedata.normalize("NFKD", word.casefold().replace("ß", "ss").replace("&", "and"))
    return "".join(char for char in plain if char.isalnum())


def words_of(text: str) -> list[str]:
    """In one spelling."""
    return [word for match in _WORD.finditer(text) if (word := spelled(match[0]))]


def phrase(name: str) -> str:
    return " ".join(words_of(name.replace(".", "")))


def phrases_of_name(name: str) -> list[str]:
    """A name as it may be written: in full, and without its legal form."""
    words = words_of(name.replace(".", "").replace("/", ""))
    short = list(words)
    while len(short) > 1 and short[-1] in _lists()["legal_forms"]:
        short.pop()
    while len(short) > 1 and short[0] in _lists()["leading"]:
        short.pop(0)
    if len(short) == 1 and short[0] in _lists()["too_little"]:
        short = words
    found = [" ".join(each) for each in (words, short) if each]
    return [each for each in dict.fromkeys(found) if len(each) > 2]


def phrases_in(text: str, *, capital: bool) -> Iterator[str]:
    """Runs of words that might be a name; with `capital` only those that begin like one."""
    found = _words_as_written(text)
    for at, (said, _) in enumerate(found):
        if capital and not _begins_a_name(said):
            continue
        for length in range(1, min(LONGEST_PHRASE, len(found) - at) + 1):
            joined = " ".join(plain for _, plain in found[at : at + length])
            if len(joined) > 2:
                yield joined


def names_in(text: str, names: Collection[str], *, capital: bool) -> set[str]:
    """Those of the names that stand in a text. Where one is part of a longer one, the longer one is meant."""
    found, at, kept = _words_as_written(text), 0, set[str]()
    while at < len(found):
        length = 0
        if not capital or _begins_a_name(found[at][0]):
            runs = {n: " ".join(plain for _, plain in found[at : at + n]) for n in range(1, LONGEST_PHRASE + 1)}
            length = max((n for n, run in runs.items() if run in names), default=0)
            kept |= {runs[length]} if length else set()
        at += length or 1
    return kept


def _words_as_written(text: str) -> list[tuple[str, str]]:
    """Each with its one spelling."""
    found = [(match[0], spelled(match[0])) for match in _WORD.finditer(text[:LONGEST_TEXT].replace(".", ""))]
    return [(said, plain) for said, plain in found if plain]


def _begins_a_name(said: str) -> bool:
    return said[0].isupper() or said[0].isdigit()


def code_key(code: str) -> str:
    """Codes are compared in capitals."""
    return code.strip().strip("#").upper()


def codes_in(text: str) -> Iterator[str]:
    """What might be a code: something with a digit in it, in capitals, or set in brackets."""
    text = text[:LONGEST_TEXT]
    bracketed = {match[0].strip("[]()#: ").upper() for match in re.finditer(r"\[[^\]]{2,60}\]", text)}
    yield from bracketed
    for match in _CODE.finditer(text):
        said = match[0].strip(".:/-_")
        if any(char.isdigit() for char in said) or said.startswith("#") or (len(said) > 2 and said.isupper()):
            yield from _with_shorter(code_key(said))


def _with_shorter(code: str) -> Iterator[str]:
    """`ACME-1042-2` may be the second part of `ACME-1042`."""
    yield code
    while (cut := max(code.rfind(mark) for mark in "-_/.:")) > 2:
        code = code[:cut]
        yield code


def is_marked(code: str, text: str) -> bool:
    """Whether a code stands there as a code: with a digit, or in brackets, and not as a mere word."""
    return any(char.isdigit() for char in code) or f"[{code}]" in text.upper() or f"#{code}" in text.upper()


def first_of(found: Iterable[str], most: int) -> list[str]:
    """In order, each once, so many at most."""
    kept: dict[str, None] = {}
    for each in found:
        if len(kept) >= most:
            break
        kept.setdefault(each)
    return list(kept)


def bare_subject(subject: str, codes: Iterable[str] = ()) -> str:
    """What a subject is about: prefixes and codes aside."""
    text = subject
    while (shorter := _prefix().sub("", _TAG.sub(" ", text))) != text:
        text = shorter
    text = _MARKED.sub(" ", text)
    for code in codes:
        text = re.sub(rf"(?<!\w){re.escape(code)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(words_of(text))
