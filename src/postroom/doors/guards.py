"""Around every answer: nothing personal is cached; and a proxy that nobody named is noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from postroom.logs import words

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")
MOST_PEERS = 20  # that are told of in the life of a process
ONE_YEAR_SECONDS = 31_536_000
log = structlog.get_logger()


class DefaultHeaders:
    """Middleware: what every answer says unless it says otherwise itself."""

    def __init__(self, app: ASGIApp, *, https: bool = False) -> None:
        self.app = app
        self._told = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        if https:
            self._told["Strict-Transport-Security"] = f"max-age={ONE_YEAR_SECONDS}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._told.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, guarded if scope["type"] == "http" else send)


Note = Callable[[str], Awaitable[None]]


class ProxyWatch:
    """Middleware: who passes on for others without being named in POSTROOM_TRUSTED_PROXIES.

    All their people would count as one for the limits on sign-in, and every trail would name the proxy.
    """

    def __init__(self, app: ASGIApp, note: Note) -> None:
        self.app, self._note = app, note
        self._told: set[str] = set()
        self._telling: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (peer := unnamed_proxy(scope)) is not None:
            self._tell_once(peer)
        await self.app(scope, receive, send)

    def _tell_once(self, peer: str) -> None:
        if peer in self._told or len(self._told) >= MOST_PEERS:
            return
        self._told.add(peer)
        log.warning("forwarded headers from a proxy that is not named", peer=peer)
        task = asyncio.create_task(self._tell(peer))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell(self, peer: str) -> None:
        try:
            await self._note(peer)
        except Exception as problem:  # noqa: BLE001 - the request has nothing to do with it; told when it works again
            log.warning("unnamed proxy not noted", **words(problem))
            self._told.discard(peer)


def unnamed_proxy(scope: Scope) -> str | None:
    """The peer that says for whom it asks, and is not believed. A named proxy's word has become the client."""
    headers, peer = Headers(scope=scope), str((scope.get("client") or ("",))[0])
    said = [headers[name] for name in FORWARDED if name in headers]
    return peer if peer and said and not any(peer in each for each in said) else None
