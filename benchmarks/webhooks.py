"""Events a second from facts to a fast receiver, against a floor: the same bodies, posted bare by the same client.

`python -m benchmarks.webhooks [--events N] [--keep]`. The receiver is a process of its own and answers at once. Both sides
have 32 requests in flight; ours also reads facts, makes events, signs, and writes every delivery down. CPU time, of
this process and of the database, means the same on a busy machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import aiohttp
import msgspec
import psycopg
import uvloop

from benchmarks.bench import keep, private_server, server_cpu
from postroom.db.embedded import EmbeddedServer
from postroom.db.pool import Database, transaction_is_open
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.engine.worker import Handlers, Worker
from postroom.nouns import facts
from postroom.nouns.ids import MailboxId, TenantId, new_id
from postroom.outside.keys.encryption import Key, Sealer
from postroom.outside.webhooks import WebhookSession
from postroom.rooms.subscribers import commands, jobs
from postroom.rooms.subscribers.publishing import EventPublisher

RECEIVER = """
import asyncio

class Answering(asyncio.Protocol):
    def connection_made(self, transport): self.transport, self.held = transport, b""
    def data_received(self, data):
        self.held += data
        while (end := self.held.find(b"\\r\\n\\r\\n")) >= 0:
            head = self.held[:end].lower()
            size = int(head.split(b"content-length:")[1].split(b"\\r\\n")[0])
            if len(self.held) < end + 4 + size: return
            self.held = self.held[end + 4 + size:]
            self.transport.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n")

async def main():
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


class Outside:
    def __init__(self, webhooks: WebhookSession, sealer: Sealer) -> None:
        self.webhooks, self.sealer = webhooks, sealer


@contextlib.contextmanager
def receiver() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-c", RECEIVER], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield f"127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def now() -> datetime:
    return datetime.now(UTC)


async def floor(url: str, bodies: list[bytes]) -> float:
    began, gate = time.perf_counter(), asyncio.Semaphore(jobs.IN_FLIGHT)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=jobs.IN_FLIGHT)) as session:

        async def one(body: bytes) -> None:
            async with gate, session.post(url, data=body) as answer:
                await answer.read()

        await asyncio.gather(*(one(body) for body in bodies))
    return len(bodies) / (time.perf_counter() - began)


async def tell(db: Database, waker: Waker, tenant: TenantId, mailbox: MailboxId, events: int) -> None:
    for start in range(0, events, 500):
        scope = TenantScope(db, waker, lambda fact: [], tenant, "bench", now)
        async with scope.finish() as tx:
            for number in range(start, min(start + 500, events)):
                told = facts.MessageArrived(
                    message_id=new_id(),
                    mailbox_id=mailbox,
                    thread_id=new_id(),
                    provider_message_id=f"m-{number}",
                    provider_thread_id=f"t-{number}",
                    source="push",
                    received_at=now(),
                )
                await scope.tell(tx, told)


async def measure(server: EmbeddedServer, host: str, events: int) -> dict[str, float]:
    dsn, owner = server.dsn(user="postroom"), server.dsn()
    tenant, mailbox = TenantId(UUID(int=1)), MailboxId(new_id())
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, 'bench')", [tenant])
        connection.execute(
            "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access)"
            " VALUES (%s, %s, 'a@bench.test', 'outlook', 'app_only')",
            [mailbox, tenant],
        )
    db = await Database(dsn).open()
    waker, sealer = Waker(db), Sealer([Key(b"k" * 32)])
    await waker.start()
    async with WebhookSession({host}, now, forbidden=transaction_is_open) as session:
        scope = TenantScope(db, waker, lambda fact: [], tenant, "bench", now)
        made, _ = await commands.create_webhook(
            scope, sealer, session, f"http://{host}/hook", ["mail.message.received"]
        )
        await tell(db, waker, tenant, mailbox, events)
        worker = Worker(db, waker, Handlers.of(jobs), lambda fact: [], Outside(session, sealer), clock=now)
        began, own, theirs = time.perf_counter(), time.process_time(), server_cpu(server)
        await EventPublisher(db, waker, lambda fact: [], now).publish_all()
        print(f"published in {time.perf_counter() - began:.1f} s")
        await worker.run_until_quiet()
        ours = events / (time.perf_counter() - began)
        own, theirs = time.process_time() - own, server_cpu(server) - theirs
        some = await commands.deliveries(scope, made.id, most=events)
        assert [events] == [len(some)], len(some)
        assert {"delivered"} == {each.status for each in some}
        bare_cpu = time.process_time()
        bare = await floor(f"http://{host}/floor", [msgspec.json.encode(each.payload) for each in some])
        bare_cpu = time.process_time() - bare_cpu
    await waker.stop()
    await db.close()
    return {
        "events_per_s": round(ours),
        "floor_per_s": round(bare),
        "ratio": round(ours / bare, 2),
        "cpu_us_per_event": round(own / events * 1e6),
        "server_cpu_us_per_event": round(theirs / events * 1e6),
        "floor_cpu_us_per_event": round(bare_cpu / events * 1e6),
        "events_per_cpu_second": round(events / (own + theirs)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--keep", action="store_true")
    asked = parser.parse_args()
    with private_server() as server, receiver() as host:
        found = uvloop.run(measure(server, host, asked.events))
    print(found)
    if asked.keep:
        keep("webhooks", found)


if __name__ == "__main__":
    main()
