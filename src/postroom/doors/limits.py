"""How much a caller may send, and how slowly: little before we know who it is, more where files are taken in.

The limits stand around every request, whatever reads the body later. A length that is announced too large is refused
before a byte is read.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

KB, MB = 1024, 1024 * 1024
STRANGERS_BYTES = 64 * KB
PEOPLES_BYTES = 1 * MB
FILE_BYTES = 25 * MB
UPLOAD_BYTES = FILE_BYTES + MB  # with what multipart puts around it
SEVERAL_FILES_BYTES = 100 * MB
ORDER_FILE_BYTES = 5 * MB
BOOK_BYTES = 50 * MB  # of a client book, all its files together
DISCARDED_BYTES = 64 * MB  # of a known caller's refused body: who is cut off while sending never sees the answer
FIRST_BYTES_SECONDS = 15.0
SLOWEST_BYTES_PER_SECOND = 8 * KB
KEY = "postroom.body"


class BodyTooLarge(HTTPException):
    """413, with what is allowed."""

    def __init__(self, most: int) -> None:
        super().__init__(413, f"This is more than the {most:,} bytes that may be sent here.")


class BodyTooSlow(HTTPException):
    """408: others want to be served too."""

    def __init__(self) -> None:
        super().__init__(408, "The request came too slowly. Send it again.")


@dataclass(slots=True)
class RequestBody:
    """What one request may say. Whoever knows the caller may allow more."""

    announced: int
    chunked: bool = False
    most: int = STRANGERS_BYTES
    said: int = 0
    over: bool = False
    slow: bool = False
    began: float = field(default_factory=lambda: asyncio.get_running_loop().time())

    @property
    def coming(self) -> bool:
        """Whether more is left to read than may be thrown away. Closing on a few bytes would lose the answer too."""
        return not self.over and (self.slow or self.chunked or self.announced - self.said > STRANGERS_BYTES)

    @property
    def known(self) -> bool:
        """Whether somebody let the caller in."""
        return self.most > STRANGERS_BYTES

    def allow(self, most: int) -> None:
        self.most = max(self.most, most)

    def deadline(self) -> float:
        return self.began + FIRST_BYTES_SECONDS + self.said / SLOWEST_BYTES_PER_SECOND

    def check(self) -> None:
        if max(self.said, self.announced) > self.most:
            raise BodyTooLarge(self.most)


class BodyLimits:
    """Middleware: counts what is received and looks at the clock while a body is on its way."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = scope[KEY] = _body_of(scope)

        async def bounded() -> Message:
            if body.over:  # what comes now is that the caller hung up, whenever that is
                return await receive()
            body.check()
            message = await _in_time(receive, body)
            body.said += len(message.get("body", b""))
            body.over = message["type"] != "http.request" or not message.get("more_body", False)
            body.check()
            return message

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start" and body.coming and body.known and not body.slow:
                await _discard(receive, body)
            if message["type"] == "http.response.start" and body.coming:
                MutableHeaders(scope=message)["Connection"] = "close"  # nobody reads the rest
            await send(message)

        await self.app(scope, bounded, answering)


async def _in_time(receive: Receive, body: RequestBody) -> Message:
    try:
        async with asyncio.timeout_at(body.deadline()):
            return await receive()
    except TimeoutError:
        body.slow = True
        raise BodyTooSlow from None


async def _discard(receive: Receive, body: RequestBody) -> None:
    """Read the rest and keep nothing, within bounds of size and time."""
    most = body.said + DISCARDED_BYTES
    with contextlib.suppress(BodyTooSlow):
        while not body.over and max(body.said, body.announced) <= most:
            message = await _in_time(receive, body)
            body.said += len(message.get("body", b""))
            body.over = message["type"] != "http.request" or not message.get("more_body", False)


def _body_of(scope: Scope) -> RequestBody:
    headers = Headers(scope=scope)
    length = headers.get("content-length", "")
    return RequestBody(int(length) if length.isdecimal() else 0, "transfer-encoding" in headers)


def allow(request: Request, most: int) -> None:
    """The caller is known, and may say so much here."""
    body: RequestBody | None = request.scope.get(KEY)
    if body is not None:
        body.allow(most)
