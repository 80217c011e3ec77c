"""What a tenant decides about sending: whether, when, who else must agree, and how much in an hour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from decimal import Decimal
from functools import cache
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from postroom.nouns.errors import BadRequest

SendingSwitch = Literal["off", "on"]
SENDING_SWITCHES: tuple[SendingSwitch, ...] = get_args(SendingSwitch)
SecondPersonRule = Literal["new_recipient", "outside_domain", "attachment"]
SECOND_PERSON_RULES: tuple[SecondPersonRule, ...] = get_args(SecondPersonRule)
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
_BOUNDS = {  # from, to, and what it is called
    "undo_seconds": (0, 3_600, "The undo delay is a number of seconds"),
    "approval_hours": (1, 720, "An approval lasts a number of hours"),
    "proposal_days": (1, 365, "A proposal waits a number of days"),
    "per_thread_hour": (1, 100, "The cap per thread and hour is a number of mails"),
    "per_mailbox_hour": (1, 10_000, "The cap per mailbox and hour is a number of mails"),
}


@dataclass(frozen=True, slots=True)
class SendWindow:
    """When mail may go out, by the clock of a place. A window that closes before it opens goes over midnight."""

    days: tuple[Weekday, ...] = WEEKDAYS[:5]  # on which it opens
    opens: time = time(8)
    closes: time = time(18)
    zone: str = "UTC"

    def as_json(self) -> dict[str, Any]:
        at = {"opens": self.opens.isoformat("minutes"), "closes": self.closes.isoformat("minutes")}
        return {"days": list(self.days), **at, "zone": self.zone}


@dataclass(frozen=True, slots=True)
class SendingPolicy:
    """Nothing is sent while the switch is off, whatever was approved. The defaults are those of the documents."""

    switch: SendingSwitch = "off"
    undo_seconds: int = 5  # between a person's yes and the send: until then it can be taken back
    approval_hours: int = 72  # then an approval is void
    proposal_days: int = 14  # then a proposal that nobody decided is void
    window: SendWindow | None = None  # none: at any time
    second_person: tuple[SecondPersonRule, ...] = ()
    second_person_amount: Decimal | None = None  # a second person from this amount on, whatever the currency
    per_thread_hour: int = 5
    per_mailbox_hour: int = 100

    def as_json(self) -> dict[str, Any]:
        """As it stands under `sending` in a tenant's policy."""
        amount = self.second_person_amount
        return {
            "switch": self.switch,
            **{name: getattr(self, name) for name in _BOUNDS},
            "window": self.window.as_json() if self.window else None,
            "second_person": list(self.second_person),
            "second_person_amount": None if amount is None else str(amount),
        }


def sending_policy_of(policy: Mapping[str, Any]) -> SendingPolicy:
    """From a tenant's policy."""
    held = policy.get("sending") or {}
    amount = held.get("second_person_amount")
    plain = {name: int(held[name]) for name in _BOUNDS if name in held}
    return SendingPolicy(
        switch="on" if held.get("switch") == "on" else "off",
        window=_window(held["window"]) if held.get("window") else None,
        second_person=tuple(rule for rule in SECOND_PERSON_RULES if rule in held.get("second_person", ())),
        second_person_amount=None if amount is None else Decimal(amount),
        **plain,
    )


def _window(held: Mapping[str, Any]) -> SendWindow:
    opens, closes = (time.fromisoformat(held[name]) for name in ("opens", "closes"))
    return SendWindow(tuple(day for day in WEEKDAYS if day in held["days"]), opens, closes, held["zone"])


def check_sending(wanted: SendingPolicy) -> SendingPolicy:
    """Raises BadRequest with a sentence when it cannot be meant."""
    for name, (least, most, words) in _BOUNDS.items():
        if not least <= getattr(wanted, name) <= most:
            raise BadRequest(f"{words} from {least} to {most:,}; {getattr(wanted, name):,} is outside.")
    amount = wanted.second_person_amount
    if amount is not None and not (amount.is_finite() and amount >= 0):
        raise BadRequest("The amount that wants a second person is a number from 0 on.")
    if wanted.window is not None:
        _check_window(wanted.window)
    return wanted


def _check_window(window: SendWindow) -> None:
    if not window.days:
        raise BadRequest("A send window opens on at least one day of the week.")
    if window.opens == window.closes:
        raise BadRequest("A send window closes at another time than it opens; leave it out to send at any time.")
    zone_of(window.zone)


@cache
def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadRequest(f"{name!r} is no time zone known here: write one such as Europe/Berlin.") from None
