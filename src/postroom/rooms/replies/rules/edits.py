"""What a person made of a draft: how far it went from what was proposed, word by word."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from postroom.mail.own_words import own_words
from postroom.mail.replies import split_reply
from postroom.rooms.replies.rules.ownership import without_marker

LONGEST_COMPARED = 600  # words of either text; what lies behind counts by its number alone
_PIECE = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True, slots=True)
class EditedPart:
    """A stretch of words that stayed, went or came."""

    kind: Literal["same", "removed", "added"]
    text: str


def said_by(text: str) -> str:
    """The words of a mail without what is quoted below them, and without our mark."""
    return split_reply(without_marker(text)).new.strip()


def _compared(proposed: str, final: str) -> tuple[str, str]:
    """What is signed counts, as a person may write below it; but not where the mail was kept without it."""
    before, after = said_by(proposed), said_by(final)
    unsigned = own_words(before).text
    return (unsigned if own_words(after).text == after else before), after


def edit_distance(proposed: str, final: str) -> float:
    """Words to add, remove or change, as a share of the longer text: 0 was sent as it stood, 1 has nothing of it."""
    before, after = (each.split() for each in _compared(proposed, final))
    longest = max(len(before), len(after))
    if not longest:
        return 0.0
    surplus = abs(max(0, len(before) - LONGEST_COMPARED) - max(0, len(after) - LONGEST_COMPARED))
    steps = _levenshtein(before[:LONGEST_COMPARED], after[:LONGEST_COMPARED]) + surplus
    return round(min(1.0, steps / longest), 3)


def _levenshtein(before: Sequence[str], after: Sequence[str]) -> int:
    row = list(range(len(after) + 1))
    for at, word in enumerate(before, start=1):
        diagonal, row[0] = row[0], at
        for column, other in enumerate(after, start=1):
            changed = diagonal + (word != other)
            diagonal = row[column]
            row[column] = min(changed, diagonal + 1, row[column - 1] + 1)
    return row[-1]


def edited_parts(proposed: str, final: str) -> list[EditedPart]:
    """Side by side for a reader: what went is shown before what came in its place; a space alone parts nothing."""
    before, after = (_PIECE.findall(each) for each in _compared(proposed, final))
    parts: list[EditedPart] = []
    went = came = ""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        old, new = "".join(before[start:end]), "".join(after[new_start:new_end])
        if kind == "equal" and old.strip():
            parts += [*_changes(went, came), EditedPart("same", old)]
            went = came = ""
        else:
            went, came = went + old, came + new
    return [*parts, *_changes(went, came)]


def _changes(went: str, came: str) -> list[EditedPart]:
    if went == came:
        return [EditedPart("same", went)] if went else []
    removed = [EditedPart("removed", went)] if went else []
    return [*removed, *([EditedPart("added", came)] if came else [])]
