"""What happened, told once and for ever. A kind is data: it is never renamed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

import msgspec


class FactBase(msgspec.Struct, frozen=True, kw_only=True):
    """Fields named mailbox_id, thread_id, message_id and document_id also become columns to search by."""

    kind: ClassVar[str]


class TenantCreated(FactBase, frozen=True, kw_only=True):
    kind = "tenant.created"
    name: str


class PolicyChanged(FactBase, frozen=True, kw_only=True):
    """When a reading is booked unseen; what the tenant decided before, and now."""

    kind = "tenant.policy_changed"
    before: dict[str, float | bool | None]
    after: dict[str, float | bool | None]


class RetentionChanged(FactBase, frozen=True, kw_only=True):
    """How many days each kind of thing is kept; a kind that is not named is kept for ever."""

    kind = "tenant.retention_changed"
    before: dict[str, int]
    after: dict[str, int]


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


class SealingKeyRotated(FactBase, frozen=True, kw_only=True):
    """What this tenant keeps sealed was sealed anew; `key` names the newest key, and says nothing of it."""

    kind = "key.sealing_rotated"
    key: str
    resealed: int


class SignInLinkMade(FactBase, frozen=True, kw_only=True):
    """Whoever holds the link comes in as this person, once."""

    kind = "session.link_made"
    person_id: UUID
    expires_at: datetime


class SessionStarted(FactBase, frozen=True, kw_only=True):
    """Somebody came in."""

    kind = "session.started"
    person_id: UUID
    session_id: UUID
    how: str
    source: str


class SessionEnded(FactBase, frozen=True, kw_only=True):
    """One session, or all of a person's but the one they are in."""

    kind = "session.ended"
    person_id: UUID
    sessions: int
    because: str


class SignInRefused(FactBase, frozen=True, kw_only=True):
    """Somebody who is known here was not let in."""

    kind = "session.refused"
    person_id: UUID
    because: str
    source: str


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


class RetrySucceeded(FactBase, frozen=True, kw_only=True):
    """The try that a person asked for worked."""

    kind = "attempt.manual_retry_success"
    job_kind: str
    key: str | None
    asked_by: str


class RetryFailed(FactBase, frozen=True, kw_only=True):
    """The try that a person asked for did not work either."""

    kind = "attempt.manual_retry_failed"
    job_kind: str
    key: str | None
    asked_by: str
    outcome: str
    error: str


class MailboxConnected(FactBase, frozen=True, kw_only=True):
    """New, or again after a person reconnected it."""

    kind = "mailbox.connected"
    mailbox_id: UUID
    provider: str
    again: bool


class MailboxDisconnected(FactBase, frozen=True, kw_only=True):
    kind = "mailbox.disconnected"
    mailbox_id: UUID


class MailboxPaused(FactBase, frozen=True, kw_only=True):
    kind = "mailbox.paused"
    mailbox_id: UUID


class MailboxResumed(FactBase, frozen=True, kw_only=True):
    kind = "mailbox.resumed"
    mailbox_id: UUID


class MailboxRulesChanged(FactBase, frozen=True, kw_only=True):
    """What is kept of a mailbox's mail, and for which pipelines (None: all)."""

    kind = "mailbox.rules_changed"
    mailbox_id: UUID
    before: dict[str, Any]
    after: dict[str, Any]
    pipelines_before: list[str] | None = None
    pipelines: list[str] | None = None


class MailboxFolderChanged(FactBase, frozen=True, kw_only=True):
    """Another folder is served: its cursor begins anew, and what lies there already is taken in."""

    kind = "mailbox.folder_changed"
    mailbox_id: UUID
    before: str
    after: str


class MailboxNeedsPerson(FactBase, frozen=True, kw_only=True):
    """Told once per trouble, however many jobs run into it."""

    kind = "mailbox.needs_person"
    mailbox_id: UUID
    status: str
    because: str


class MailboxNudged(FactBase, frozen=True, kw_only=True):
    """The provider rang: one fact for all the notices of a moment."""

    kind = "mailbox.notification_received"
    mailbox_id: UUID
    notices: int


class DeliveryChanged(FactBase, frozen=True, kw_only=True):
    """From push to polling, or back."""

    kind = "mailbox.delivery_changed"
    mailbox_id: UUID
    delivery: str
    because: str


class WatchKept(FactBase, frozen=True, kw_only=True):
    """The provider promised to tell us, or promised it again."""

    kind = "watch.kept"
    mailbox_id: UUID
    watch_id: str
    how: str
    expires_at: datetime


class WatchNoticed(FactBase, frozen=True, kw_only=True):
    """A lifecycle event of a subscription; `since` is when we last heard from it."""

    kind = "watch.lifecycle"
    mailbox_id: UUID
    watch_id: str
    event: str
    since: datetime | None = None


class SecurityNoted(FactBase, frozen=True, kw_only=True):
    """Somebody rang with a wrong secret, or for a subscription that is not ours."""

    kind = "security.event"
    what: str
    source: str
    times: int = 1
    mailbox_id: UUID | None = None


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


class MailboxReconciled(FactBase, frozen=True, kw_only=True):
    """What the provider lists against what we hold; what was missing is taken in."""

    kind = "sync.reconciled"
    mailbox_id: UUID
    since: datetime
    listed: int
    held: int
    missing: int
    unannounced: int


