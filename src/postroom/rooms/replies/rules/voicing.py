"""What a tenant decides about its drafts: how sure, in which voice, and from whose answers they may learn."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args
from uuid import UUID

from postroom.mail.language import LANGUAGES, Language
from postroom.nouns.errors import BadRequest
from postroom.rooms.replies.rules.drafting import GAP_OPENS, Voice, phrases
from postroom.rooms.replies.rules.search import TUNING

Formality = Literal["neutral", "formal", "informal"]
FORMALITIES: tuple[Formality, ...] = get_args(Formality)
LOWEST_GATE, HIGHEST_GATE = 0.3, 0.95  # below, most drafts would be wrong; above, hardly anything is drafted
LONGEST_LINE, LONGEST_SIGNATURE = 200, 1_000
MOST_MAILBOXES = 1_000


@dataclass(frozen=True, slots=True)
class ReplyPolicy:
    """Nothing said: the house's gate, the sender's language, and the words of that language."""

    gate: float | None = None
    language: Language | None = None  # in which every reply is written; none: the sender's
    formality: Formality = "neutral"
    thanks: bool = True
    greetings: Mapping[str, str] = field(default_factory=dict)  # by language; {name} is the sender's
    closings: Mapping[str, str] = field(default_factory=dict)
    signature: str = ""
    learn_from: frozenset[UUID] = frozenset()  # mailboxes whose sent answers may answer again

    @property
    def gate_now(self) -> float:
        return TUNING.gate if self.gate is None else self.gate

    def told(self) -> dict[str, Any]:
        return {
            "gate": self.gate,
            "language": self.language,
            "formality": self.formality,
            "thanks": self.thanks,
            "greetings": dict(self.greetings),
            "closings": dict(self.closings),
            "signature": self.signature,
            "learn_from": sorted(str(each) for each in self.learn_from),
        }


@cache
def _manners() -> dict[str, dict[str, dict[str, str]]]:
    text = resources.files("postroom.rooms.replies").joinpath("words/manner.toml").read_text("utf-8")
    return tomllib.loads(text)


def manner(formality: Formality, language: Language) -> Mapping[str, str]:
    """Greeting, thanks and closing, as a tenant finds them before it says anything."""
    return phrases(language) if formality == "neutral" else _manners()[formality][language]


def voice_of(policy: ReplyPolicy, language: Language) -> Voice:
    """The tenant's own words first, then those of its manner."""
    said = manner(policy.formality, language)
    greeting = policy.greetings.get(language) or said["greeting"]
    own_thanks = policy.thanks and policy.formality != "neutral"
    return Voice(
        signature=policy.signature,
        greeting=f"{greeting}\n\n{said['thanks']}" if own_thanks else greeting,
        closing=policy.closings.get(language) or said["closing"],
        thanks=policy.thanks and not own_thanks,
    )


def addressed(policy: ReplyPolicy, name: str) -> str:
    """What the sender is called: by the first name where the house is informal."""
    words = name.split()
    return words[0] if policy.formality == "informal" and words else name


def tone_of(policy: ReplyPolicy) -> str:
    """For a model."""
    return {"neutral": "", "formal": "formal and courteous", "informal": "informal and friendly"}[policy.formality]


def check_policy(wanted: ReplyPolicy) -> ReplyPolicy:
    if wanted.gate is not None and not LOWEST_GATE <= wanted.gate <= HIGHEST_GATE:
        raise BadRequest(f"How likely right evidence has to be lies between {LOWEST_GATE} and {HIGHEST_GATE}.")
    if wanted.language is not None and wanted.language not in LANGUAGES:
        raise BadRequest(f"{wanted.language!r} is no language that drafts are written in: {', '.join(LANGUAGES)}.")
    if wanted.formality not in FORMALITIES:
        raise BadRequest(f"{wanted.formality!r} is no manner of writing: say {', '.join(FORMALITIES)}.")
    if len(wanted.learn_from) > MOST_MAILBOXES:
        raise BadRequest(f"At most {MOST_MAILBOXES:,} mailboxes can be named.")
    signature = "\n".join(line.rstrip() for line in wanted.signature.replace("\r\n", "\n").strip().split("\n"))
    if len(signature) > LONGEST_SIGNATURE or GAP_OPENS in signature:
        raise BadRequest(f"A signature has up to {LONGEST_SIGNATURE:,} letters, and no {GAP_OPENS}.")
    return replace(
        wanted,
        gate=None if wanted.gate is None else round(wanted.gate, 2),
        greetings=_lines("greeting", wanted.greetings, {"name"}),
        closings=_lines("closing", wanted.closings, set()),
        signature=signature,
    )


def _lines(what: str, said: Mapping[str, str], fields: set[str]) -> dict[str, str]:
    kept: dict[str, str] = {}
    for language, text in said.items():
        line = text.replace("\r\n", "\n").strip()
        if not line:
            continue
        if language not in LANGUAGES:
            raise BadRequest(f"{language!r} is no language that drafts are written in: {', '.join(LANGUAGES)}.")
        if len(line) > LONGEST_LINE or GAP_OPENS in line:
            raise BadRequest(f"A {what} has up to {LONGEST_LINE} letters, and no {GAP_OPENS}.")
        if not _fields(line) <= fields:
            allowed = "{name} is the only part that is filled in" if fields else "nothing is filled in here"
            raise BadRequest(f"The {what} {line!r} has a brace too many: {allowed}.")
        kept[language] = line
    return kept


def _fields(line: str) -> set[str]:
    """What stands in braces; a brace that opens nothing counts as one of its own."""
    try:
        parsed = list(string.Formatter().parse(line))
    except ValueError:
        return {"{"}
    return {name + (spec or "") + (conversion or "") for _, name, spec, conversion in parsed if name is not None}
