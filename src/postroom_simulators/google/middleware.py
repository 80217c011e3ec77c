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
            if not faulty:
                response = await self._answer(handler, request)
                self._record(api, request, response)
                return response
            if self._faults.switches.slow:
                await asyncio.sleep(self._faults.switches.slow)
            refusal = self.struck(throttle=api != "google")
            response = refused(refusal) if refusal else await self._answer(handler, request)
            self._record(api, request, response)
            if self._faults.strikes(self._faults.switches.reset):
                return await _broken_off(request, response)
            return response

        return guarded

    def struck(self, *, throttle: bool = True) -> GoogleApiError | None:
        """A refusal by chance: throttled in two shapes in turn, or unavailable."""
        switches = self._faults.switches
        if throttle and self._faults.strikes(switches.throttle):
            self._throttled += 1
            at = self._clock.time() + switches.retry_after
            return errors.rate_limited(at, code=403) if self._throttled % 2 else errors.exhausted()
        if self._faults.strikes(switches.unavailable):
            return errors.unavailable()
        return None

    def note(self, api: str, method: str, path: str, status: int, mailbox: str, note: str) -> None:
        self._recorder.record(RecordedCall(self._clock.time(), api, method, path, status, mailbox, note))

    async def _answer(self, handler: Handler, request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except GoogleApiError as refusal:
            return refused(refusal)

    def _record(self, api: str, request: web.Request, response: web.StreamResponse) -> None:
        mailbox, note = request.get(MAILBOX, ""), request.get(NOTE, "")
        self.note(api, request.method, request.path_qs, response.status, mailbox, note)


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
    if request.transport:
        request.transport.abort()
    return half