class MessageArrived(FactBase, frozen=True, kw_only=True):
    """A message is ours, once."""

    kind = "mail.message.received"
    message_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    provider_message_id: str
    source: str
    received_at: datetime | None
    automatic: str | None = None
    pipelines: tuple[str, ...] | None = None  # that it waits for; None in facts of earlier versions


class MessageGone(FactBase, frozen=True, kw_only=True):
    """Deleted at the source, or never readable."""

    kind = "mail.message.gone"
    message_id: UUID
    mailbox_id: UUID
    because: str


class MessageSifted(FactBase, frozen=True, kw_only=True):
    """What became of a message in each pipeline, and which of its files were left out."""

    kind = "document.message_sifted"
    message_id: UUID
    mailbox_id: UUID
    kept: int
    dropped: list[str]
    outcome: dict[str, str]
    because: str


class DocumentUploaded(FactBase, frozen=True, kw_only=True):
    kind = "document.uploaded"
    document_id: UUID
    filename: str
    size: int


class DocumentRead(FactBase, frozen=True, kw_only=True):
    """A file was read: what it is, how its words were found, and which model was asked about it, if any."""

    kind = "document.read"
    document_id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    filename: str
    document_kind: str
    text_source: str
    archive_path: str | None
    model: str | None = None


class DocumentUnreadable(FactBase, frozen=True, kw_only=True):
    kind = "document.unreadable"
    document_id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    filename: str
    failure: str
    because: str


class DocumentRouted(FactBase, frozen=True, kw_only=True):
    """Where a document went: confirmed, to a person, known already, or nothing for us."""

    kind = "document.routed"
    document_id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    document_kind: str
    status: str
    because: str
    trades: int = 0


class TradeConfirmed(FactBase, frozen=True, kw_only=True):
    kind = "trade.confirmed"
    document_id: UUID
    trade_id: UUID
    order_id: UUID | None
    because: str


class InvoiceConfirmed(FactBase, frozen=True, kw_only=True):
    kind = "invoice.confirmed"
    document_id: UUID
    invoice_id: UUID
    because: str


class DocumentCorrected(FactBase, frozen=True, kw_only=True):
    """A person overruled what was read; both values, field by field."""

    kind = "document.corrected"
    document_id: UUID
    trade_id: UUID | None = None
    invoice_id: UUID | None = None
    before: dict[str, str | None]
    after: dict[str, str | None]


class ProfileLearnt(FactBase, frozen=True, kw_only=True):
    """What a correction taught about a sender's layout: its words for our fields."""

    kind = "document.profile_learnt"
    document_id: UUID
    sender_email: str
    labels: dict[str, str]


class DocumentRejected(FactBase, frozen=True, kw_only=True):
    kind = "document.rejected"
    document_id: UUID
    before: str
    because: str


class DocumentRetried(FactBase, frozen=True, kw_only=True):
    """A failed document is to be read once more."""

    kind = "document.retried"
    document_id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    because: str


class OrdersPlaced(FactBase, frozen=True, kw_only=True):
    """Orders that wait for their contract notes: new ones, and ones that changed."""

    kind = "order.placed"
    new: int
    changed: int
    order_ids: list[UUID]


class OrderCancelled(FactBase, frozen=True, kw_only=True):
    kind = "order.cancelled"
    order_id: UUID
    external_id: str


class SenderRuleChanged(FactBase, frozen=True, kw_only=True):
    kind = "document.sender_rule_changed"
    pipeline: str
    entry: str
    allowed: bool


class PasswordChanged(FactBase, frozen=True, kw_only=True):
    kind = "document.password_changed"
    label: str
    added: bool


class AttachmentFetched(FactBase, frozen=True, kw_only=True):
    """Somebody asked for a file of a mail, and it was brought from the mailbox."""

    kind = "message.attachment_fetched"
    message_id: UUID
    mailbox_id: UUID
    filename: str
    size: int


class Forgotten(FactBase, frozen=True, kw_only=True):
    """Things older than the tenant wants them kept are gone; what is told here of them is all that stays."""

    kind = "tenant.forgotten"
    what: str
    count: int
    before: datetime


class Counted(FactBase, frozen=True, kw_only=True):
    """The engine's own benchmark and chaos jobs tell this; it sets nothing in motion."""

    kind = "engine.counted"
    number: int


Fact = (
    TenantCreated
    | PolicyChanged
    | RetentionChanged
    | PersonAdded
    | PersonChanged
    | KeyCreated
    | KeyRevoked
    | SealingKeyRotated
    | SignInLinkMade
    | SessionStarted
    | SessionEnded
    | SignInRefused
    | AttemptFailed
    | RetryRequested
    | RetrySucceeded
    | RetryFailed
    | MailboxConnected
    | MailboxDisconnected
    | MailboxPaused
    | MailboxResumed
    | MailboxRulesChanged
    | MailboxFolderChanged
    | MailboxNeedsPerson
    | MailboxNudged
    | DeliveryChanged
    | WatchKept
    | WatchNoticed
    | SecurityNoted
    | CursorLost
    | ResyncDone
    | MailboxReconciled
    | MessageArrived
    | MessageGone
    | MessageSifted
    | DocumentUploaded
    | DocumentRead
    | DocumentUnreadable
    | DocumentRouted
    | TradeConfirmed
    | InvoiceConfirmed
    | DocumentCorrected
    | ProfileLearnt
    | DocumentRejected
    | DocumentRetried
    | OrdersPlaced
    | OrderCancelled
    | SenderRuleChanged
    | PasswordChanged
    | AttachmentFetched
    | Forgotten
    | Counted
)
