"""What is looked up for one mail: the mail, its thread, and what the book and the past say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.clients import (
    AccountId,
    BookStatus,
    ClientAccount,
    Engagement,
    EngagementId,
    MappingStatus,
    PastMapping,
    WorkItem,
    WorkItemId,
)
from postroom.nouns.ids import MailboxId, MessageId, ThreadId
from postroom.nouns.mail import TrustLevel
from postroom.rooms.clients.rules import domains
from postroom.rooms.clients.rules.known import Found, FoundCode, Known, Lookups, Rejection, SenderChoice, plain_address
from postroom.rooms.clients.rules.staleness import StalenessConfig
from postroom.rooms.clients.rules.suggesting import MappingPolicy
from postroom.rooms.clients.rules.weights import OUTCOMES_HALVE_AFTER, SignalTally

QUERIES = sql.load("postroom.rooms.clients", "mapping.sql")
THREAD_LOOKED_AT = 50
TALLIES_COUNT = OUTCOMES_HALVE_AFTER * 6


@dataclass(frozen=True, slots=True)
class MessageToMap:
    id: MessageId
    mailbox_id: MailboxId
    mailbox: str
    thread_id: ThreadId | None
    state: str
    sender_email: str | None
    sender_name: str | None
    recipients: dict[str, list[str]]
    subject: str | None
    body: str | None
    automatic: str | None
    trust: TrustLevel | None
    trust_because: str | None
    received_at: datetime | None
    arrived_at: datetime | None
    source: str


@dataclass(frozen=True, slots=True)
class EarlierMessage:
    """A mail of the same thread, with how it was mapped."""

    sender_email: str | None
    sender_name: str | None
    recipients: dict[str, list[str]]
    subject: str | None
    received_at: datetime
    account_id: AccountId | None
    engagement_id: EngagementId | None
    work_item_id: WorkItemId | None
    status: MappingStatus | None
    decided_at: datetime | None

    @property
    def mapped(self) -> PastMapping | None:
        if self.status is None:
            return None
        at = self.decided_at if self.status == "confirmed" and self.decided_at else self.received_at
        return PastMapping(self.account_id, self.engagement_id, self.work_item_id, self.status, at)


@dataclass(frozen=True, slots=True)
class PrintedRow:
    filename: str
    codes: list[str]
    supplier: str | None
    buyer: str | None


@dataclass(frozen=True, slots=True)
class Context:
    """What besides the book decides about a mail of this sender."""

    has_book: bool
    mailboxes: Sequence[str]
    people: Sequence[str]
    history: Sequence[PastMapping]
    rejections: Sequence[Rejection]
    choice: SenderChoice | None
    policy: MappingPolicy
    tallies: Sequence[SignalTally]


@dataclass(frozen=True, slots=True)
class _ContextRow:
    has_book: bool
    mailboxes: list[str]
    people: list[str]
    history: list[dict[str, Any]]
    rejections: list[dict[str, Any]]
    choice: dict[str, Any] | None
    policy: dict[str, Any] | None
    tallies: list[list[Any]]


@dataclass(frozen=True, slots=True)
class _Hit:
    what: str
    key: str
    label: str
    account_id: AccountId
    account_code: str
    account_name: str
    account_status: BookStatus
    engagement_id: EngagementId | None
    engagement_code: str | None
    engagement_name: str | None
    engagement_status: BookStatus | None
    work_item_id: WorkItemId | None
    work_item_code: str | None
    work_item_name: str | None
    work_item_status: BookStatus | None

    def account(self) -> ClientAccount:
        return ClientAccount(self.account_id, self.account_code, self.account_name, self.account_status)

    def engagement(self) -> Engagement | None:
        if self.engagement_id is None:
            return None
        code, name = self.engagement_code or "", self.engagement_name or ""
        return Engagement(self.engagement_id, self.account_id, code, name, self.engagement_status or "open")

    def work_item(self) -> WorkItem | None:
        if self.work_item_id is None or self.engagement_id is None:
            return None
        code, name, status = self.work_item_code or "", self.work_item_name or "", self.work_item_status or "open"
        return WorkItem(self.work_item_id, self.account_id, self.engagement_id, code, name, status)


async def message_to_map(tx: Tx, message_id: MessageId) -> MessageToMap | None:
    return await tx.row(QUERIES.message_to_map, MessageToMap, message_id=message_id)


async def thread_before(tx: Tx, thread_id: ThreadId, message_id: MessageId, before: datetime) -> list[EarlierMessage]:
    """Oldest first."""
    values = {"thread_id": thread_id, "message_id": message_id, "before": before, "most": THREAD_LOOKED_AT}
    return (await tx.rows(QUERIES.thread_before, EarlierMessage, **values))[::-1]


async def printed_clients(tx: Tx, message_id: MessageId) -> list[PrintedRow]:
    return await tx.rows(QUERIES.printed_clients, PrintedRow, message_id=message_id)


async def context(
    tx: Tx, sender: str | None, now: datetime, *, message_id: MessageId | None = None, before: datetime | None = None
) -> Context:
    faded = {"today": now.date(), "halves_after_days": OUTCOMES_HALVE_AFTER.days}
    values = {"message_id": message_id, "before": before, "tallied_since": (now - TALLIES_COUNT).date(), **faded}
    row = await tx.row(QUERIES.context, _ContextRow, sender=plain_address(sender) if sender else "", **values)
    assert row is not None
    return Context(
        has_book=row.has_book,
        mailboxes=row.mailboxes,
        people=row.people,
        history=[_past(each) for each in row.history],
        rejections=[Rejection(AccountId(UUID(each["account_id"])), _moment(each["at"])) for each in row.rejections],
        choice=_choice(row.choice),
        policy=policy_from(row.policy),
        tallies=[_tally(each, now) for each in row.tallies],
    )


def _past(row: Mapping[str, Any]) -> PastMapping:
    return PastMapping(
        _id(row["account_id"], AccountId),
        _id(row["engagement_id"], EngagementId),
        _id(row["work_item_id"], WorkItemId),
        row["status"],
        _moment(row["at"]),
    )


def _id(text: str | None, kind: Any) -> Any:
    return None if text is None else kind(UUID(text))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _choice(row: Mapping[str, Any] | None) -> SenderChoice | None:
    if row is None:
        return None
    account, engagement = _id(row["account_id"], AccountId), _id(row["engagement_id"], EngagementId)
    return SenderChoice(account, engagement, row["by"], _moment(row["at"]), row["reason"])


def _tally(row: Sequence[Any], now: datetime) -> SignalTally:
    """What is left of it today: the database has let it fade."""
    signal, rights, wrongs = row
    return SignalTally(signal, now, rights, wrongs)


def policy_from(row: Mapping[str, Any] | None) -> MappingPolicy:
    """The tenant's own, or the documented defaults."""
    if row is None:
        return MappingPolicy()
    staleness = StalenessConfig(
        row["staleness_days"],
        _share(row["multi_account_penalty"]),
        _share(row["mixed_thread_penalty"]),
        _share(row["subject_penalty"]),
        _share(row["stale_penalty"]),
    )
    left_out = frozenset(UUID(str(each)) for each in row["left_out"])
    return MappingPolicy(_share(row["threshold"]), staleness, row["silent_after_days"], left_out)


