"""Every value, name of a policy and promise of a draft: traced to the evidence or the thread, or blocked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from itertools import product
from typing import Any

from postroom.mail.sentences import tokens
from postroom.rooms.replies.rules.marks import Pattern, fitting, pattern_of, speaks_to_machines
from postroom.rooms.replies.rules.reserved import reserved
from postroom.rooms.replies.rules.values import FoundValue, find_values

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a paper, letter by letter, white space aside; from and until when they hold, if the paper says so."""

    source: str
    quote: str
    valid_from: date | None = None
    valid_until: date | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """What a draft states, and what it stands on."""

    statement: str
    evidence: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Blocked:
    """What a draft may not state, and why."""

    statement: str
    because: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A text statement by statement: what stands, on what, and what does not."""

    kept: tuple[str, ...]
    claims: tuple[Claim, ...]
    blocked: tuple[Blocked, ...]


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/forbidden.toml").read_text("utf-8"))


@cache
def _forbidden() -> dict[str, list[tuple[Pattern, str]]]:
    """By the first letters of their first word."""
    found: dict[str, list[tuple[Pattern, str]]] = {}
    for topic in _raw()["topics"].values():
        for pattern in (pattern_of(each) for phrase in topic["phrases"] for each in _written_out(phrase)):
            if pattern:
                found.setdefault(pattern[0][:2], []).append((pattern, topic["because"]))
    return found


def _written_out(phrase: str) -> list[str]:
    """ "we (give|offer) you" as "we give you" and "we offer you"."""
    parts = re.split(r"\(([^)]*)\)", phrase)
    choices = [part.split("|") if number % 2 else [part] for number, part in enumerate(parts)]
    return ["".join(each) for each in product(*choices)]


@cache
def _negations() -> frozenset[str]:
    return frozenset(word for each in _raw()["negations"] for word in tokens(each))


def forbidden(statement: str) -> str | None:
    """Why nobody but a person may say this; in any language, since drafts mix them."""
    if speaks_to_machines(statement):
        return "It speaks to a machine, not to a person."
    said, known = tokens(statement), _forbidden()
    for at, word in enumerate(said):
        for pattern, because in known.get(word[:2], ()):
            end = fitting(said, at, pattern)
            if end is not None and not (_negations() - {*pattern}).intersection(said[at : end + 1]):
                return because
    rule = reserved(statement)
    return None if rule is None else rule.because


@cache
def _policy_names() -> re.Pattern[str]:
    endings = "|".join(re.escape(each) for each in sorted(_raw()["policies"]["endings"], key=len, reverse=True))
    return re.compile(
        rf"(?<!\w)(?:[A-ZÄÖÜÉÅÆØŁŚŻ][\w'’-]+\s+){{1,4}}(?i:{endings})(?!\w)|(?<!\w)[A-ZÄÖÜ][\w-]{{3,}}(?:{endings})(?!\w)|§+\s?\d+\w?(?:\s+[A-ZÄÖÜ]\w+)?"
    )


def policy_names(statement: str) -> list[str]:
    """ "Comfort Guarantee", "Kulanzregelung", "§ 536 BGB": names that must not be invented. Case counts."""
    return [match[0] for match in _policy_names().finditer(statement)]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a draft may stand on: quotes of papers, and what was said in the thread."""

    quotes: tuple[Quote, ...]
    thread: str = ""

    def traced(self, value: FoundValue) -> bool:
        return any(value.same in _sames(quote.quote) for quote in self.quotes) or value.same in _sames(self.thread)

    def holds(self, value: FoundValue) -> bool:
        return self.traced(value) or _parts_traced(value, self)

    def named(self, name: str) -> bool:
        held = squeezed(name)
        return any(held in squeezed(quote.quote) for quote in self.quotes) or held in squeezed(self.thread)

    def supporting(self, statement: str) -> tuple[Quote, ...]:
        """The quotes that hold the statement's values; else those that share most of its words."""
        values = {each.same for each in find_values(statement)}
        holding = tuple(quote for quote in self.quotes if values & _sames(quote.quote)) if values else ()
        return holding or self._alike(statement)

    def _alike(self, statement: str) -> tuple[Quote, ...]:
        said = set(_WORD.findall(statement.lower()))
        shares = [
            (len(said & set(_WORD.findall(quote.quote.lower()))) / max(1, len(said)), quote) for quote in self.quotes
        ]
        best = max(shares, key=lambda each: each[0], default=(0.0, None))
        return (best[1],) if best[1] is not None and best[0] >= 0.6 else ()


@cache
def _sames_of(text: str) -> frozenset[str]:
    """A range is also its ends: "from 8:00 to 22:00" holds 22:00."""
    found: set[str] = set()
    for each in find_values(text):
        found.add(each.same)
        kind, _, rest = each.same.partition(":")
        if kind == "time" and "-" in rest:
            found |= {f"time:{part}" for part in rest.split("-")}
    return frozenset(found)


def _sames(text: str) -> frozenset[str]:
    return _sames_of(text)


def untraced(statement: str, grounds: Grounds) -> str | None:
    """The first value or name that stands nowhere, as a sentence."""
    for value in find_values(statement):
        if not grounds.holds(value):
            return f"“{value.text.strip()}” stands neither in the evidence nor in the thread."
    for name in policy_names(statement):
        if not grounds.named(name):
            return f"“{name}” is named neither in the evidence nor in the thread."
    return None


def _parts_traced(value: FoundValue, grounds: Grounds) -> bool:
    """A range or a number that is written apart in the evidence: each end must stand there with the same kind."""
    kind, _, rest = value.same.partition(":")
    if kind == "number":
        held = [*(quote.quote for quote in grounds.quotes), grounds.thread]
        return any(re.search(rf"(?<![\d.,]){re.escape(value.text)}(?![\d]|[.,]\d)", text) for text in held)
    ends = rest.split("-")
    if kind != "time" or len(ends) < 2:
        return False
    every = frozenset[str]().union(*(_sames(quote.quote) for quote in grounds.quotes), _sames(grounds.thread))
    return all(f"time:{end}" in every for end in ends)


def check_statements(statements: Iterable[str], grounds: Grounds, *, must_stand: bool) -> Checked:
    """Statement by statement. With `must_stand` one without any support is blocked too, values or not."""
    kept: list[str] = []
    claims: list[Claim] = []
    blocked: list[Blocked] = []
    for statement in statements:
        why = forbidden(statement) or untraced(statement, grounds)
        support = grounds.supporting(statement)
        if why is None and must_stand and not support:
            why = "Nothing in the evidence says so."
        if why is not None:
            blocked.append(Blocked(statement, why))
            continue
        kept.append(statement)
        if support:
            claims.append(Claim(statement, support))
    return Checked(tuple(kept), tuple(claims), tuple(blocked))


def quotes_of(lines: Sequence[tuple[str, str]]) -> tuple[Quote, ...]:
    return tuple(dict.fromkeys(Quote(source, " ".join(raw.split())) for source, raw in lines))
