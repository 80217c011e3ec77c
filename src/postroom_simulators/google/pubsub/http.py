"""The Pub/Sub REST calls."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from postroom_simulators.clock import SimClock
from postroom_simulators.google.errors import GoogleApiError, stamp
from postroom_simulators.google.gmail.operations import decoded
from postroom_simulators.google.pubsub import wire
from postroom_simulators.google.pubsub.broker import (
    PubSubBroker,
    SimPubSubDelivery,
    SimPubSubSubscription,
    SimPubSubTopic,
)

Params = Mapping[str, str]
Body = dict[str, Any]
PubSubCall = Callable[[Params, Body], Awaitable[Body]]

_TOPIC = "/v1/projects/{project}/topics/{topic:[^/:]+}"
_SUBSCRIPTION = "/v1/projects/{project}/subscriptions/{subscription:[^/:]+}"


class PubSub:
    """One function per call; `pull_wait` is how long a pull waits for the first message."""

    def __init__(self, clock: SimClock, broker: PubSubBroker) -> None:
        self._clock = clock
        self._broker = broker
        self.pull_wait = 5.0

    def calls(self) -> list[tuple[str, str, str, PubSubCall]]:
        """Verb, path, name and function."""
        return [
            ("PUT", _TOPIC, "topics.create", self.create_topic),
            ("GET", _TOPIC, "topics.get", self.get_topic),
            ("DELETE", _TOPIC, "topics.delete", self.delete_topic),
            ("GET", "/v1/projects/{project}/topics", "topics.list", self.list_topics),
            ("GET", _TOPIC + "/subscriptions", "topics.subscriptions.list", self.list_topic_subscriptions),
            ("POST", _TOPIC + ":publish", "topics.publish", self.publish),
            ("GET", _TOPIC + ":getIamPolicy", "topics.getIamPolicy", self.get_policy),
            ("POST", _TOPIC + ":setIamPolicy", "topics.setIamPolicy", self.set_policy),
            ("POST", _TOPIC + ":testIamPermissions", "topics.testIamPermissions", self.test_permissions),
            ("PUT", _SUBSCRIPTION, "subscriptions.create", self.create_subscription),
            ("PATCH", _SUBSCRIPTION, "subscriptions.patch", self.patch_subscription),
            ("GET", _SUBSCRIPTION, "subscriptions.get", self.get_subscription),
            ("DELETE", _SUBSCRIPTION, "subscriptions.delete", self.delete_subscription),
            ("GET", "/v1/projects/{project}/subscriptions", "subscriptions.list", self.list_subscriptions),
            ("POST", _SUBSCRIPTION + ":pull", "subscriptions.pull", self.pull),
            ("POST", _SUBSCRIPTION + ":acknowledge", "subscriptions.acknowledge", self.acknowledge),
            (
                "POST",
                _SUBSCRIPTION + ":modifyAckDeadline",
                "subscriptions.modifyAckDeadline",
                self.modify_deadline,
            ),
            ("POST", _SUBSCRIPTION + ":modifyPushConfig", "subscriptions.modifyPushConfig", self.modify_push),
            ("GET", _SUBSCRIPTION + ":getIamPolicy", "subscriptions.getIamPolicy", self.get_policy),
            ("POST", _SUBSCRIPTION + ":setIamPolicy", "subscriptions.setIamPolicy", self.set_policy),
        ]

    # Topics

    async def create_topic(self, params: Params, body: Body) -> Body:
        name = _topic_name(params)
        if name in self._broker.topics:
            raise _exists(name)
        topic = self._broker.add_topic(name)
        topic.labels = body.get("labels", {})
        return wire.topic(topic)

    async def get_topic(self, params: Params, body: Body) -> Body:
        return wire.topic(self._topic(_topic_name(params)))

    async def delete_topic(self, params: Params, body: Body) -> Body:
        self._broker.drop_topic(self._topic(_topic_name(params)).name)
        return {}

    async def list_topics(self, params: Params, body: Body) -> Body:
        mine = f"projects/{params['project']}/"
        found = [wire.topic(topic) for name, topic in self._broker.topics.items() if name.startswith(mine)]
        return {"topics": found} if found else {}

    async def list_topic_subscriptions(self, params: Params, body: Body) -> Body:
        names = list(self._topic(_topic_name(params)).subscriptions)
        return {"subscriptions": names} if names else {}

    async def publish(self, params: Params, body: Body) -> Body:
        topic = self._topic(_topic_name(params))
        messages = body.get("messages")
        if not isinstance(messages, list) or not messages:
            raise _invalid(
                "The value for message_count is too small. You passed 0 in the request, but the minimum is 1."
            )
        ids = [
            self._broker.publish(topic.name, decoded(item.get("data", "")), item.get("attributes", {}))
            for item in messages
        ]
        return {"messageIds": ids}

    async def get_policy(self, params: Params, body: Body) -> Body:
        return wire.policy(self._holder(params).bindings)

    async def set_policy(self, params: Params, body: Body) -> Body:
        bindings = body.get("policy", {}).get("bindings", [])
        if not isinstance(bindings, list) or not all(isinstance(item, dict) for item in bindings):
            raise _invalid("policy.bindings must be a list of objects with role and members.")
        holder = self._holder(params)
        holder.bindings = bindings
        return wire.policy(holder.bindings)

    async def test_permissions(self, params: Params, body: Body) -> Body:
        self._topic(_topic_name(params))
        return {"permissions": list(body.get("permissions", []))}

    # Subscriptions

    async def create_subscription(self, params: Params, body: Body) -> Body:
        name = _subscription_name(params)
        if name in self._broker.subscriptions:
            raise _exists(name)
        topic = str(body.get("topic", ""))
        if self._broker.auto_topics and topic:
            self._broker.topic_for_watch(topic)
        self._topic(topic)
        subscription = wire.apply(SimPubSubSubscription(name, topic), body)
        return wire.subscription(self._broker.add_subscription(subscription))

    async def patch_subscription(self, params: Params, body: Body) -> Body:
        subscription = self._subscription(params)
        mask = {_camel(field) for field in str(body.get("updateMask", "")).split(",")}
        changes = {key: value for key, value in body.get("subscription", {}).items() if key in mask}
        wire.apply(subscription, changes)
        self._broker.redirect(subscription, subscription.push)
        return wire.subscription(subscription)

    async def get_subscription(self, params: Params, body: Body) -> Body:
        return wire.subscription(self._subscription(params))

    async def delete_subscription(self, params: Params, body: Body) -> Body:
        self._broker.drop_subscription(self._subscription(params).name)
        return {}

    async def list_subscriptions(self, params: Params, body: Body) -> Body:
        mine = f"projects/{params['project']}/"
        items = [wire.subscription(item) for name, item in self._broker.subscriptions.items() if name.startswith(mine)]
        return {"subscriptions": items} if items else {}

    async def modify_push(self, params: Params, body: Body) -> Body:
        self._broker.redirect(self._subscription(params), wire.push(body.get("pushConfig") or {}))
        return {}

    async def pull(self, params: Params, body: Body) -> Body:
        subscription = self._subscription(params)
        if subscription.push:
            raise _precondition("A push subscription cannot be pulled.")
        most = body.get("maxMessages")
        if not isinstance(most, int) or most < 1:
            raise _invalid("maxMessages must be at least 1.")
        given = subscription.lease(most, self._clock.time())
        if not given and not body.get("returnImmediately"):
            await self._wait(subscription)
            given = subscription.lease(most, self._clock.time())
        return {"receivedMessages": [_received(ack_id, item) for ack_id, item in given]} if given else {}

    async def acknowledge(self, params: Params, body: Body) -> Body:
        subscription = self._subscription(params)
        for ack_id in _ack_ids(body):
            subscription.acknowledge(ack_id)
        return {}

    async def modify_deadline(self, params: Params, body: Body) -> Body:
        subscription = self._subscription(params)
        seconds = body.get("ackDeadlineSeconds", 0)
        if not isinstance(seconds, int) or not 0 <= seconds <= 600:
            raise _invalid("ackDeadlineSeconds must be between 0 and 600.")
        for ack_id in _ack_ids(body):
            subscription.extend(ack_id, seconds, self._clock.time())
        return {}

    async def _wait(self, subscription: SimPubSubSubscription) -> None:
        try:
            async with asyncio.timeout(self.pull_wait):
                await subscription.arrived.wait()
        except TimeoutError:
            pass

    def _holder(self, params: Params) -> SimPubSubTopic | SimPubSubSubscription:
        return self._topic(_topic_name(params)) if "topic" in params else self._subscription(params)

    def _topic(self, name: str) -> SimPubSubTopic:
        topic = self._broker.topics.get(name)
        if topic is None:
            raise _missing(name.rpartition("/")[2])
        return topic

    def _subscription(self, params: Params) -> SimPubSubSubscription:
        subscription = self._broker.subscriptions.get(_subscription_name(params))
        if subscription is None:
            raise _missing(params["subscription"])
        return subscription


def _received(ack_id: str, item: SimPubSubDelivery) -> Body:
    message = item.message
    told: Body = {"data": base64.b64encode(message.data).decode(), "messageId": message.id}
    told["publishTime"] = stamp(message.published_at)
    if message.attributes:
        told["attributes"] = dict(message.attributes)
    received = {"ackId": ack_id, "message": told}
    return received | ({"deliveryAttempt": item.attempt} if item.subscription.dead_letter else {})


def _ack_ids(body: Body) -> list[str]:
    ids = body.get("ackIds")
    if not isinstance(ids, list) or not ids:
        raise _invalid("ackIds must name at least one message.")
    return [str(item) for item in ids]


def _topic_name(params: Params) -> str:
    return f"projects/{params['project']}/topics/{params['topic']}"


def _subscription_name(params: Params) -> str:
    return f"projects/{params['project']}/subscriptions/{params['subscription']}"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _missing(resource: str) -> GoogleApiError:
    return GoogleApiError(404, "notFound", f"Resource not found (resource={resource}).")


def _exists(name: str) -> GoogleApiError:
    return GoogleApiError(
        409, "alreadyExists", f"Resource already exists in the project (resource={name.rpartition('/')[2]})."
    )


def _invalid(message: str) -> GoogleApiError:
    return GoogleApiError(400, "invalidArgument", message)


def _precondition(message: str) -> GoogleApiError:
    return GoogleApiError(400, "failedPrecondition", message, status="FAILED_PRECONDITION")
