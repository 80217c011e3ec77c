"""Starting and looking after the house itself."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, Any

import typer
import uvicorn
from starlette.applications import Starlette

from postroom import settings
from postroom.app.house import House, database, ensure_configured
from postroom.chores.doctor import bundle, examine
from postroom.cli.binding import bound
from postroom.cli.parts import run_parts
from postroom.cli.shared import err, house, out, run, show
from postroom.db.migrate import bring_up_to_date
from postroom.doors import health
from postroom.memory import keep_what_is_loaded
from postroom.nouns.errors import Misconfigured
from postroom.rooms.tenants import commands as tenants

MOST_CONNECTIONS = 4000


def up() -> None:
    """Everything in one: web, worker and timetable. With no POSTROOM_DATABASE_URL, its own PostgreSQL too."""
    run(_run(web=True, worker=True))


def serve() -> None:
    """Only the web process. Start as many as you like, on any number of hosts, on one PostgreSQL."""
    run(_run(web=True, worker=False))


def work(
    once: Annotated[bool, typer.Option("--once", help="Work until nothing is left to do, then end.")] = False,
) -> None:
    """Only a worker (and the timetable). Start as many as you like, on any number of hosts, on one PostgreSQL."""
    run(_once() if once else _run(web=False, worker=True))


def migrate() -> None:
    """Bring the database up to date: the only command that needs the owner's rights."""

    async def work() -> None:
        ours = settings.load()
        if ours.database_url is None:
            with database(ours):
                out.print("The database is up to date.")
            return
        applied = bring_up_to_date(ours.database_url.get_secret_value())
        for name in applied:
            out.print(f"applied {name}", highlight=False)
        out.print("The database is up to date.")

    run(work())


def doctor(
    support: Annotated[
        Path | None, typer.Option("--bundle", help="Write a redacted support bundle (zip) here.")
    ] = None,
) -> None:
    """Compare what is expected with what is there, and say what to do about each difference. Exit 1 if any is wrong."""

    async def work() -> bool:
        async with house() as opened:
            findings = await examine(opened)
            if support is not None:
                try:
                    await bundle(opened, findings, support)
                except OSError as problem:
                    raise Misconfigured(f"{support} cannot be written: {problem.strerror}.") from None
        marks = {"ok": "ok", "warning": "look", "wrong": "WRONG"}
        rows = [
            (marks[each.verdict], each.what, each.expected, each.actual, "" if each.verdict == "ok" else each.advice)
            for each in findings
        ]
        show("", ["", "what", "expected", "actual", "do this"], rows, empty="")
        if support is not None:
            err.print(f"The support bundle is in {support}; it holds no secrets, subjects or bodies.", highlight=False)
        return all(each.verdict != "wrong" for each in findings)

    if not run(work()):
        raise typer.Exit(1)


async def _once() -> None:
    settings.load().require_files()
    async with house() as opened:
        await opened.worker().run_until_quiet()


async def _run(*, web: bool, worker: bool) -> None:
    settings.load().require_files()
    async with house() as opened:
        server = _server(opened, web=web)
        await ensure_configured(opened)
        if web:
            await _show_link(opened)
            err.print(f"Postroom at {opened.settings.outside_url}", highlight=False)
        keep_what_is_loaded()
        if worker:
            await opened.db.connect_all()
        async with _reader_loads(opened) if worker else contextlib.nullcontext():
            await run_parts(opened, server, worker=worker)


@contextlib.asynccontextmanager
async def _reader_loads(opened: House) -> AsyncIterator[None]:
    """What reading needs is loaded beside the rest, so that the first document need not wait for it."""
    loading = asyncio.create_task(opened.outside.reader.load())
    try:
        yield
    finally:
        loading.cancel()
        await asyncio.gather(loading, return_exceptions=True)


async def _show_link(opened: House) -> None:
    """To a terminal only: a log is kept, copied and read by many, and whoever has the link is signed in."""
    if not err.is_terminal:
        err.print("To sign in, run `postroom person link` on this machine.", highlight=False)
        return
    tenant = await tenants.find_tenant(opened.db, "default")
    link = await tenants.make_link(opened.scope(tenant.tenant_id, "up"), opened.settings.outside_url)
    err.print(f"Sign in once, within 15 minutes: {link}", highlight=False)


@contextlib.asynccontextmanager
async def serving(opened: House) -> AsyncIterator[None]:
    """The web process beside other work, until that is done."""
    server = web_server(opened)
    task = asyncio.create_task(server.serve())
    while not server.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield
    finally:
        server.should_exit = True
        await task


class Server(uvicorn.Server):
    """Has its address from the start. Signals are ours: the worker has to end in order too."""

    def __init__(self, config: uvicorn.Config, named: str, end_streams: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self._sockets = bound(config.host, config.port, named)
        self._end_streams = end_streams

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve(sockets or self._sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Pages that somebody left open hold up nobody."""
        if self._end_streams is not None:
            self._end_streams()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]  # noqa: ANN201 - uvicorn's own signature
        yield


def _server(opened: House, *, web: bool) -> Server | None:
    """All doors, or, for a process that only works, at most the one that says how it is doing."""
    if web:
        return web_server(opened)
    if opened.settings.metrics_bind is None:
        return None
    host, _, port = opened.settings.metrics_bind.rpartition(":")
    app = Starlette(routes=health.ROUTES)
    app.state.db, app.state.vitals = opened.db, opened.vitals
    return Server(uvicorn.Config(app, host=host.strip("[]"), port=int(port), **_OPTIONS), "POSTROOM_METRICS_BIND")


def web_server(opened: House) -> Server:
    from postroom.app.web import web_app  # a process that only works needs no doors
    from postroom.doors.http_protocol import BoundedHttp

    proxies, app = opened.settings.trusted_proxies, web_app(opened)
    config = uvicorn.Config(
        app,
        host=opened.settings.host,
        port=opened.settings.port,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        http=BoundedHttp,
        limit_concurrency=_connections(),
        **_OPTIONS,
    )
    return Server(config, "POSTROOM_BIND", app.state.streams.close)


def _connections() -> int:
    """Some of the files that this process may open stay for the database, the archive and the outside."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if allowed < 0 else max(64, min(MOST_CONNECTIONS, allowed * 3 // 5))


_OPTIONS: dict[str, Any] = {
    "log_level": "warning",
    "access_log": False,
    "loop": "none",
    "lifespan": "off",
    "server_header": False,
    "timeout_graceful_shutdown": 6,  # with the worker's: below the ten seconds after which `docker stop` kills
}
