"""What happens to tenants, people, keys and sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class TenantCreated(SilentFact, frozen=True, kw_only=True):
    kind = "tenant.created"
    name: str


class PolicyChanged(SilentFact, frozen=True, kw_only=True):
    """When a reading is booked unseen; what the tenant decided before, and now."""

    kind = "tenant.policy_changed"
    before: dict[str, float | bool | None]
    after: dict[str, float | bool | None]


class SendingChanged(FactBase, frozen=True, kw_only=True):
    """What the tenant decided about sending; `switch` is on or off from now on."""

    kind = "tenant.sending_changed"
    before: dict[str, Any]
    after: dict[str, Any]
    switch: str


class RetentionChanged(SilentFact, frozen=True, kw_only=True):
    """How many days each kind of thing is kept; a kind that is not named is kept for ever."""

    kind = "tenant.retention_changed"
    before: dict[str, int]
    after: dict[str, int]


class PersonAdded(SilentFact, frozen=True, kw_only=True):
    kind = "person.added"
    person_id: UUID
    role: str


class PersonChanged(SilentFact, frozen=True, kw_only=True):
    kind = "person.changed"
    person_id: UUID
    role: str
    disabled: bool


class KeyCreated(SilentFact, frozen=True, kw_only=True):
    kind = "key.created"
    key_id: UUID
    name: str
    role: str


class KeyRevoked(SilentFact, frozen=True, kw_only=True):
    kind = "key.revoked"
    key_id: UUID
    name: str


class SealingKeyRotated(SilentFact, frozen=True, kw_only=True):
    """What this tenant keeps sealed was sealed anew; `key` names the newest key, and says nothing of it."""

    kind = "key.sealing_rotated"
    key: str
    resealed: int


class SignInLinkMade(SilentFact, frozen=True, kw_only=True):
    """Whoever holds the link comes in as this person, once."""

    kind = "session.link_made"
    person_id: UUID
    expires_at: datetime


class SessionStarted(SilentFact, frozen=True, kw_only=True):
    """Somebody came in."""

    kind = "session.started"
    person_id: UUID
    session_id: UUID
    how: str
    source: str


class SessionEnded(SilentFact, frozen=True, kw_only=True):
    """One session, or all of a person's but the one they are in."""

    kind = "session.ended"
    person_id: UUID
    sessions: int
    because: str


class SignInRefused(SilentFact, frozen=True, kw_only=True):
    """Somebody who is known here was not let in."""

    kind = "session.refused"
    person_id: UUID
    because: str
    source: str
