"""What happened, told once and for ever. A kind is data: it is never renamed."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

import msgspec


class FactBase(msgspec.Struct, frozen=True, kw_only=True):
    """Fields named mailbox_id, thread_id, message_id and document_id also become columns to search by."""

    kind: ClassVar[str]


class TenantCreated(FactBase, frozen=True, kw_only=True):
    kind = "tenant.created"
    name: str


class PersonAdded(FactBase, frozen=True, kw_only=True):
    kind = "person.added"
    person_id: UUID
    role: str


class PersonChanged(FactBase, frozen=True, kw_only=True):
    kind = "person.changed"
    person_id: UUID
    role: str
    disabled: bool


class KeyCreated(FactBase, frozen=True, kw_only=True):
    kind = "key.created"
    key_id: UUID
    name: str
    role: str


class KeyRevoked(FactBase, frozen=True, kw_only=True):
    kind = "key.revoked"
    key_id: UUID
    name: str


class AttemptFailed(FactBase, frozen=True, kw_only=True):
    """A try of a job did not work; `outcome` says what happens next."""

    kind = "attempt.failed"
    job_kind: str
    key: str | None
    outcome: str
    error_class: str
    error_code: str
    error: str
    retry_count: int
    next_retry_at: datetime | None
    mailbox_id: UUID | None = None
    message_id: UUID | None = None
    document_id: UUID | None = None
    thread_id: UUID | None = None


class RetryRequested(FactBase, frozen=True, kw_only=True):
    """A person asked for one more try of something that was put aside."""

    kind = "attempt.manual_retry_requested"
    job_kind: str
    key: str | None


class Counted(FactBase, frozen=True, kw_only=True):
    """The engine's own benchmark and chaos jobs tell this; it sets nothing in motion."""

    kind = "engine.counted"
    number: int


Fact = TenantCreated | PersonAdded | PersonChanged | KeyCreated | KeyRevoked | AttemptFailed | RetryRequested | Counted
