"""What is an account's: its mail, and what its mail brought."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.clients import AccountId, MappingId, MappingStatus
from postroom.nouns.ids import DocumentId, InvoiceId, MailboxId, MessageId, TradeId
from postroom.rooms.clients.store.lookup import QUERIES


@dataclass(frozen=True, slots=True)
class MailOfAccount:
    id: MappingId
    message_id: MessageId
    subject: str | None
    sender_email: str | None
    sender_name: str | None
    mailbox_id: MailboxId
    received_at: datetime
    status: MappingStatus
    confidence: Decimal
    engagement: str | None
    work_item: str | None


@dataclass(frozen=True, slots=True)
class DocumentOfAccount:
    id: DocumentId
    filename: str
    kind: str
    status: str
    received_at: datetime
    message_id: MessageId


@dataclass(frozen=True, slots=True)
class TradeOfAccount:
    id: TradeId
    document_id: DocumentId
    status: str
    direction: str | None
    trade_date: date | None
    quantity: Decimal | None
    isin: str | None
    name: str | None
    net: Decimal | None
    currency: str | None


@dataclass(frozen=True, slots=True)
class InvoiceOfAccount:
    id: InvoiceId
    document_id: DocumentId
    status: str
    number: str | None
    issue_date: date | None
    supplier: str | None
    buyer: str | None
    grand_total: Decimal | None
    currency: str | None


async def mail(
    tx: Tx, account_id: AccountId, *, before: tuple[datetime, UUID] | None = None, most: int = 50
) -> list[MailOfAccount]:
    """Newest first."""
    keyset = {"before_at": before[0] if before else None, "before_id": before[1] if before else None}
    return await tx.rows(QUERIES.mail_of_account, MailOfAccount, account_id=account_id, most=most, **keyset)


async def documents(tx: Tx, account_id: AccountId, most: int = 50) -> list[DocumentOfAccount]:
    return await tx.rows(QUERIES.documents_of_account, DocumentOfAccount, account_id=account_id, most=most)


async def trades(tx: Tx, account_id: AccountId, most: int = 50) -> list[TradeOfAccount]:
    return await tx.rows(QUERIES.trades_of_account, TradeOfAccount, account_id=account_id, most=most)


async def invoices(tx: Tx, account_id: AccountId, most: int = 50) -> list[InvoiceOfAccount]:
    return await tx.rows(QUERIES.invoices_of_account, InvoiceOfAccount, account_id=account_id, most=most)
