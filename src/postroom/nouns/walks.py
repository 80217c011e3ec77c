"""Correlation ids: which mail a run, or a person's act, is about."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Walk:
    """The mail that walks through the rooms, by our ids and by the provider's. Every fact on its way carries ours."""

    mailbox_id: UUID | None = None
    thread_id: UUID | None = None
    message_id: UUID | None = None
    provider_thread_id: str | None = None
    provider_message_id: str | None = None


NO_MAIL = Walk()
