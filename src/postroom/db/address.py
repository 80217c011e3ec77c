"""Where the database is: the operator's URL, as libpq reads it, turned into what the driver takes."""

from __future__ import annotations

import re
import socket
from typing import Any
from urllib.parse import urlencode

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from postroom.nouns.errors import Misconfigured

POOLER = (
    "POSTROOM_DATABASE_URL leads to a pooler such as PgBouncer, and Postroom needs PostgreSQL itself: it keeps "
    "its own connections, with a role, listeners and prepared statements."
)
INVALID = "POSTROOM_DATABASE_URL=(not shown): expected postgresql://user:password@host/database, or key=value pairs."
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 75.0  # for any answer: the server itself gives up after 60 s, so this is for one that says nothing
GUARDS = {"statement_timeout": "60s", "lock_timeout": "20s", "idle_in_transaction_session_timeout": "120s"}
# What is asked for lies in memory: a row is looked up by its index also in a young table, or one of a few hundred rows.
PLANNING = {"jit": "off", "random_page_cost": "1.1"}
_KEEPALIVES = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
_LIBPQ_ONLY = re.compile("connect_timeout|keepalives.*|tcp_user_timeout|gssencmode|channel_binding|hostaddr")


def parts(url: str) -> dict[str, str]:
    """A URL or key=value pairs, checked."""
    try:
        found = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    except ProgrammingError:  # its text holds the URL, with the password
        raise Misconfigured(INVALID) from None
    if not all(port.isdigit() for port in found.get("port", "").split(",") if port):
        raise Misconfigured(INVALID)
    return found


def driver_options(url: str, role: str) -> dict[str, Any]:
    """For asyncpg, which takes a URL only, and sends the server as a setting whatever it does not know."""
    given = parts(url)
    known = {name: value for name, value in given.items() if not _LIBPQ_ONLY.fullmatch(name)}
    if "host" in known:
        known["host"] = re.sub("[^,]*:[^,]*", r"[\g<0>]", known["host"])  # IPv6: in brackets
    return {
        "dsn": f"postgresql://?{urlencode(known)}",
        "timeout": _seconds(given.get("connect_timeout")) or CONNECT_SECONDS,
        "command_timeout": ANSWER_SECONDS,
        "server_settings": {"role": role, "timezone": "UTC", **PLANNING, **GUARDS},
        "statement_cache_size": 300,
        "max_cached_statement_lifetime": 0,
    }


def keep_alive(transport: Any, url: str) -> None:
    """A host that vanished without a word is noticed by the kernel, in 30 s or as the URL says."""
    where = transport.get_extra_info("socket")
    if where is None or where.family not in (socket.AF_INET, socket.AF_INET6):
        return
    given = parts(url)
    wanted = {name: _number(given.get(name), usual) for name, usual in _KEEPALIVES.items()}
    if given.get("keepalives") == "0":
        return
    where.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, name in (
        ("TCP_KEEPIDLE", "keepalives_idle"),
        ("TCP_KEEPINTVL", "keepalives_interval"),
        ("TCP_KEEPCNT", "keepalives_count"),
        ("TCP_USER_TIMEOUT", "tcp_user_timeout"),
    ):
        if hasattr(socket, option) and wanted[name]:  # macOS has not all of them
            where.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), wanted[name])


def _seconds(text: str | None) -> float | None:
    return float(number) if (number := _number(text, 0)) > 0 else None


def _number(text: str | None, usual: int) -> int:
    try:
        return usual if text is None else int(text)
    except ValueError:
        return usual
