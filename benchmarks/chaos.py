"""Chaos: nudges on many keys, failing runs, and `kill -9` at random over several worker processes.

Checked at the end: every effect exactly once, never two runs at a time on one key, no nudge lost, nothing left behind.
A short run is part of the tests; `make chaos` runs it for longer.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID, uuid4

import psycopg

from postroom import logs
from postroom.db import sql
from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import migrate
from postroom.db.pool import Database, Tx
from postroom.engine.facts import as_json
from postroom.engine.waker import Waker
from postroom.engine.work import Work, as_row
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.errors import Throttled, Unavailable
from postroom.nouns.jobs import Job

LEASE = timedelta(seconds=3)
PER_SYNC = 3
DDL = """
CREATE TABLE chaos_box (box int PRIMARY KEY, nudged bigint NOT NULL DEFAULT 0, synced bigint NOT NULL DEFAULT 0);
CREATE TABLE chaos_sync (job_id bigint PRIMARY KEY);
CREATE TABLE chaos_effect (job_id bigint PRIMARY KEY, box int NOT NULL);
CREATE TABLE chaos_run (id bigint GENERATED ALWAYS AS IDENTITY, job_id bigint, lane text,
                        began timestamptz DEFAULT clock_timestamp(), ended timestamptz);
GRANT ALL ON chaos_box, chaos_sync, chaos_effect, chaos_run TO postroom_app, postroom_desk;
"""
BEGAN = sql.Query("began", "INSERT INTO chaos_run (job_id, lane) VALUES (%(job)s, %(lane)s) RETURNING id")
ENDED = sql.Query("ended", "UPDATE chaos_run SET ended = clock_timestamp() WHERE id = %(id)s RETURNING id")
NUDGED = sql.Query("nudged", "SELECT nudged FROM chaos_box WHERE box = %(box)s")
SYNCED = sql.Query("synced", "UPDATE chaos_box SET synced = greatest(synced, %(to)s) WHERE box = %(box)s")
SYNC_DONE = sql.Query("sync_done", "INSERT INTO chaos_sync (job_id) VALUES (%(job)s)")
EFFECT = sql.Query("effect", "INSERT INTO chaos_effect (job_id, box) VALUES (%(job)s, %(box)s)")


class SyncBox(Job, frozen=True):
    kind: ClassVar[str] = "chaos.sync"
    in_company: ClassVar[bool] = True
    box: int

    @property
    def key(self) -> str:
        return str(self.box)

    @property
    def lane(self) -> str:
        return f"box:{self.box}"


class Letter(Job, frozen=True):
    kind: ClassVar[str] = "chaos.letter"
    holds_lane: ClassVar[bool] = False
    box: int
    thread: int

    @property
    def lane(self) -> str:
        return f"thread:{self.box}:{self.thread}"


@works(SyncBox)
async def sync_box(job: SyncBox, work: Work[Any]) -> None:
    run = await work.db.desk_value(BEGAN, job=work.claimed.id, lane=job.lane)
    async with work.read() as tx:
        nudged = await tx.value(NUDGED, box=job.box)
    await asyncio.sleep(random.uniform(0, 0.03))
    if random.random() < 0.15:
        await work.db.desk_value(ENDED, id=run)
        raise Throttled("chaos", retry_after=random.choice([0, 0.1, 0.3]))
    await work.finish_with_others((job.box, nudged, run), record_syncs)


async def record_syncs(tx: Tx, syncs: Sequence[tuple[Work[Any], tuple[int, int, int]]]) -> None:
    for number, (work, (box, nudged, run)) in enumerate(syncs):
        if number and random.random() < 0.05:
            raise Unavailable("chaos")  # together with others; each is done alone then
        await tx.run(SYNCED, box=box, to=nudged)
        await tx.run(SYNC_DONE, job=work.claimed.id)
        await work.enqueue(tx, *(Letter(box, thread) for thread in range(PER_SYNC)))
        await tx.run(ENDED, id=run)


@works(Letter)
async def letter(job: Letter, work: Work[Any]) -> None:
    run = await work.db.desk_value(BEGAN, job=work.claimed.id, lane=job.lane)
    await asyncio.sleep(random.uniform(0, 0.01))
    if random.random() < 0.1:
        await work.db.desk_value(ENDED, id=run)
        raise Throttled("chaos", retry_after=0.05)
    async with work.finish() as tx:
        await tx.run(EFFECT, job=work.claimed.id, box=job.box)
        await tx.run(ENDED, id=run)


async def run_worker(dsn: str) -> None:
    logs.set_up("json", "warning")
    db = await Database(dsn, size=6).open()
    waker = Waker(db)
    await waker.start()
    worker = Worker(db, waker, Handlers([sync_box, letter]), lambda fact: [], None, slots=16, lease=LEASE)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    await worker.run()
    await waker.stop()
    await db.close()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be shown: the last four must be empty or zero."""

    nudges: int
    kills: int
    syncs: int
    effects: int
    drained_in: float
    effects_wrong: int
    overlapping: int
    nudges_lost: int
    left_behind: int

    @property
    def is_sound(self) -> bool:
        return not (self.effects_wrong or self.overlapping or self.nudges_lost or self.left_behind)


