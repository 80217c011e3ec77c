"""What may be sent, as a person writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import time
from decimal import Decimal, InvalidOperation

from postroom.nouns.errors import BadRequest
from postroom.nouns.sending import (
    SECOND_PERSON_RULES,
    SENDING_SWITCHES,
    WEEKDAYS,
    SendingPolicy,
    SendWindow,
    check_sending,
)

NUMBERS = {
    "undo_seconds": "The undo delay",
    "approval_hours": "How long an approval lasts",
    "proposal_days": "How long a proposal waits",
    "per_thread_hour": "The cap per thread",
    "per_mailbox_hour": "The cap per mailbox",
}


def said_sending(
    held: SendingPolicy, said: Mapping[str, str], days: Sequence[str], second_person: Sequence[str]
) -> SendingPolicy:
    """No day chosen: mail may go out at any time."""
    switch = next((each for each in SENDING_SWITCHES if each == said.get("switch", held.switch)), None)
    if switch is None:
        raise BadRequest(f"Sending is off or on, not {said.get('switch')!r}.")
    wanted = replace(
        held,
        switch=switch,
        window=_window(said, days),
        second_person=tuple(rule for rule in SECOND_PERSON_RULES if rule in second_person),
        second_person_amount=_amount(said.get("second_person_amount", "")),
        **{name: _number(label, said[name]) for name, label in NUMBERS.items() if name in said},
    )
    return check_sending(wanted)


def _window(said: Mapping[str, str], days: Sequence[str]) -> SendWindow | None:
    opens_on = tuple(day for day in WEEKDAYS if day in days)
    if not opens_on:
        return None
    opens, closes = (_time(said.get(name, "")) for name in ("opens", "closes"))
    return SendWindow(opens_on, opens, closes, said.get("zone", "").strip() or "UTC")


def _time(text: str) -> time:
    try:
        return time.fromisoformat(text.strip()).replace(tzinfo=None)
    except ValueError:
        raise BadRequest(f"{text!r} is no time of day: write it as 08:00.") from None


def _number(label: str, text: str) -> int:
    word = text.strip()
    if not word.isascii() or not word.isdecimal() or len(word) > 9:
        raise BadRequest(f"{label}: {text!r} is no whole number.")
    return int(word)


def _amount(text: str) -> Decimal | None:
    word = text.strip().replace(" ", "")
    if not word:
        return None
    try:
        return Decimal(word.replace(",", "."))
    except InvalidOperation:
        raise BadRequest(f"{text!r} is no amount: write a number such as 1000, or nothing.") from None
