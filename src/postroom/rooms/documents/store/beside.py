"""What stands beside a document: asked once before its file is read, and once, under its locks, before it is routed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.nouns.documents import Extraction, Trade, plain
from postroom.nouns.ids import DocumentId, MailboxId, MessageId, TenantId
from postroom.nouns.mailbox_rules import MailboxRules, mailbox_rules
from postroom.ports import Sealing
from postroom.reading.invoices.ours import own_names
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents.ports import about_password
from postroom.rooms.documents.rules import fingerprints as prints
from postroom.rooms.documents.rules.orders import LASTS_DAYS, PendingOrder
from postroom.rooms.documents.rules.routes import PostedStatus, Twin
from postroom.rooms.documents.store.documents import MACHINE, KnownContent, clean, json_of

QUERIES = sql.load("postroom.rooms.documents", "routing.sql")
NOBODY = UUID(int=0)
ORDERS_LOOKED_AT = 200  # where none fits to the last share; of a document with several trades, many times as many
LONG_AGO, NEVER = date(1, 1, 1), date(1, 1, 2)


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """What the house knows before it reads a file: its own names, passwords, whom it trusts, what it holds already."""

    tenant_name: str
    has_orders: bool
    domains: list[str]
    password_ids: list[UUID]
    sealed: list[bytes]
    allowed: dict[str, list[str]]  # the allow-list of each pipeline
    profile: dict[str, Any] | None
    known: list[dict[str, Any]]

    @property
    def own(self) -> tuple[str, ...]:
        return own_names(self.tenant_name, [f"@{domain}" for domain in self.domains])

    @property
    def sender_profile(self) -> SenderProfile | None:
        return SenderProfile.from_json(self.profile) if self.profile else None

    def passwords(self, sealer: Sealing, tenant_id: TenantId) -> list[str]:
        """For protected PDFs, newest first."""
        pairs = zip(self.password_ids, self.sealed, strict=True)
        return [sealer.open(bytes(sealed), about=about_password(tenant_id, each)).decode() for each, sealed in pairs]

    def known_contents(self) -> dict[str, KnownContent]:
        return {each.sha256: each for each in msgspec.convert(self.known, list[KnownContent])}


@dataclass(frozen=True, slots=True)
class _TradeTwin:
    position: int
    id: UUID
    document_id: UUID
    filename: str
    status: PostedStatus
    same_print: bool
    net: Decimal | None
    order_id: UUID | None
    received_on: date


@dataclass(frozen=True, slots=True)
class _BesideRow:
    policy: dict[str, Any]
    rules: dict[str, Any]
    has_orders: bool
    confirmed_since_learnt: int | None
    known: dict[str, Any] | None
    trades: list[dict[str, Any]]
    orders: list[dict[str, Any]]
    invoices: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Beside:
    """What the books hold that a document could repeat, fulfil or contradict, and what the tenant wants."""

    policy: Mapping[str, Any] = field(default_factory=dict)
    has_orders: bool = False
    known: KnownContent | None = None
    trades: Mapping[int, Sequence[Twin]] = field(default_factory=dict)
    orders: Sequence[PendingOrder] = ()
    invoices: Sequence[Twin] = ()
    rules: MailboxRules = field(default_factory=MailboxRules)
    """Of the mailbox that it came to; of a file that was handed in, what is usual."""
    confirmed_since_learnt: int | None = None
    """Documents of this sender that a person confirmed as read since a correction told something; None if none did."""

    @property
    def keeps_orders(self) -> bool:
        return bool(self._wishes.get("require_order", self.has_orders))

    @property
    def sure_enough(self) -> float:
        return float(self._wishes.get("sure_enough", 0.0))

    @property
    def _wishes(self) -> Mapping[str, Any]:
        return self.policy.get("documents") or {}


@dataclass(frozen=True, slots=True)
class BesideQuestion:
    """About one document: its id and content, what was read of it, and who sent it."""

    document_id: DocumentId
    extraction: Extraction
    sender_email: str | None
    sha256: str = ""
    but: Collection[DocumentId] = ()  # documents of the same mail, whose content does not count as known
    mailbox_id: MailboxId | None = None
    marks: Sequence[int] | None = None  # of the turn that is taken with the question, if it was not taken before

    @property
    def values(self) -> dict[str, Any]:
        trades, invoice = self.extraction.trades, self.extraction.invoice
        days = [trade.trade_date for trade in trades if trade.trade_date is not None]
        sizes = [trade.quantity for trade in trades if trade.quantity is not None]
        sender = (self.sender_email or "").lower()
        return {
            "document_id": self.document_id,
            "sender_email": self.sender_email,
            "mailbox_id": self.mailbox_id,
            "machine": MACHINE,
            "marks": None if self.marks is None else list(self.marks),
            "sha256": self.sha256,
            "but": list(self.but),
            "trades": json_of(_asked_for(trades)),
            "isins": sorted({trade.isin for trade in trades if trade.isin}) if days else [],
            "any_isin": bool(days) and any(not trade.isin for trade in trades),
            "directions": sorted({trade.direction for trade in trades if trade.direction}),
            "amounts": sorted({plain(size) or "" for size in sizes}),
            "smallest": min(sizes, default=Decimal(0)),
            "since": min(days) - timedelta(days=LASTS_DAYS) if days else LONG_AGO,
            "until": max(days) if days else NEVER,
            "own": [sender, sender.partition("@")[0]],
            "most": ORDERS_LOOKED_AT * (1 if len(trades) == 1 else 25),
            "fingerprint": prints.invoice_fingerprint(invoice) if invoice else None,
            "number": clean(invoice.number) if invoice and invoice.number else None,
        }


def _asked_for(trades: Sequence[Trade]) -> list[dict[str, Any]]:
    marks = [prints.trade_fingerprint(trade) for trade in trades]
    return [
        {
            "position": position,
            "fingerprint": mark,
            "instance": instance,
            "trade_date": plain(trade.trade_date),
            "direction": trade.direction,
            "quantity": plain(trade.quantity),
            "instrument": trade.isin or trade.ticker or trade.name,
        }
        for position, (trade, mark, instance) in enumerate(zip(trades, marks, prints.instances(marks), strict=True))
    ]


async def reading_context(
    db: Database,
    tenant_id: TenantId,
    sender_email: str | None,
    hashes: Collection[str],
    *,
    but_message: MessageId | None = None,
    but_document: DocumentId | None = None,
) -> ReadingContext:
    values = {"but_message": but_message or NOBODY, "but_document": but_document or NOBODY}
    found = await db.look(
        tenant_id,
        QUERIES.reading_context,
        ReadingContext,
        sender_email=sender_email,
        hashes=list(hashes),
        **values,
    )
    return found[0] if found else ReadingContext("", False, [], [], [], {}, None, [])  # noqa: FBT003 - a tenant that is gone


async def take_turn(tx: Tx, tenant_id: TenantId, marks: Collection[str]) -> None:
    """Till the commit nobody else handles what has one of these marks; people's decisions wait for us as well."""
    await tx.run(QUERIES.take_turn, tenant_id=tenant_id, marks=turn_numbers(tenant_id, marks))


