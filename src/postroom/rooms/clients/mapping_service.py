"""From a mail to a suggestion: gather what the book and the past say, then decide."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns.clients import ClientAccount, Email, Engagement, PrintedClient, Suggestion, WorkItem
from postroom.nouns.ids import MessageId
from postroom.rooms.clients.rules import mails, signals
from postroom.rooms.clients.rules.known import Known, lookups
from postroom.rooms.clients.rules.suggesting import suggest
from postroom.rooms.clients.rules.weights import adjusted, fitted
from postroom.rooms.clients.store import lookup
from postroom.rooms.clients.store.lookup import Context, EarlierMessage, MessageToMap, PrintedRow


@dataclass(frozen=True, slots=True)
class MappingCase:
    """All that is known about one mail, before anything is decided."""

    message: MessageToMap
    email: Email
    context: Context
    known: Known

    @property
    def received_at(self) -> datetime:
        moment = self.message.received_at or self.message.arrived_at
        assert moment is not None, "a message that arrived has a time"
        return moment


class EmailMappingService:
    """Whose mail a mail is, for one tenant. Nothing is kept."""

    def __init__(self, scope: TenantScope) -> None:
        self._scope = scope

    async def suggest_mapping(
        self, email: Email
    ) -> tuple[ClientAccount | None, Engagement | None, WorkItem | None, Decimal, str, bool]:
        """Account, engagement, work item, confidence, reasons, and whether a person has to decide."""
        found = await self.suggest(email)
        return (
            found.account,
            found.engagement,
            found.work_item,
            found.confidence,
            found.because,
            found.requires_triage,
        )

    async def suggest(self, email: Email) -> Suggestion:
        """With the candidates, each with its clues."""
        now = self._scope.now
        dated = email if email.date else replace(email, date=now)
        async with self._scope.read() as tx:
            context, known = await gather(tx, dated, now)
        return decide(dated, context, known, now)


async def gather(tx: Tx, email: Email, now: datetime, message_id: MessageId | None = None) -> tuple[Context, Known]:
    """Two questions to the database, however large the book."""
    sender = email.sender.email if email.sender else None
    context = await lookup.context(tx, sender, now, message_id=message_id, before=email.date)
    past = [each.mapped for each in email.thread if each.mapped]
    known = await lookup.look_up(tx, lookups(email, signals.forwarded_from(email)), context, past)
    return context, known


def decide(email: Email, context: Context, known: Known, now: datetime) -> Suggestion:
    return suggest(email, known, now, context.policy, adjusted(fitted(), context.tallies, now))


async def gather_message(tx: Tx, message_id: MessageId, now: datetime) -> MappingCase | None:
    """A mail that arrived, with its thread and its documents."""
    message = await lookup.message_to_map(tx, message_id)
    if message is None or message.state != "arrived":
        return None
    received = message.received_at or message.arrived_at or now
    earlier = await lookup.thread_before(tx, message.thread_id, message.id, received) if message.thread_id else []
    printed = await lookup.printed_clients(tx, message.id)
    email = await asyncio.to_thread(_email, message, earlier, printed, received)
    context, known = await gather(tx, email, now, message.id)
    return MappingCase(message, email, context, known)


def _email(
    message: MessageToMap, earlier: list[EarlierMessage], printed: list[PrintedRow], received: datetime
) -> Email:
    sender, is_named_only = mails.author(message.sender_email, message.sender_name, message.recipients)
    bare = Email(
        sender=sender,
        to=mails.addresses_from(message.recipients.get("to") or ()),
        cc=mails.addresses_from(message.recipients.get("cc") or ()),
        subject=message.subject or "",
        date=received,
        trust=message.trust,
        trust_because=message.trust_because or "",
        automatic=message.automatic,
        is_named_only=is_named_only,
        documents=tuple(_printed(each) for each in printed),
        thread=tuple(_earlier(each) for each in earlier),
    )
    return mails.with_new_words(message.body or "", bare)


def _printed(row: PrintedRow) -> PrintedClient:
    return PrintedClient(row.filename, tuple(filter(None, (row.buyer, row.supplier))), tuple(row.codes))


def _earlier(row: EarlierMessage) -> Email:
    sender, _ = mails.author(row.sender_email, row.sender_name, row.recipients)
    return Email(
        sender=sender,
        to=mails.addresses_from(row.recipients.get("to") or ()),
        cc=mails.addresses_from(row.recipients.get("cc") or ()),
        subject=row.subject or "",
        date=row.received_at,
        mapped=row.mapped,
    )
