"""A model's answer as claims: whatever it says, in whatever wrapping, as far as it has the form that was asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from postroom.nouns.documents import Invoice, Trade

LONGEST = 400_000  # letters
LONGEST_QUOTE = 300
MOST_TRADES = 200
TYPES = ("contract_note", "activity_statement", "invoice", "other")


@dataclass(frozen=True, slots=True)
class ModelClaim:
    """What a model says a field holds, and the words it points at."""

    value: str
    quote: str


Claims = Mapping[str, ModelClaim]


@dataclass(frozen=True, slots=True)
class ModelClaims:
    type: str | None = None
    trades: tuple[Claims, ...] = ()
    invoice: Claims = field(default_factory=dict)


def claimed(text: str) -> ModelClaims | None:
    """The first JSON object in the text; None if there is none."""
    start = text.find("{")
    if start < 0 or len(text) > LONGEST:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    kind = found.get("type")
    trades = found.get("trades")
    entries = trades[:MOST_TRADES] if isinstance(trades, list) else []
    return ModelClaims(
        kind if kind in TYPES else None,
        tuple(claims for one in entries if (claims := _claims(one, Trade.NAMES))),
        _claims(found.get("invoice"), Invoice.NAMES),
    )


def _claims(content: Any, names: tuple[str, ...]) -> dict[str, ModelClaim]:
    if not isinstance(content, dict):
        return {}
    return {name: claim for name in names if (claim := _claim(content.get(name))) is not None}


def _claim(content: Any) -> ModelClaim | None:
    """A bare value is a claim without a quote, which will be dropped and recorded."""
    if isinstance(content, dict):
        value, quote = content.get("value"), content.get("quote")
        if value is None and not isinstance(quote, str):
            return None
        return ModelClaim(_text(value), quote.strip() if isinstance(quote, str) else "")
    return ModelClaim(_text(content), "") if isinstance(content, str | int | float) else None


def _text(value: Any) -> str:
    return str(value).strip()[:LONGEST_QUOTE] if isinstance(value, str | int | float) else ""
