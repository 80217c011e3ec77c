"""What proposals are made from: drafts of threads, and messages that are answered or forwarded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from postroom.db.pool import Tx
from postroom.mail.headers import addresses
from postroom.nouns.drafts import Draft
from postroom.nouns.ids import MailboxId, MessageId, ThreadId
from postroom.nouns.providers import ProviderName, ProviderRef
from postroom.rooms.outbox.rules.states import ProposalStatus
from postroom.rooms.outbox.store.proposals import QUERIES


@dataclass(frozen=True, slots=True)
class ThreadDraft:
    """The draft that a thread has now; `draft_id` is none when it has none."""

    thread_id: ThreadId
    mailbox_id: MailboxId
    thread_ref: ProviderRef
    copilot: str
    draft_id: UUID | None
    status: str | None
    body: str | None
    subject: str | None
    fingerprint: str | None
    message_ref: ProviderRef | None
    message_id: MessageId | None
    model: str | None
    edited_by: str | None
    held: Any
    head_at: datetime | None

    @property
    def draft(self) -> Draft | None:
        return msgspec.convert(self.held, Draft) if self.held else None


@dataclass(frozen=True, slots=True)
class DraftedProposal:
    """A proposal that was made from a draft, and what became of that draft."""

    id: UUID
    draft_id: UUID
    status: ProposalStatus
    hash: str
    machine_body: str | None
    model: str | None
    draft_status: str
    edited_by: str | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class ThreadHead:
    ref: ProviderRef
    at: datetime


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """A message that is answered or forwarded."""

    id: MessageId
    mailbox_id: MailboxId
    thread_id: ThreadId | None
    ref: ProviderRef
    state: str
    internet_message_id: str | None
    sender_email: str | None
    sender_name: str | None
    recipients: dict[str, Any]
    subject: str | None
    body: str | None
    received_at: datetime | None
    automatic: str | None
    attachments: list[dict[str, Any]]
    forgotten_at: datetime | None
    mailbox: str

    @property
    def answer_to(self) -> tuple[str, ...]:
        """`Reply-To` if given, else the author."""
        named = tuple(each.email for each in addresses(self.recipients.get("reply_to") or ()))
        return named or ((self.sender_email,) if self.sender_email else ())

    @property
    def sender(self) -> str:
        return f"{self.sender_name} <{self.sender_email}>" if self.sender_name else self.sender_email or "unknown"

    @property
    def to(self) -> str:
        return ", ".join(str(each) for each in addresses(self.recipients.get("to") or ()))


@dataclass(frozen=True, slots=True)
class SendingMailbox:
    id: MailboxId
    address: str
    provider: ProviderName


async def thread_draft(tx: Tx, thread_id: ThreadId) -> ThreadDraft | None:
    return await tx.row(QUERIES.thread_draft, ThreadDraft, thread_id=thread_id)


async def drafted_proposals(tx: Tx, thread_id: ThreadId) -> list[DraftedProposal]:
    return await tx.rows(QUERIES.drafted_proposals, DraftedProposal, thread_id=thread_id)


async def newest_of_thread(tx: Tx, thread_id: ThreadId) -> ThreadHead | None:
    return await tx.row(QUERIES.newest_of_thread, ThreadHead, thread_id=thread_id)


async def source_message(tx: Tx, message_id: UUID) -> SourceMessage | None:
    return await tx.row(QUERIES.source_message, SourceMessage, message_id=message_id)


async def sending_mailboxes(tx: Tx, mailbox_id: UUID | None) -> list[SendingMailbox]:
    """The one that is named; else the first two, to see whether there is a choice."""
    return await tx.rows(QUERIES.sending_mailbox, SendingMailbox, mailbox_id=mailbox_id)


async def own_addresses(tx: Tx) -> list[str]:
    """Of all our mailboxes, with their aliases."""
    return await tx.values(QUERIES.own_addresses)
