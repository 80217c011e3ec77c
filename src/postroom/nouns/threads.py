"""Threads, and what people and we send and draft in a mailbox."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from postroom.nouns.providers import Cursor, Glimpse, ProviderRef

LabelColour = Literal["green", "yellow", "red"]


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """One message of a thread: what came, was sent, or is being written. Addresses are lower case."""

    glimpse: Glimpse  # labels are canonical, or named as people name them
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    reply_to: tuple[str, ...] = ()
    draft_ref: ProviderRef | None = None  # of a draft: what a DraftBox knows it by

    @property
    def is_draft(self) -> bool:
        return self.glimpse.is_draft


@dataclass(frozen=True, slots=True)
class MailThread:
    """A whole conversation, oldest first. Its labels are those of its messages together."""

    ref: ProviderRef
    messages: Sequence[ThreadMessage]

    @classmethod
    def of(cls, ref: ProviderRef, messages: Iterable[ThreadMessage]) -> MailThread:
        """In order of time; what bears no time is the newest."""
        return cls(ref, sorted(messages, key=_by_time))

    @property
    def labels(self) -> frozenset[str]:
        return frozenset[str]().union(*(each.glimpse.labels for each in self.messages))

    @property
    def drafts(self) -> Sequence[ThreadMessage]:
        return [each for each in self.messages if each.is_draft]


def _by_time(message: ThreadMessage) -> tuple[datetime, str]:
    return message.glimpse.received_at or datetime.max.replace(tzinfo=UTC), message.glimpse.ref


@dataclass(frozen=True, slots=True)
class OutgoingChanges:
    """One page of what was sent and drafted after a cursor, by people or by us.

    A draft that was edited is in `drafted` again. `removed` are messages that left Sent or Drafts: discarded, moved,
    or, for a draft, edited or sent where that gives the message another id.
    """

    sent: Sequence[Glimpse]
    drafted: Sequence[Glimpse]
    removed: Sequence[ProviderRef]
    cursor: Cursor
    more: bool


@dataclass(frozen=True, slots=True)
class StateLabel:
    """A label of ours on a thread; a slash nests it where the provider can."""

    name: str
    colour: LabelColour
