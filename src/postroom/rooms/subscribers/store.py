"""Webhooks, events and deliveries in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.facts import as_json
from postroom.engine.feed import FeedPosition
from postroom.nouns.ids import TenantId, new_id
from postroom.nouns.retention import retention_of
from postroom.rooms.subscribers.rules.events import Event, FactSeen
from postroom.rooms.subscribers.rules.retrying import EndpointHealth

QUERIES = sql.load(__package__ or "")


@dataclass(frozen=True, slots=True)
class Webhook:
    """An endpoint as people see it: never its secret."""

    id: UUID
    number: int
    url: str
    description: str
    events: list[str]
    status: str
    because: str | None
    failures: int
    failing_since: datetime | None
    wait_till: datetime | None
    last_success_at: datetime | None
    last_failure_at: datetime | None
    last_error: str | None
    old_secret_till: datetime | None
    created_by: str
    created_at: datetime
    waiting: int


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint as deliveries need it; its secrets are sealed."""

    id: UUID
    number: int
    url: str
    events: list[str]
    status: str
    failures: int
    failing_since: datetime | None
    wait_till: datetime | None
    secret: bytes
    old_secret: bytes | None
    old_secret_till: datetime | None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event that was not known before."""

    id: int
    type: str
    thread: str | None
    told_at: datetime


@dataclass(frozen=True, slots=True)
class NewDelivery:
    webhook_id: UUID
    event_id: int
    thread: str
    replay_of: UUID | None = None
    id: UUID = field(default_factory=new_id)


@dataclass(frozen=True, slots=True)
class DueDelivery:
    id: UUID
    event_id: int
    thread: str
    tries: int
    body: str  # JSON, as it is sent


@dataclass(frozen=True, slots=True)
class TriedDelivery:
    """What is written down of a try."""

    id: UUID
    status: str
    tries: int
    next_at: datetime | None
    answer: int | None
    error: str | None
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event on its way to a webhook, as people see it."""

    id: UUID
    webhook_id: UUID
    event_id: int
    type: str
    message_id: UUID | None
    thread_id: UUID | None
    mailbox_id: UUID | None
    status: str
    tries: int
    next_at: datetime
    answer: int | None
    error: str | None
    milliseconds: int | None
    replay_of: UUID | None
    created_at: datetime
    tried_at: datetime | None
    occurred_at: datetime
    payload: dict[str, Any]


async def tenants_with_webhooks(db: Database) -> list[TenantId]:
    return [TenantId(each) for each in await db.desk_values(QUERIES.tenants_with_webhooks)]


async def webhooks(tx: Tx) -> list[Webhook]:
    return await tx.rows(QUERIES.webhooks, Webhook, webhook_id=None)


async def webhook(tx: Tx, webhook_id: UUID) -> Webhook | None:
    return await tx.row(QUERIES.webhooks, Webhook, webhook_id=webhook_id)


async def endpoint(tx: Tx, webhook_id: UUID) -> Endpoint | None:
    return await tx.row(QUERIES.endpoint, Endpoint, webhook_id=webhook_id)


async def put_webhook(
    tx: Tx,
    tenant_id: TenantId,
    webhook_id: UUID,
    url: str,
    description: str,
    events: Sequence[str],
    secret: bytes,
    actor: str,
    now: datetime,
) -> None:
    """One after the other, so that each gets a number of its own."""
    await tx.run(QUERIES.lock_webhooks, tenant_id=tenant_id)
    await tx.run(QUERIES.begin_at_now, tenant_id=tenant_id)
    values = {"url": url, "description": description, "events": list(events), "secret": secret}
    await tx.run(QUERIES.put_webhook, id=webhook_id, tenant_id=tenant_id, actor=actor, now=now, **values)


async def set_status(tx: Tx, webhook_id: UUID, status: str, because: str | None = None) -> bool:
    return bool(await tx.run(QUERIES.set_status, webhook_id=webhook_id, status=status, because=because))


