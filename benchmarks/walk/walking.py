"""One case: a fresh database, the simulators, our processes, and bursts of mail through all of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import psycopg

from benchmarks.bench import server_cpu, spread
from benchmarks.intake import free_port
from benchmarks.sync import children_cpu
from benchmarks.walk.cases import Case
from benchmarks.walk.floor import FLOOR, gmail_token, graph_token
from benchmarks.walk.papers import SENDER, figures, traded_on
from benchmarks.walk.watching import Watched, cpu_by_group, database_counts, written_kb
from benchmarks.walk.world import ACCOUNT, AUDIENCE, ROOT, SUBSCRIPTION, TOPIC, SimulatedWorld
from postroom.app.house import open_house
from postroom.cli.simulate import simulated
from postroom.db.embedded import EmbeddedServer
from postroom.nouns.pipelines import PIPELINES
from postroom.nouns.secrets import Secret
from postroom.outside.graph.wire import SELECT
from postroom.rooms.documents import commands as documents
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.tenants import commands as tenants
from postroom.settings import load

SLOTS = 16
SUCCESS = (
    "SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE app_name = 'pad_contract_notes' AND status = 'success'"
)
CURSORS = "SELECT count(*) FROM postroom.mailbox_cursor WHERE cursor IS NOT NULL"
BUSY = "SELECT -count(*) FROM postroom.job WHERE state IN ('ready', 'running', 'waiting')"


class Bench:
    """One case: a fresh database, the simulators, our processes."""

    def __init__(self, case: Case, server: EmbeddedServer, owner: psycopg.Connection, world: SimulatedWorld, home: str):
        self.case, self.server, self.owner, self.world, self.home = case, server, owner, world, home
        self.looking = psycopg.connect(server.dsn(), autocommit=True)
        self.web = free_port()
        self.boxes = [f"box{number}@bench.test" for number in range(case.mailboxes)]
        self.number = 0
        self.profile = ""  # where the worker's profile goes, if it is wanted
        self.roots: list[int] = []
        self.environment = {
            **os.environ,
            **simulated(world.base),
            "POSTROOM_DATABASE_URL": server.dsn(user="postroom"),
            "POSTROOM_HOME": home,
            "POSTROOM_BIND": f"127.0.0.1:{self.web}",
            "POSTROOM_GRAPH_TENANT_ID": "demo",
            "POSTROOM_GRAPH_CLIENT_ID": "app",
            "POSTROOM_GRAPH_CLIENT_SECRET": "secret",
            "POSTROOM_GMAIL_CLIENT_ID": "postroom-bench",
            "POSTROOM_GMAIL_CLIENT_SECRET": "secret",
            "POSTROOM_GMAIL_TOPIC": TOPIC,
            "POSTROOM_GMAIL_SUBSCRIPTION": SUBSCRIPTION,
            "POSTROOM_GMAIL_AUDIENCE": AUDIENCE,
            "POSTROOM_GMAIL_SERVICE_ACCOUNT": ACCOUNT,
            "POSTROOM_SLOTS": str(SLOTS),
            "POSTROOM_LOG_LEVEL": "warning",
        }

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        grants = self.world.ask("boxes", addresses=self.boxes, provider=self.case.provider)
        self.world.ask("pushes", hook=f"http://127.0.0.1:{self.web}/webhooks/gmail")
        python = [sys.executable, "-m", "postroom"]
        ours = [self._started([*python, "serve"])]
        try:
            self._wait_for_web()
            asyncio.run(self._connect(grants))
            work = [*python, "work"]
            if self.profile:
                work = [sys.executable, "-m", "benchmarks.walk.profiled", self.profile, "work"]
            ours += [self._started(work) for _ in range(self.case.workers)]
            self.roots = [process.pid for process in ours]
            self._wait(CURSORS, len(self.boxes), 300)
            self._wait(BUSY, 0, 120)
            yield
        finally:
            for process in ours:
                process.terminate()
            for process in ours:
                process.wait()
            self.looking.close()

    def _started(self, command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=sys.stderr)

    def _wait_for_web(self) -> None:
        for _ in range(600):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.web}/readyz", timeout=5):
                return
            time.sleep(0.1)
        raise SystemExit("The web process did not come up.")

    async def _connect(self, grants: dict[str, str]) -> None:
        given = {name: value for name, value in self.environment.items() if name.startswith("POSTROOM_")}
        before = {name: os.environ.get(name) for name in given}
        os.environ.update(given)
        try:
            settings = load()
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
        async with open_house(settings) as house:
            for at in range(self.case.tenants):
                tenant = await tenants.ensure_tenant(house.db, f"tenant{at}" if at else "default")
                scope = house.scope(tenant, "bench")
                for box in self.boxes[at :: self.case.tenants]:
                    if grants:
                        await mailboxes.connect_granted(scope, house.providers, "gmail", box, Secret(grants[box]))
                    else:
                        await mailboxes.connect_configured(
                            scope, address=box, provider="outlook", access="app_only", folder="Inbox", connection={}
                        )
                if self.case.confirmed:
                    for pipeline in PIPELINES:
                        await documents.allow_sender(scope, pipeline, SENDER)
                    await documents.import_orders(scope, self._orders())

    def _orders(self) -> bytes:
        """One for each note of the case."""
        lines = ["external_id,username,isin,direction,quantity,placed_on"]
        for number in range(100 * self.case.mailboxes * self.case.messages // 30):
            day = traded_on(number, spread=self.case.spread)
            lines.append(f"o{number},user{number},DE0007164600,BUY,{figures(number)[0]},{day}")
        return "\n".join(lines).encode()

    def _wait(self, question: str, expected: int, seconds: float, every: float = 0.05) -> None:
        till = time.perf_counter() + seconds
        while time.perf_counter() < till:
            if self.owner.execute(question).fetchone()[0] >= expected:
                return
            time.sleep(every)
        raise SystemExit(f"{question}: {self.owner.execute(question).fetchone()[0]}, not {expected}")

    def deliver(self, boxes: list[str], count: int, *, quietly: bool) -> int:
        wanted = {"spread": self.case.spread, "quietly": quietly, "megabytes": self.case.megabytes}
        first, self.number = self.number, self.number + count * len(boxes)
        self.world.ask("deliver", addresses=boxes, count=count, first=first, **wanted)
        return count * len(boxes)

    def _counts(self) -> dict[str, float]:
        """What only ever grows: told a message, as the difference of two looks."""
        asked = float(self.world.ask("requests"))
        return {**database_counts(self.owner), "requests": asked, "files_kb": written_kb(self.roots)}

    def burst(self) -> dict[str, Any]:
        """Everything is there; then each mailbox gets one more, with its push."""
        quiet = self.deliver(self.boxes, self.case.messages - 1, quietly=True)
        held = self.owner.execute(SUCCESS).fetchone()[0]
        total = quiet + len(self.boxes)
        watched, watching = Watched(self.looking, self.roots), [self.looking, self.owner]
        cpu, counts, began = cpu_by_group(self.server, self.roots, watching), self._counts(), time.perf_counter()
        with watched.on():
            self.deliver(self.boxes, 1, quietly=False)
            self._wait(SUCCESS, held + total, 60 + total)
        took = time.perf_counter() - began
        self._wait(BUSY, 0, 60)  # whose client it is, and the like, belongs to the walk as well
        spent = cpu_by_group(self.server, self.roots, watching)
        used = {name: round((value - cpu[name]) / total * 1000, 2) for name, value in spent.items()}
        asked = {name: round((value - counts[name]) / total, 1) for name, value in self._counts().items()}
        return {
            "messages": total,
            "per_s": round(total / took, 1),
            "cpu_ms": {**used, "all": round(sum(used.values()), 2)},
            **asked,
            "lock_waits": round(statistics.fmean(watched.waits or [0]) / (SLOTS * self.case.workers), 4),
            "peak_mb": {name: kilobytes // 1024 for name, kilobytes in watched.peak.items()},
        }

    def floor(self, round_: int) -> dict[str, float]:
        boxes = [f"floor{round_}-{number}@bench.test" for number in range(min(self.case.mailboxes, 10))]
        grants = self.world.ask("boxes", addresses=boxes, provider=self.case.provider)
        total = self.deliver(boxes, max(1, self.case.messages * self.case.mailboxes // len(boxes)), quietly=True)
        token = "" if grants else graph_token(self.world.base)
        parts = [[box] for box in boxes] if grants else [boxes[::2], boxes[1::2]]
        folder = tempfile.mkdtemp(dir=self.home)
        spent, began = server_cpu(self.server) + children_cpu(), time.perf_counter()
        processes = [
            subprocess.Popen(
                [
                    *[sys.executable, "-c", FLOOR, self.world.base, self.server.dsn(), folder, self.case.provider],
                    *[token or gmail_token(self.world.base, grants[part[0]]), ",".join(part), SELECT],
                ]
            )
            for part in parts
            if part
        ]
        for process in processes:
            process.wait()
        took, used = time.perf_counter() - began, server_cpu(self.server) + children_cpu() - spent
        held = self.owner.execute("SELECT count(*) FROM bench_floor_message WHERE mailbox = ANY (%s)", [boxes])
        assert held.fetchone()[0] == total
        return {"per_s": total / took, "cpu_ms": used / total * 1000}

    def latency(self, times: int = 40) -> dict[str, dict[str, float]]:
        """From a letter in the mailbox to the recorded message and to the routed document, with nothing else to do."""
        recorded, routed = [], []
        for _ in range(times):
            held = self.owner.execute(SUCCESS).fetchone()[0]
            began = time.time()
            self.deliver(self.boxes[:1], 1, quietly=False)
            self._wait(SUCCESS, held + 1, 30, every=0.005)
            newest = self.owner.execute(
                "SELECT extract(epoch FROM m.arrived_at)::float8, extract(epoch FROM max(d.updated_at))::float8 "
                "FROM postroom.message m JOIN postroom.document d ON d.message_id = m.id "
                "GROUP BY m.id ORDER BY m.arrived_at DESC LIMIT 1"
            ).fetchone()
            recorded.append(newest[0] - began)
            routed.append(newest[1] - began)
            time.sleep(0.1)
        return {"recorded_ms": spread(recorded), "routed_ms": spread(routed)}
