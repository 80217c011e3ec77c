"""Documents, uploads, and what became of a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.facts import as_json
from postroom.nouns.documents import DocumentType, Extraction
from postroom.nouns.ids import DocumentId, MailboxId, MessageId, TenantId
from postroom.nouns.mail import Trust, TrustLevel
from postroom.nouns.mailbox_rules import MailboxRules, mailbox_rules
from postroom.nouns.providers import ProviderName
from postroom.nouns.walks import Walk
from postroom.rooms.documents.rules.mail import Source, Status

MACHINE = "postroom"
QUERIES = sql.load("postroom.rooms.documents")


@dataclass(frozen=True, slots=True)
class Letter:
    """A message as far as this room needs it, with its mailbox."""

    id: MessageId
    mailbox_id: MailboxId
    provider_message_id: str
    state: str
    source: str
    sender_email: str | None
    subject: str | None
    automatic: str | None
    received_at: datetime
    attachments: int
    mailbox_email: str
    provider: ProviderName
    pipelines: list[str]
    stored_rules: dict[str, Any]
    thread_id: UUID | None
    provider_thread_id: str | None
    came_from_another_tenant: bool
    hashes: list[str]  # of its files
    documents: list[dict[str, Any]]
    client_book: bool  # whether the tenant keeps one

    @property
    def handled(self) -> list[Handled]:
        """Its documents that were looked at before."""
        return msgspec.convert(self.documents, list[Handled])

    @property
    def rules(self) -> MailboxRules:
        return mailbox_rules(self.stored_rules)

    @property
    def walk(self) -> Walk:
        return Walk(self.mailbox_id, self.thread_id, self.id, self.provider_thread_id, self.provider_message_id)


@dataclass(frozen=True, slots=True)
class Handled:
    """A document of a message that was looked at before."""

    id: DocumentId
    attachment_path: str
    filename: str
    kind: DocumentType
    status: Status
    because: str
    archive_path: str | None
    trades: int
    tells_of: str | None


@dataclass(frozen=True, slots=True)
class KnownContent:
    sha256: str
    id: DocumentId
    filename: str
    kind: DocumentType
    status: Status
    archive_path: str | None
    received_at: datetime


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A file as understood, before anybody decided about it."""

    id: DocumentId
    message_id: MessageId | None
    mailbox_id: MailboxId | None
    attachment_path: str
    filename: str
    content_type: str
    size: int
    sha256: str
    source: Source
    source_metadata: Mapping[str, Any]
    sender_email: str | None
    received_at: datetime
    trust: Trust
    status: Status = "read"
    kind: DocumentType = "other"
    because: str = ""
    failure: str | None = None
    doubts: Sequence[str] = ()
    extraction: Extraction | None = None
    text_source: str | None = None
    pages: int | None = None
    archive_path: str | None = None
    duplicate_of: DocumentId | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a list."""

    id: DocumentId
    message_id: MessageId | None
    mailbox_id: MailboxId | None
    filename: str
    content_type: str
    size: int
    kind: DocumentType
    status: Status
    because: str
    source: Source
    sender_email: str | None
    received_at: datetime
    trust: TrustLevel
    archive_path: str | None
    duplicate_of: DocumentId | None
    created_at: datetime
    updated_at: datetime
    tells_of: str | None
    """The kind of its first entry, where it is neither a trade nor an invoice."""


@dataclass(frozen=True, slots=True)
class Document:
    id: DocumentId
    message_id: MessageId | None
    mailbox_id: MailboxId | None
    attachment_path: str
    filename: str
    content_type: str
    size: int
    sha256: str
    kind: DocumentType
    status: Status
    because: str
    failure: str | None
    doubts: list[str]
    extraction: dict[str, Any] | None
    text_source: str | None
    pages: int | None
    source: Source
    source_metadata: dict[str, Any]
    sender_email: str | None
    received_at: datetime
    trust: TrustLevel
    trust_because: str
    archive_path: str | None
    archive_forgotten_at: datetime | None
    duplicate_of: DocumentId | None
    revision: int
    reviewed_by: str | None
    reviewed_at: datetime | None
    forgotten_at: datetime | None
    created_at: datetime
    updated_at: datetime
    thread_id: UUID | None
    provider_message_id: str | None
    provider_thread_id: str | None

    @property
    def tells_of(self) -> str | None:
        """The kind of its first entry, where it is neither a trade nor an invoice."""
        entries = (self.extraction or {}).get("entries") or ()
        return entries[0]["kind"] if self.kind == "other" and entries else None

    @property
    def walk(self) -> Walk:
        """The mail that brought it, if one did."""
        mail = (self.mailbox_id, self.thread_id, self.message_id)
        return Walk(*mail, self.provider_thread_id, self.provider_message_id)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that could be read again."""

    id: DocumentId
    message_id: MessageId | None
    mailbox_id: MailboxId | None


@dataclass(frozen=True, slots=True)
class DueDocument:
    id: DocumentId


@dataclass(frozen=True, slots=True)
class Count:
    kind: DocumentType
    status: Status
    count: int


async def letter(tx: Tx, message_id: MessageId) -> Letter | None:
    return await tx.row(QUERIES.letter, Letter, message_id=message_id)


async def look_up_letter(db: Database, tenant_id: TenantId, message_id: MessageId) -> Letter | None:
    """The same for who has no transaction: one trip instead of three."""
    return next(iter(await db.look(tenant_id, QUERIES.letter, Letter, message_id=message_id)), None)


