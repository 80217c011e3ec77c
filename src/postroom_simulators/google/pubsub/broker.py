"""Topics and subscriptions in memory: what is published is kept until acknowledged or too old."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.schedule import SimSchedule

_HELD = 2.0  # a reordered message waits this long for a later one to overtake it
_OVERTAKEN = 0.05  # and this long after it was
_MAY_PUBLISH = (
    "roles/pubsub.publisher",
    "roles/pubsub.editor",
    "roles/pubsub.admin",
    "roles/editor",
    "roles/owner",
)


@dataclass(frozen=True, slots=True)
class SimPubSubMessage:
    id: str
    data: bytes
    published_at: float
    attributes: Mapping[str, str] = field(default_factory=dict)
    about: str = ""  # the mailbox, for the recorder


@dataclass(slots=True)
class SimPubSubTopic:
    name: str
    bindings: list[dict[str, Any]] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    subscriptions: dict[str, SimPubSubSubscription] = field(default_factory=dict)

    def grants(self, role: str, member: str) -> bool:
        enough = {role, *_MAY_PUBLISH}
        return any(
            binding.get("role") in enough and {member, "allUsers"} & set(binding.get("members", ()))
            for binding in self.bindings
        )


@dataclass(frozen=True, slots=True)
class PushConfig:
    endpoint: str
    audience: str = ""
    service_account: str = ""  # empty: pushed without a token


@dataclass(slots=True)
class SimPubSubDelivery:
    message: SimPubSubMessage
    subscription: SimPubSubSubscription
    attempt: int = 0


@dataclass(slots=True)
class SimPubSubSubscription:
    name: str
    topic: str
    push: PushConfig | None = None
    ack_deadline: float = 10.0
    retention: float = 7 * 24 * 3600.0
    backoff: tuple[float, float] | None = None  # RetryPolicy: shortest and longest
    dead_letter: tuple[str, int] | None = None  # topic and attempts
    labels: dict[str, str] = field(default_factory=dict)
    bindings: list[dict[str, Any]] = field(default_factory=list)
    live: bool = True
    waiting: deque[SimPubSubDelivery] = field(default_factory=deque)
    leased: dict[str, SimPubSubDelivery] = field(default_factory=dict)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _deadlines: list[tuple[float, str]] = field(default_factory=list)

    def too_old(self, message: SimPubSubMessage, now: float) -> bool:
        return message.published_at + self.retention < now

    def wait(self, delivery: SimPubSubDelivery) -> None:
        self.waiting.append(delivery)
        self.arrived.set()

    def lease(self, most: int, now: float) -> list[tuple[str, SimPubSubDelivery]]:
        """Hand out what waits, oldest first; unacknowledged it comes back after the deadline."""
        self._take_back(now)
        given: list[tuple[str, SimPubSubDelivery]] = []
        while self.waiting and len(given) < most:
            delivery = self.waiting.popleft()
            if self.too_old(delivery.message, now):
                continue
            delivery.attempt += 1
            ack_id = token_urlsafe(48)
            self.leased[ack_id] = delivery
            heapq.heappush(self._deadlines, (now + self.ack_deadline, ack_id))
            given.append((ack_id, delivery))
        if not self.waiting:
            self.arrived.clear()
        return given

    def acknowledge(self, ack_id: str) -> None:
        self.leased.pop(ack_id, None)

    def extend(self, ack_id: str, seconds: float, now: float) -> None:
        """A new deadline; zero gives the message back at once. The old deadline no longer counts."""
        if ack_id not in self.leased:
            return
        self._deadlines = [item for item in self._deadlines if item[1] != ack_id]
        heapq.heapify(self._deadlines)
        heapq.heappush(self._deadlines, (now + seconds, ack_id))
        self._take_back(now)

    def _take_back(self, now: float) -> None:
        while self._deadlines and self._deadlines[0][0] <= now:
            _, ack_id = heapq.heappop(self._deadlines)
            delivery = self.leased.pop(ack_id, None)
            if delivery:
                self.wait(delivery)


class PubSubBroker:
    """Hands every message of a topic to each of its subscriptions, as faulty as the switches say."""

    def __init__(self, clock: SimClock, faults: Faults, schedule: SimSchedule) -> None:
        self.topics: dict[str, SimPubSubTopic] = {}
        self.subscriptions: dict[str, SimPubSubSubscription] = {}
        self.auto_topics = True
        self.push: Callable[[SimPubSubDelivery], None] = _nobody_pushes
        self._clock = clock
        self._faults = faults
        self._schedule = schedule
        self._numbers = itertools.count(2_070_443_601_311_540)
        self._held: list[SimPubSubDelivery] = []

    def add_topic(self, name: str, publisher: str = "") -> SimPubSubTopic:
        topic = self.topics.setdefault(name, SimPubSubTopic(name))
        if publisher:
            topic.bindings.append({"role": "roles/pubsub.publisher", "members": [publisher]})
        return topic

    def topic_for_watch(self, name: str) -> SimPubSubTopic | None:
        if name not in self.topics and self.auto_topics:
            self.add_topic(name, "allUsers")
        return self.topics.get(name)

    def drop_topic(self, name: str) -> None:
        topic = self.topics.pop(name)
        for subscription in topic.subscriptions.values():
            subscription.topic = "_deleted-topic_"

    def add_subscription(self, subscription: SimPubSubSubscription) -> SimPubSubSubscription:
        """A subscription of the same name is replaced, and what it had not delivered is lost."""
        if subscription.name in self.subscriptions:
            self.drop_subscription(subscription.name)
        self.subscriptions[subscription.name] = subscription
        self.topics[subscription.topic].subscriptions[subscription.name] = subscription
        return subscription

    def drop_subscription(self, name: str) -> None:
        subscription = self.subscriptions.pop(name)
        subscription.live = False
        topic = self.topics.get(subscription.topic)
        if topic:
            topic.subscriptions.pop(name, None)

    def publish(self, topic: str, data: bytes, attributes: Mapping[str, str] | None = None, about: str = "") -> str:
        message = SimPubSubMessage(str(next(self._numbers)), data, self._clock.time(), attributes or {}, about)
        found = self.topics.get(topic)
        for subscription in found.subscriptions.values() if found else ():
            self._send_out(SimPubSubDelivery(message, subscription))
        return message.id

    def redirect(self, subscription: SimPubSubSubscription, push: PushConfig | None) -> None:
        """A new push endpoint, or none: what waited for a pull goes to it."""
        subscription.push = push
        while push and subscription.waiting:
            self.push(subscription.waiting.popleft())

    def _send_out(self, delivery: SimPubSubDelivery) -> None:
        switches = self._faults.switches
        if self._faults.strikes(switches.drop):
            return
        if self._faults.strikes(switches.duplicate):
            self._hand_over(SimPubSubDelivery(delivery.message, delivery.subscription))
        if switches.delay:
            self._schedule.at(self._clock.time() + switches.delay, lambda: self._hand_over(delivery))
        elif self._faults.strikes(switches.reorder):
            self._hold(delivery)
        else:
            self._hand_over(delivery)
            if self._held:
                self._schedule.at(self._clock.time() + _OVERTAKEN, self._let_go)

    def _hand_over(self, delivery: SimPubSubDelivery) -> None:
        if delivery.subscription.push:
            self.push(delivery)
        else:
            delivery.subscription.wait(delivery)

    def _hold(self, delivery: SimPubSubDelivery) -> None:
        self._held.append(delivery)
        self._schedule.at(self._clock.time() + _HELD, self._let_go)

    def _let_go(self) -> None:
        held, self._held = self._held, []
        for delivery in held:
            self._hand_over(delivery)


def _nobody_pushes(delivery: SimPubSubDelivery) -> None:
    raise RuntimeError("This broker has no pusher; give it one before adding push subscriptions.")
