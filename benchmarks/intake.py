"""Bells a second and how fast they are answered, against a floor endpoint: the same server, one INSERT and its commit.

`python -m benchmarks.intake [--seconds S] [--keep]`
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
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import aiohttp
import psycopg
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.bench import keep, private_server, spread

STATE = "a-client-state-for-the-benchmark-0123456789"
MAILBOXES = 50


def floor_app() -> Starlette:
    pool = AsyncConnectionPool(os.environ["FLOOR_DSN"], min_size=8, max_size=8, open=False, kwargs={"autocommit": True})

    async def ring(request: Request) -> Response:
        body = await request.body()
        async with pool.connection() as connection:
            await connection.execute("INSERT INTO bench_bell (body) VALUES (%s)", [body])
        return Response(status_code=202)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        await pool.open()
        yield
        await pool.close()

    return Starlette(routes=[Route("/ring", ring, methods=["POST"])], lifespan=lifespan)


async def pound(url: str, bodies: list[bytes], connections: int, seconds: float) -> dict[str, float]:
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

    began = time.perf_counter()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=connections)) as session:
        await asyncio.gather(*(one(session, start) for start in range(connections)))
    return {"per_s": round(len(times) / (time.perf_counter() - began)), **spread(times)}


def ring_bodies(owner_dsn: str) -> list[bytes]:
    """Mailboxes with subscriptions, and notifications for them."""
    bodies = []
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("CREATE TABLE bench_bell (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea)")
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
def served(command: list[str], port: int, **more: str):
    process = subprocess.Popen(command, env={**os.environ, **more}, cwd=Path(__file__).parent.parent)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
                break
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    with private_server() as server, tempfile.TemporaryDirectory() as home:
        bodies = ring_bodies(server.dsn())
        ours, theirs = free_port(), free_port()
        uvicorn = [sys.executable, "-m", "uvicorn", "benchmarks.intake:floor_app", "--factory", "--port", str(theirs)]
        result: dict[str, object] = {}
        with served([*uvicorn, "--log-level", "warning", "--no-access-log"], theirs, FLOOR_DSN=server.dsn()):
            for connections in (1, 64):
                result[f"floor, {connections} connections"] = asyncio.run(
                    pound(f"http://127.0.0.1:{theirs}/ring", bodies, connections, options.seconds)
                )
        serve = [sys.executable, "-m", "postroom", "serve"]
        with served(
            serve,
            ours,
            POSTROOM_DATABASE_URL=server.dsn(user="postroom"),
            POSTROOM_BIND=f"127.0.0.1:{ours}",
            POSTROOM_HOME=home,
        ):
            for connections in (1, 64):
                result[f"bells, {connections} connections"] = asyncio.run(
                    pound(f"http://127.0.0.1:{ours}/api/graph/notifications", bodies, connections, options.seconds)
                )
        for connections in (1, 64):
            bells, bare = result[f"bells, {connections} connections"], result[f"floor, {connections} connections"]
            result[f"ratio, {connections} connections"] = round(bells["per_s"] / bare["per_s"], 2)
        keep("intake", result)


if __name__ == "__main__":
    main()
