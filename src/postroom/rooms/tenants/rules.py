"""Who may do what, what keys, passwords and sessions look like, and what a tenant may decide for itself."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal, get_args

from postroom.nouns.errors import BadRequest, NotAllowed
from postroom.nouns.retention import KEPT, LONGEST, SHORTEST, Retention
from postroom.nouns.secrets import Secret

Role = Literal["viewer", "operator", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
Scope = Literal[
    "mailboxes", "messages", "threads", "documents", "trades", "orders", "invoices", "attempts", "jobs", "facts",
    "metrics", "events", "people", "keys", "settings",
]  # fmt: skip
SCOPES: tuple[Scope, ...] = get_args(Scope)
LONGEST_KEY = 3650
KEY_SHAPE = re.compile(r"^pr_[A-Za-z0-9_-]{43}$")
SHORTEST_PASSWORD = 12


@dataclass(frozen=True, slots=True)
class NewSecret:
    """The only moment at which a key can be seen; we keep its digest."""

    secret: Secret
    digest: bytes


def make_key() -> NewSecret:
    text = f"pr_{secrets.token_urlsafe(32)}"
    return NewSecret(Secret(text), digest_of(text))


def digest_of(key: str) -> bytes:
    """Keys have 256 random bits, so a plain hash cannot be turned around."""
    return hashlib.sha256(key.encode()).digest()


def known_role(text: str) -> Role:
    for role in ROLES:
        if role == text:
            return role
    raise BadRequest(f"{text!r} is not a role; choose one of {', '.join(ROLES)}.")


def known_scopes(names: Sequence[str]) -> list[str]:
    if unknown := [name for name in names if name not in SCOPES]:
        raise BadRequest(f"{', '.join(map(repr, unknown))}: no such scope; choose from {', '.join(SCOPES)}.")
    return list(dict.fromkeys(names))


def at_least(held: Role, wanted: Role) -> bool:
    return ROLES.index(held) >= ROLES.index(wanted)


def require(held: Role, wanted: Role) -> None:
    if not at_least(held, wanted):
        raise NotAllowed(f"This needs the role {wanted}; yours is {held}. Ask an admin of your tenant.")


def require_scope(held: Sequence[str], wanted: Scope) -> None:
    """No scopes: the key is for everything."""
    if held and wanted not in held:
        raise NotAllowed(f"This key is for {', '.join(held)} only; make one with the scope {wanted}.")


def clean_email(text: str) -> str:
    email = text.strip().lower()
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
        raise BadRequest(f"{text!r} is not a mail address.")
    return email


def clean_tenant_name(text: str) -> str:
    name = text.strip().lower()
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", name):
        raise BadRequest(f"{text!r} cannot name a tenant: use up to 63 of a-z, 0-9 and -, such as acme-dealing.")
    return name


def objection_to_password(password: str) -> str | None:
    if len(password) < SHORTEST_PASSWORD:
        return f"Use at least {SHORTEST_PASSWORD} characters."
    if len(set(password)) < 5:
        return "Use more than a few different characters."
    return None


# Coming in.

SESSION_IDLE = timedelta(hours=12)
SESSION_LASTS = timedelta(days=14)
TOUCH_EVERY = timedelta(minutes=5)
LINK_LASTS = timedelta(minutes=15)
TRIES_FORGOTTEN = timedelta(hours=1)
LONGEST_PAUSE = timedelta(minutes=15)
SESSION_SHAPE = re.compile(r"^[A-Za-z0-9_-]{43}$")


@dataclass(frozen=True, slots=True)
class GuessLimit:
    """Something guesses are counted by, and how many are free."""

    key: bytes
    free: int


def counted(email: str, source: str) -> list[GuessLimit]:
    """By account and address together most strictly, so that a stranger cannot lock a person out for long."""
    return [
        GuessLimit(_key("both", email, source), 5),
        GuessLimit(_key("account", email), 20),
        GuessLimit(_key("source", source), 60),
    ]


def _key(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).digest()


def pause_after(tries: int, free: int) -> timedelta | None:
    """Doubling from ten seconds once the free guesses are used up."""
    if tries < free:
        return None
    return min(LONGEST_PAUSE, timedelta(seconds=10 * float(2 ** min(tries - free, 12))))


def make_token() -> NewSecret:
    """What a browser or a link holds: 256 random bits, kept by us only as a digest."""
    text = secrets.token_urlsafe(32)
    return NewSecret(Secret(text), digest_of(text))


def csrf_of(token: str, salt: str = "") -> str:
    """Bound to the session: whoever cannot read the cookie cannot make it. Salted, so that no two pages repeat it."""
    salt = salt or secrets.token_hex(8)
    return f"{salt}.{hmac.new(token.encode(), f'csrf {salt}'.encode(), hashlib.sha256).hexdigest()}"


def csrf_matches(token: str, said: str) -> bool:
    salt = said.partition(".")[0]
    return bool(salt) and hmac.compare_digest(csrf_of(token, salt).encode(), said.encode("utf-8", "replace"))


# What a tenant may decide for itself.


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
        days = wanted.days(kind)
        if days is not None and not SHORTEST <= days <= LONGEST:
            bounds = f"{SHORTEST} to {LONGEST:,} days, or for ever"
            raise BadRequest(f"{kind.capitalize()} can be kept for {bounds}; {days:,} days is outside.")
    return wanted


def clean_retention(held: Retention, said: Mapping[str, str]) -> Retention:
    """As a person writes it: days, or "keep" (or nothing) for ever. Kinds that are not named stay as they are."""
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
