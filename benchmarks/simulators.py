"""How many messages a second one simulator process delivers to 1,000 watched mailboxes.

Run as `python -m benchmarks.simulators`. Half of the mailboxes are Outlook, half Gmail; each is watched, and another
process on loopback takes the pushes. The figure counts from the first delivery until the last push was answered.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import time
from multiprocessing.connection import Connection

import aiohttp
from aiohttp import web

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.scenarios import drip
from postroom_simulators.world import World

TOPIC = "projects/bench/topics/mail"
EXPECTED = 1_000  # messages a second that the simulators promise
TEMPLATES = 200


async def _subscriber(pipe: Connection) -> None:
    """Answers validations and pushes, counts the news in them, and tells the count when asked."""
    counts = {"graph": 0, "gmail": 0, "posts": 0}

    async def graph(request: web.Request) -> web.Response:
        if token := request.query.get("validationToken"):
            return web.Response(text=token)
        counts["graph"] += len(json.loads(await request.read())["value"])
        counts["posts"] += 1
        return web.Response(status=202)

    async def gmail(request: web.Request) -> web.Response:
        await request.read()
        counts["gmail"] += 1
        counts["posts"] += 1
        return web.Response(status=204)

    async def tell(_request: web.Request) -> web.Response:
        return web.json_response(counts)

    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.add_routes([web.post("/graph", graph), web.post("/gmail", gmail), web.get("/counts", tell)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    pipe.send(runner.addresses[0][1])
    await asyncio.Event().wait()


def subscriber(pipe: Connection) -> None:
    asyncio.run(_subscriber(pipe))


async def watch_all(world: World, mailboxes: int, hook: str) -> list[str]:
    """Make the mailboxes and watch each over the real API, as a client would."""
    world.google.add_push_subscription(
        "projects/bench/subscriptions/mail", TOPIC, f"{hook}/gmail", "bench", "push@bench.example"
    )
    addresses = [f"box{number}@bench.example" for number in range(mailboxes)]
    headers = {"Authorization": f"Bearer {world.graph.issue_token()}"}
    limit = asyncio.Semaphore(20)

    async def watch(session: aiohttp.ClientSession, number: int, address: str) -> None:
        async with limit:
            if number % 2:
                world.add_mailbox(address, provider="gmail")
                token = {"Authorization": f"Bearer {world.google.access_token(address)}"}
                call = session.post(
                    f"{world.base_url}/gmail/v1/users/me/watch", json={"topicName": TOPIC}, headers=token
                )
            else:
                world.add_mailbox(address, provider="graph")
                order = {
                    "changeType": "created",
                    "notificationUrl": f"{hook}/graph",
                    "resource": f"users/{address}/mailFolders('Inbox')/messages",
                    "expirationDateTime": _in_two_days(world),
                    "clientState": "bench",
                }
                call = session.post(f"{world.base_url}/v1.0/subscriptions", json=order, headers=headers)
            async with call as answer:
                if answer.status >= 400:
                    raise SystemExit(f"{address} could not be watched: {await answer.text()}")

    async with aiohttp.ClientSession() as session:
        await asyncio.gather(*(watch(session, number, address) for number, address in enumerate(addresses)))
    return addresses


def _in_two_days(world: World) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(world.clock.time() + 2 * 86_400))


def letters(addresses: list[str], count: int) -> list[IncomingMail]:
    """Real-looking mail, some with papers, each with an id of its own."""
    templates = [letter.raw for letter in itertools.islice(drip(1), TEMPLATES)]
    made = []
    for number in range(count):
        raw = templates[number % TEMPLATES]
        own = b"Message-ID: <%d@bench.example>\r\nX-Was-" % number
        made.append(
            IncomingMail(addresses[number % len(addresses)], raw.replace(b"Message-ID: ", own + b"Message-ID: ", 1))
        )
    return made


async def counts_of(session: aiohttp.ClientSession, hook: str) -> dict[str, int]:
    async with session.get(f"{hook}/counts") as answer:
        found: dict[str, int] = await answer.json()
        return found


async def pushes_settled(hook: str, graph_expected: int, patience: float) -> tuple[dict[str, int], float]:
    """Wait until Graph's news have all arrived and Gmail's have stopped coming; the counts, and when that was."""
    async with aiohttp.ClientSession() as session:
        before, since = await counts_of(session, hook), time.perf_counter()
        till = since + patience
        while time.perf_counter() < till:
            await asyncio.sleep(0.05)
            now = await counts_of(session, hook)
            if now != before:
                before, since = now, time.perf_counter()
            elif now["graph"] >= graph_expected and time.perf_counter() - since > 0.5:
                break
        return before, since


async def measure(mailboxes: int, count: int) -> dict[str, object]:
    mine, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=subscriber, args=(theirs,), daemon=True)
    process.start()
    try:
        hook = f"http://127.0.0.1:{await asyncio.to_thread(mine.recv)}"
        async with World() as world:
            begun = time.perf_counter()
            addresses = await watch_all(world, mailboxes, hook)
            watched = time.perf_counter() - begun
            post = letters(addresses, count)
            begun, cpu = time.perf_counter(), time.process_time()
            for number, letter in enumerate(post):
                world.deliver(letter)
                if number % 50 == 0:
                    await asyncio.sleep(0)
            delivered = time.perf_counter() - begun
            found, settled = await pushes_settled(hook, (count + 1) // 2, patience=12.0)
            spent = time.process_time() - cpu
        took = max(delivered, settled - begun)
        return {
            "mailboxes": mailboxes,
            "messages": count,
            "mean_size": sum(len(letter.raw) for letter in post) // count,
            "watching_seconds": round(watched, 2),
            "delivered_per_second": round(count / delivered),
            "delivered_and_pushed_per_second": round(count / took),
            "cpu_us_per_message": round(spent / count * 1e6),
            "pushed": found,
        }
    finally:
        process.terminate()
        process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mailboxes", type=int, default=1_000)
    parser.add_argument("--messages", type=int, default=6_000)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    asked = parser.parse_args()
    found = asyncio.run(measure(asked.mailboxes, asked.messages))
    if asked.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name.replace('_', ' '):34} {value}")
        rate = int(str(found["delivered_and_pushed_per_second"]))
        print(f"{'expected, and ratio to it':34} {EXPECTED} · {rate / EXPECTED:.1f} ×")


if __name__ == "__main__":
    main()
