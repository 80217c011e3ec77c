"""A draft and its papers cut into parts for a reader: what stands on evidence, what is open, where a quote stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

_GAP = re.compile(r"\[\[.*?\]\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DraftPart:
    """A stretch of a draft; of a claim its number, from 1."""

    kind: Literal["plain", "claim", "gap"]
    text: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str
    marked: bool = False


def draft_parts(body: str, claims: Sequence[Mapping[str, Any]]) -> list[DraftPart]:
    """In the order of the text, together the whole of it. A claim inside a gap is the gap's."""
    found = [(*match.span(), DraftPart("gap", match[0])) for match in _GAP.finditer(body)]
    for number, claim in enumerate(claims, start=1):
        start, end = _place(body, str(claim["statement"]), [(begin, stop) for begin, stop, _ in found])
        if start < end:
            found.append((start, end, DraftPart("claim", body[start:end], number)))
    parts: list[DraftPart] = []
    at = 0
    for start, end, part in sorted(found, key=lambda each: each[0]):
        if start > at:
            parts.append(DraftPart("plain", body[at:start]))
        parts.append(part)
        at = end
    return [*parts, *([DraftPart("plain", body[at:])] if at < len(body) else [])]


def _place(body: str, statement: str, taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The first place that is free; an empty one when there is none."""
    for start, end in _occurrences(body, statement):
        if not any(start < stop and begin < end for begin, stop in taken):
            return start, end
    return 0, 0


def found_in(text: str, quote: str) -> list[TextPart]:
    """The text with the quote marked where it first stands, white space aside."""
    for start, end in _occurrences(text, quote):
        parts = (TextPart(text[:start]), TextPart(text[start:end], marked=True), TextPart(text[end:]))
        return [each for each in parts if each.text]
    return [TextPart(text)]


def _occurrences(text: str, words: str) -> list[tuple[int, int]]:
    pieces = [re.escape(each) for each in words.split()]
    return [match.span() for match in re.finditer(r"\s+".join(pieces), text)] if pieces else []
