"""Facts in the database: how they are told, in which order they are read, and their fingerprints."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec

from postroom.nouns.facts import Fact
from postroom.nouns.ids import TenantId
from postroom.nouns.walks import NO_MAIL, Walk

CORRELATED = ("mailbox_id", "thread_id", "message_id", "document_id")


@dataclass(frozen=True, slots=True)
class Run:
    """Which run of which job is telling. Empty when a person acts."""

    job_id: int | None = None
    run_id: str | None = None
    correlation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class TellingFact:
    """A fact as it stands in the database."""

    id: int
    xid: int
    told_at: datetime
    tenant_id: TenantId
    kind: str
    mailbox_id: UUID | None
    thread_id: UUID | None
    message_id: UUID | None
    document_id: UUID | None
    job_id: int | None
    run_id: str | None
    correlation_id: UUID | None
    actor: str
    body: dict[str, Any]
    digest: bytes

    @property
    def position(self) -> str:
        """Where a reader may go on: facts after this one are read next."""
        return f"{self.xid}-{self.id}"

    def fingerprint(self) -> bytes:
        return digest(self.as_dict())

    def as_dict(self) -> dict[str, Any]:
        return {
            "told_at": stamp(self.told_at),
            "tenant_id": str(self.tenant_id),
            "kind": self.kind,
            **{name: _text(getattr(self, name)) for name in CORRELATED},
            "job_id": self.job_id,
            "run_id": self.run_id,
            "correlation_id": _text(self.correlation_id),
            "actor": self.actor,
            "body": self.body,
        }


def envelope(
    fact: Fact, tenant_id: TenantId, told_at: datetime, actor: str, run: Run, walk: Walk = NO_MAIL
) -> dict[str, Any]:
    """The fact as it is written, with its fingerprint. What it does not say of the mail it is about, the walk does."""
    body = msgspec.to_builtins(fact)
    row = {
        "told_at": stamp(told_at),
        "tenant_id": str(tenant_id),
        "kind": fact.kind,
        **_about(fact, walk),
        "job_id": run.job_id,
        "run_id": run.run_id,
        "correlation_id": _text(run.correlation_id),
        "actor": actor,
        "body": body,
    }
    return {**row, "digest": digest(row).hex()}


def _about(fact: Fact, walk: Walk) -> dict[str, str | None]:
    said = {name: getattr(fact, name, None) for name in CORRELATED}
    mail = {"mailbox_id": walk.mailbox_id, "thread_id": walk.thread_id, "message_id": walk.message_id}
    if walk is not NO_MAIL and all(said[name] in (None, known) for name, known in mail.items()):
        said |= mail
    return {name: _text(value) for name, value in said.items()}


def digest(row: dict[str, Any]) -> bytes:
    """Over every column a person could read, in one fixed spelling."""
    return hashlib.sha256(msgspec.json.encode(row, order="deterministic")).digest()


def as_json(value: object) -> str:
    """JSON that PostgreSQL can store: it has no place for NUL."""
    return msgspec.json.encode(value).decode().replace("\\u0000", "\ufffd")


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _text(value: object) -> str | None:
    return None if value is None else str(value)