def _share(value: object) -> Decimal:
    return Decimal(str(value)).quantize(Decimal("0.01"))


async def look_up(tx: Tx, asked: Lookups, context: Context, thread: Sequence[PastMapping] = ()) -> Known:
    """One question to the book."""
    past: list[PastMapping | SenderChoice] = [*context.history, *thread]
    past += [context.choice] if context.choice else []
    accounts = {each.account_id for each in (*past, *context.rejections) if each.account_id}
    engagements = {each.engagement_id for each in past if each.engagement_id}
    hits = await tx.rows(
        QUERIES.look_up,
        _Hit,
        addresses=asked.addresses,
        domains=asked.domains,
        near=asked.near,
        codes=asked.codes,
        phrases=asked.phrases,
        people=asked.people,
        accounts=sorted(accounts),
        engagements=sorted(engagements),
    )
    return _known(hits, context)


def _known(hits: Sequence[_Hit], context: Context) -> Known:
    def found(what: str) -> list[Found]:
        return [Found(hit.key, hit.account_id, hit.label) for hit in hits if hit.what == what]

    engagements = [work for hit in hits if (work := hit.engagement())]
    work_items = [item for hit in hits if (item := hit.work_item())]
    codes = [
        FoundCode(hit.key, hit.account_id, hit.engagement_id, hit.work_item_id) for hit in hits if hit.what == "code"
    ]
    houses = {address.rpartition("@")[2] for address in context.mailboxes}
    return Known(
        accounts={hit.account_id: hit.account() for hit in hits},
        engagements={each.id: each for each in engagements},
        work_items={each.id: each for each in work_items},
        contacts=found("contact"),
        domains=found("domain"),
        near_domains=found("near"),
        codes=codes,
        names=found("name"),
        people=found("person"),
        history=context.history,
        rejections=context.rejections,
        choice=context.choice,
        own_addresses=frozenset(map(plain_address, (*context.mailboxes, *context.people))),
        own_domains=frozenset(house for house in houses if domains.speaking(house)),
    )
