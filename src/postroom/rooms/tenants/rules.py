"""Who may do what, and what a key and a password look like."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Literal, get_args

from postroom.nouns.errors import BadRequest, NotAllowed
from postroom.nouns.secrets import Secret

Role = Literal["viewer", "operator", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
KEY_SHAPE = re.compile(r"^pr_[A-Za-z0-9_-]{43}$")
SHORTEST_PASSWORD = 12


@dataclass(frozen=True, slots=True)
class NewKey:
    """The only moment at which a key can be seen; we keep its digest."""

    secret: Secret
    digest: bytes


def make_key() -> NewKey:
    text = f"pr_{secrets.token_urlsafe(32)}"
    return NewKey(Secret(text), digest_of(text))


def digest_of(key: str) -> bytes:
    """Keys have 256 random bits, so a plain hash cannot be turned around."""
    return hashlib.sha256(key.encode()).digest()


def known_role(text: str) -> Role:
    for role in ROLES:
        if role == text:
            return role
    raise BadRequest(f"{text!r} is not a role; choose one of {', '.join(ROLES)}.")


def at_least(held: Role, wanted: Role) -> bool:
    return ROLES.index(held) >= ROLES.index(wanted)


def require(held: Role, wanted: Role) -> None:
    if not at_least(held, wanted):
        raise NotAllowed(f"This needs the role {wanted}; yours is {held}. Ask an admin of your tenant.")


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
