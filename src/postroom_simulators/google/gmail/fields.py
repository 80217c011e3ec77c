"""The `fields` parameter: a partial answer, trimmed as Google trims it."""

from __future__ import annotations

import re
from typing import Any

from postroom_simulators.google import errors

_TOKEN = re.compile(r"[(),/]|[^(),/\s]+")

Mask = dict[str, "Mask"]  # an empty mask keeps everything below it


def parse(text: str) -> Mask:
    """`a,b(c,d/e)` as nested names; nonsense is refused."""
    tokens = _TOKEN.findall(text)
    mask, rest = _names(tokens)
    if rest or not mask:
        raise errors.invalid(f"Invalid field selection {text}")
    return mask


def trim(value: Any, mask: Mask) -> Any:
    if not mask or "*" in mask:
        return value
    if isinstance(value, list):
        return [trim(item, mask) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: trim(value[name], below) for name, below in mask.items() if name in value}


def _names(tokens: list[str]) -> tuple[Mask, list[str]]:
    mask: Mask = {}
    while tokens and tokens[0] not in "(),/":
        name, *tokens = tokens
        below: Mask = {}
        if tokens[:1] == ["/"]:
            below, tokens = _path(tokens[1:])
        elif tokens[:1] == ["("]:
            below, tokens = _names(tokens[1:])
            tokens = _closed(tokens)
        mask[name] = _merged(mask[name], below) if name in mask else below
        if tokens[:1] != [","]:
            break
        tokens = tokens[1:]
    return mask, tokens


def _merged(one: Mask, other: Mask) -> Mask:
    if not one or not other:
        return {}
    both = one | other
    return {name: _merged(one[name], other[name]) if name in one and name in other else both[name] for name in both}


def _path(tokens: list[str]) -> tuple[Mask, list[str]]:
    if not tokens or tokens[0] in "(),/":
        raise errors.invalid("Invalid field selection: a name must follow the slash.")
    name, *rest = tokens
    if rest[:1] == ["/"]:
        below, rest = _path(rest[1:])
        return {name: below}, rest
    if rest[:1] == ["("]:
        below, rest = _names(rest[1:])
        return {name: below}, _closed(rest)
    return {name: {}}, rest


def _closed(tokens: list[str]) -> list[str]:
    if tokens[:1] != [")"]:
        raise errors.invalid("Invalid field selection: a bracket is not closed.")
    return tokens[1:]
