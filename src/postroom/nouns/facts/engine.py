"""What happens to tries of jobs."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


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
    stage: str | None = None  # of the processing of mail; None for other work
    provider_thread_id: str | None = None
    provider_message_id: str | None = None


class RetryRequested(SilentFact, frozen=True, kw_only=True):
    """A person asked for one more try of something that was put aside."""

    kind = "attempt.manual_retry_requested"
    job_kind: str
    key: str | None


class RetrySucceeded(SilentFact, frozen=True, kw_only=True):
    """The try that a person asked for worked."""

    kind = "attempt.manual_retry_success"
    job_kind: str
    key: str | None
    asked_by: str


class RetryFailed(SilentFact, frozen=True, kw_only=True):
    """The try that a person asked for did not work either."""

    kind = "attempt.manual_retry_failed"
    job_kind: str
    key: str | None
    asked_by: str
    outcome: str
    error: str


class AuditChainAccepted(SilentFact, frozen=True, kw_only=True):
    """A person said why heads that were noted outside the database are not in the chain: a restore, for one."""

    kind = "audit.chain_accepted"
    because: str


class Counted(SilentFact, frozen=True, kw_only=True):
    """The engine's own benchmark and chaos jobs tell this; it sets nothing in motion."""

    kind = "engine.counted"
    number: int
