"""One mail at a time through a whole house: simulator, web process and worker in this process, beside the bare calls."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

import aiohttp
import psycopg
import uvicorn

from benchmarks.bench import private_server, quantile
from postroom.app.house import House, ensure_configured, open_house
from postroom.app.web import web_app
from postroom.engine.work import TenantScope
from postroom.nouns.ids import MailboxId
from postroom.settings import Settings
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.world import World

BOX = "service@bench.example"
TEXT = "Hello,\n\nat what time is breakfast served on Sunday, and may we bring our dog?\n\nKind regards\nAda Anders\n"


class Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


@dataclass(frozen=True, slots=True)
class GraphCalls:
    """Bare calls about one mail: what no program could leave out."""

    session: aiohttp.ClientSession
    messages: str
    headers: dict[str, str]
    key: str

    async def ask(self, method: str, path: str = "", **options: Any) -> Any:
        async with self.session.request(method, f"{self.messages}{path}", headers=self.headers, **options) as answer:
            return await answer.json() if answer.content_type == "application/json" else await answer.read()

    async def read_mail_and_thread(self) -> None:
        item = await self.ask("GET", f"/{self.key}")
        await self.ask("GET", f"/{self.key}/$value")
        await self.ask("GET", params={"$filter": f"conversationId eq '{item['conversationId']}'"})


@contextlib.asynccontextmanager
async def whole_house() -> AsyncIterator[tuple[World, House, TenantScope, MailboxId]]:
    """With one mailbox that is connected; a worker is at work, and pushes come in over HTTP."""
    with private_server() as server, tempfile.TemporaryDirectory() as home:
        async with World() as world:
            world.add_mailbox(BOX, name="Service", provider="graph")
            async with open_house(Settings(**house_settings(world, home, server.dsn(user="postroom")))) as house:
                quiet: dict[str, Any] = {"log_level": "error", "lifespan": "off", "access_log": False}
                web = Server(uvicorn.Config(web_app(house), port=house.settings.port, **quiet))
                serving = asyncio.create_task(web.serve())
                mailbox = await ensure_configured(house)
                assert mailbox is not None
                worker = house.worker()
                working = asyncio.create_task(worker.run())
                with psycopg.connect(server.dsn(), autocommit=True) as owner:
                    tenant = owner.execute("SELECT tenant_id FROM postroom.mailbox").fetchone()[0]
                yield world, house, house.scope(tenant, "bench"), mailbox
                worker.stop()
                await working
                web.should_exit = True
                await serving


async def timed(
    world: World,
    mails: int,
    is_done: Callable[[dict[str, Any]], bool],
    bare_calls: Callable[[GraphCalls], Awaitable[None]],
) -> tuple[list[float], float]:
    """Milliseconds from each mail at the provider till its thread shows that we are done, and the median of the bare calls."""
    await asyncio.sleep(3)  # the mailbox is connected and quiet
    times = [await _until_done(world, number, is_done) for number in range(mails)]
    floor = [await _bare(world, number, bare_calls) for number in range(mails)]
    return times, quantile(floor, 0.5)


async def _until_done(world: World, number: int, is_done: Callable[[dict[str, Any]], bool]) -> float:
    began = time.perf_counter()
    key = world.deliver(IncomingMail(BOX, sample_mail(number)))
    person = world.mail_program(BOX)
    while not any(is_done(each) for each in person.thread(key)):
        await asyncio.sleep(0.002)
    return (time.perf_counter() - began) * 1000


async def _bare(world: World, number: int, calls: Callable[[GraphCalls], Awaitable[None]]) -> float:
    async with aiohttp.ClientSession() as session:
        form = {"grant_type": "client_credentials", "client_id": "app", "client_secret": "s"}
        form["scope"] = "https://graph.microsoft.com/.default"
        async with session.post(f"{world.base_url}/t/oauth2/v2.0/token", data=form) as answer:
            token = (await answer.json())["access_token"]
        headers = {"Authorization": f"Bearer {token}", "Prefer": 'IdType="ImmutableId"'}
        key = world.deliver(IncomingMail(BOX, sample_mail(10_000 + number)))
        began = time.perf_counter()
        await calls(GraphCalls(session, f"{world.base_url}/v1.0/users/{BOX}/messages", headers, key))
        return (time.perf_counter() - began) * 1000


def sample_mail(number: int) -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "ada@client.example", BOX, f"Our stay {number}"
    made["Message-ID"] = f"<{number}.{time.time_ns()}@client.example>"
    made.set_content(TEXT)
    return made.as_bytes()


def house_settings(world: World, home: str, url: str) -> dict[str, Any]:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    names = (("TENANT_ID", "t"), ("CLIENT_ID", "app"), ("CLIENT_SECRET", "s"), ("MAILBOX_EMAIL", BOX))
    return {
        "home": home,
        "database_url": url,
        "bind": f"127.0.0.1:{port}",
        "graph_base_url": f"{world.base_url}/v1.0",
        "graph_login_url": world.base_url,
        **{f"POSTROOM_GRAPH_{name}": value for name, value in names},
    }
