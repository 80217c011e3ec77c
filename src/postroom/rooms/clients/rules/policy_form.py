"""The mapping policy as a person writes it: shares in percent, whole days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from postroom.nouns.errors import BadRequest

SHARES = {
    "threshold": "How sure is sure enough",
    "multi_account_penalty": "What a contact on several accounts costs",
    "mixed_thread_penalty": "What a thread of several clients costs",
    "subject_penalty": "What another subject costs",
    "stale_penalty": "What an old mapping costs",
}
DAYS = {"staleness_days": "After how many days a mapping is old", "silent_after_days": "When a contact is silent"}


def said_policy(said: Mapping[str, str], left_out: Sequence[str]) -> dict[str, Any]:
    """The values by their names; what a form does not name stays as it is."""
    values: dict[str, Any] = {name: _share(label, said[name]) for name, label in SHARES.items() if name in said}
    values |= {name: _days(label, said[name]) for name, label in DAYS.items() if name in said}
    return {**values, "left_out": [_mailbox(each) for each in left_out]}


def _share(label: str, text: str) -> Decimal:
    try:
        number = Decimal(text.strip().removesuffix("%").strip().replace(",", "."))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or not 0 <= number <= 100:
        raise BadRequest(f"{label}: {text!r} is no percentage; write a number from 0 to 100.")
    return number / 100


def _days(label: str, text: str) -> int:
    word = text.strip()
    if not word.isascii() or not word.isdecimal() or len(word) > 6:
        raise BadRequest(f"{label}: {text!r} is no number of days; write a whole number.")
    return int(word)


def _mailbox(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadRequest(f"{text!r} is no mailbox.") from None
