"""Who may do what, and what keys, sessions and the tokens of pages look like."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from postroom.nouns.errors import BadRequest, NotAllowed
from postroom.nouns.secrets import Secret

Role = Literal["viewer", "operator", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
Scope = Literal[
    "mailboxes", "messages", "threads", "channels", "topics", "drafts", "proposals", "approvals", "evidence", "skills",
    "documents", "trades", "orders", "invoices", "bookings", "accounts", "mappings", "attempts", "jobs", "facts",
    "metrics", "scorecard", "events", "webhooks", "people", "keys", "policy", "settings",
]  # fmt: skip
SCOPES: tuple[Scope, ...] = get_args(Scope)
LONGEST_EMAIL, LONGEST_PERSON_NAME = 320, 100
LONGEST_KEY_DAYS = 3650
KEY_SHAPE = re.compile(r"\Apr_[A-Za-z0-9_-]{43}\Z")
SESSION_SHAPE = re.compile(r"\A[A-Za-z0-9_-]{43}\Z")
SESSION_IDLE = timedelta(hours=12)
SESSION_LASTS = timedelta(days=14)
TOUCH_EVERY = timedelta(minutes=5)
LINK_LASTS = timedelta(minutes=15)


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


def require_unlimited(held: Sequence[str], what: str) -> None:
    """Whoever signs in may do all that their role allows: a key that may less must not open that way."""
    if held:
        raise NotAllowed(f"This key is for {', '.join(held)} only, so it cannot {what}. Use a key without scopes.")


def require_no_more(
    held: Sequence[str], held_till: datetime | None, wanted: Sequence[str], wanted_till: datetime | None
) -> None:
    """A key makes keys that may no more than itself and last no longer."""
    if held and (not wanted or not set(wanted) <= set(held)):
        raise NotAllowed(f"This key may only make keys for {', '.join(held)}.")
    if held_till is not None and (wanted_till is None or wanted_till > held_till):
        raise NotAllowed(f"This key expires on {held_till:%Y-%m-%d}; it cannot make one that lasts longer.")


def clean_email(text: str) -> str:
    email = text.strip().lower()
    if len(email) > LONGEST_EMAIL or not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
        raise BadRequest(f"{text[:LONGEST_EMAIL]!r} is not a mail address.")
    return email


def clean_person_name(text: str) -> str:
    name = " ".join(text.split())
    if len(name) > LONGEST_PERSON_NAME:
        raise BadRequest(f"A person's name has up to {LONGEST_PERSON_NAME} letters, and this has {len(name):,}.")
    return name


def clean_tenant_name(text: str) -> str:
    name = text.strip().lower()
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", name):
        raise BadRequest(f"{text!r} cannot name a tenant: use up to 63 of a-z, 0-9 and -, such as acme-dealing.")
    return name


def make_token() -> NewSecret:
    """What a browser or a link holds: 256 random bits, kept by us only as a digest."""
    text = secrets.token_urlsafe(32)
    return NewSecret(Secret(text), digest_of(text))


def csrf_of(token: str, salt: str = "") -> str:
    """Bound to the session: whoever cannot read the cookie cannot make it. Salted, so that no two pages repeat it."""
    salt = salt or secrets.token_hex(8)
    return f"{salt}.{hmac.new(token.encode(), f'csrf {salt}'.encode(), hashlib.sha256).hexdigest()}"


def csrf_matches(token: str, said: str) -> bool:
    """Without a token of ours anybody could compute the answer."""
    salt = said.partition(".")[0]
    if not salt or not SESSION_SHAPE.match(token):
        return False
    return hmac.compare_digest(csrf_of(token, salt).encode(), said.encode("utf-8", "replace"))
