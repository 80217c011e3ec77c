"""From facts to events: for every tenant with webhooks, in the order of the feed, without a gap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from postroom.db.pool import Database, Tx
from postroom.engine.feed import FeedPosition
from postroom.engine.waker import Waker
from postroom.engine.work import NextJobs, TenantScope
from postroom.nouns.ids import TenantId
from postroom.rooms.subscribers import store
from postroom.rooms.subscribers.jobs import DeliverEvents
from postroom.rooms.subscribers.rules.events import EVENTS, events_of
from postroom.rooms.subscribers.store import NewDelivery, Webhook

MOST_FACTS = 1000
LAST_ID = 2**63 - 1


class EventPublisher:
    """Cursor, events, deliveries and their jobs are one commit: nothing is told twice, nothing is left out."""

    def __init__(self, db: Database, waker: Waker, next_jobs: NextJobs, clock: Callable[[], datetime]) -> None:
        self._db, self._waker, self._next_jobs, self._clock = db, waker, next_jobs, clock

    async def publish_all(self) -> None:
        for tenant in await store.tenants_with_webhooks(self._db):
            while await self.publish(tenant):
                pass

    async def publish(self, tenant_id: TenantId) -> bool:
        """Whether there is more to read."""
        scope = TenantScope(self._db, self._waker, self._next_jobs, tenant_id, "postroom", self._clock)
        async with scope.finish() as tx:
            at = await store.lock_cursor(tx)
            if at is None:
                return False  # another publisher is at it
            hooks = [each for each in await store.webhooks(tx) if each.status != "disabled"]
            upto = await store.settled(tx)
            facts = await store.facts_to_tell(tx, at, upto, list(EVENTS), MOST_FACTS)
            more = len(facts) == MOST_FACTS
            told = [event for fact in facts for event in events_of(fact) if _wanted(event.type, hooks)]
            if told:
                jobs = await _put(tx, scope, hooks, await store.put_events(tx, tenant_id, told, scope.now))
                await scope.enqueue(tx, *jobs)
            after = FeedPosition(facts[-1].xid, facts[-1].id) if more else FeedPosition(upto - 1, LAST_ID)
            if after != at:
                await store.move_cursor(tx, after)
        return more


def _wanted(event_type: str, hooks: Sequence[Webhook]) -> bool:
    return any(not each.events or event_type in each.events for each in hooks)


async def _put(
    tx: Tx, scope: TenantScope, hooks: Sequence[Webhook], events: Sequence[store.NewEvent]
) -> list[DeliverEvents]:
    going = [
        (hook, NewDelivery(hook.id, event.id, event.thread or str(event.id)))
        for event in events
        for hook in hooks
        if event.told_at >= hook.created_at and (not hook.events or event.type in hook.events)
    ]
    if going:
        await store.put_deliveries(tx, scope.tenant_id, [each for _, each in going], scope.now)
    active = {hook.id: hook for hook, _ in going if hook.status == "active"}
    return [DeliverEvents(each.id, each.number) for each in active.values()]