def storm(owner_dsn: str, dsn: str, *, seconds: float, boxes: int = 200, workers: int = 3, seed: int = 0) -> Outcome:
    """Nudge, fail and kill for a while; then let it drain, and count."""
    chance = random.Random(seed)
    tenants = [uuid4() for _ in range(3)]
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(DDL.encode())
        for tenant in tenants:
            owner.execute(
                "INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, %s)", [tenant, f"t-{tenant.hex[:8]}"]
            )
        owner.execute("INSERT INTO chaos_box SELECT g FROM generate_series(1, %s) g", [boxes])
        names = [f"postroom-chaos-{number}" if _can_make_namespace() else None for number in range(workers)]
        for name in filter(None, names):
            subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True)
        crew = [_spawn(dsn, name) for name in names]
        try:
            nudges, kills = _rage(owner, chance, crew, names, dsn, tenants, boxes, seconds)
            drained = _drain(owner)
            return _count(owner, nudges, kills, drained)
        finally:
            for worker in crew:
                worker.kill()
                worker.wait()
            for name in filter(None, names):
                subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def _rage(owner, chance, crew, names, dsn, tenants, boxes, seconds) -> tuple[int, int]:
    nudges = kills = 0
    end, next_kill = time.monotonic() + seconds, time.monotonic() + 2.0
    while time.monotonic() < end:
        box = chance.randint(1, boxes)
        tenant: UUID = tenants[box % len(tenants)]
        with owner.transaction():
            owner.execute("UPDATE chaos_box SET nudged = nudged + 1 WHERE box = %s", [box])
            owner.execute("SELECT postroom.enqueue(%s, %s)", [tenant, as_json([as_row(SyncBox(box), None)])])
        owner.execute("NOTIFY postroom")
        nudges += 1
        time.sleep(0.004)
        if time.monotonic() > next_kill:
            victim = chance.randrange(len(crew))
            crew[victim].kill()
            crew[victim].wait()
            crew[victim] = _spawn(dsn, names[victim])
            kills += 1
            next_kill = time.monotonic() + chance.uniform(0.8, 1.6)
    return nudges, kills


def _drain(owner, patience: float = 60.0) -> float:
    began = time.monotonic()
    while time.monotonic() - began < patience:
        if owner.execute("SELECT count(*) FROM postroom.job").fetchone() == (0,):
            break
        time.sleep(0.1)
    return time.monotonic() - began


def _count(owner, nudges: int, kills: int, drained: float) -> Outcome:
    def ask(question: str) -> int:
        return owner.execute(question).fetchone()[0]

    syncs, effects = ask("SELECT count(*) FROM chaos_sync"), ask("SELECT count(*) FROM chaos_effect")
    overlapping = ask(
        "SELECT count(*) FROM chaos_run a JOIN chaos_run b ON a.lane = b.lane AND a.id < b.id AND a.job_id <> b.job_id "
        "WHERE a.ended IS NOT NULL AND b.began < a.ended"
    )
    return Outcome(
        nudges=nudges,
        kills=kills,
        syncs=syncs,
        effects=effects,
        drained_in=round(drained, 1),
        effects_wrong=abs(effects - PER_SYNC * syncs),
        overlapping=overlapping,
        nudges_lost=ask("SELECT count(*) FROM chaos_box WHERE synced < nudged"),
        left_behind=ask("SELECT count(*) FROM postroom.job"),
    )


def _spawn(dsn: str, namespace: str | None) -> subprocess.Popen[bytes]:
    inside = ["ip", "netns", "exec", namespace] if namespace else []
    return subprocess.Popen(
        [*inside, sys.executable, "-m", "benchmarks.chaos", "--worker", dsn], cwd=Path(__file__).parent.parent
    )


def _can_make_namespace() -> bool:
    """Each worker on a host of its own, where this machine lets us make one."""
    if shutil.which("ip") is None:
        return False
    name = f"postroom-try-{uuid4().hex[:6]}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    if made.returncode != 0:
        return False
    ran = subprocess.run(["ip", "netns", "exec", name, "true"], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return ran.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--worker")
    options = parser.parse_args()
    if options.worker:
        import uvloop

        uvloop.run(run_worker(options.worker))
        return
    with tempfile.TemporaryDirectory(prefix="postroom-chaos-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        server = EmbeddedServer(home / "home").start()
        try:
            migrate(server.dsn(), login="postroom")
            outcome = storm(server.dsn(), server.dsn(user="postroom"), seconds=options.seconds, seed=options.seed)
        finally:
            server.stop()
    print(f"seed {options.seed}: {outcome}")
    sys.exit(0 if outcome.is_sound else 1)


if __name__ == "__main__":
    main()
