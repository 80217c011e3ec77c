"""The whole walk, notification to ledger success, against a bare script that makes the same calls, reads the PDF,
inserts a row and writes a file.

    python -m benchmarks.walk [CASE…] [--rounds N] [--statements] [--keep]

Mails with text, HTML and a contract note of 47 kB. The simulators run in a process of their own; ours are one web process
and the workers of the case; the floor is two processes. Both take turns, round by round, so that whatever else the machine
does slows both. CPU is counted by the kernel and told by group: our processes, the reading processes, PostgreSQL.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.bench import cpu_seconds, keep, private_server, server_cpu, spread
from benchmarks.intake import free_port
from benchmarks.sync import children_cpu
from benchmarks.walk_world import ACCOUNT, AUDIENCE, FLOOR, SENDER, SUBSCRIPTION, TOPIC, figures, traded_on
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

ROOT = Path(__file__).parent.parent
SLOTS = 16
SUCCESS = (
    "SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE app_name = 'pad_contract_notes' AND status = 'success'"
)
ROUTED = "SELECT count(*) FROM postroom.trade WHERE status = %s"
CALLS = (
    "SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid "
    "WHERE r.rolname LIKE 'postroom%' AND query !~* '^(begin|commit|rollback|set |reset |discard |deallocate )'"
)
COMMITS = "SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@dataclass(frozen=True)
class Case:
    """`mailboxes` in `tenants`, `messages` to each in every round."""

    about: str
    mailboxes: int = 10
    messages: int = 30
    tenants: int = 1
    workers: int = 1
    spread: bool = False
    confirmed: bool = False
    provider: str = "graph"
    megabytes: int = 0
    rounds: int | None = None


CASES = {
    "ten": Case("ten mailboxes of one tenant, one worker, papers of one day"),
    "one": Case("one mailbox", mailboxes=1, messages=200),
    "tenants": Case("ten tenants with a mailbox each", tenants=10),
    "workers": Case("two workers", workers=2),
    "spread": Case("papers of 250 days", spread=True),
    "confirmed": Case("trusted sender, an order for each: booked unseen", confirmed=True),
    "gmail": Case("ten Gmail mailboxes", provider="gmail"),
    "many": Case("500 mailboxes with two mails each", mailboxes=500, messages=2, rounds=1),
    "day": Case("5,000 notes of one day", messages=100, rounds=5),
    "large": Case("eight mails of 24 MB", mailboxes=8, messages=1, megabytes=17, rounds=1),
}


@dataclass
class Watched:
    """Sampled beside a run: how many backends wait for a lock, and the memory of all that is ours."""

    server: EmbeddedServer
    roots: list[int]
    waits: list[int] = field(default_factory=list)
    peak: dict[str, int] = field(default_factory=dict)

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        stop = threading.Event()

        def sample() -> None:
            with psycopg.connect(self.server.dsn(), autocommit=True) as owner:
                for turn in range(10_000_000):
                    if stop.wait(0.02):
                        return
                    self.waits.append(owner.execute(WAITING).fetchone()[0])
                    if turn % 10 == 0:
                        self._note_memory()

        beside = threading.Thread(target=sample)
        beside.start()
        try:
            yield
        finally:
            stop.set()
            beside.join()

    def _note_memory(self) -> None:
        held = {"main": sum(map(memory_kb, self.roots)), "readers": sum(map(memory_kb, descendants(self.roots)))}
        held["all"] = sum(held.values())
        for name, kilobytes in held.items():
            self.peak[name] = max(self.peak.get(name, 0), kilobytes)


def memory_kb(pid: int) -> int:
    """Proportional, so that pages shared with a parent count once."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def descendants(roots: list[int]) -> list[int]:
    found: list[int] = []
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                children = [int(child) for child in (task / "children").read_text().split()]
                found += children
                waiting += children
    return found


def reader_cpu(roots: list[int]) -> float:
    """Of the processes below ours, those that have ended included."""
    used = sum(cpu_seconds(pid, with_children=True) - cpu_seconds(pid) for pid in roots)
    for pid in descendants(roots):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            used += cpu_seconds(pid, with_children=True)
    return used


class SimulatedWorld:
    """The simulators' process, asked over its standard input."""

    def __init__(self, port: int) -> None:
        command = [sys.executable, "-m", "benchmarks.walk_world", str(port)]
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


