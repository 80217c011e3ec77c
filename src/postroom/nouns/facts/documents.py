"""What happens to documents, trades, invoices and orders."""

from __future__ import annotations

from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class MessageSifted(FactBase, frozen=True, kw_only=True):
    """What became of a message in each pipeline, and which of its files were left out."""

    kind = "document.message_sifted"
    message_id: UUID
    mailbox_id: UUID
    kept: int
    dropped: list[str]
    outcome: dict[str, str]
    because: str
    client_book: bool = True  # that it can be mapped by; earlier facts do not say


class DocumentUploaded(FactBase, frozen=True, kw_only=True):
    kind = "document.uploaded"
    document_id: UUID
    filename: str
    size: int


class DocumentRead(SilentFact, frozen=True, kw_only=True):
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
    tells_of: str | None = None


class DocumentUnreadable(SilentFact, frozen=True, kw_only=True):
    kind = "document.unreadable"
    document_id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    filename: str
    failure: str
    because: str


class DocumentRouted(SilentFact, frozen=True, kw_only=True):
    """Where a document went: confirmed, to a person, known already, or nothing for us."""

    kind = "document.routed"
    document_id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    document_kind: str
    status: str
    because: str
    trades: int = 0
    tells_of: str | None = None


class ConfirmationShadowed(SilentFact, frozen=True, kw_only=True):
    """In shadow: what confirming by itself would have done with a document that waits for a person instead."""

    kind = "document.confirmation_shadowed"
    document_id: UUID
    mailbox_id: UUID | None
    pipeline: str
    would: str
    stated: float
    because: str


class TradeConfirmed(SilentFact, frozen=True, kw_only=True):
    kind = "trade.confirmed"
    document_id: UUID
    trade_id: UUID
    order_id: UUID | None
    because: str


class InvoiceConfirmed(SilentFact, frozen=True, kw_only=True):
    kind = "invoice.confirmed"
    document_id: UUID
    invoice_id: UUID
    because: str


class BookingConfirmed(SilentFact, frozen=True, kw_only=True):
    """An entry of another kind, such as a dividend, is booked; only ever by a person."""

    kind = "booking.confirmed"
    document_id: UUID
    booking_id: UUID
    entry_kind: str
    because: str


class DocumentCorrected(FactBase, frozen=True, kw_only=True):
    """A person overruled what was read; both values, field by field."""

    kind = "document.corrected"
    document_id: UUID
    trade_id: UUID | None = None
    invoice_id: UUID | None = None
    booking_id: UUID | None = None
    before: dict[str, str | None]
    after: dict[str, str | None]


class DocumentChecked(FactBase, frozen=True, kw_only=True):
    """A person found a document right that was corrected, or whose sender's documents were before."""

    kind = "document.checked"
    document_id: UUID
    sender_email: str


class ProfileLearnt(SilentFact, frozen=True, kw_only=True):
    """What a sender's documents are read with from now on, as several corrections agree: its words for our fields."""

    kind = "document.profile_learnt"
    document_id: UUID
    sender_email: str
    labels: dict[str, str]


class LessonDropped(SilentFact, frozen=True, kw_only=True):
    """A document contradicted what its sender's were read with: a word for a field, or a habit (`phrase` empty)."""

    kind = "document.lesson_dropped"
    document_id: UUID
    sender_email: str
    phrase: str
    field: str
    because: str


class DocumentRejected(SilentFact, frozen=True, kw_only=True):
    kind = "document.rejected"
    document_id: UUID
    before: str
    because: str


class DocumentEntered(SilentFact, frozen=True, kw_only=True):
    """A person wrote down by hand what a document says that we could not read."""

    kind = "document.entered"
    document_id: UUID
    document_kind: str
    trade_id: UUID | None
    invoice_id: UUID | None
    values: dict[str, str | None]


class DocumentUndone(FactBase, frozen=True, kw_only=True):
    """The last decision about a document was taken back: everything stands as before it."""

    kind = "document.undone"
    document_id: UUID
    did: str
    status: str


class DocumentReopened(SilentFact, frozen=True, kw_only=True):
    """A document that was over waits for a person again."""

    kind = "document.reopened"
    document_id: UUID
    before: str


class DocumentRetried(FactBase, frozen=True, kw_only=True):
    """A failed document is to be read once more."""

    kind = "document.retried"
    document_id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    because: str


class OrdersPlaced(SilentFact, frozen=True, kw_only=True):
    """Orders that wait for their contract notes: new ones, and ones that changed."""

    kind = "order.placed"
    new: int
    changed: int
    order_ids: list[UUID]


class OrderCancelled(SilentFact, frozen=True, kw_only=True):
    kind = "order.cancelled"
    order_id: UUID
    external_id: str


class ProfileForgotten(SilentFact, frozen=True, kw_only=True):
    """A person took back what corrections taught of a sender."""

    kind = "document.profile_forgotten"
    sender_email: str


class SenderRuleChanged(SilentFact, frozen=True, kw_only=True):
    kind = "document.sender_rule_changed"
    pipeline: str
    entry: str
    allowed: bool


class PasswordChanged(SilentFact, frozen=True, kw_only=True):
    kind = "document.password_changed"
    label: str
    added: bool


class AttachmentFetched(SilentFact, frozen=True, kw_only=True):
    """Somebody asked for a file of a mail, and it was brought from the mailbox."""

    kind = "message.attachment_fetched"
    message_id: UUID
    mailbox_id: UUID
    filename: str
    size: int
