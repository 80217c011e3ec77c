"""Our webhooks without a worker behind them, and what a provider or a stranger may do before them."""

from __future__ import annotations

import base64
import json
import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx

from harness import OwnerEyes
from postroom.app.house import House
from postroom.nouns.ids import MailboxId, TenantId, new_id
from postroom.nouns.providers import Watch
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import rules, store, watch_store
from postroom.rooms.sync.notifications import Intake
from postroom_simulators.world import World
from stories.office import PUSH_ACCOUNT, SUBSCRIPTION

GRAPH = ("/api/graph/notifications", "/api/graph/lifecycle", "/webhooks/outlook", "/api/email/webhook")
AUDIENCE = "https://postroom.example/gmail"


@dataclass
class Doorstep(OwnerEyes):
    """Our web process without a worker, and what a provider or a stranger may do before it."""

    world: World
    house: House
    owner_dsn: str
    tenant: TenantId
    intake: Intake
    http: httpx.AsyncClient
    states: dict[str, str] = field(default_factory=dict)
    mailboxes: dict[str, MailboxId] = field(default_factory=dict)

    async def has_mailbox(self, address: str, subscription: str = "", provider: str = "outlook") -> MailboxId:
        scope = self.house.scope(self.tenant, "test")
        state = Secret(secrets.token_urlsafe(48))
        async with scope.finish() as tx:
            values = {"address": address, "provider": provider, "access": "delegated"}
            made = await store.add(tx, self.tenant, MailboxId(new_id()), scope.now, **values)
            if subscription:
                watch = Watch(subscription, "me/messages", scope.now + timedelta(days=2), "https://p.example/n")
                await watch_store.upsert_subscription(
                    tx, self.tenant, made.id, watch, rules.digest_state(state), scope.now
                )
        self.states[subscription], self.mailboxes[address] = state.reveal(), made.id
        return made.id

    def item(self, subscription: str, ref: str = "AAM1", **more: Any) -> dict[str, Any]:
        said = {"subscriptionId": subscription, "changeType": "created", "clientState": self.states.get(subscription)}
        return {**said, "resource": f"Users/u/Messages/{ref}", "resourceData": {"id": ref}, **more}

    async def notifies(self, *items: Any, path: str = GRAPH[0]) -> httpx.Response:
        """Until it is answered, and sorted."""
        answer = await self.http.post(path, json={"value": list(items)})
        await self.intake.sorted()
        return answer

    def token(self, *, age: float = 0, **claims: Any) -> str:
        usual = {"aud": AUDIENCE, "email": PUSH_ACCOUNT, "email_verified": True, "sub": "1"}
        return self.world.google.key.sign({**usual, **claims}, age=age)

    async def pushes(self, address: str, token: str | None, *, path: str = "/webhooks/gmail", **more: Any) -> int:
        data = base64.b64encode(json.dumps({"emailAddress": address, "historyId": 7}).encode()).decode()
        body = {"message": {"data": data, "messageId": "1"}, "subscription": SUBSCRIPTION, **more}
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self.http.post(path, json=body, headers=headers)
        await self.intake.sorted()
        return answer.status_code

    def jobs(self) -> int:
        return self.ask("SELECT count(*) FROM postroom.job")

    def security(self) -> list[dict[str, Any]]:
        return self.facts("security.event")
