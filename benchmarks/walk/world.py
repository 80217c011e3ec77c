"""The other side of the walk: simulators in a process of their own.

`python -m benchmarks.walk.world PORT` reads orders as JSON lines and answers each with a line.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.walk.papers import mail
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.world import World

ROOT = Path(__file__).parent.parent.parent
TOPIC, SUBSCRIPTION = "projects/bench/topics/gmail", "projects/bench/subscriptions/postroom"
AUDIENCE, ACCOUNT = "https://bench.example/webhooks/gmail", "push@bench.iam.gserviceaccount.com"


class SimulatedWorld:
    """The simulators' process, asked over its standard input."""

    def __init__(self, port: int) -> None:
        command = [sys.executable, "-m", "benchmarks.walk.world", str(port)]
        self.base = f"http://127.0.0.1:{port}"
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self._process.stdout.readline() == "ready\n"

    def ask(self, name: str, **wanted: Any) -> Any:
        self._process.stdin.write(json.dumps([name, wanted]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait()


class Orders:
    """What the benchmark asks of the simulated world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def boxes(self, addresses: list[str], provider: str) -> dict[str, str]:
        """A refresh token for each Gmail address."""
        for address in addresses:
            self._world.add_mailbox(address, provider="graph" if provider == "graph" else "gmail")
        if provider == "graph":
            return {}
        return {address: self._world.google.grant(address, "postroom-bench").refresh_token for address in addresses}

    def requests(self) -> int:
        """How many requests for mail were answered so far."""
        counts = self._world.recorder.counts.items()
        return sum(times for (api, method, _), times in counts if api in ("graph", "gmail") and method == "GET")

    def pushes(self, hook: str) -> None:
        self._world.google.add_topic(TOPIC)
        self._world.google.add_push_subscription(SUBSCRIPTION, TOPIC, hook, AUDIENCE, ACCOUNT)

    async def deliver(
        self, addresses: list[str], count: int, first: int, *, spread: bool, quietly: bool, megabytes: int = 0
    ) -> int:
        """So many to each address; `quietly` without a push, as if they had come while nobody looked."""
        self._world.faults.turn(drop=1.0 if quietly else 0.0)
        number = first
        for at in range(count):
            for address in addresses:
                raw = await asyncio.to_thread(mail, address, number, spread=spread, megabytes=megabytes)
                self._world.deliver(IncomingMail(address, raw))
                number += 1
            if at % 10 == 9:
                await asyncio.sleep(0)
        if quietly:
            await asyncio.sleep(0.3)  # pushes on their way are dropped with the others
        self._world.faults.turn(drop=0.0)
        return number


async def serve(port: int) -> None:
    world = World()
    await world.start("127.0.0.1", port)
    orders, loop = Orders(world), asyncio.get_running_loop()
    print("ready", flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        name, wanted = json.loads(line)
        answer: Any = getattr(orders, name)(**wanted)
        print(json.dumps(await answer if asyncio.iscoroutine(answer) else answer), flush=True)
    await world.stop()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    asyncio.run(serve(int(sys.argv[1])))
