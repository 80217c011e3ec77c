"""A service that answers what it is told, in order, for what no well-behaved simulator would say."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from postroom.nouns.secrets import Secret
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.provider import OutlookProvider
from postroom.outside.http import Http

NOW = datetime(2026, 11, 2, 10, 0, 0, 600_000, tzinfo=UTC)


@dataclass
class Asked:
    method: str
    path: str
    query: dict[str, str]
    headers: Any
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Scripted:
    http: Http
    origin: str = ""
    answers: deque[web.Response] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
    tokens: list[bool] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_route("*", "/{tail:.*}", self._answer)
        return app

    async def _answer(self, request: web.Request) -> web.Response:
        query = dict(request.query)
        self.asked.append(Asked(request.method, request.path, query, request.headers, await request.read()))
        return self.answers.popleft() if self.answers else web.Response(status=500, text="The script has ended.")

    def say(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> Scripted:
        """JSON, or bytes as they are."""
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answers.append(web.Response(status=status, body=text, headers=headers))
        return self

    def refuse(self, status: int, code: str, text: str = "", headers: dict[str, str] | None = None) -> Scripted:
        return self.say(status, {"error": {"code": code, "message": text}}, headers)

    @property
    def base(self) -> str:
        return f"{self.origin}/v1.0"

    async def token(self, fresh: bool) -> Secret:
        self.tokens.append(fresh)
        return Secret(f"token-{len(self.tokens)}")

    @property
    def client(self) -> GraphClient:
        return GraphClient(self.http, self.token, now=lambda: NOW, base_url=self.base)

    def provider(self, **options: Any) -> OutlookProvider:
        return OutlookProvider(self.client, **{"address": "Anna.Ash@Desk.test", **options})
