"""What happens to threads: judged, labelled, analysed, and seen to by people."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class ThreadTriaged(FactBase, frozen=True, kw_only=True):
    """What a thread wants of us. `message_id` is the newest that came; `copilot` is what may follow from it."""

    kind = "thread.triaged"
    mailbox_id: UUID
    thread_id: UUID
    message_id: UUID | None
    provider_thread_id: str
    provider_message_id: str | None
    action: str
    reason: str
    because: str
    state: str | None
    copilot: str
    again: bool = False  # the same mail was judged before: rates count each mail once


class SensitiveFlagged(SilentFact, frozen=True, kw_only=True):
    """A person must see it before anything is written."""

    kind = "mail.flagged.sensitive"
    mailbox_id: UUID
    thread_id: UUID
    message_id: UUID | None
    provider_thread_id: str
    provider_message_id: str | None
    reason: str
    topics: list[str]


class ThreadAnalysed(SilentFact, frozen=True, kw_only=True):
    """What it is about; `model` is `rules` when no model was asked, and `note` says why one gave no answer."""

    kind = "thread.analysed"
    mailbox_id: UUID
    thread_id: UUID
    message_id: UUID | None
    intent: str
    urgency: str
    channel: str
    model: str
    seconds: float
    tokens_in: int
    tokens_out: int
    note: str = ""


class ThreadLabelled(SilentFact, frozen=True, kw_only=True):
    """The label at the provider; None: it bears none of ours."""

    kind = "thread.labelled"
    mailbox_id: UUID
    thread_id: UUID
    before: str | None
    after: str | None


class LabelChangedByPerson(SilentFact, frozen=True, kw_only=True):
    """Somebody took our label off, or put another one on: we follow."""

    kind = "thread.label_changed_by_person"
    mailbox_id: UUID
    thread_id: UUID
    before: str | None
    after: str | None


class LabelsRefused(SilentFact, frozen=True, kw_only=True):
    """We may not label in this mailbox; everything else goes on."""

    kind = "mailbox.labels_refused"
    mailbox_id: UUID
    because: str


class ThreadStateSet(SilentFact, frozen=True, kw_only=True):
    """Where a thread stands after something that followed from its triage, or after a failure that stayed."""

    kind = "thread.state_set"
    mailbox_id: UUID
    thread_id: UUID
    before: str | None
    after: str | None
    reason: str
    because: str


class ThreadAssigned(SilentFact, frozen=True, kw_only=True):
    """A person sees to it now, or nobody; `revision` is the thread's from then on."""

    kind = "thread.assigned"
    mailbox_id: UUID
    thread_id: UUID
    before: UUID | None
    after: UUID | None
    revision: int = 0


class ThreadSnoozed(SilentFact, frozen=True, kw_only=True):
    """Out of sight until then; None: in sight again."""

    kind = "thread.snoozed"
    mailbox_id: UUID
    thread_id: UUID
    till: datetime | None


class ThreadSetAside(FactBase, frozen=True, kw_only=True):
    """A person said that a thread is not for us, or is done, or took that back."""

    kind = "thread.set_aside"
    mailbox_id: UUID
    thread_id: UUID
    how: str  # not_for_us, done, open
    revision: int = 0


class ThreadMoved(SilentFact, frozen=True, kw_only=True):
    """A person put a thread into another channel."""

    kind = "thread.moved"
    mailbox_id: UUID
    thread_id: UUID
    before: UUID | None
    after: UUID | None
    revision: int = 0


class ChannelChanged(SilentFact, frozen=True, kw_only=True):
    """A channel is new, other than it was, or gone; before and after."""

    kind = "channel.changed"
    channel_id: UUID
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class TopicChanged(SilentFact, frozen=True, kw_only=True):
    """A tenant's own topic is new, other than it was, or gone; before and after."""

    kind = "triage.topic_changed"
    topic_id: UUID
    before: dict[str, Any] | None
    after: dict[str, Any] | None