async def try_all_now(tx: Tx, webhook_id: UUID, now: datetime) -> None:
    await tx.run(QUERIES.try_all_now, webhook_id=webhook_id, now=now)


async def rotate_secret(tx: Tx, webhook_id: UUID, secret: bytes, till: datetime) -> None:
    await tx.run(QUERIES.rotate_secret, webhook_id=webhook_id, secret=secret, till=till)


async def remove_webhook(tx: Tx, webhook_id: UUID) -> bool:
    return bool(await tx.run(QUERIES.remove_webhook, webhook_id=webhook_id))


async def lock_cursor(tx: Tx) -> FeedPosition | None:
    return await tx.row(QUERIES.lock_cursor, FeedPosition)


async def settled(tx: Tx) -> int:
    upto: int = await tx.value(QUERIES.settled)
    return upto


async def move_cursor(tx: Tx, to: FeedPosition) -> None:
    await tx.run(QUERIES.move_cursor, xid=to.xid, id=to.id)


async def facts_to_tell(tx: Tx, after: FeedPosition, upto: int, kinds: Sequence[str], most: int) -> list[FactSeen]:
    values = {"xid": after.xid, "id": after.id, "upto": upto, "kinds": list(kinds), "most": most}
    return await tx.rows(QUERIES.facts_to_tell, FactSeen, **values)


async def put_events(tx: Tx, tenant_id: TenantId, events: Sequence[Event], now: datetime) -> list[NewEvent]:
    return await tx.rows(QUERIES.put_events, NewEvent, tenant_id=tenant_id, events=as_json(events), now=now)


async def put_deliveries(tx: Tx, tenant_id: TenantId, deliveries: Sequence[NewDelivery], now: datetime) -> None:
    await tx.run(QUERIES.put_deliveries, tenant_id=tenant_id, deliveries=as_json(deliveries), now=now)


async def due_deliveries(tx: Tx, webhook_id: UUID, now: datetime, most: int) -> list[DueDelivery]:
    return await tx.rows(QUERIES.due_deliveries, DueDelivery, webhook_id=webhook_id, now=now, most=most)


async def next_due(tx: Tx, webhook_id: UUID, after: datetime) -> datetime | None:
    at: datetime | None = await tx.value(QUERIES.next_due, webhook_id=webhook_id, after=after)
    return at


async def record_tries(tx: Tx, tried: Sequence[TriedDelivery], now: datetime) -> None:
    await tx.run(QUERIES.record_tries, tries=as_json(tried), now=now)


async def record_health(
    tx: Tx, webhook_id: UUID, health: EndpointHealth, error: str | None, now: datetime, *, succeeded: bool
) -> None:
    await tx.run(
        QUERIES.record_health,
        webhook_id=webhook_id,
        failures=health.failures,
        failing_since=health.failing_since,
        wait_till=health.wait_till,
        disabled=health.disabled_because,
        succeeded=succeeded,
        error=error,
        now=now,
    )


async def deliveries(
    tx: Tx, webhook_id: UUID, *, before: UUID | None = None, status: str | None = None, most: int = 50
) -> list[Delivery]:
    """Newest first."""
    values = {"before": before, "status": status, "most": most, "delivery_id": None}
    return await tx.rows(QUERIES.deliveries, Delivery, webhook_id=webhook_id, **values)


async def delivery(tx: Tx, delivery_id: UUID) -> Delivery | None:
    values = {"webhook_id": None, "before": None, "status": None, "most": 1}
    return await tx.row(QUERIES.deliveries, Delivery, delivery_id=delivery_id, **values)


async def events_kept_since(tx: Tx, now: datetime) -> datetime:
    """What is older may be forgotten."""
    before = retention_of(await tx.value(QUERIES.policy) or {}).horizon("events", now)
    assert before is not None  # events are never kept for ever
    return before


async def forget_events(tx: Tx, before: datetime, most: int) -> int:
    return await tx.run(QUERIES.forget_events, before=before, most=most)
