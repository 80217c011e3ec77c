"""From notification to "ours, recorded", against a floor that makes the same provider calls and one insert a message.

`python -m benchmarks.sync [--mailboxes 20] [--messages 250] [--keep]`. The simulators run in a process of their own; ours
are one web process and two workers; the floor is two processes. Both fetch what the other fetches: one delta page
chain per mailbox, one MIME body per message. The simulator takes a mail apart when it is first listed, so everything is
listed once before either is measured, else whoever comes first would pay for both. CPU is
counted of everything but the simulators, PostgreSQL included: on a busy machine its ratio says more than the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

import aiohttp
import psycopg

from benchmarks.bench import cpu_seconds, keep, private_server, server_cpu, spread
from benchmarks.intake import free_port, served
from postroom.db.embedded import EmbeddedServer
from postroom.outside.graph.wire import SELECT

ROOT = Path(__file__).parent.parent
ARRIVED = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"
FLOOR = """
import asyncio, sys, aiohttp, psycopg, json
from urllib.parse import quote
base, dsn, boxes, fields = sys.argv[1], sys.argv[2], sys.argv[3].split(","), sys.argv[4]
async def box(session, pool, address):
    url = f"{base}/v1.0/users/{address}/mailFolders/inbox/messages/delta?$select={fields}"
    gate = asyncio.Semaphore(3)
    db = await psycopg.AsyncConnection.connect(dsn, autocommit=True)
    async def one(item):
        async with gate:
            async with session.get(f"{base}/v1.0/users/{address}/messages/{quote(item['id'], safe='')}/$value") as answer:
                raw = await answer.read()
        async with lock:
            await db.execute("INSERT INTO bench_floor_message VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", [address, item["id"], raw.decode("utf-8", "replace")[:2000]])
    lock = asyncio.Lock()
    while url:
        async with session.get(url) as answer:
            page = json.loads(await answer.read())
        await asyncio.gather(*(one(item) for item in page["value"]))
        url = page.get("@odata.nextLink")
    await db.close()
async def main():
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{base}/demo/oauth2/v2.0/token", data={"grant_type": "client_credentials", "client_id": "a", "client_secret": "b", "scope": "https://graph.microsoft.com/.default"}) as answer:
            token = (await answer.json(content_type=None))["access_token"]
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}", "Prefer": 'IdType="ImmutableId", odata.maxpagesize=100'}) as session:
        await asyncio.gather(*(box(session, None, address) for address in boxes))
