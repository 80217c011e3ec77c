"""The way out to webhooks: the name is looked up once and the connection goes to the address that was checked."""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import socket
import ssl
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from postroom.nouns.errors import BadRequest, TimedOut, Unavailable
from postroom.outside.http import retry_after
from postroom.outside.webhooks import addresses
from postroom.ports import WebhookAnswer

PATIENCE_SECONDS = 15.0
CONNECT_SECONDS = 5.0
IDLE_SECONDS = 15.0
READ_BYTES = 4096  # of an answer nobody reads: enough to keep the connection in use


_objection = functools.lru_cache(1024)(addresses.objection)
_parsed = functools.lru_cache(1024)(functools.partial(URL, encoded=True))


class NotPublic(Exception):
    """The name leads to an address that nothing is sent to."""


class CheckedResolver(AbstractResolver):
    """Looks a name up and hands out only addresses that may be reached; one that may not spoils them all."""

    def __init__(self, allowed: Collection[str]) -> None:
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        results: list[ResolveResult] = []
        for kind, _, proto, _, where in found:
            address = str(where[0])
            if f"{host.lower()}:{port}" not in self._allowed:
                self._check(host, address)
            results.append(
                ResolveResult(
                    hostname=host, host=address, port=port, family=kind, proto=proto, flags=socket.AI_NUMERICHOST
                )
            )
        return results

    def _check(self, host: str, address: str) -> None:
        if not addresses.is_public(ipaddress.ip_address(address.partition("%")[0])):
            raise NotPublic(host)

    async def close(self) -> None:
        """Nothing is held."""


class WebhookSession:
    """One pool of connections to strangers, apart from the providers'. Never follows, never unpacks."""

    def __init__(
        self,
        allowed: Collection[str],
        now: Callable[[], datetime],
        *,
        forbidden: Callable[[], bool] = lambda: False,
        trusted: ssl.SSLContext | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._allowed, self._now, self._forbidden, self._trusted = frozenset(allowed), now, forbidden, trusted
        self._patience = aiohttp.ClientTimeout(total=patience_seconds, connect=min(CONNECT_SECONDS, patience_seconds))
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(
            resolver=CheckedResolver(self._allowed),
            use_dns_cache=False,
            limit=256,
            limit_per_host=32,
            keepalive_timeout=IDLE_SECONDS,
            ssl=self._trusted if self._trusted is not None else True,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers={"User-Agent": "postroom-webhooks", "Content-Type": "application/json", "Accept": "*/*"},
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def objection(self, url: str) -> str | None:
        return _objection(url, self._allowed)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> WebhookAnswer:
        if self._forbidden():
            raise RuntimeError("A request to the outside was made inside a database transaction: close it first.")
        if self._session is None:
            raise RuntimeError("This session is not open: use it as `async with WebhookSession(…) as session`.")
        if why := self.objection(url):
            raise BadRequest(why)
        target = _parsed(url)
        host = target.host or ""
        try:
            async with self._session.post(
                target, data=body, headers=headers, timeout=self._patience, allow_redirects=False
            ) as answer:
                await answer.content.read(READ_BYTES)
                return WebhookAnswer(answer.status, retry_after(answer.headers, self._now()))
        except NotPublic:
            raise BadRequest(addresses.private(host)) from None
        except TimeoutError:
            raise TimedOut(f"{host} did not answer within {self._patience.total:g} seconds.") from None
        except aiohttp.ClientConnectorError as problem:
            if isinstance(problem.__cause__, NotPublic) or isinstance(problem.os_error, NotPublic):
                raise BadRequest(addresses.private(host)) from None
            raise Unavailable(f"{host} cannot be reached ({type(problem).__name__}).") from None
        except (aiohttp.ClientError, OSError, ValueError) as problem:
            raise Unavailable(f"{host} broke off its answer ({type(problem).__name__}).") from None
