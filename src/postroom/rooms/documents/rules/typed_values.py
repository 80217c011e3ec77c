"""Values of entries by the name of their field: days, numbers and texts, whatever kind an entry is of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from postroom.nouns.documents import Value

TEXTS = frozenset({"direction", "isin", "ticker", "name", "currency"})


def is_day(name: str) -> bool:
    return name.endswith("_date")


def is_number(name: str) -> bool:
    return not is_day(name) and name not in TEXTS


def typed_values(texts: Mapping[str, str | None]) -> dict[str, Value | None]:
    """As they were before they were kept as text."""
    return {name: None if text is None else _typed(name, text) for name, text in texts.items()}


def _typed(name: str, text: str) -> Value:
    if is_day(name):
        return date.fromisoformat(text)
    return Decimal(text) if is_number(name) else text
