"""How a call comes in: first the faults, then the answer, then its note in the recorder."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import web

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google import errors
from postroom_simulators.google.errors import GoogleApiError
from postroom_simulators.planned_faults import ConnectionDropped
from postroom_simulators.recorder import RecordedCall, Recorder

MAILBOX = web.RequestKey("mailbox", str)  # what a handler tells the recorder
NOTE = web.RequestKey("note", str)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class GoogleMiddleware:
    """Wraps handlers, so that each only says what it answers."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder) -> None:
        self._clock = clock
        self._faults = faults
        self._recorder = recorder
        self._throttled = 0

    def guard(self, api: str, handler: Handler, *, faulty: bool = True) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            try:
                response = await (self._faulty(api, handler, request) if faulty else _answer(handler, request))
            except ConnectionDropped as dropped:
                request[NOTE] = f"{request.get(NOTE, '')} {dropped}".strip()
                self._record(api, request, 0)
                return _aborted(request, web.Response())
            self._record(api, request, response.status)
            if faulty and self._faults.strikes(self._faults.switches.reset):
                return await _broken_off(request, response)
            return response

        return guarded

    async def _faulty(self, api: str, handler: Handler, request: web.Request) -> web.StreamResponse:
        """Gmail's own calls linger and are throttled by mailbox, once it is known whose they are."""
        if api != "gmail":
            await self.linger()
        refusal = self.struck(throttle=api == "pubsub")
        return refused(refusal) if refusal else await _answer(handler, request)

    async def linger(self) -> None:
        """A request takes time; at the least others have a turn meanwhile, and are then under way with it."""
        await asyncio.sleep(self._faults.switches.slow)

    def struck(self, *, throttle: bool) -> GoogleApiError | None:
        """A refusal by chance: throttled in two shapes in turn, or unavailable."""
        switches = self._faults.switches
        if throttle and self._faults.strikes(switches.throttle):
            return self.throttled(self._clock.time() + switches.retry_after)
        if self._faults.strikes(switches.unavailable):
            return errors.unavailable()
        return None

    def throttled(self, till: float, *, burst: bool = True) -> GoogleApiError:
        """403 and 429 in turn: the real one does both. A 429 for a burst names no time."""
        self._throttled += 1
        if self._throttled % 2:
            return errors.rate_limited(till, code=403)
        return errors.exhausted() if burst else errors.rate_limited(till, code=429)

    def note(self, api: str, method: str, path: str, status: int, mailbox: str, note: str) -> None:
        self._recorder.record(RecordedCall(self._clock.time(), api, method, path, status, mailbox, note))

    def _record(self, api: str, request: web.Request, status: int) -> None:
        mailbox, note = request.get(MAILBOX, ""), request.get(NOTE, "")
        self.note(api, request.method, request.path_qs, status, mailbox, note)


async def _answer(handler: Handler, request: web.Request) -> web.StreamResponse:
    try:
        return await handler(request)
    except GoogleApiError as refusal:
        return refused(refusal)


def json(body: Any, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json", charset="UTF-8")


def refused(refusal: GoogleApiError) -> web.Response:
    return json(refusal.body(), refusal.code)


async def body_of(request: web.Request, limit: int) -> bytes:
    """The whole body, whatever size the application allows other routes."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.content.iter_any():
        size += len(piece)
        if size > limit:
            raise GoogleApiError(413, "uploadTooLarge", f"Request too large: at most {limit} bytes are taken.")
        pieces.append(piece)
    return b"".join(pieces)


def parsed(body: bytes) -> dict[str, Any]:
    """A JSON object, or nothing at all."""
    if not body.strip():
        return {}
    try:
        value = msgspec.json.decode(body)
    except msgspec.DecodeError as error:
        raise GoogleApiError(400, "parseError", "Invalid JSON payload received.") from error
    if not isinstance(value, dict):
        raise GoogleApiError(400, "parseError", "Invalid JSON payload received: an object is needed.")
    return value


async def _broken_off(request: web.Request, whole: web.StreamResponse) -> web.StreamResponse:
    """The work is done, but half the answer is lost on the way."""
    body = whole.body if isinstance(whole, web.Response) and isinstance(whole.body, bytes) else b"{}"
    half = web.StreamResponse(status=whole.status, headers={"Content-Type": whole.content_type})
    half.content_length = len(body) + 1
    await half.prepare(request)
    await half.write(body[: len(body) // 2])
    return _aborted(request, half)


def _aborted(request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
    if request.transport:
        request.transport.abort()
    return response
