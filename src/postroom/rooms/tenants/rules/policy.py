"""What a tenant may decide for itself: when a reading is booked unseen, and how long things are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from postroom.nouns.errors import BadRequest
from postroom.nouns.retention import KEPT, UNLESS_SAID, Retention, bounds_of


@dataclass(frozen=True, slots=True)
class Policy:
    """How sure a reading must be to be booked unseen, and whether every trade needs an order."""

    sure_enough: float = 0.0  # 0: the calibrated gate alone decides
    require_order: bool | None = None  # None: as soon as the tenant keeps orders

    def as_json(self) -> dict[str, Any]:
        wishes: dict[str, Any] = {"sure_enough": self.sure_enough}
        return {"documents": wishes if self.require_order is None else {**wishes, "require_order": self.require_order}}

    def told(self) -> dict[str, float | bool | None]:
        return {"sure_enough": self.sure_enough, "require_order": self.require_order}


def policy_of(held: Mapping[str, Any]) -> Policy:
    wishes = held.get("documents") or {}
    return Policy(float(wishes.get("sure_enough", 0.0)), wishes.get("require_order"))


def clean_policy(sure_enough: str, require_order: str) -> Policy:
    """As a person writes it: percent or a fraction; yes, no, or auto."""
    try:
        number = float(sure_enough.strip().removesuffix("%").replace(",", ".") or 0)
    except ValueError:
        raise BadRequest(f"{sure_enough!r} is not a percentage: write a number from 0 to 100.") from None
    if not 0 <= number <= 100:
        raise BadRequest("How sure a reading must be is a number from 0 to 100 percent.")
    choices: dict[str, bool | None] = {"auto": None, "yes": True, "no": False}
    if require_order not in choices:
        raise BadRequest(f"{require_order!r} is no choice: say auto, yes or no.")
    return Policy(round(number / 100, 4), choices[require_order])


def check_retention(wanted: Retention) -> Retention:
    for kind in KEPT:
        days, (least, most) = wanted.days(kind), bounds_of(kind)
        if days is not None and not least <= days <= most:
            bounds = f"{least} to {most:,} days" + ("" if kind in UNLESS_SAID else ", or for ever")
            raise BadRequest(f"{kind.capitalize()} can be kept for {bounds}; {days:,} days is outside.")
    return wanted


def clean_retention(held: Retention, said: Mapping[str, str]) -> Retention:
    """As a person writes it: days, or "keep" (or nothing), which is for ever, of events 30 days.

    Kinds that are not named stay as they are.
    """
    if unknown := sorted(set(said) - set(KEPT)):
        raise BadRequest(f"{unknown[0]!r} is nothing that is kept: say one of {', '.join(KEPT)}.")
    return check_retention(replace(held, **{kind: _days(kind, text) for kind, text in said.items()}))


def _days(kind: str, text: str) -> int | None:
    word = text.strip().lower().removesuffix("days").strip()
    if word in ("", "keep", "for ever", "forever"):
        return None
    if not word.isascii() or not word.isdecimal() or len(word) > 9:
        raise BadRequest(f"{text!r} is no number of days for {kind}: write a whole number, or keep.")
    return int(word)
