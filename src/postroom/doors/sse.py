"""Server-sent events: one loop for every stream. It ends when its caller may hear no more, or the process stops."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import StreamingResponse

from postroom.doors.entry import Caller, still_known
from postroom.engine import feed
from postroom.engine.facts import TellingFact
from postroom.nouns.errors import BadRequest

T = TypeVar("T")
RETRY_MILLISECONDS = 2000
CHECK_EVERY_SECONDS = 60.0  # keys and sessions also expire, which no fact tells
STREAM_LASTS_SECONDS = 15 * 60.0  # whoever comes back is asked again who they are
ACCESS_FACTS = ("key.", "person.", "session.")  # after one of these the caller may be somebody who hears nothing more
ALIVE = b": alive\n\n"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff"}


class Streams:
    """The open streams of this process. Closing them lets it stop at once, however many pages are open."""

    def __init__(self) -> None:
        self._closing = asyncio.Event()

    def close(self) -> None:
        self._closing.set()

    async def until_closed(self, source: AsyncGenerator[T, None]) -> AsyncIterator[T]:
        closing = asyncio.create_task(self._closing.wait())
        try:
            async with contextlib.aclosing(source):
                while (item := await _next_unless(closing, source)) is not None:
                    yield item
        finally:
            closing.cancel()


async def _next_unless(closing: asyncio.Task[bool], source: AsyncGenerator[T, None]) -> T | None:
    """The next item; None when there is no other, or the process stops."""

    async def step() -> T | None:
        return await anext(source, None)

    coming = asyncio.create_task(step())
    try:
        await asyncio.wait({coming, closing}, return_when=asyncio.FIRST_COMPLETED)
        return coming.result() if coming.done() else None
    finally:
        if not coming.done():
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)


def stream(
    request: Request, events: AsyncGenerator[bytes, None], headers: Mapping[str, str] | None = None
) -> StreamingResponse:
    """`events` as an answer that goes on till they end."""
    streams: Streams = request.app.state.streams
    told = {**(headers or {}), **HEADERS}
    return StreamingResponse(streams.until_closed(events), media_type="text/event-stream", headers=told)


def event(name: str, data: object, position: str = "") -> bytes:
    lines = [f"id: {position}".encode()] if position else []
    return b"\n".join([*lines, f"event: {name}".encode(), b"data: " + msgspec.json.encode(data), b"\n"])


def opening(position: str = "") -> bytes:
    """How soon to come back after a broken connection, and from where on."""
    return f"retry: {RETRY_MILLISECONDS}\n".encode() + (f"id: {position}\n\n".encode() if position else b"\n")


def passed(facts: Sequence[TellingFact]) -> bytes:
    """Nothing to tell: still alive, and read so far. An id without data moves `Last-Event-ID` and shows nothing."""
    return f"id: {facts[-1].position}\n\n".encode() if facts else ALIVE


def position_text(position: feed.FeedPosition) -> str:
    return f"{position.xid}-{position.id}"


async def start_of(caller: Caller, said: str | None) -> feed.FeedPosition:
    """Where a stream begins: after the last event that was seen, else now."""
    if not said:
        return await feed.newest(caller.scope.db, caller.tenant_id)
    position = feed.FeedPosition.parse(said)
    if not await feed.reached(caller.scope.db, caller.tenant_id, position):
        raise BadRequest(
            f"The feed has not come to {said} yet: it is a position in another database, or from after this one's "
            "backup was taken. Begin without one, and read what you may have missed from the lists."
        )
    return position


async def heard_by(
    request: Request, caller: Caller, start: feed.FeedPosition
) -> AsyncGenerator[Sequence[TellingFact], None]:
    """Facts in batches, as long as the caller may hear them. An empty batch now and then shows that we are alive."""
    loop = asyncio.get_running_loop()
    began = checked = loop.time()
    async for facts in feed.follow(caller.scope.db, caller.scope.waker, caller.tenant_id, start):
        now = loop.time()
        if now - checked > CHECK_EVERY_SECONDS or any(fact.kind.startswith(ACCESS_FACTS) for fact in facts):
            if not await still_known(request, caller):
                return
            checked = now
        yield facts
        if now - began > STREAM_LASTS_SECONDS:
            return
