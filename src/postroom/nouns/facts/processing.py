"""What an auditor asks of every run that processes mail: enqueued, started, looked up, answered, ended."""

from __future__ import annotations

from datetime import datetime

from postroom.nouns.facts.base import SilentFact


class JobEnqueued(SilentFact, frozen=True, kw_only=True):
    """A job that processes mail was put into its lane. Told with the run that came of it, and when it happened."""

    kind = "mail.processing.enqueued"
    job_kind: str
    stage: str
    enqueued_at: datetime
    provider_thread_id: str | None = None
    provider_message_id: str | None = None


class ProcessingStarted(SilentFact, frozen=True, kw_only=True):
    """A run began; `retry_count` tells how many attempts were spent before it."""

    kind = "mail.processing.started"
    job_kind: str
    stage: str
    started_at: datetime
    retry_count: int
    provider_thread_id: str | None = None
    provider_message_id: str | None = None


class RetrievalCompleted(SilentFact, frozen=True, kw_only=True):
    """What the run looked up before it decided; none is said too."""

    kind = "mail.processing.retrieval_completed"
    stage: str
    searched: int
    evidence_ids: list[str]
    provider_thread_id: str | None = None
    provider_message_id: str | None = None


class AiCompleted(SilentFact, frozen=True, kw_only=True):
    """Which model was asked and how often; `rules` when none was."""

    kind = "mail.processing.ai_completed"
    stage: str
    model: str
    version: str | None
    answers: int
    provider_thread_id: str | None = None
    provider_message_id: str | None = None


class ProcessingCompleted(SilentFact, frozen=True, kw_only=True):
    """A run ended well: what came of it, and why."""

    kind = "mail.processing.completed"
    job_kind: str
    stage: str
    outcome: str
    because: str
    started_at: datetime
    finished_at: datetime
    provider_thread_id: str | None = None
    provider_message_id: str | None = None
