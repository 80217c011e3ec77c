"""Watches in the database: subscriptions of Graph, watches of Gmail, and whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.provider_traits import WATCHED
from postroom.nouns.providers import SERVED_ONLY, Watch, WatchedFolder

QUERIES = sql.load(__package__ or "", "watches.sql")


@dataclass(frozen=True, slots=True)
class SubscriptionRow:
    """A row of `padealing.graph_subscription_state`."""

    subscription_id: str
    resource: str
    notification_url: str
    lifecycle_url: str | None
    expiration_datetime: datetime
    status: str
    last_renewed_at: datetime | None
    folder: WatchedFolder


@dataclass(frozen=True, slots=True)
class SubscriptionOwner:
    """Whose mailbox a Graph subscription is for."""

    subscription_id: str
    tenant_id: TenantId
    mailbox_id: MailboxId
    client_state_digest: bytes | None
    url_key_digests: list[bytes]
    status: str
    folder: WatchedFolder


@dataclass(frozen=True, slots=True)
class AddressOwner:
    address: str
    tenant_id: TenantId
    mailbox_id: MailboxId


@dataclass(frozen=True, slots=True)
class NotificationUrl:
    mailbox_id: MailboxId
    notification_url: str


@dataclass(frozen=True, slots=True)
class GmailWatchRow:
    topic: str
    expiration_datetime: datetime
    status: str
    last_renewed_at: datetime | None
    folders: list[WatchedFolder]


async def drop_subscriptions(tx: Tx, before: datetime) -> int:
    return await tx.run(QUERIES.drop_subscriptions, before=before)


async def get_active_subscription(tx: Tx, mailbox_id: MailboxId) -> SubscriptionRow | None:
    """That of the served folder."""
    return next((each for each in await active_subscriptions(tx, mailbox_id) if each.folder == "served"), None)


async def active_subscriptions(tx: Tx, mailbox_id: MailboxId) -> list[SubscriptionRow]:
    """One for each folder that is watched."""
    return await tx.rows(QUERIES.active_subscriptions, SubscriptionRow, id=mailbox_id)


async def upsert_subscription(
    tx: Tx,
    tenant_id: TenantId,
    mailbox_id: MailboxId,
    watch: Watch,
    digest: bytes | None,
    now: datetime,
    url_key_digest: bytes | None = None,
    folder: WatchedFolder = "served",
) -> None:
    """The digests are of what only the provider and we know: its clientState, and the key in its URLs."""
    await tx.run(QUERIES.retire_subscriptions, mailbox_id=mailbox_id, folder=folder, subscription_id=watch.id)
    await tx.run(
        QUERIES.upsert_subscription,
        subscription_id=watch.id,
        resource=watch.resource,
        notification_url=watch.callback,
        lifecycle_url=watch.lifecycle_callback,
        expiration=watch.expires_at,
        now=now,
        tenant_id=tenant_id,
        mailbox_id=mailbox_id,
        folder=folder,
        digest=digest,
        url_key_digest=url_key_digest,
    )


async def mark_expired(tx: Tx, subscription_id: str) -> bool:
    return bool(await tx.run(QUERIES.mark_subscription, subscription_id=subscription_id, status="expired"))


async def mark_removed(tx: Tx, subscription_id: str) -> bool:
    return bool(await tx.run(QUERIES.mark_subscription, subscription_id=subscription_id, status="removed"))


async def gmail_watch(tx: Tx, mailbox_id: MailboxId) -> GmailWatchRow | None:
    return await tx.row(QUERIES.gmail_watch, GmailWatchRow, id=mailbox_id)


async def upsert_gmail_watch(
    tx: Tx,
    tenant_id: TenantId,
    mailbox_id: MailboxId,
    topic: str,
    expiration: datetime,
    now: datetime,
    folders: Sequence[WatchedFolder] = SERVED_ONLY,
) -> None:
    values = {"topic": topic, "expiration": expiration, "now": now, "folders": list(folders)}
    await tx.run(QUERIES.upsert_gmail_watch, mailbox_id=mailbox_id, tenant_id=tenant_id, **values)


async def mark_gmail_watch(tx: Tx, mailbox_id: MailboxId, status: str) -> None:
    await tx.run(QUERIES.mark_gmail_watch, id=mailbox_id, status=status)


async def subscription_owners(db: Database, ids: list[str]) -> list[SubscriptionOwner]:
    return await db.desk_rows(QUERIES.subscription_owners, SubscriptionOwner, ids=ids)


async def address_owners(db: Database, addresses: list[str]) -> list[AddressOwner]:
    """Of Gmail's pushes, which name an address and nothing else."""
    return await db.desk_rows(QUERIES.address_owners, AddressOwner, provider="gmail", addresses=addresses)


async def due_for_renewal(tx: Tx, before: datetime) -> list[MailboxId]:
    return [
        MailboxId(each) for each in await tx.values(QUERIES.due_for_renewal, before=before, providers=list(WATCHED))
    ]


async def notification_urls(tx: Tx) -> dict[MailboxId, str]:
    """Where Graph sends notifications, by mailbox."""
    found = await tx.rows(QUERIES.notification_urls, NotificationUrl)
    return {each.mailbox_id: each.notification_url for each in found}


async def expire_watches(tx: Tx, now: datetime) -> None:
    """What ran out is said so, of the watch and of its mailbox."""
    ids = await tx.values(QUERIES.expire_subscriptions, now=now)
    ids += await tx.values(QUERIES.expire_gmail_watches, now=now)
    await tx.run(QUERIES.note_expired, ids=ids)