async def take_turns(tx: Tx, tenant_id: TenantId) -> None:
    """For what people decide: by itself, and not while anything is being routed."""
    await tx.run(QUERIES.take_turns, tenant_id=tenant_id)


async def put(tx: Tx, tenant_id: TenantId, new: NewDocument, now: datetime) -> None:
    """New, or read once more under its old id."""
    await tx.run(
        QUERIES.put_document,
        id=new.id,
        tenant_id=tenant_id,
        message_id=new.message_id,
        mailbox_id=new.mailbox_id,
        attachment_path=clean(new.attachment_path),
        filename=clean(new.filename),
        content_type=clean(new.content_type),
        size=new.size,
        sha256=new.sha256,
        kind=new.kind,
        status=new.status,
        because=clean(new.because),
        failure=new.failure,
        doubts=[clean(each) for each in new.doubts],
        extraction=json_of(new.extraction.as_json()) if new.extraction else None,
        text_source=new.text_source,
        pages=new.pages,
        source=new.source,
        source_metadata=json_of(new.source_metadata),
        sender_email=clean(new.sender_email) if new.sender_email else None,
        received_at=new.received_at,
        trust=new.trust.level,
        trust_because=clean(new.trust.because),
        archive_path=new.archive_path,
        duplicate_of=new.duplicate_of,
        now=now,
    )


async def set_status(
    tx: Tx, document_id: DocumentId, status: Status, because: str, now: datetime, reviewed_by: str | None = None
) -> None:
    values = {"status": status, "because": clean(because), "now": now, "reviewed_by": reviewed_by}
    await tx.run(QUERIES.set_status, id=document_id, **values)


async def due_for_rereading(
    tx: Tx, failures: Sequence[str], gaps: Sequence[timedelta], most: int, now: datetime
) -> list[DocumentId]:
    values = {"failures": list(failures), "gaps": list(gaps), "most": most, "now": now}
    return [each.id for each in await tx.rows(QUERIES.due_for_rereading, DueDocument, **values)]


async def document(tx: Tx, document_id: DocumentId) -> Document | None:
    return await tx.row(QUERIES.document, Document, id=document_id)


async def documents(
    tx: Tx,
    *,
    before: DocumentId | None,
    most: int,
    status: str | None = None,
    kind: str | None = None,
    message_id: MessageId | None = None,
    words: str | None = None,
    account_id: UUID | None = None,
) -> list[Listed]:
    """Newest first, after the one given; a page costs the same however many there are."""
    like = sql.containing(words)
    if account_id is not None:
        asked = {"status": status, "kind": kind, "before": before, "most": most, "words": like}
        return await tx.rows(QUERIES.documents_of_client, Listed, account_id=account_id, **asked)
    if words:
        values = {"status": status, "kind": kind, "before": before, "words": like}
        return await tx.rows(QUERIES.search_documents, Listed, most=most, **values)
    if status is not None:
        return await tx.rows(QUERIES.documents_of_status, Listed, status=status, kind=kind, before=before, most=most)
    if kind is not None:
        return await tx.rows(QUERIES.documents_of_kind, Listed, kind=kind, before=before, most=most)
    return await tx.rows(QUERIES.newest_documents, Listed, message_id=message_id, before=before, most=most)


async def next_in_review(tx: Tx, after: DocumentId | None) -> DocumentId | None:
    found: DocumentId | None = await tx.value(QUERIES.next_in_review, after=after)
    return found


async def previous_in_review(tx: Tx, before: DocumentId) -> DocumentId | None:
    found: DocumentId | None = await tx.value(QUERIES.previous_in_review, before=before)
    return found


async def set_kind(tx: Tx, document_id: DocumentId, kind: DocumentType) -> None:
    await tx.run(QUERIES.set_kind, id=document_id, kind=kind)


async def give_up_waiting(tx: Tx, message_id: MessageId, because: str, now: datetime) -> None:
    await tx.run(QUERIES.give_up_waiting, message_id=message_id, because=clean(because), now=now)


async def tally(tx: Tx) -> list[Count]:
    return await tx.rows(QUERIES.tally, Count)


async def failed_for_password(tx: Tx) -> list[Waiting]:
    return await tx.rows(QUERIES.failed_for_password, Waiting)


async def put_upload(tx: Tx, tenant_id: TenantId, document_id: DocumentId, content: bytes, now: datetime) -> None:
    await tx.run(QUERIES.put_upload, document_id=document_id, tenant_id=tenant_id, content=content, now=now)


async def upload(tx: Tx, document_id: DocumentId) -> bytes | None:
    content = await tx.value(QUERIES.upload, document_id=document_id)
    return None if content is None else bytes(content)


async def drop_upload(tx: Tx, document_id: DocumentId) -> None:
    await tx.run(QUERIES.drop_upload, document_id=document_id)


def clean(text: str) -> str:
    """PostgreSQL has no place for NUL, nor for half of a surrogate pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def json_of(value: Any) -> str:
    try:
        return as_json([value])[1:-1]
    except UnicodeEncodeError:  # half of a surrogate pair somewhere: seldom, so looked for only now
        return as_json([_cleaned(value)])[1:-1]


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case dict():
            return {_cleaned(key): _cleaned(each) for key, each in value.items()}
        case list() | tuple():
            return [_cleaned(each) for each in value]
        case _:
            return value
