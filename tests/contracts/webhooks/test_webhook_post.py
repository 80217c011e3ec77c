"""The way out to webhooks cannot be led into our own network."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from ipaddress import ip_address

import pytest
import trustme
from aiohttp import web

from postroom.nouns.errors import BadRequest, TimedOut, Unavailable
from postroom.outside.webhooks import WebhookSession


class Inside:
    """Something on loopback that nobody from outside should reach, and a name service that lies."""

    def __init__(self) -> None:
        self.port, self.asked, self.lookups = 0, 0, 0
        self.names: dict[str, list[str]] = {}

    async def answer(self, request: web.Request) -> web.Response:
        self.asked += 1
        if request.path == "/slow":
            await asyncio.sleep(30)
        return web.Response(status=204)

    async def getaddrinfo(self, host, port, **_):
        """An address is its own answer, and no question: the loop asks so before it connects."""
        addresses = [host] if is_address(host) else self.names.get(host)
        self.lookups += not is_address(host)
        if addresses is None:
            raise socket.gaierror(-2, "Name or service not known")
        kind = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(kind[":" in each], socket.SOCK_STREAM, 6, "", (each, port)) for each in addresses]


def is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


@pytest.fixture
async def inside(monkeypatch) -> AsyncIterator[Inside]:
    made = Inside()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("hooks.example.org").configure_cert(context)
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    made.port = site._server.sockets[0].getsockname()[1]
    made.trusted = ssl.create_default_context()
    authority.configure_trust(made.trusted)
    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", made.getaddrinfo)
    yield made
    await runner.cleanup()


def session(inside: Inside, *allowed: str, patience: float = 20.0) -> WebhookSession:
    return WebhookSession(allowed, lambda: datetime.now(UTC), trusted=inside.trusted, patience_seconds=patience)


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["::1"],
        ["10.0.0.7"],
        ["169.254.169.254"],
        ["100.64.1.1"],
        ["::ffff:127.0.0.1"],
        ["8.8.8.8", "127.0.0.1"],
    ],
)
async def test_a_name_that_leads_inside_is_refused_before_anything_is_sent(inside, addresses):
    inside.names["hooks.example.org"] = addresses
    async with session(inside) as post:
        with pytest.raises(BadRequest, match="not a public address"):
            await post.post(f"https://hooks.example.org:{inside.port}/", {}, b"{}")
    assert 0 == inside.asked


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"])
async def test_an_address_that_leads_inside_is_refused_without_a_lookup(inside, host):
    async with session(inside) as post:
        with pytest.raises(BadRequest):
            await post.post(f"https://{host}:{inside.port}/", {}, b"{}")
    assert (0, 0) == (inside.asked, inside.lookups)


async def test_a_name_is_looked_up_once_and_the_connection_goes_to_what_was_checked(inside):
    inside.names["hooks.example.org"] = ["127.0.0.1"]
    async with session(inside, f"hooks.example.org:{inside.port}") as post:
        answer = await post.post(f"https://hooks.example.org:{inside.port}/", {}, b"{}")
    assert (204, 1, 1) == (answer.status, inside.asked, inside.lookups)


async def test_a_certificate_for_another_name_is_not_believed(inside):
    inside.names["other.example.org"] = ["127.0.0.1"]
    async with session(inside, f"other.example.org:{inside.port}") as post:
        with pytest.raises(Unavailable):
            await post.post(f"https://other.example.org:{inside.port}/", {}, b"{}")
    assert 0 == inside.asked


async def test_a_name_that_nobody_knows_is_unavailable(inside):
    async with session(inside) as post:
        with pytest.raises(Unavailable, match=r"nowhere\.example\.org"):
            await post.post("https://nowhere.example.org/", {}, b"{}")


async def test_one_that_hangs_is_given_up_in_time(inside):
    inside.names["hooks.example.org"] = ["127.0.0.1"]
    async with session(inside, f"hooks.example.org:{inside.port}", patience=1.0) as post:
        with pytest.raises(TimedOut):
            await post.post(f"https://hooks.example.org:{inside.port}/slow", {}, b"{}")


async def test_nothing_is_sent_while_a_transaction_is_open(inside):
    async with WebhookSession((), lambda: datetime.now(UTC), forbidden=lambda: True) as post:
        with pytest.raises(RuntimeError, match="inside a database transaction"):
            await post.post("https://hooks.example.org/", {}, b"{}")
