"""Every part of a running process is watched: one that ends takes the process with it, and says why."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
from types import SimpleNamespace

import httpx
import pytest
import structlog
import typer
from pydantic import SecretStr
from rich.console import Console

from house.test_embedded import SMALL, home, server_pid
from house.test_worker_door import free_port
from postroom.app.house import open_house
from postroom.cli import house as cli_house
from postroom.cli import parts
from postroom.cli.parts import keep_running, run_parts
from postroom.db import sql
from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import migrate
from postroom.db.pool import Database
from postroom.engine.vitals import Vitals
from postroom.engine.waker import Waker
from postroom.engine.worker import Handlers, Worker
from postroom.nouns.errors import Misconfigured, Unavailable
from postroom.rooms.tenants import commands
from postroom.settings import Settings, load

__all__ = ["home"]
WORKERS = sql.Query("workers", "SELECT count(*) FROM postroom.worker")


async def for_ever() -> None:
    await asyncio.Event().wait()


def house(db, waker, **more) -> SimpleNamespace:
    def worker() -> Worker[None]:
        return Worker(db, waker, Handlers([]), lambda fact: [], None)

    scheduler = SimpleNamespace(run=more.pop("schedule", for_ever))
    made = {"db": db, "waker": waker, "worker": worker, "scheduler": lambda: scheduler, "server": None}
    return SimpleNamespace(**made | more, vitals=Vitals())


@pytest.fixture(autouse=True)
def _quiet_listener(monkeypatch):
    monkeypatch.setattr(parts, "listen", lambda opened: for_ever())


async def broken() -> None:
    raise KeyError("a fault of ours")


async def ends(opened) -> list[str]:
    with structlog.testing.capture_logs() as logs, pytest.raises(typer.Exit) as ended:
        async with asyncio.timeout(30):
            await run_parts(opened, None, worker=True)
    assert 1 == ended.value.exit_code
    return [f"{line['part']}: {line['error']}" for line in logs if line["event"].startswith("a part ended")]


async def test_a_dead_timetable_ends_the_process(db, waker):
    assert ["timetable: KeyError: 'a fault of ours'"] == await ends(house(db, waker, schedule=broken))


async def test_a_dead_listener_ends_the_process(db, waker, monkeypatch):
    monkeypatch.setattr(parts, "listen", lambda opened: broken())

    assert ["listener: KeyError: 'a fault of ours'"] == await ends(house(db, waker))


async def test_a_dead_waker_ends_the_process(db, monkeypatch):
    monkeypatch.setattr(Waker, "_listen", lambda self: broken())
    waker = Waker(db)
    await waker.start()

    assert ["waker: KeyError: 'a fault of ours'"] == await ends(house(db, waker))
    await waker.stop()


async def test_a_dead_heartbeat_ends_the_process(db, waker, monkeypatch):
    monkeypatch.setattr(Worker, "_beat", lambda self: broken())

    assert ["worker: KeyError: 'a fault of ours'"] == await ends(house(db, waker))


async def test_a_signal_ends_it_in_order_and_it_says_that_it_is_not_ready(db, waker):
    opened = house(db, waker)
    running = asyncio.create_task(run_parts(opened, None, worker=True))
    while not await db.desk_value(WORKERS):  # noqa: ASYNC110 - the row is written by the database
        await asyncio.sleep(0.01)
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(30):
        await running

    assert opened.vitals.stopping


async def test_it_stops_at_once_while_pages_are_open(dsn, tmp_path):
    """A page that listens for news never hangs up by itself: the server would wait for it till its patience ends."""
    port = free_port()
    settings = Settings(home=tmp_path, database_url=SecretStr(dsn), bind=f"127.0.0.1:{port}")
    async with open_house(settings) as opened, contextlib.AsyncExitStack() as pages:
        tenant = await commands.ensure_tenant(opened.db, "default")
        _, key = await commands.create_key(opened.scope(tenant, "test"), name="page", role="admin")
        server = cli_house.web_server(opened)
        running = asyncio.create_task(run_parts(opened, server, worker=True))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        browser = await pages.enter_async_context(
            httpx.AsyncClient(
                base_url=settings.outside_url, headers={"Authorization": f"Bearer {key.reveal()}"}, trust_env=False
            )
        )
        open_pages = []  # one that nobody holds is closed
        for path in ("/api/v1/events", "/api/v1/events/mail", "/documents/events"):
            page = await pages.enter_async_context(browser.stream("GET", path))
            assert 200 == page.status_code
            open_pages.append(page.aiter_raw())
            await anext(open_pages[-1])  # it listens
        os.kill(os.getpid(), signal.SIGTERM)
        async with asyncio.timeout(cli_house._OPTIONS["timeout_graceful_shutdown"] / 2):
            await running


async def test_our_own_server_is_started_again_after_it_was_killed(home, monkeypatch):
    monkeypatch.setattr(parts, "LOOK_SECONDS", 0.1)
    server = EmbeddedServer(home, SMALL).start()
    try:
        migrate(server.dsn(), login="postroom")
        db = await Database(server.dsn(user="postroom"), size=2, desk_size=1).open()
        keeping = asyncio.create_task(keep_running(server))
        before = server_pid(home)
        os.kill(before, signal.SIGKILL)
        async with asyncio.timeout(60):
            while True:
                try:
                    await db.prove()
                    if server_pid(home) != before:
                        break
                except Exception:  # noqa: BLE001 - away meanwhile
                    await asyncio.sleep(0.05)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await db.close()
    finally:
        server.stop()


async def test_a_server_that_cannot_be_started_again_ends_the_process(db, waker, monkeypatch):
    monkeypatch.setattr(parts, "LOOK_SECONDS", 0.01)

    def fails() -> None:
        raise Unavailable("PostgreSQL did not start; it said: no space left.")

    lost = SimpleNamespace(answers=lambda: False, start_again=fails)
    with pytest.raises(Unavailable, match="did not start"):
        async with asyncio.timeout(30):
            await run_parts(house(db, waker, server=lost), None, worker=True)


def test_a_misspelt_setting_is_refused_with_the_nearest_right_one(monkeypatch):
    monkeypatch.setenv("POSTROOM_DATABSE_URL", "postgresql://db/x")
    monkeypatch.setenv("POSTROOM_WEATHER", "fine")

    with pytest.raises(Misconfigured) as refused:
        load()

    assert (
        "POSTROOM_DATABSE_URL is not a setting. Did you mean POSTROOM_DATABASE_URL?\n"
        "POSTROOM_WEATHER is not a setting. docs/reference/settings.md lists them all." == str(refused.value)
    )


def test_what_kubernetes_tells_the_pods_of_a_service_is_no_misspelt_setting(monkeypatch):
    for name in ("POSTROOM_SERVICE_HOST", "POSTROOM_SERVICE_PORT_HTTP", "POSTROOM_PORT", "POSTROOM_PORT_80_TCP_ADDR"):
        monkeypatch.setenv(name, "10.0.0.1")

    assert load()


def test_a_credentials_file_that_is_not_there_ends_the_start(tmp_path):
    with pytest.raises(Misconfigured, match=r"POSTROOM_GOOGLE_CREDENTIALS=.*key.json: cannot be read \(No such file"):
        Settings(google_credentials=tmp_path / "key.json").require_files()


class Terminal(Console):
    def __init__(self, *, terminal: bool) -> None:
        super().__init__(file=io.StringIO(), force_terminal=terminal, soft_wrap=True, markup=False)


@pytest.mark.parametrize(("terminal", "shown"), [(True, "https://house.test/signin/secret"), (False, "person link")])
async def test_the_sign_in_link_goes_to_a_terminal_only(monkeypatch, terminal, shown):
    async def found(*_) -> SimpleNamespace:
        return SimpleNamespace(tenant_id="t")

    async def made(*_) -> str:
        assert terminal, "none is made when nobody is there to use it"
        return "https://house.test/signin/secret"

    monkeypatch.setattr(commands, "find_tenant", found)
    monkeypatch.setattr(commands, "make_link", made)
    monkeypatch.setattr(cli_house, "err", screen := Terminal(terminal=terminal))
    opened = SimpleNamespace(db=None, settings=Settings(), scope=lambda *_: None)

    await cli_house._show_link(opened)

    assert shown in screen.file.getvalue()