def turn_numbers(tenant_id: TenantId, marks: Collection[str]) -> list[int]:
    """The locks of these marks, in the order in which everybody takes them."""
    return prints.lock_numbers(f"{tenant_id} {mark}" for mark in marks)


async def beside(tx: Tx, question: BesideQuestion) -> Beside:
    row = await tx.row(QUERIES.beside, _BesideRow, **question.values)
    return _understood(row) if row else Beside()


async def look_beside(db: Database, tenant_id: TenantId, question: BesideQuestion) -> Beside:
    """The same in a transaction of its own: by the time it is acted on it may be different."""
    found = await db.look(tenant_id, QUERIES.beside, _BesideRow, **question.values)
    return _understood(found[0]) if found else Beside()


def _understood(row: _BesideRow) -> Beside:
    twins: dict[int, list[Twin]] = defaultdict(list)
    for each in msgspec.convert(row.trades, list[_TradeTwin]):
        twins[each.position].append(
            Twin(
                each.id,
                each.document_id,
                each.filename,
                each.status,
                each.same_print,
                net=each.net,
                order_id=each.order_id,
                received_on=each.received_on,
            )
        )
    return Beside(
        row.policy,
        row.has_orders,
        msgspec.convert(row.known, KnownContent) if row.known else None,
        twins,
        msgspec.convert(row.orders, list[PendingOrder]),
        msgspec.convert(row.invoices, list[Twin]),
        mailbox_rules(row.rules),
        row.confirmed_since_learnt,
    )
