"""Deliveries: sent in batches, in order within a thread; an endpoint that fails holds up nobody else."""

from __future__ import annotations

import asyncio
import functools
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from prometheus_client import Counter

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import PostroomError
from postroom.nouns.jobs import Enqueue, Job, Priority, RoutineJob
from postroom.nouns.secrets import Secret
from postroom.rooms.subscribers import store
from postroom.rooms.subscribers.ports import SubscriberPorts, about_secret
from postroom.rooms.subscribers.rules.retrying import Tried, health_after, next_try
from postroom.rooms.subscribers.rules.signing import SigningKeys
from postroom.rooms.subscribers.store import DueDelivery, Endpoint, TriedDelivery

LANES = 8  # of a tenant: however many webhooks hang, its mail has slots left
BATCH = 200
IN_FLIGHT = 32
HOPELESS_AFTER = 5  # failures in a row, and nothing got through: the rest of the batch waits
SLICE_SECONDS = 30.0  # then others of the lane have their turn
FORGET_AT_ONCE = 5000
DELIVERIES = Counter("postroom_webhook_deliveries", "Deliveries to webhooks by how they went", ["outcome"])
_deliveries = functools.cache(DELIVERIES.labels)


class DeliverEvents(Job, frozen=True):
    """Tell a webhook what waits for it."""

    kind: ClassVar[str] = "subscribers.deliver"
    priority: ClassVar[Priority] = Priority.ROUTINE
    holds_lane: ClassVar[bool] = False
    webhook_id: UUID
    number: int

    @property
    def key(self) -> str:
        return str(self.webhook_id)

    @property
    def lane(self) -> str:
        return f"webhook:{self.number % LANES}"


class ForgetEvents(RoutineJob, frozen=True):
    """Let go of events that are over."""

    kind: ClassVar[str] = "subscribers.forget"
    priority: ClassVar[Priority] = Priority.BACKFILL


@works(DeliverEvents)
async def deliver_events(job: DeliverEvents, work: Work[SubscriberPorts]) -> None:
    """Batch by batch, each recorded before the next. What was sent and not recorded is sent again, with the same id."""
    ends = time.monotonic() + SLICE_SECONDS
    later: datetime | None = None
    while time.monotonic() < ends:
        async with work.read() as tx:
            endpoint = await store.endpoint(tx, job.webhook_id)
            if endpoint is None or endpoint.status != "active":
                return
            most = 1 if endpoint.failures else BATCH  # one shows whether it works again
            waits = endpoint.wait_till is not None and endpoint.wait_till > work.now
            now = work.now
            due = [] if waits else await store.due_deliveries(tx, job.webhook_id, now, most)
            later = endpoint.wait_till if waits else None if due else await store.next_due(tx, job.webhook_id, now)
        if not due:
            break
        tried = await _send_all(work, endpoint, due)
        async with work.step() as tx:
            await _record(tx, work, endpoint, due, tried)
    else:
        later = work.now  # there is more, after the others of the lane
    async with work.finish() as tx:
        if later is not None:
            await work.enqueue(tx, Enqueue(job, run_at=later))


@works(ForgetEvents)
async def forget_old_events(job: ForgetEvents, work: Work[Any]) -> None:
    """As long ago as the tenant wants; told once, with how many they were."""
    del job
    async with work.read() as tx:
        before = await store.events_kept_since(tx, work.now)
    forgotten, gone = 0, FORGET_AT_ONCE
    while gone == FORGET_AT_ONCE:
        async with work.step() as tx:
            gone = await store.forget_events(tx, before, FORGET_AT_ONCE)
            forgotten += gone
    async with work.finish() as tx:
        if forgotten:
            await work.tell(tx, facts.Forgotten(what="events", count=forgotten, before=before))


async def _send_all(work: Work[SubscriberPorts], endpoint: Endpoint, due: Sequence[DueDelivery]) -> dict[UUID, Tried]:
    """Threads beside each other, the deliveries of one thread in order: after a failure the rest of it waits."""
    threads: dict[str, list[DueDelivery]] = defaultdict(list)
    for each in due:
        threads[each.thread].append(each)
    keys, going, tried = SigningKeys(_secrets(work, endpoint)), iter(threads.values()), dict[UUID, Tried]()

    async def thread_by_thread() -> None:
        for deliveries in going:  # shared: whoever is free takes the next
            for each in deliveries:
                if _hopeless(tried):
                    return
                tried[each.id] = await _send(work, endpoint, each, keys)
                if tried[each.id].error is not None:
                    break

    await asyncio.gather(*(thread_by_thread() for _ in range(min(IN_FLIGHT, len(threads)))))
    return tried


def _hopeless(tried: Mapping[UUID, Tried]) -> bool:
    return len(tried) >= HOPELESS_AFTER and all(each.outcome == "failed" for each in tried.values())


def _secrets(work: Work[SubscriberPorts], endpoint: Endpoint) -> list[Secret]:
    """The newest, and for a while the one before it."""
    sealed = [endpoint.secret]
    if endpoint.old_secret is not None and endpoint.old_secret_till is not None and endpoint.old_secret_till > work.now:
        sealed.append(endpoint.old_secret)
    about = about_secret(work.tenant_id, endpoint.id)
    return [Secret(work.outside.sealer.open(bytes(each), about=about).decode()) for each in sealed]


async def _send(work: Work[SubscriberPorts], endpoint: Endpoint, due: DueDelivery, keys: SigningKeys) -> Tried:
    body = due.body.encode()
    headers = keys.headers(f"evt_{due.event_id}", work.now, body)
    began = time.perf_counter()
    answer, error, after = None, None, None
    try:
        said = await work.outside.webhooks.post(endpoint.url, headers, body)
        answer, after = said.status, said.retry_after
        error = _complaint(said.status)
    except PostroomError as problem:
        error = str(problem)
    tried = Tried(answer, error, round((time.perf_counter() - began) * 1000), after)
    _deliveries(tried.outcome).inc()
    return tried


def _complaint(status: int) -> str | None:
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return f"It answered {status}: redirects are not followed. Enter the final address."
    return f"It answered {status}."


async def _record(
    tx: Tx, work: Work[SubscriberPorts], endpoint: Endpoint, due: Sequence[DueDelivery], tried: Mapping[UUID, Tried]
) -> None:
    now = work.now
    await store.record_tries(tx, [_outcome(each, tried[each.id], now) for each in due if each.id in tried], now)
    went = list(tried.values())
    health = health_after(went, endpoint.failures, endpoint.failing_since, now)
    error = next((each.error for each in went if each.error is not None), None)
    succeeded = any(each.error is None for each in went)
    await store.record_health(tx, endpoint.id, health, error, now, succeeded=succeeded)
    if health.disabled_because is not None:
        told = facts.WebhookDisabled(webhook_id=endpoint.id, url=endpoint.url, because=health.disabled_because)
        await work.tell(tx, told)


def _outcome(due: DueDelivery, tried: Tried, now: datetime) -> TriedDelivery:
    seen = (tried.answer, tried.error, tried.milliseconds)
    if tried.error is None:
        return TriedDelivery(due.id, "delivered", due.tries + 1, None, *seen)
    again = next_try(due.tries + 1, tried, now, random.random())
    status = "given_up" if again.at is None else "waiting"
    return TriedDelivery(due.id, status, due.tries + 1, again.at, *seen)
