"""A model's endpoint on real HTTP: it checks how it is spoken to, and says what it is told to say."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

KEY = "sk-loopback-0123456789"
Reply = Callable[[dict[str, Any]], web.Response]  # made for each request: one that was sent cannot be sent again


@dataclass
class Playing:
    """Chat completions at `/v1/chat/completions`, Anthropic's messages at `/v1/messages`."""

    name: str = "tiny-reader"
    version: str = "tiny-reader-2026-11"
    slow: float = 0.0
    replies: deque[Reply] = field(default_factory=deque)
    asked: list[dict[str, Any]] = field(default_factory=list)
    base_url: str = ""

    async def start(self) -> TestServer:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._completions)
        app.router.add_post("/v1/messages", self._messages)
        server = TestServer(app)
        await server.start_server()
        self.base_url = str(server.make_url("/v1"))
        return server

    @property
    def address(self) -> str:
        return f"{self.name}@{self.base_url}"

    async def _completions(self, request: web.Request) -> web.Response:
        body = await self._heard(request)
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"error": {"message": "Incorrect API key"}}, status=401)
        return self._reply(body)

    async def _messages(self, request: web.Request) -> web.Response:
        body = await self._heard(request)
        if request.headers.get("x-api-key") != KEY or request.headers.get("anthropic-version") != "2023-06-01":
            return web.json_response({"error": {"type": "authentication_error"}}, status=401)
        return self._reply(body)

    async def _heard(self, request: web.Request) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(await request.read())
        self.asked.append(body)
        if self.slow:
            await asyncio.sleep(self.slow)
        return body

    def _reply(self, body: dict[str, Any]) -> web.Response:
        if not self.replies:
            return web.json_response({"error": "The script has ended."}, status=500)
        reply = self.replies.popleft() if len(self.replies) > 1 else self.replies[0]
        return reply(body)

    def will(self, reply: Reply) -> Playing:
        """The last one is said again and again."""
        self.replies.append(reply)
        return self

    def say(self, text: Any, finish: str = "stop") -> Playing:
        """As chat completions: JSON, or a text as it is."""
        return self.will(lambda body: web.json_response(self._completion(body, text, finish)))

    def _completion(self, body: dict[str, Any], text: Any, finish: str) -> dict[str, Any]:
        content = text if isinstance(text, str) else json.dumps(text)
        message = {"role": "assistant", "content": content}
        return {"model": self.version, "choices": [{"index": 0, "message": message, "finish_reason": finish}]}

    def say_as_anthropic(self, text: Any, stop: str = "end_turn") -> Playing:
        content = text if isinstance(text, str) else json.dumps(text)
        told = {"model": self.version, "content": [{"type": "text", "text": content}], "stop_reason": stop}
        return self.will(lambda body: web.json_response(told))

    def refuse(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> Playing:
        return self.will(lambda _: web.json_response(body or {}, status=status, headers=headers))