asyncio.run(main())
"""
MAIL = (
    "From: a@client.test\r\nTo: {to}\r\nSubject: Letter {n}\r\nMessage-ID: <{n}.{to}>\r\n\r\n"
    + "Good morning, a few words. " * 40
)


async def call(base: str, path: str, order: object, method: str = "POST") -> object:
    async with aiohttp.ClientSession() as session, session.request(method, base + path, json=order) as answer:
        assert answer.status < 300, await answer.text()
        return await answer.json()


def letter(to: str, number: int) -> dict[str, str]:
    return {"mailbox": to, "raw": base64.b64encode(MAIL.format(to=to, n=number).encode()).decode()}


async def post_all(base: str, boxes: list[str], messages: int, run: int) -> None:
    gate = asyncio.Semaphore(16)

    async def one(to: str, number: int) -> None:
        async with gate:
            await call(base, "/control/letters", letter(to, run * 100_000 + number))

    await asyncio.gather(*(one(to, number) for number in range(messages) for to in boxes))


async def list_all(base: str, boxes: list[str]) -> None:
    """What the simulator does once for every mail, done before anybody is measured."""
    asked = {"grant_type": "client_credentials", "client_id": "a", "client_secret": "b", "scope": "x/.default"}
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{base}/demo/oauth2/v2.0/token", data=asked) as answer:
            token = (await answer.json(content_type=None))["access_token"]
        for box in boxes:
            link = f"{base}/v1.0/users/{box}/mailFolders/inbox/messages/delta?$select={SELECT}"
            while link:
                async with session.get(link, headers={"Authorization": f"Bearer {token}"}) as answer:
                    link = (await answer.json(content_type=None)).get("@odata.nextLink")


def wait_until(owner: psycopg.Connection, question: str, expected: int, seconds: float, every: float = 0.02) -> float:
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        if owner.execute(question).fetchone()[0] >= expected:
            return time.perf_counter() - began
        time.sleep(every)
    raise SystemExit(f"{question}: {owner.execute(question).fetchone()[0]}, not {expected}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mailboxes", type=int, default=20)
    parser.add_argument("--messages", type=int, default=250)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    boxes = [f"box{number}@bench.test" for number in range(options.mailboxes)]
    simulators, web = free_port(), free_port()
    base = f"http://127.0.0.1:{simulators}"
    with private_server() as server, tempfile.TemporaryDirectory() as home:
        owner = psycopg.connect(server.dsn(), autocommit=True)
        owner.execute("CREATE TABLE bench_floor_message (mailbox text, id text, body text, PRIMARY KEY (mailbox, id))")
        simulate = [sys.executable, "-m", "postroom", "simulate", "--bind", f"127.0.0.1:{simulators}"]
        with served(simulate, simulators):
            for box in boxes:
                asyncio.run(call(base, "/control/mailboxes", {"address": box, "provider": "graph"}))
            settings = {
                **os.environ,
                "POSTROOM_DATABASE_URL": server.dsn(user="postroom"),
                "POSTROOM_HOME": home,
                "POSTROOM_BIND": f"127.0.0.1:{web}",
                "POSTROOM_GRAPH_BASE_URL": f"{base}/v1.0",
                "POSTROOM_GRAPH_LOGIN_URL": base,
                "POSTROOM_GRAPH_TENANT_ID": "demo",
                "POSTROOM_GRAPH_CLIENT_ID": "app",
                "POSTROOM_GRAPH_CLIENT_SECRET": "secret",
                "POSTROOM_LOG_LEVEL": "warning",
            }
            connect(owner, boxes)
            serve = subprocess.Popen([sys.executable, "-m", "postroom", "serve"], env=settings, cwd=ROOT)
            workers = [
                subprocess.Popen([sys.executable, "-m", "postroom", "work"], env=settings, cwd=ROOT) for _ in range(2)
            ]
            try:
                ours = [process.pid for process in (serve, *workers)]
                result = measure(owner, server, ours, base, boxes, options.messages)
            finally:
                for process in (serve, *workers):
                    process.terminate()
                for process in (serve, *workers):
                    process.wait()
        keep("sync", result)


def connect(owner: psycopg.Connection, boxes: list[str]) -> None:
    """Mailboxes as `postroom` itself would have connected them, app-only; no pipelines, so that only sync is measured."""
    tenant = uuid4()
    owner.execute("INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, 'default')", [tenant])
    for box in boxes:
        mailbox = uuid4()
        owner.execute(
            "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, pipelines) VALUES (%s, %s, %s, 'outlook', 'app_only', '{}')",
            [mailbox, tenant, box],
        )
        jobs = [
            {
                "kind": kind,
                "key": str(mailbox),
                "lane": f"{lane}:{mailbox}",
                "args": {"mailbox_id": str(mailbox)},
                "priority": 1,
            }
            for kind, lane in (("sync.mailbox", "mailbox"), ("mailboxes.keep_watch", "watch"))
        ]
        owner.execute("SELECT postroom.enqueue(%s, %s)", [tenant, psycopg.types.json.Jsonb(jobs)])


def measure(
    owner: psycopg.Connection, server: EmbeddedServer, ours: list[int], base: str, boxes: list[str], messages: int
) -> dict[str, object]:
    watching = "SELECT count(*) FROM padealing.graph_subscription_state WHERE status = 'active'"
    wait_until(owner, watching, len(boxes), 120)
    seeded = "SELECT count(*) FROM postroom.mailbox_cursor WHERE cursor IS NOT NULL"
    wait_until(owner, seeded, len(boxes), 60)
    idle = latency(owner, base, boxes[0])
    asyncio.run(call(base, "/control/faults", {"drop": 1.0}, "PUT"))
    asyncio.run(post_all(base, boxes, messages, 1))
    asyncio.run(call(base, "/control/faults", {"drop": 0.0}, "PUT"))
    asyncio.run(list_all(base, boxes))
    held = owner.execute(ARRIVED).fetchone()[0]
    total = (messages + 1) * len(boxes)
    spent, began = server_cpu(server) + sum(map(cpu_seconds, ours)), time.perf_counter()
    asyncio.run(post_all(base, boxes, 1, 2))  # one bell per mailbox: everything is read through its cursor
    wait_until(owner, ARRIVED, held + total, 300, every=0.1)  # counting is no part of the work, and costs as well
    took, used = time.perf_counter() - began, server_cpu(server) + sum(map(cpu_seconds, ours)) - spent
    fetched, floor_took, floor_used = floor(owner, server, base, boxes)
    mine, bare = total / took, fetched / floor_took
    return {
        "messages_per_s": round(mine),
        "floor_per_s": round(bare),
        "ratio": round(mine / bare, 2),
        "cpu_ms_per_message": round(used / total * 1000, 2),
        "floor_cpu_ms_per_message": round(floor_used / fetched * 1000, 2),
        "idle_ms": idle,
    }


def floor(owner: psycopg.Connection, server: EmbeddedServer, base: str, boxes: list[str]) -> tuple[int, float, float]:
    """How many it fetched, in how long, for how much CPU."""
    half = len(boxes) // 2
    spent, began = server_cpu(server) + children_cpu(), time.perf_counter()
    processes = [
        subprocess.Popen([sys.executable, "-c", FLOOR, base, server.dsn(), ",".join(part), SELECT])
        for part in (boxes[:half], boxes[half:])
    ]
    for process in processes:
        process.wait()
    took, used = time.perf_counter() - began, server_cpu(server) + children_cpu() - spent
    return owner.execute("SELECT count(*) FROM bench_floor_message").fetchone()[0], took, used


def children_cpu() -> float:
    """Of the processes that we started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def latency(owner: psycopg.Connection, base: str, box: str, times: int = 40) -> dict[str, float]:
    """From the moment a letter is put into the mailbox to the recorded message, with nothing else to do."""
    took = []
    for number in range(times):
        held = owner.execute(ARRIVED).fetchone()[0]
        began = time.time()
        asyncio.run(call(base, "/control/letters", letter(box, 900_000 + number)))
        wait_until(owner, ARRIVED, held + 1, 30)
        arrived = owner.execute("SELECT extract(epoch FROM max(arrived_at))::float8 FROM postroom.message").fetchone()
        took.append(arrived[0] - began)
        time.sleep(0.1)
    return spread(took)


if __name__ == "__main__":
    main()
