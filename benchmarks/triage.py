"""From a pushed mail to the label on its thread, beside the bare calls that it takes; and the CPU of judging a thread.

`python -m benchmarks.triage [--mails N] [--keep]`. Simulator, web process and worker share this process, so the time to the
label holds all three; the floor asks the same simulator for the same things, one after the other: the changes, the
message, the thread, and the category.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import socket
import tempfile
import time
from email.message import EmailMessage
from typing import Any

import aiohttp
import psycopg
import uvicorn

from benchmarks.bench import keep, private_server, quantile
from postroom.app.house import ensure_configured, open_house
from postroom.app.web import web_app
from postroom.nouns.conversations import Turn, conversation_of
from postroom.nouns.mail import Address
from postroom.nouns.providers import INBOX, ProviderRef
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.triage.rules.analysis import analyse
from postroom.rooms.triage.rules.verdicts import operators, triage
from postroom.settings import Settings
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.world import World

BOX = "service@bench.example"
TEXT = "Hello,\n\nat what time is breakfast served on Sunday, and may we bring our dog?\n\nKind regards\nAda Anders\n"


class Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


def mail(number: int) -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "ada@client.example", BOX, f"Our stay {number}"
    made["Message-ID"] = f"<{number}.{time.time_ns()}@client.example>"
    made.set_content(TEXT)
    return made.as_bytes()


async def to_label(mails: int) -> dict[str, Any]:
    with private_server() as server, tempfile.TemporaryDirectory() as home:
        async with World() as world:
            world.add_mailbox(BOX, name="Service", provider="graph")
            told = {
                "home": home,
                "database_url": server.dsn(user="postroom"),
                "bind": "127.0.0.1:0",
                "graph_base_url": f"{world.base_url}/v1.0",
                "graph_login_url": world.base_url,
                **{f"POSTROOM_GRAPH_{name}": value for name, value in (("TENANT_ID", "t"), ("CLIENT_ID", "app"), ("CLIENT_SECRET", "s"), ("MAILBOX_EMAIL", BOX))},
            }  # fmt: skip
            with contextlib.closing(socket.socket()) as probe:
                probe.bind(("127.0.0.1", 0))
                told["bind"] = f"127.0.0.1:{probe.getsockname()[1]}"
            async with open_house(Settings(**told)) as house:
                web = Server(uvicorn.Config(web_app(house), port=house.settings.port, log_level="error", lifespan="off", access_log=False))  # fmt: skip
                serving = asyncio.create_task(web.serve())
                mailbox = await ensure_configured(house)
                worker = house.worker()
                working = asyncio.create_task(worker.run())
                assert mailbox is not None
                with psycopg.connect(server.dsn(), autocommit=True) as owner:
                    tenant = owner.execute("SELECT tenant_id FROM postroom.mailbox").fetchone()[0]
                    await mailboxes.set_copilot(house.scope(tenant, "bench"), mailbox, "labels")
                await asyncio.sleep(3)  # the mailbox is connected and quiet
                times = [await _one(world, number) for number in range(mails)]
                floor = [await _floor(world, number) for number in range(mails)]
                worker.stop()
                await working
                web.should_exit = True
                await serving
    label, bare = quantile(times, 0.5) * 1000, quantile(floor, 0.5) * 1000
    return {"to_label_p50_ms": round(label), "to_label_p95_ms": round(quantile(times, 0.95) * 1000), "bare_calls_p50_ms": round(bare), "ratio": round(label / bare, 1)}  # fmt: skip


async def _one(world: World, number: int) -> float:
    began = time.perf_counter()
    key = world.deliver(IncomingMail(BOX, mail(number)))
    person = world.mail_program(BOX)
    while not any(each["labels"] for each in person.thread(key)):
        await asyncio.sleep(0.002)
    return time.perf_counter() - began


async def _floor(world: World, number: int) -> float:
    """What no program could leave out: read the change, the mail and its thread, and write the category."""
    async with aiohttp.ClientSession() as session:
        form = {"grant_type": "client_credentials", "client_id": "app", "client_secret": "s"}
        form["scope"] = "https://graph.microsoft.com/.default"
        async with session.post(f"{world.base_url}/t/oauth2/v2.0/token", data=form) as answer:
            token = (await answer.json())["access_token"]
        headers = {"Authorization": f"Bearer {token}", "Prefer": 'IdType="ImmutableId"'}
        key = world.deliver(IncomingMail(BOX, mail(10_000 + number)))
        base = f"{world.base_url}/v1.0/users/{BOX}"
        began = time.perf_counter()
        async with session.get(f"{base}/messages/{key}", headers=headers) as answer:
            item = await answer.json()
        async with session.get(f"{base}/messages/{key}/$value", headers=headers) as answer:
            await answer.read()
        query = {"$filter": f"conversationId eq '{item['conversationId']}'"}
        async with session.get(f"{base}/messages", params=query, headers=headers) as answer:
            await answer.read()
        async with session.patch(f"{base}/messages/{key}", json={"categories": ["Bench"]}, headers=headers) as answer:
            await answer.read()
        return time.perf_counter() - began


def cpu(rounds: int = 300) -> float:
    """Milliseconds for verdict and analysis of one thread."""
    turn = Turn(ProviderRef("m"), Address("ada@client.example"), (Address(BOX),), subject="Our stay", labels=frozenset({INBOX}), own_text=TEXT * 3)  # fmt: skip
    thread, known = conversation_of(ProviderRef("t"), [turn]), operators([BOX])
    analyse(thread, triage(thread, known))
    began = time.process_time()
    for _ in range(rounds):
        analyse(thread, triage(thread, known))
    return (time.process_time() - began) / rounds * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=30)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    keep("triage", {**asyncio.run(to_label(options.mails)), "judging_cpu_ms": round(cpu(), 2)})


if __name__ == "__main__":
    main()
