"""Notifications a second and how fast they are answered, against a floor endpoint: the same server, one INSERT and its commit.

`python -m benchmarks.intake [--seconds S] [--rounds N] [--keep]`. Floor and webhook take turns in short rounds, so that a
busy machine slows both; the last case notifies while two workers are kept busy.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import aiohttp
import psycopg
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.bench import cpu_seconds, keep, private_server, spread

STATE = "a-client-state-for-the-benchmark-0123456789"
MAILBOXES = 50
ROOT = Path(__file__).parent.parent


def floor_app() -> Starlette:
    pool = AsyncConnectionPool(os.environ["FLOOR_DSN"], min_size=8, max_size=8, open=False, kwargs={"autocommit": True})

    async def notify(request: Request) -> Response:
        body = await request.body()
        async with pool.connection() as connection:
            await connection.execute("INSERT INTO bench_notification (body) VALUES (%s)", [body])
        return Response(status_code=202)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        await pool.open()
        yield
        await pool.close()

    return Starlette(routes=[Route("/notify", notify, methods=["POST"])], lifespan=lifespan)


@dataclass
class Side:
    """One of the two servers: where it is notified, and what was measured of it."""

    url: str
    process: int
    times: dict[int, list[float]] = field(default_factory=lambda: {1: [], 64: []})
    seconds: dict[int, float] = field(default_factory=lambda: {1: 0.0, 64: 0.0})
    cpu: dict[int, float] = field(default_factory=lambda: {1: 0.0, 64: 0.0})

    def pounded(self, bodies: list[bytes], connections: int, seconds: float) -> None:
        spent, began = cpu_seconds(self.process), time.perf_counter()
        self.times[connections] += asyncio.run(pound(self.url, bodies, connections, seconds))
        self.seconds[connections] += time.perf_counter() - began
        self.cpu[connections] += cpu_seconds(self.process) - spent

    def figures(self, connections: int) -> dict[str, float]:
        times = self.times[connections]
        return {
            "per_s": round(len(times) / self.seconds[connections]),
            **spread(times),
            "web_cpu_ms": round(self.cpu[connections] / len(times) * 1000, 3),
        }


async def pound(url: str, bodies: list[bytes], connections: int, seconds: float) -> list[float]:
    """As many as get through in the time, each connection one after the other."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    headers = {"Content-Type": "application/json"}

    async def one(session: aiohttp.ClientSession, start: int) -> None:
        turn = start
        while time.perf_counter() < end:
            began = time.perf_counter()
            async with session.post(url, data=bodies[turn % len(bodies)], headers=headers) as answer:
                assert answer.status == 202, (answer.status, await answer.text())
            times.append(time.perf_counter() - began)
            turn += connections

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=connections)) as session:
        await asyncio.gather(*(one(session, start) for start in range(connections)))
    return times


def notification_bodies(owner_dsn: str) -> list[bytes]:
    """Mailboxes with subscriptions, and notifications for them."""
    bodies = []
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "CREATE TABLE bench_notification (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea)"
        )
        tenant = uuid4()
        owner.execute("INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, 'default')", [tenant])
        for number in range(MAILBOXES):
            mailbox, subscription = uuid4(), str(uuid4())
            owner.execute(
                "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access) VALUES (%s, %s, %s, 'outlook', 'app_only')",
                [mailbox, tenant, f"box{number}@bench.test"],
            )
            owner.execute(
                "INSERT INTO padealing.graph_subscription_state (subscription_id, resource, notification_url, expiration_datetime, "
                "tenant_id, mailbox_id, client_state_digest) VALUES (%s, 'x', 'x', now() + interval '2 days', %s, %s, %s)",
                [subscription, tenant, mailbox, hashlib.sha256(STATE.encode()).digest()],
            )
            for message in range(20):
                item = {
                    "subscriptionId": subscription,
                    "clientState": STATE,
                    "changeType": "created",
                    "resource": f"Users/u/Messages/m{number}-{message}",
                    "resourceData": {"@odata.type": "#Microsoft.Graph.Message", "id": f"m{number}-{message}"},
                }
                bodies.append(json.dumps({"value": [item]}).encode())
    return bodies


@contextlib.contextmanager
def served(command: list[str], port: int, **more: str) -> Iterator[int]:
    """The server's process id, once it answers."""
    process = subprocess.Popen(command, env={**os.environ, **more}, cwd=ROOT)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
                break
            time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def busy_workers(dsn: str, owner_dsn: str, home: str, jobs: int) -> Iterator[None]:
    """Two workers with more to do than they can: jobs of a kind that nobody does, each claimed, failed and recorded."""
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "SELECT postroom.enqueue(t.tenant_id, (SELECT jsonb_agg(jsonb_build_object('kind', 'bench.load', 'key', n::text)) "
            "FROM generate_series(1, %s) n)) FROM postroom.tenant t",
            [jobs],
        )
    settings = {"POSTROOM_DATABASE_URL": dsn, "POSTROOM_HOME": home, "POSTROOM_LOG_LEVEL": "error"}
    command = [sys.executable, "-m", "postroom", "work"]
    workers = [
        subprocess.Popen(command, env={**os.environ, **settings}, cwd=ROOT, stderr=subprocess.DEVNULL) for _ in range(2)
    ]
    try:
        time.sleep(3)
        yield
    finally:
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.wait()


def free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1, help="of one round")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    with private_server() as server, tempfile.TemporaryDirectory() as home, contextlib.ExitStack() as stack:
        bodies = notification_bodies(server.dsn())
        dsn, ours, theirs = server.dsn(user="postroom"), free_port(), free_port()
        uvicorn = [sys.executable, "-m", "uvicorn", "benchmarks.intake:floor_app", "--factory", "--port", str(theirs)]
        quiet = ["--log-level", "warning", "--no-access-log"]
        floor = Side(
            f"http://127.0.0.1:{theirs}/notify",
            stack.enter_context(served([*uvicorn, *quiet], theirs, FLOOR_DSN=server.dsn())),
        )
        settings = {"POSTROOM_DATABASE_URL": dsn, "POSTROOM_BIND": f"127.0.0.1:{ours}", "POSTROOM_HOME": home}
        serve = [sys.executable, "-m", "postroom", "serve"]
        webhook = Side(
            f"http://127.0.0.1:{ours}/api/graph/notifications",
            stack.enter_context(served(serve, ours, **settings)),
        )
        keep("intake", measure(floor, webhook, bodies, options, lambda: busy_workers(dsn, server.dsn(), home, 20_000)))


def measure(floor: Side, webhook: Side, bodies: list[bytes], options: argparse.Namespace, busy) -> dict[str, object]:
    result: dict[str, object] = {}
    for connections in (1, 64):
        for side in (floor, webhook):
            asyncio.run(pound(side.url, bodies, connections, 0.5))
        for _ in range(options.rounds):
            for side in (floor, webhook):
                side.pounded(bodies, connections, options.seconds)
        ours, bare = webhook.figures(connections), floor.figures(connections)
        result[f"floor, {connections} connections"] = bare
        result[f"webhook, {connections} connections"] = ours
        result[f"ratio, {connections} connections"] = round(ours["per_s"] / bare["per_s"], 2)
    with busy():
        times = asyncio.run(pound(webhook.url, bodies, 64, options.seconds * options.rounds))
    result["webhook, 64 connections, workers saturated"] = {
        "per_s": round(len(times) / options.seconds / options.rounds),
        **spread(times),
    }
    return result


if __name__ == "__main__":
    main()