class Bench:
    """One case: a fresh database, the simulators, our processes."""

    def __init__(self, case: Case, server: EmbeddedServer, owner: psycopg.Connection, world: SimulatedWorld, home: str):
        self.case, self.server, self.owner, self.world, self.home = case, server, owner, world, home
        self.web = free_port()
        self.boxes = [f"box{number}@bench.test" for number in range(case.mailboxes)]
        self.number = 0
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
        ours = [subprocess.Popen([*python, "serve"], env=self.environment, cwd=ROOT)]
        try:
            asyncio.run(self._connect(grants))
            work = [*python, "work"]
            ours += [subprocess.Popen(work, env=self.environment, cwd=ROOT) for _ in range(self.case.workers)]
            self.roots = [process.pid for process in ours]
            self._wait("SELECT count(*) FROM postroom.mailbox_cursor WHERE cursor IS NOT NULL", len(self.boxes), 300)
            self._wait("SELECT -count(*) FROM postroom.job WHERE state IN ('ready', 'running', 'waiting')", 0, 120)
            yield
        finally:
            for process in ours:
                process.terminate()
            for process in ours:
                process.wait()

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

    def _cpu(self) -> dict[str, float]:
        return {
            "main": sum(map(cpu_seconds, self.roots)),
            "readers": reader_cpu(self.roots),
            "postgres": server_cpu(self.server),
        }

    def _database(self) -> dict[str, float]:
        self.owner.execute("SELECT pg_stat_force_next_flush()")
        return {
            "statements": self.owner.execute(CALLS).fetchone()[0],
            "transactions": self.owner.execute(COMMITS).fetchone()[0],
            "wal_kb": float(self.owner.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()[0]) / 1024,
        }

    def burst(self) -> dict[str, Any]:
        """Everything is there; then each mailbox gets one more, with its push."""
        quiet = self.deliver(self.boxes, self.case.messages - 1, quietly=True)
        held = self.owner.execute(SUCCESS).fetchone()[0]
        total = quiet + len(self.boxes)
        watched = Watched(self.server, self.roots)
        cpu, database, began = self._cpu(), self._database(), time.perf_counter()
        with watched.on():
            self.deliver(self.boxes, 1, quietly=False)
            self._wait(SUCCESS, held + total, 60 + total)
        took = time.perf_counter() - began
        used = {name: round((value - cpu[name]) / total * 1000, 2) for name, value in self._cpu().items()}
        asked = {name: round((value - database[name]) / total, 1) for name, value in self._database().items()}
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


def graph_token(base: str) -> str:
    import urllib.parse
    import urllib.request

    asked = {"grant_type": "client_credentials", "client_id": "a", "client_secret": "b", "scope": "x/.default"}
    data = urllib.parse.urlencode(asked).encode()
    with urllib.request.urlopen(f"{base}/demo/oauth2/v2.0/token", data) as answer:
        return str(json.load(answer)["access_token"])


def gmail_token(base: str, refresh: str) -> str:
    import urllib.parse
    import urllib.request

    asked = {"grant_type": "refresh_token", "client_id": "postroom-bench", "client_secret": "secret"}
    data = urllib.parse.urlencode({**asked, "refresh_token": refresh}).encode()
    with urllib.request.urlopen(f"{base}/token", data) as answer:
        return str(json.load(answer)["access_token"])


@contextlib.contextmanager
def counted_server() -> Iterator[EmbeddedServer]:
    """A private server that counts its statements."""
    with private_server() as server:
        with psycopg.connect(server.dsn(), autocommit=True) as owner:
            owner.execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
        server.stop()
        server.start()
        with psycopg.connect(server.dsn(), autocommit=True) as owner:
            owner.execute("CREATE EXTENSION pg_stat_statements")
        yield server


def measure(name: str, rounds: int, *, statements: bool, idle: bool) -> dict[str, Any]:
    case = CASES[name]
    world = SimulatedWorld(free_port())
    try:
        with counted_server() as server, tempfile.TemporaryDirectory() as home:
            owner = psycopg.connect(server.dsn(), autocommit=True)
            owner.execute(
                "CREATE TABLE bench_floor_message (mailbox text, id text, body text, PRIMARY KEY (mailbox, id))"
            )
            bench = Bench(case, server, owner, world, home)
            with bench.running():
                ours, bare = [], []
                for number in range(case.rounds or rounds):
                    ours.append(bench.burst())
                    bare.append(bench.floor(number))
                    print(name, number, ours[-1], {key: round(value, 1) for key, value in bare[-1].items()}, flush=True)
                told = {"about": case.about, **summary(ours, bare)}
                told["trades"] = {
                    status: owner.execute(ROUTED, [status]).fetchone()[0] for status in ("confirmed", "review")
                }
                if statements:
                    told["most_used"] = most_used(owner, sum(burst["messages"] for burst in ours))
                if idle:
                    told["idle"] = bench.latency()
            return told
    finally:
        world.close()


def summary(ours: list[dict[str, Any]], bare: list[dict[str, float]]) -> dict[str, Any]:
    """The first burst by itself: plans and caches are cold."""
    later = ours[1:] or ours
    middle = sorted(later, key=lambda burst: burst["per_s"])[len(later) // 2]
    floor = statistics.median(each["per_s"] for each in bare)
    return {
        **middle,
        "floor_per_s": round(floor, 1),
        "floor_cpu_ms": round(statistics.median(each["cpu_ms"] for each in bare), 2),
        "ratio": round(middle["per_s"] / floor, 2),
        "first_to_later_cpu": round(ours[0]["cpu_ms"]["all"] / middle["cpu_ms"]["all"], 2),
        "bursts_per_s": [burst["per_s"] for burst in ours],
        "bursts_cpu_ms": [burst["cpu_ms"]["all"] for burst in ours],
        "peak_mb": {name: max(burst["peak_mb"].get(name, 0) for burst in ours) for name in ("main", "readers", "all")},
    }


def most_used(owner: psycopg.Connection, messages: int) -> list[dict[str, Any]]:
    rows = owner.execute(
        "SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 110), sum(calls)::float8, sum(total_exec_time + total_plan_time)::float8 "
        "FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname LIKE 'postroom%%' "
        "GROUP BY 1 ORDER BY 3 DESC LIMIT 45"
    ).fetchall()
    return [
        {"query": query, "calls": round(calls / messages, 2), "ms": round(spent / messages, 3)}
        for query, calls, spent in rows
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--statements", action="store_true", help="list the statements that cost most")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    wanted = options.cases or list(CASES)
    result = {name: measure(name, options.rounds, statements=options.statements, idle=name == "ten") for name in wanted}
    keep("walk", result)


if __name__ == "__main__":
    main()
