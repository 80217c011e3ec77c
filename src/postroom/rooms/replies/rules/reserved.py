"""What is reserved to people, found by families of words that stand close together: who does what to whom."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from postroom.mail.language import LANGUAGES, Language
from postroom.mail.sentences import fold, tokens

REACH = 14  # words in which all families of a rule must stand; longer ones tie together what belongs to two sentences
MOST_WORDS = 400  # of a statement that are looked at
_CLAUSE_ENDS = re.compile(r"[,;:.!?…–—()|]+(?=\s|$)|\s-\s")
_EXCUSED_BY: Mapping[str, tuple[str, ...]] = {
    "plain": ("if", "term", "not"),
    "firm": ("if", "not"),
    "always": ("not",),
    "denied": ("if", "term"),
    "any": (),
    "vows": ("not",),
}
BESIDE = 2  # words: so near a denial is one of a vow, not of what is vowed


@dataclass(frozen=True, slots=True)
class ReservedRule:
    """Families that stand together, and what makes the sentence another one: a condition, a denial."""

    topic: str
    because: str
    families: frozenset[str]
    excuses: frozenset[str]
    vow: bool  # denied only by what stands right beside it: "I promise that it will not happen again" is one


@dataclass(frozen=True, slots=True)
class _FoundFamily:
    place: int
    end: int
    clause: int
    family: str


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/reserved.toml").read_text("utf-8"))


@cache
def _rules() -> tuple[ReservedRule, ...]:
    made = []
    for topic, said in _raw()["topics"].items():
        harmless = frozenset(said.get("excuses", "").split())
        for kind, excuses in _EXCUSED_BY.items():
            for families in said.get(kind, ()):
                wanted = frozenset(families.split())
                made.append(ReservedRule(topic, said["because"], wanted, harmless | {*excuses}, kind == "vows"))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class _FamilyIndex:
    """Whole words, stems by their first two letters, parts of compounds, and phrases by their first word."""

    words: Mapping[str, list[tuple[Language, str]]]
    stems: Mapping[str, list[tuple[str, Language, str]]]
    parts: Sequence[tuple[str, Language, str]]
    phrases: Mapping[str, list[tuple[tuple[str, ...], Language, str]]]


@cache
def _vocabulary() -> _FamilyIndex:
    words: dict[str, list[tuple[Language, str]]] = {}
    stems: dict[str, list[tuple[str, Language, str]]] = {}
    parts: list[tuple[str, Language, str]] = []
    phrases: dict[str, list[tuple[tuple[str, ...], Language, str]]] = {}
    for language in LANGUAGES:
        for family, listed in _raw()[language].items():
            for entry in listed.split():
                if "_" in entry:
                    said = tuple(_form(each) for each in entry.split("_"))
                    phrases.setdefault(said[0].rstrip("*")[:2], []).append((said, language, family))
                elif entry.startswith("*"):
                    parts.append((fold(entry.strip("*")), language, family))
                elif entry.endswith("*"):
                    stem = fold(entry[:-1])
                    stems.setdefault(stem[:2], []).append((stem, language, family))
                else:
                    words.setdefault(fold(entry), []).append((language, family))
    return _FamilyIndex(words, stems, parts, phrases)


def _form(word: str) -> str:
    return fold(word.rstrip("*")) + ("*" if word.endswith("*") else "")


def _fits(word: str, form: str) -> bool:
    return word.startswith(form[:-1]) if form.endswith("*") else word == form


@lru_cache(16384)
def _families_of(word: str) -> tuple[tuple[Language, str], ...]:
    known = _vocabulary()
    found = list(known.words.get(word, ()))
    found += [(language, family) for stem, language, family in known.stems.get(word[:2], ()) if word.startswith(stem)]
    found += [(language, family) for part, language, family in known.parts if part in word]
    return tuple(dict.fromkeys(found))


def _hits(statement: str) -> dict[Language, list[_FoundFamily]]:
    """In their order, each with its clause."""
    found: dict[Language, list[_FoundFamily]] = {}
    place = 0
    said: list[str] = []
    clauses: list[int] = []
    for number, clause in enumerate(_CLAUSE_ENDS.split(statement)):
        words = tokens(clause)
        said += words
        clauses += [number] * len(words)
    said = said[:MOST_WORDS]
    for place, word in enumerate(said):
        for language, family in _families_of(word):
            found.setdefault(language, []).append(_FoundFamily(place, place, clauses[place], family))
        for phrase, language, family in _vocabulary().phrases.get(word[:2], ()):
            rest = said[place : place + len(phrase)]
            if len(rest) == len(phrase) and all(map(_fits, rest, phrase)):
                found.setdefault(language, []).append(
                    _FoundFamily(place, place + len(phrase) - 1, clauses[place], family)
                )
    return found


def _broken(statement: str, *, in_spite: bool = False) -> Iterator[ReservedRule]:
    for hits in _hits(statement).values():
        present = frozenset(hit.family for hit in hits)
        for rule in _rules():
            if rule.families <= present and _breaks(rule, hits, frozenset() if in_spite else rule.excuses & present):
                yield rule


def reserved(statement: str) -> ReservedRule | None:
    """The first rule that the statement breaks, in whatever language."""
    return next(_broken(statement), None)


def reserved_topics(statement: str) -> frozenset[str]:
    """What it is about of all that is reserved, conditions and denials aside."""
    return frozenset(rule.topic for rule in _broken(statement, in_spite=True))


def families_in(text: str, language: Language) -> frozenset[str]:
    return frozenset(hit.family for hit in _hits(text).get(language, ()))


def topics_told(line: str, language: Language) -> frozenset[str]:
    """What a line of a paper speaks of, so that a model's words may: a refund under its conditions, a discount."""
    spoken = families_in(line, language)
    topics = _raw()["topics"].items()
    named = {topic for topic, said in topics if not spoken.isdisjoint(said.get("told_by", "").split())}
    return reserved_topics(line) | named


def _breaks(rule: ReservedRule, hits: Sequence[_FoundFamily], excuses: frozenset[str]) -> bool:
    if excuses - {"not"}:
        return False
    denials = [hit for hit in hits if hit.family == "not"] if "not" in excuses else []
    ours = [
        hit
        for hit in hits
        if hit.family in rule.families and not any(_denies(denial, hit, beside=rule.vow) for denial in denials)
    ]
    for number, first in enumerate(ours):
        near = {hit.family for hit in ours[number:] if hit.place - first.place < REACH}
        if rule.families <= near:
            return True
    return False


def _denies(denial: _FoundFamily, hit: _FoundFamily, *, beside: bool) -> bool:
    near = not beside or hit.place - BESIDE <= denial.place <= hit.end + BESIDE
    return denial.clause == hit.clause and near
