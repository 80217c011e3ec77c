"""A client of the simulated Graph, a hook to be pushed to, and letters to deliver."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import aiohttp
from aiohttp import web

from postroom_simulators.graph import GraphSim
from postroom_simulators.incoming_mail import IncomingMail

ANNA, BERT = "anna@desk.test", "bert@desk.test"
IMMUTABLE = {"Prefer": 'IdType="ImmutableId"'}


def mail(
    subject: str = "Contract note",
    text: str = "Please find the note attached.",
    *,
    sender: str = "Broker <notes@broker.test>",
    to: str = ANNA,
    html: str = "",
    **headers: str,
) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"] = "Mon, 02 Nov 2026 10:00:00 +0000"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message


@dataclass
class Reply:
    status: int
    headers: Any
    content: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.content)

    @property
    def code(self) -> str:
        return self.body["error"]["code"]


@dataclass
class Hook:
    """What a client's webhook endpoint saw; it can be told to misbehave."""

    url: str = ""
    status: int = 202
    wait: float = 0.0
    handshake: str = "good"
    handshakes: list[tuple[str, str]] = field(default_factory=list)
    posts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def items(self) -> list[dict[str, Any]]:
        return [item for post in self.posts for item in post["value"]]

    async def answer(self, request: web.Request) -> web.Response:
        if "validationToken" in request.query:
            return await self._shake(request)
        self.posts.append(await request.json())
        if self.wait:
            await asyncio.sleep(self.wait)
        return web.Response(status=self.status)

    async def _shake(self, request: web.Request) -> web.Response:
        token = request.query["validationToken"]
        self.handshakes.append((request.path, token))
        match self.handshake:
            case "forbidden":
                return web.Response(status=403)
            case "json":
                return web.json_response(token)
            case "quoted":
                return web.Response(text=f'"{token}"')
            case "late":
                await asyncio.sleep(0.5)
        return web.Response(text=token)


class Desk:
    """The simulator behind HTTP, and a client for it."""

    def __init__(self, sim: GraphSim, base: str, session: aiohttp.ClientSession, hook: Hook) -> None:
        self.sim, self.base, self.session, self.hook = sim, base, session, hook
        self.token = sim.issue_token(seconds=1e9)

    async def call(self, method: str, path: str, *, token: str | None = None, **options: Any) -> Reply:
        url = path if path.startswith("http") else f"{self.base}/v1.0{path}"
        headers = {"Authorization": f"Bearer {token or self.token}", **options.pop("headers", {})}
        async with self.session.request(method, url, headers=headers, **options) as answer:
            return Reply(answer.status, answer.headers, await answer.read())

    async def get(self, path: str, **options: Any) -> Reply:
        return await self.call("GET", path, **options)

    async def post(self, path: str, body: Any = None, **options: Any) -> Reply:
        return await self.call("POST", path, **({"json": body} if body is not None else {}), **options)

    async def patch(self, path: str, body: Any, **options: Any) -> Reply:
        return await self.call("PATCH", path, json=body, **options)

    async def delete(self, path: str, **options: Any) -> Reply:
        return await self.call("DELETE", path, **options)

    def deliver(self, message: EmailMessage | None = None, mailbox: str = ANNA, folder: str = "inbox") -> str:
        raw = (message or mail()).as_bytes()
        return self.sim.deliver(IncomingMail(mailbox=mailbox, raw=raw, folder=folder))

    def in_minutes(self, minutes: float) -> str:
        return (self.sim.clock.now() + timedelta(minutes=minutes)).isoformat()

    async def subscribe(self, mailbox: str = ANNA, *, headers: dict[str, str] | None = None, **changes: Any) -> Reply:
        asked = {
            "changeType": "created,updated,deleted",
            "notificationUrl": f"{self.hook.url}/notify",
            "lifecycleNotificationUrl": f"{self.hook.url}/lifecycle",
            "resource": f"users/{mailbox}/mailFolders('inbox')/messages",
            "expirationDateTime": self.in_minutes(10_000),
            "clientState": "secret",
            **changes,
        }
        body = {name: value for name, value in asked.items() if value is not None}
        return await self.post("/subscriptions", body, headers=IMMUTABLE if headers is None else headers)

    async def until(self, true: Any, seconds: float = 20.0) -> None:
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110 - what is waited for happens elsewhere and tells nobody
                await asyncio.sleep(0.01)
