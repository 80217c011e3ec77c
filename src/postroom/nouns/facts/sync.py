"""What happens on the way from a notification to a message that is ours."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class NotificationReceived(FactBase, frozen=True, kw_only=True):
    """The provider notified us: one fact for all notifications of a moment."""

    kind = "mailbox.notification_received"
    mailbox_id: UUID
    notifications: int


class DeliveryChanged(SilentFact, frozen=True, kw_only=True):
    """From push to polling, or back."""

    kind = "mailbox.delivery_changed"
    mailbox_id: UUID
    delivery: str
    because: str


class CursorLost(FactBase, frozen=True, kw_only=True):
    """The provider forgot our cursor: everything since is listed anew."""

    kind = "sync.cursor_lost"
    mailbox_id: UUID
    since: datetime
    because: str
    unlisted_since: datetime | None = None  # what came from then until `since` is not listed


class ResyncDone(FactBase, frozen=True, kw_only=True):
    kind = "sync.resync_done"
    mailbox_id: UUID
    since: datetime
    listed: int


class MailboxReconciled(SilentFact, frozen=True, kw_only=True):
    """What the provider lists against what we hold; what was missing is taken in."""

    kind = "sync.reconciled"
    mailbox_id: UUID
    since: datetime
    listed: int
    held: int
    missing: int
    unannounced: int
    failed: int = 0


class MessageArrived(FactBase, frozen=True, kw_only=True):
    """A message is ours, once."""

    kind = "mail.message.received"
    message_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    provider_message_id: str
    provider_thread_id: str | None = None
    source: str
    received_at: datetime | None
    automatic: str | None = None
    pipelines: tuple[str, ...] | None = None  # that it waits for; None in facts of earlier versions
    copilot: str = "off"  # what the copilot may do at the mailbox
    files: int = 0  # that came with it
    body: bool = False  # whether its text may be a trade or a bill itself
    client_book: bool = True  # that it can be mapped by; earlier facts do not say


class MessageGone(SilentFact, frozen=True, kw_only=True):
    """Deleted at the source, or never readable."""

    kind = "mail.message.gone"
    message_id: UUID
    mailbox_id: UUID
    because: str


class ThreadTouched(FactBase, frozen=True, kw_only=True):
    """Somebody did something in a thread that we know: sent, drafted, discarded, labelled, moved."""

    kind = "mail.thread.updated"
    mailbox_id: UUID
    thread_id: UUID
    provider_thread_id: str
    provider_message_id: str
    what: str  # sent, drafted, draft_removed, labelled, left, back
