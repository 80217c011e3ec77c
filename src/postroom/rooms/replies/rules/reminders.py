"""Reminders: sentences that only ask for an answer to what was asked before."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from postroom.mail.language import Language
from postroom.mail.sentences import fold, tokens
from postroom.rooms.replies.rules.slots import slots_of
from postroom.rooms.replies.rules.terms import is_small, tokenised


def reminds(sentence: str, language: Language) -> bool:
    marks = _words("marks", language)
    if marks.isdisjoint(tokens(sentence)):
        return False
    slots = [slot for slot in slots_of(sentence, language) if slot.kind == "word"]
    said = {fold(word.bare) for slot in slots for word in tokenised(slot.text) if not is_small(word.bare, language)}
    return said <= marks | _words("beside", language)


@cache
def _words(section: str, language: Language) -> frozenset[str]:
    return frozenset(word for said in _raw()[section][language].split() for word in tokens(said))


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/reminders.toml").read_text("utf-8"))
