"""The one way out over HTTP: an answer as it came, or one of our errors when none came."""

from __future__ import annotations

import functools
import io
import random
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import aiohttp
import structlog
from prometheus_client import Counter, Histogram
from yarl import URL

from postroom.nouns.errors import BadRequest, TimedOut, Unavailable, Unreadable

MEGABYTE = 1024 * 1024
REQUESTS = Counter("postroom_outside_requests", "Requests to the outside by how they ended", ["provider", "outcome"])
SECONDS = Histogram("postroom_outside_seconds", "Time until the whole answer was read", ["provider"])
_requests, _seconds = functools.cache(REQUESTS.labels), functools.cache(SECONDS.labels)
_names = random.Random()  # for ids that are looked up in two logs; nothing is kept secret by them
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """Header names are compared without case. `request_id` is what we called the request."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    request_id: str = ""

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


class Http:
    """One connection pool for the process. Never retries, never follows a redirect, never logs what is said."""

    def __init__(
        self,
        *,
        forbidden: Callable[[], bool] = lambda: False,
        connections: int = 200,
        user_agent: str = "postroom",
        admit: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        """`forbidden` tells that a database transaction is open here: then nobody may wait for the outside.
        `admit` lets an answer of so many bytes into memory, as soon as there is room."""
        self._forbidden, self._admit = forbidden, admit
        self._connections = connections
        self._user_agent = user_agent
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._connections, limit_per_host=self._connections),
            cookie_jar=aiohttp.DummyCookieJar(),  # one mailbox's session must not ride on another's request
            headers={"User-Agent": self._user_agent},
            auto_decompress=True,
        )
        return self

    async def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def request(
        self,
        provider: str,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        timeout: float = 30.0,
        limit: int = 16 * MEGABYTE,
    ) -> HttpAnswer:
        """`url` is sent as written: whoever makes it has quoted it. A body larger than `limit` is Unreadable."""
        if self._forbidden():
            raise RuntimeError("A request to the outside was made inside a database transaction: close it first.")
        if self._session is None:
            raise RuntimeError("This Http is not open: use it as `async with Http() as http`.")
        request_id = str(uuid.UUID(int=_names.getrandbits(128), version=4))
        began = time.perf_counter()
        outcome = "broken"
        try:
            async with self._session.request(
                method,
                _target(url),
                headers={"client-request-id": request_id, **(headers or {})},
                data=io.BytesIO(body) if body and len(body) > MEGABYTE // 2 else body,  # in pieces
                timeout=_patience(timeout),
                allow_redirects=False,
            ) as answer:
                if self._admit is not None and answer.content_length and answer.content_length <= limit:
                    await self._admit(answer.content_length)
                content = await _read(answer, limit, provider)
            outcome = _outcome(answer.status)
            return HttpAnswer(answer.status, answer.headers, content, request_id)
        except TimeoutError:
            outcome = "timed_out"
            raise TimedOut(f"{_host(url)} did not answer within {timeout:g} seconds.") from None
        except (aiohttp.ClientError, ConnectionError) as problem:
            outcome = "unreachable"
            raise _broken(url, problem) from None
        finally:
            _requests(provider, outcome).inc()
            _seconds(provider).observe(time.perf_counter() - began)
            if outcome not in {"ok", "refused"}:
                log.info("outside request ended badly", provider=provider, outcome=outcome, request_id=request_id)


class NeverWaits:
    """A ports.ProviderWaits for a single call at a desk: nobody else would have to wait."""

    async def check(self) -> None: ...

    async def told(self, seconds: float | None) -> float:
        return seconds or 0.0

    def went_well(self) -> None: ...


@functools.cache
def _patience(seconds: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=seconds)


def _target(url: str) -> URL:
    try:
        made = URL(url, encoded=True)
    except ValueError:
        made = URL()
    clean = url.isascii() and url.isprintable() and " " not in url  # a link from elsewhere must not break the line
    if not clean or made.scheme not in {"http", "https"} or not made.host:
        raise BadRequest("This is no web address that can be asked: check the addresses in the settings.")
    return made


def _broken(url: str, problem: Exception) -> Unavailable:
    happened = "cannot be reached" if isinstance(problem, aiohttp.ClientConnectorError) else "broke off its answer"
    return Unavailable(f"{_host(url)} {happened} ({type(problem).__name__}).")


async def _read(answer: aiohttp.ClientResponse, limit: int, provider: str) -> bytes:
    if (answer.content_length or limit + 1) <= limit and "Content-Encoding" not in answer.headers:
        return await answer.read()
    parts, size = [], 0
    async for part in answer.content.iter_any():
        size += len(part)
        if size > limit:
            answer.close()
            raise Unreadable(f"An answer of {provider} is larger than {limit // MEGABYTE} MB: it was not read.")
        parts.append(part)
    return b"".join(parts)


def _outcome(status: int) -> str:
    if status == 429:
        return "throttled"
    if status >= 500:
        return "failed"
    return "ok" if status < 300 else "refused"


def _host(url: str) -> str:
    return urlsplit(url).hostname or "The other side"


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait, as the other side asked in either form of the header; None when it did not."""
    said = headers.get("Retry-After", "").strip()
    if not said:
        return None  # the rule; two failed attempts at parsing cost more than all else here
    try:
        seconds = float(said)
    except ValueError:
        try:
            till = parsedate_to_datetime(said)
        except ValueError:
            return None
        aware = till if till.tzinfo else till.replace(tzinfo=UTC)
        seconds = (aware - now).total_seconds()
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None


def same_origin(url: str, base: str) -> bool:
    """Whether a link that the other side gave us stays with it."""
    try:
        link, home = URL(url, encoded=True), URL(base, encoded=True)
        return link.user is None and link.password is None and _origin(link) == _origin(home)
    except ValueError:
        return False


def _origin(url: URL) -> tuple[str, str, int | None]:
    return url.scheme.lower(), (url.host or "").lower(), url.port
