"""Server faults under load: PostgreSQL over TCP is restarted, killed and cut off while a worker under uvloop works.

Checked at the end: every effect once, nothing left behind, no question to the database that nobody will answer, and
SIGTERM ends the worker in time. A short run is part of the tests: `python -m benchmarks.faults --faults 30`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID, uuid4

import psycopg

from postroom import logs
from postroom.db import sql
from postroom.db.binaries import find_programs, reachable_programs, server_user
from postroom.db.migrate import migrate
from postroom.db.pool import Database
from postroom.engine.facts import as_json
from postroom.engine.scheduler import Scheduler
from postroom.engine.waker import Waker
from postroom.engine.work import Work, as_row
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.jobs import Job

LEASE = timedelta(seconds=6)
STUCK_SECONDS = 3.0
DDL = """
CREATE TABLE fault_effect (job_id bigint PRIMARY KEY, number int NOT NULL);
GRANT ALL ON fault_effect TO postroom_app;
"""
EFFECT = sql.Query("effect", "INSERT INTO fault_effect (job_id, number) VALUES (%(job)s, %(number)s)")
KINDS = ("immediate", "kill backend", "fast", "away", "terminate", "kill postmaster")


class Add(Job, frozen=True):
    kind: ClassVar[str] = "fault.add"
    number: int


@works(Add)
async def add(job: Add, work: Work[Any]) -> None:
    async with work.read() as tx:
        await tx.value(sql.Query("one", "SELECT 1"))
    await asyncio.sleep(random.uniform(0, 0.01))
    async with work.finish() as tx:
        await tx.run(EFFECT, job=work.claimed.id, number=job.number)


class TcpServer:
    """A PostgreSQL of its own on a port of 127.0.0.1, which may be treated badly."""

    def __init__(self, place: Path) -> None:
        self.place, self.user = place, server_user(place)
        place.mkdir(parents=True, exist_ok=True)
        shutil.chown(place, self.user.uid, self.user.gid)
        self._programs = reachable_programs(find_programs(), self.user, place)
        self._as = {} if self.user.is_us else {"user": self.user.uid, "group": self.user.gid, "extra_groups": []}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        initdb = [self._programs / "initdb", "-D", place / "data", "-U", "postgres", "-A", "trust", "-N"]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd=place, **self._as)
        self.start()

    def dsn(self, user: str = "postroom") -> str:
        return f"host=127.0.0.1 port={self.port} user={user} dbname=postgres"

    def start(self) -> None:
        options = f"-p {self.port} -k '' -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=60"
        self.control("start", "-o", options)

    def control(self, *words: str) -> None:
        command = [self._programs / "pg_ctl", "-D", self.place / "data", "-w", "-l", self.place / "log", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.place, **self._as)

    def postmaster(self) -> int:
        return int((self.place / "data/postmaster.pid").read_text().splitlines()[0])

    def backends(self) -> list[int]:
        found = subprocess.run(
            ["pgrep", "-P", str(self.postmaster()), "-f", "postroom"], capture_output=True, text=True, check=False
        )
        return [int(line) for line in found.stdout.split()]

    def fault(self, kind: str, away: float = 3.0) -> None:
        match kind:
            case "immediate" | "fast":
                self.control("restart", "-m", kind)
            case "kill backend":
                for pid in random.sample(backends := self.backends(), min(1, len(backends))):
                    self._kill(pid)
            case "terminate":
                with (
                    contextlib.suppress(psycopg.Error),
                    psycopg.connect(self.dsn("postgres"), autocommit=True) as owner,
                ):
                    owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postroom'")
            case "away":
                self.control("stop", "-m", "immediate")
                time.sleep(away)
                self.start()
            case "kill postmaster":
                pids = [self.postmaster(), *self.backends()]
                for pid in pids:
                    self._kill(pid)
                time.sleep(1.0)  # its other processes notice, and leave
                (self.place / "data/postmaster.pid").unlink(missing_ok=True)
                self._start_when_free()

    def _kill(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            subprocess.run(["kill", "-9", str(pid)], check=False, stderr=subprocess.DEVNULL)

    def _start_when_free(self) -> None:
        for pause in (0.5, 1.0, 2.0, 4.0):
            with contextlib.suppress(subprocess.CalledProcessError):
                self.start()
                return
            time.sleep(pause)
        self.start()

    def stop(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.control("stop", "-m", "immediate")


def questions_open() -> set[int]:
    """Of this process: questions to the database that are being answered just now."""
    return {id(each) for task in asyncio.all_tasks() for each in _awaited(task.get_coro()) if each.__name__ == "ask"}


def _awaited(coroutine: Any) -> Iterator[Coroutine[Any, Any, Any]]:
    while coroutine is not None:
        if asyncio.iscoroutine(coroutine):
            yield coroutine
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None)


async def run_worker(dsn: str) -> None:
    logs.set_up("json", "critical")
    db = await Database(dsn, size=6).open()
    waker = Waker(db)
    await waker.start()
    worker = Worker(db, waker, Handlers([add]), lambda fact: [], None, slots=16, lease=LEASE)
    scheduler = asyncio.create_task(Scheduler(db, waker, [], lambda: datetime.now(UTC)).run())
    loop = asyncio.get_running_loop()

    async def report() -> None:
        """What was open a while ago and still is will never be answered."""
        before = questions_open()
        await asyncio.sleep(STUCK_SECONDS)
        stuck = before & questions_open()
        sys.stdout.write(json.dumps({"stuck": len(stuck), "tasks": len(asyncio.all_tasks())}) + "\n")
        sys.stdout.flush()

    reports: set[asyncio.Task[None]] = set()
    loop.add_signal_handler(signal.SIGTERM, worker.stop)
    loop.add_signal_handler(signal.SIGUSR1, lambda: reports.add(loop.create_task(report())))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await worker.run()
    scheduler.cancel()
    await asyncio.gather(scheduler, return_exceptions=True)
    await waker.stop()
    await db.close()


@dataclass(frozen=True, slots=True)
class FaultsOutcome:
    faults: dict[str, int]
    jobs: int
    effects: int
    left_behind: int
    stuck: int
    drained_seconds: float
    stopped_seconds: float
    exit_code: int

    @property
    def is_sound(self) -> bool:
        wrong = self.jobs != self.effects or self.left_behind or self.stuck or self.exit_code
        return not wrong and self.stopped_seconds < 40


def storm(place: Path, *, faults: int, every: float = 1.0, batch: int = 50, seed: int = 0) -> FaultsOutcome:
    server = TcpServer(place)
    try:
        migrate(server.dsn("postgres"), login="postroom")
        tenant = uuid4()
        with psycopg.connect(server.dsn("postgres"), autocommit=True) as owner:
            owner.execute("ALTER ROLE postroom LOGIN")
            owner.execute(DDL)
            owner.execute("INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, 'faults')", [tenant])
        return _storm(server, tenant, faults, every, batch, random.Random(seed))
    finally:
        server.stop()


def _storm(
    server: TcpServer, tenant: UUID, faults: int, every: float, batch: int, chance: random.Random
) -> FaultsOutcome:
    command = [sys.executable, "-m", "benchmarks.faults", "--worker", server.dsn()]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told, jobs = dict.fromkeys(KINDS, 0), 0
    try:
        assert worker.stdout is not None
        worker.stdout.readline()  # it is ready
        for number in range(faults):
            jobs += _enqueue(server, tenant, batch)
            time.sleep(chance.uniform(0.2, every))
            kind = KINDS[number % len(KINDS)]
            server.fault(kind)
            told[kind] += 1
        jobs += _enqueue(server, tenant, batch)
        began = time.monotonic()
        left = _drain(server, seconds=60)
        drained = time.monotonic() - began
        worker.send_signal(signal.SIGUSR1)
        stuck = json.loads(worker.stdout.readline() or '{"stuck": -1}')["stuck"]
        began = time.monotonic()
        worker.send_signal(signal.SIGTERM)
        code = worker.wait(60)
        stopped = time.monotonic() - began
    finally:
        if worker.poll() is None:
            worker.kill()
            worker.wait()
        if worker.stdout is not None:
            worker.stdout.close()
    with psycopg.connect(server.dsn("postgres"), autocommit=True) as owner:
        effects = owner.execute("SELECT count(*) FROM fault_effect").fetchone()[0]
    return FaultsOutcome(told, jobs, effects, left, stuck, round(drained, 1), round(stopped, 1), code)


def _enqueue(server: TcpServer, tenant: UUID, count: int) -> int:
    rows = as_json([as_row(Add(number), None) for number in range(count)])
    for pause in (0.2, 0.5, 1.0, 2.0, 4.0):
        try:
            with psycopg.connect(server.dsn("postgres")) as owner:
                owner.execute("SELECT postroom.enqueue(%s, %s)", [tenant, rows])
        except psycopg.OperationalError:  # recovering: nothing was committed, since connecting failed
            time.sleep(pause)
        else:
            return count
    return 0


def _drain(server: TcpServer, seconds: float) -> int:
    until = time.monotonic() + seconds
    left = -1
    while time.monotonic() < until and left != 0:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(server.dsn("postgres")) as owner:
            left = owner.execute("SELECT count(*) FROM postroom.job WHERE kind = 'fault.add'").fetchone()[0]
        time.sleep(0.2)
    return left


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--faults", type=int, default=30)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--worker")
    given = asked.parse_args()
    if given.worker:
        import uvloop

        uvloop.run(run_worker(given.worker))
        return
    place = Path(tempfile.mkdtemp(prefix="postroom-faults-"))
    place.chmod(0o755)
    try:
        outcome = storm(place, faults=given.faults, seed=given.seed)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    print(json.dumps(asdict(outcome) | {"sound": outcome.is_sound}, indent=2))
    sys.exit(0 if outcome.is_sound else 1)


if __name__ == "__main__":
    main()
