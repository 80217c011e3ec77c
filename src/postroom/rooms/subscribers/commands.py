"""What people do about webhooks: add, test, pause, rotate, replay, remove."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID, uuid4

from postroom.db.pool import Tx
from postroom.engine.facts import TellingFact
from postroom.engine.feed import FeedPosition
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import new_id
from postroom.nouns.secrets import Secret
from postroom.ports import Sealing, WebhookPost
from postroom.rooms.subscribers import store
from postroom.rooms.subscribers.jobs import DeliverEvents
from postroom.rooms.subscribers.ports import about_secret
from postroom.rooms.subscribers.rules import signing
from postroom.rooms.subscribers.rules.events import EVENT_TYPES, EVENTS, TEST_EVENT, Event, envelope_of_test, events_of
from postroom.rooms.subscribers.store import Delivery, NewDelivery, Webhook

MOST_WEBHOOKS = 100
LONGEST_URL = 2000
LONGEST_DESCRIPTION = 200
OVERLAP = timedelta(hours=24)


async def create_webhook(
    who: TenantScope,
    sealer: Sealing,
    post: WebhookPost,
    url: str,
    events: Sequence[str] = (),
    description: str = "",
) -> tuple[Webhook, Secret]:
    """From now on it is told of these events; of all, when none are named. The secret can be seen only here."""
    url = url.strip()
    if unknown := [each for each in events if each not in EVENT_TYPES]:
        raise BadRequest(f"{', '.join(map(repr, unknown))}: no such event; choose from {', '.join(EVENT_TYPES)}.")
    if len(url) > LONGEST_URL or (why := post.objection(url)):
        raise BadRequest(why if len(url) <= LONGEST_URL else f"A web address has up to {LONGEST_URL} characters.")
    description = description.strip()
    if len(description) > LONGEST_DESCRIPTION:
        raise BadRequest(f"What it is for has up to {LONGEST_DESCRIPTION} letters; these are {len(description)}.")
    webhook_id, secret = new_id(), signing.new_secret()
    sealed = sealer.seal(secret.reveal().encode(), about=about_secret(who.tenant_id, webhook_id))
    chosen = list(dict.fromkeys(events))
    async with who.finish() as tx:
        if len(await store.webhooks(tx)) >= MOST_WEBHOOKS:
            raise Conflict(f"A tenant has up to {MOST_WEBHOOKS} webhooks; remove one first.")
        about = (url, description, chosen, sealed)
        await store.put_webhook(tx, who.tenant_id, webhook_id, *about, who.actor, who.now)
        await who.tell(tx, facts.WebhookCreated(webhook_id=webhook_id, url=url, events=chosen))
        made = await _webhook(tx, webhook_id)
    return made, secret


async def remove_webhook(who: TenantScope, webhook_id: UUID) -> None:
    """With its deliveries; what waits is not sent any more."""
    async with who.finish() as tx:
        found = await _webhook(tx, webhook_id)
        await store.remove_webhook(tx, webhook_id)
        await who.tell(tx, facts.WebhookRemoved(webhook_id=webhook_id, url=found.url))


async def pause_webhook(who: TenantScope, webhook_id: UUID) -> Webhook:
    """What happens meanwhile waits for it."""
    async with who.finish() as tx:
        found = await _webhook(tx, webhook_id)
        if found.status == "disabled":
            raise Conflict("It is disabled, so nothing is sent to it anyway.")
        if await store.set_status(tx, webhook_id, "paused"):
            await who.tell(tx, facts.WebhookChanged(webhook_id=webhook_id, url=found.url, how="paused"))
        return await _webhook(tx, webhook_id)


async def resume_webhook(who: TenantScope, webhook_id: UUID) -> Webhook:
    """Also after it was disabled. What waits is sent now."""
    async with who.finish() as tx:
        found = await _webhook(tx, webhook_id)
        if await store.set_status(tx, webhook_id, "active"):
            await who.tell(tx, facts.WebhookChanged(webhook_id=webhook_id, url=found.url, how="resumed"))
        await store.try_all_now(tx, webhook_id, who.now)
        await who.enqueue(tx, DeliverEvents(webhook_id, found.number))
        return await _webhook(tx, webhook_id)


async def rotate_secret(who: TenantScope, sealer: Sealing, webhook_id: UUID) -> Secret:
    """A new secret. For a day deliveries are signed with the old one too, so that receivers can follow."""
    secret = signing.new_secret()
    async with who.finish() as tx:
        found = await _webhook(tx, webhook_id)
        sealed = sealer.seal(secret.reveal().encode(), about=about_secret(who.tenant_id, webhook_id))
        await store.rotate_secret(tx, webhook_id, sealed, who.now + OVERLAP)
        await who.tell(tx, facts.WebhookChanged(webhook_id=webhook_id, url=found.url, how="secret_rotated"))
    return secret


async def send_test(who: TenantScope, webhook_id: UUID) -> Delivery:
    """An event of its own kind, on the way that all take."""
    async with who.finish() as tx:
        found = await _webhook(tx, webhook_id)
        _must_be_active(found)
        run = uuid4()
        payload = envelope_of_test(who.tenant_id, run, who.now)
        event = Event(TEST_EVENT, None, None, None, str(run), None, who.now, payload)
        [made] = await store.put_events(tx, who.tenant_id, [event], who.now)
        return await _send_again(tx, who, found, made.id, f"test:{run}", None)


async def replay(who: TenantScope, delivery_id: UUID) -> Delivery:
    """Once more, with the same id, so that a receiver knows what it has seen."""
    async with who.finish() as tx:
        found = await store.delivery(tx, delivery_id)
        if found is None:
            raise NotFound(f"There is no delivery {delivery_id}; old ones are forgotten, see the retention of events.")
        webhook = await _webhook(tx, found.webhook_id)
        _must_be_active(webhook)
        told = facts.DeliveryReplayed(webhook_id=webhook.id, delivery_id=delivery_id, event_type=found.type)
        await who.tell(tx, told)
        return await _send_again(tx, who, webhook, found.event_id, f"replay:{uuid4()}", delivery_id)


async def webhook(who: TenantScope, webhook_id: UUID) -> Webhook:
    async with who.read() as tx:
        return await _webhook(tx, webhook_id)


async def webhooks(who: TenantScope) -> list[Webhook]:
    async with who.read() as tx:
        return await store.webhooks(tx)


async def deliveries(
    who: TenantScope, webhook_id: UUID, *, before: UUID | None = None, status: str | None = None, most: int = 50
) -> list[Delivery]:
    async with who.read() as tx:
        await _webhook(tx, webhook_id)
        return await store.deliveries(tx, webhook_id, before=before, status=status, most=most)


async def events_among(who: TenantScope, told: Sequence[TellingFact]) -> list[tuple[str, Event]]:
    """The canonical events among these facts, each with its position in the feed."""
    if not any(fact.kind in EVENTS for fact in told):
        return []
    first, last = told[0], told[-1]
    async with who.read() as tx:
        after = FeedPosition(first.xid, first.id - 1)
        seen = await store.facts_to_tell(tx, after, last.xid + 1, list(EVENTS), len(told) + 1)
    found = [fact for fact in seen if (fact.xid, fact.id) <= (last.xid, last.id)]
    return [(f"{fact.xid}-{fact.id}", event) for fact in found for event in events_of(fact)]


async def _send_again(
    tx: Tx, who: TenantScope, webhook: Webhook, event_id: int, thread: str, replay_of: UUID | None
) -> Delivery:
    new = NewDelivery(webhook.id, event_id, thread, replay_of)
    await store.put_deliveries(tx, who.tenant_id, [new], who.now)
    await who.enqueue(tx, DeliverEvents(webhook.id, webhook.number))
    [made] = await store.deliveries(tx, webhook.id, most=1)
    return made


async def _webhook(tx: Tx, webhook_id: UUID) -> Webhook:
    found = await store.webhook(tx, webhook_id)
    if found is None:
        raise NotFound(f"There is no webhook {webhook_id}.")
    return found


def _must_be_active(webhook: Webhook) -> None:
    if webhook.status != "active":
        raise Conflict(f"The webhook is {webhook.status}; resume it first.")
