"""What is asked of skills by name: every run, how it began and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from postroom.nouns.facts.base import SilentFact


class SkillStarted(SilentFact, frozen=True, kw_only=True):
    """Somebody ran a skill. Committed before anything is done, so that also a run that ends with its process shows."""

    kind = "skill.started"
    skill_run_id: UUID
    skill: str
    authority: str
    started_at: datetime
    provider_thread_id: str | None = None
    provider_message_id: str | None = None


class SkillFinished(SilentFact, frozen=True, kw_only=True):
    """A run ended: `done`; `waiting` for a person's yes; or `failed`, with the code."""

    kind = "skill.finished"
    skill_run_id: UUID
    skill: str
    authority: str
    outcome: str  # done, waiting, failed
    because: str
    started_at: datetime
    finished_at: datetime
    provider_thread_id: str | None = None
    provider_message_id: str | None = None
    error_code: str | None = None
    error_class: str | None = None
    model: str = "rules"
    version: str | None = None
    searched: int = 0
    evidence_ids: Sequence[str] = ()
    proposal_id: UUID | None = None
