"""The operator's URL as the driver takes it, and poolers, which are refused."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from postroom.db.address import driver_options, keep_alive
from postroom.db.migrate import bring_up_to_date
from postroom.db.pool import Database
from postroom.nouns.errors import Misconfigured

ROLE = "postroom_app"


def query(url: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(driver_options(url, ROLE)["dsn"]).query).items()}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("host=/run user=u dbname=d", {"host": "/run", "user": "u", "dbname": "d"}),
        (
            "postgresql://u:p%40ss@db:5433/d",
            {"host": "db", "port": "5433", "user": "u", "password": "p@ss", "dbname": "d"},
        ),
        (
            "postgresql://u@a:5432,b:5433/d?target_session_attrs=read-write",
            {"host": "a,b", "port": "5432,5433", "user": "u", "dbname": "d", "target_session_attrs": "read-write"},
        ),
        ("postgresql://u@[::1]/d", {"host": "[::1]", "user": "u", "dbname": "d"}),
        (
            "host=db sslmode=verify-full sslrootcert=/ca.pem",
            {"host": "db", "sslmode": "verify-full", "sslrootcert": "/ca.pem"},
        ),
        ("host=db connect_timeout=3 keepalives_idle=5 tcp_user_timeout=9 channel_binding=prefer", {"host": "db"}),
    ],
)
def test_an_address_is_read_as_libpq_reads_it(url, expected):
    assert expected == query(url)


def test_the_wait_for_a_connection_is_the_operators_or_ten_seconds():
    assert 3.0 == driver_options("host=db connect_timeout=3", ROLE)["timeout"]
    assert 10.0 == driver_options("host=db", ROLE)["timeout"]


@pytest.mark.parametrize("url", ["postgresql://u:secret@host:port/db", "nonsense secret"])
def test_an_invalid_address_is_refused_without_showing_its_password(url):
    with pytest.raises(Misconfigured) as refused:
        driver_options(url, ROLE)

    assert "secret" not in str(refused.value)


def test_keepalives_are_set_on_tcp_and_only_there():
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as local:
        for each in (tcp, local):
            keep_alive(SimpleNamespace(get_extra_info=lambda name, it=each: it), "host=db keepalives_idle=7")

        assert (1, 7, 20_000) == (
            tcp.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
            tcp.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
            tcp.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT),
        )
        assert 0 == local.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


@contextlib.asynccontextmanager
async def pooler(known: set[str]):
    """The first words of PgBouncer: a startup parameter that it does not know is refused."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                (length,) = struct.unpack("!I", await reader.readexactly(4))
                body = await reader.readexactly(length - 4)
                if body[:4] != struct.pack("!I", 196608):  # asks for TLS: not here
                    writer.write(b"N")
                    continue
                names = body[4:].rstrip(b"\0").split(b"\0")[::2]
                odd = next(name.decode() for name in names if name.decode() not in known)
                text = f"SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: {odd}\0\0".encode()
                writer.write(b"E" + struct.pack("!I", len(text) + 4) + text)
                await writer.drain()
                break
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


PGBOUNCER_KNOWS = {"user", "database", "client_encoding", "datestyle", "timezone", "application_name"}


async def test_a_pooler_is_refused_with_a_sentence():
    async with pooler(PGBOUNCER_KNOWS) as port:
        url = f"host=127.0.0.1 port={port} user=u dbname=d sslmode=disable"

        with pytest.raises(Misconfigured, match=r"PgBouncer.*PostgreSQL itself"):
            await Database(url).open()
        with pytest.raises(Misconfigured, match=r"PgBouncer.*PostgreSQL itself"):
            await asyncio.to_thread(bring_up_to_date, url, only_if_behind=True)


async def test_a_pooler_that_swallows_the_role_is_refused_too(dsn, monkeypatch):
    connect = asyncpg.connection.connect

    async def without_role(*args, server_settings, **how):
        return await connect(*args, server_settings={}, **how)

    create = asyncpg.create_pool
    monkeypatch.setattr(asyncpg, "create_pool", lambda **how: create(**how, connect=without_role))

    with pytest.raises(Misconfigured, match="did not pass on that we act as postroom_app"):
        await Database(dsn).open()
