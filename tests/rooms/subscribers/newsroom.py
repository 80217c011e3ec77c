"""Somebody who is told: a tenant whose mail we hand in, receivers on loopback that behave or do not, and a worker."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from aiohttp import web

from harness import Bench, bench_of
from makers import CHAIN_KEYS, settle
from postroom.db.pool import Database, transaction_is_open
from postroom.engine.waker import Waker
from postroom.nouns import facts
from postroom.nouns.ids import MessageId, new_id
from postroom.nouns.secrets import Secret
from postroom.outside.webhooks import WebhookSession
from postroom.rooms.subscribers import commands, jobs
from postroom.rooms.subscribers.publishing import EventPublisher
from postroom.rooms.subscribers.store import Webhook

PATIENCE_SECONDS = 4.0


@dataclass
class Received:
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass
class Receiver:
    """Endpoints under paths; `behaves` says how each answers, the last for all further requests."""

    url: str = ""
    behaves: dict[str, list[str]] = field(default_factory=dict)
    heard: dict[str, list[Received]] = field(default_factory=dict)
    tried: dict[str, int] = field(default_factory=dict)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def of(self, path: str) -> list[Received]:
        return self.heard.get(path, [])

    async def answer(self, request: web.Request) -> web.StreamResponse:
        path, body = request.path, await request.read()
        self.tried[path] = self.tried.get(path, 0) + 1
        planned = self.behaves.get(path, ["fine"])
        how = planned.pop(0) if len(planned) > 1 else planned[0]
        if how == "fine":
            self.heard.setdefault(path, []).append(Received(dict(request.headers), body))
            return web.Response(status=200)
        if how == "hang":
            await self.released.wait()
            return web.Response(status=200)
        if how == "redirect":
            return web.Response(status=302, headers={"Location": f"{self.url}/elsewhere"})
        if how == "lie":  # promises more than it sends, and calls it packed
            lying = web.StreamResponse(headers={"Content-Length": "1000000", "Content-Encoding": "gzip"})
            await lying.prepare(request)
            await lying.write(b"not gzip at all")
            assert request.transport is not None
            request.transport.abort()
            return lying
        if how == "drop":
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        code, _, wait = how.partition(" ")
        return web.Response(status=int(code), headers={"Retry-After": wait} if wait else {})


@contextlib.asynccontextmanager
async def open_receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receiver.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"  # type: ignore[union-attr]
    try:
        yield receiver
    finally:
        receiver.released.set()
        await runner.cleanup()


@dataclass
class Outside:
    webhooks: WebhookSession
    sealer: Any = CHAIN_KEYS


@dataclass(kw_only=True)
class Newsroom(Bench):
    """Its clock is the world's, for the database's own comes into it; it can be put forward."""

    rooms = (jobs,)

    receiver: Receiver
    offset: timedelta = timedelta()
    mails: int = 0
    threads: dict[str, UUID] = field(default_factory=dict)

    def clock(self) -> datetime:
        return datetime.now(UTC) + self.offset

    async def subscribes(
        self, path: str = "/hook", *events: str, behaves: list[str] | None = None
    ) -> tuple[Webhook, Secret]:
        if behaves:
            self.receiver.behaves[path] = behaves
        url = f"{self.receiver.url}{path}"
        return await commands.create_webhook(self.scope(), CHAIN_KEYS, self.outside.webhooks, url, events)

    async def receives(self, thread: str = "", *, again: MessageId | None = None) -> MessageId:
        """A message arrives, and is told of."""
        self.mails += 1
        message, name = again or MessageId(new_id()), thread or f"t-{self.mails}"
        if again is None:
            if name not in self.threads:
                self.threads[name] = new_id()
                self.own(
                    "INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, messages, last_message_at)"
                    " VALUES (%s, %s, %s, %s, 1, now())",
                    *[self.threads[name], self.tenant, self.mailbox, name],
                )
            self.own(
                "INSERT INTO postroom.message (id, tenant_id, mailbox_id, thread_id, provider_message_id, state, source,"
                " version, received_at, arrived_at) VALUES (%s, %s, %s, %s, %s, 'arrived', 'push', 'CQAA', now(), now())",
                *[message, self.tenant, self.mailbox, self.threads[name], f"m-{self.mails}"],
            )
        told = facts.MessageArrived(
            message_id=message, mailbox_id=self.mailbox, thread_id=self.threads[name], source="push",
            provider_message_id=f"m-{self.mails}", provider_thread_id=name, received_at=self.clock(),
        )  # fmt: skip
        await self.tells(told)
        return message

    async def publishes(self) -> None:
        await settle(self.owner_dsn)
        await EventPublisher(self.db, self.waker, self.next_jobs, self.clock).publish_all()

    async def works(self) -> None:
        """Publishes, and delivers all that is due."""
        await self.publishes()
        await self.worker().run_until_quiet()

    async def later(self, by: timedelta) -> None:
        """Time goes by, and what is due then is done."""
        self.offset += by
        self.own("UPDATE postroom.job SET run_at = now() WHERE state = 'later'")
        await self.works()

    def statuses(self, webhook: Webhook) -> list[str]:
        rows = self.own("SELECT status FROM postroom.delivery WHERE webhook_id = %s ORDER BY event_id, id", webhook.id)
        return [str(status) for (status,) in rows]


@contextlib.asynccontextmanager
async def open_newsroom(db: Database, waker: Waker, owner_dsn: str) -> AsyncIterator[Newsroom]:
    async with open_receiver() as receiver:
        allowed = {receiver.url.removeprefix("http://")}
        session = WebhookSession(
            allowed, lambda: datetime.now(UTC), forbidden=transaction_is_open, patience_seconds=PATIENCE_SECONDS
        )
        async with session:
            yield Newsroom(**bench_of(db, waker, owner_dsn), outside=Outside(session), receiver=receiver)
