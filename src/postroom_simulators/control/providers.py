"""What the providers do of themselves: lifecycle events, vanished subscriptions, Pub/Sub endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from postroom_simulators.control import bodies
from postroom_simulators.control.answers import Table

if TYPE_CHECKING:
    from postroom_simulators.world import World


class ProviderControls:
    def __init__(self, world: World) -> None:
        self.world = world

    def table(self) -> Table:
        return [
            ("GET", "/graph/subscriptions", self.subscriptions),
            ("POST", "/graph/subscriptions/{id}/lifecycle", self.lifecycle),
            ("DELETE", "/graph/subscriptions/{id}", self.remove_subscription),
            ("GET", "/gmail/watches", self.watches),
            ("POST", "/pubsub/subscriptions", self.add_push_subscription),
        ]

    async def watches(self, _request: web.Request) -> Any:
        """How often each was told of changes, and how often Gmail swallowed a push that followed too soon."""
        google = self.world.google
        return {
            "items": [
                {"mailbox": address, "topic": one.topic, "pushed": one.pushed, "dropped": one.dropped}
                for address in google.mailboxes
                for one in google.gmail.watches.of(address)
            ]
        }

    async def subscriptions(self, _request: web.Request) -> Any:
        return {"items": [one.shown(secret=False) for one in self.world.graph.subscriptions.all.values()]}

    async def lifecycle(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.LifecycleBody)
        self.world.graph.lifecycle(request.match_info["id"], body.event)
        return {"sent": body.event}

    async def remove_subscription(self, request: web.Request) -> Any:
        self.world.graph.remove_subscription(request.match_info["id"])
        return {"removed": request.match_info["id"]}

    async def add_push_subscription(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.PushSubscriptionBody)
        google = self.world.google
        if body.endpoint:
            google.add_push_subscription(body.name, body.topic, body.endpoint, body.audience, body.service_account)
        else:
            google.add_pull_subscription(body.name, body.topic)
        return {"name": body.name, "topic": body.topic}
