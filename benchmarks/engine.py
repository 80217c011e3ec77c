"""The engine against its floor (a bare SKIP LOCKED batch claim on the same server) and beside two libraries.

`python -m benchmarks.engine [--jobs N] [--big] [--keep]`: `--big` also fills the table with 100,000 and 1,000,000 waiting
jobs and 1,000,000 finished ones.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from uuid import UUID, uuid4

import psycopg

from benchmarks.bench import cpu_seconds, keep, private_server, server_cpu, spread
from benchmarks.engine_jobs import DDL, Effect, InLane, Nothing
from postroom.db.embedded import EmbeddedServer
from postroom.engine.facts import as_json
from postroom.engine.work import as_row
from postroom.nouns.jobs import Job

WORKERS, SLOTS = 2, 10


class Bench:
    def __init__(self, server: EmbeddedServer) -> None:
        self.server = server
        self.dsn = server.dsn(user="postroom")
        self.owner = psycopg.connect(server.dsn(), autocommit=True, options="-c enable_seqscan=off")
        self.owner.execute(DDL.encode())
        self.tenant: UUID = uuid4()
        self.owner.execute("INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, 'bench')", [self.tenant])

    def put(self, jobs: list[Job], page: int = 1000) -> float:
        rows = [
            as_json([as_row(job, None) for job in jobs[start : start + page]]) for start in range(0, len(jobs), page)
        ]
        began = time.perf_counter()
        for row in rows:
            self.owner.execute("SELECT postroom.enqueue(%s, %s)", [self.tenant, row])
        return len(jobs) / (time.perf_counter() - began)

    def waiting(self) -> bool:
        """Whether any is ready or runs. Counting them would be the heaviest work of the run."""
        question = "SELECT EXISTS (SELECT FROM postroom.job WHERE state = 1) OR EXISTS (SELECT FROM postroom.job WHERE state = 0)"
        return self.owner.execute(question).fetchone()[0]

    def drain(self, jobs: list[Job]) -> dict[str, float]:
        """Jobs a second, and CPU microseconds a job, with everything enqueued before the workers start."""
        enqueued = self.put(jobs)
        command = [sys.executable, "-m", "benchmarks.engine_jobs", self.dsn, str(SLOTS)]
        with crew(command) as workers:
            watch = Watch(self.server, workers)
            while self.waiting():
                time.sleep(0.02)
            return {"enqueue_per_s": round(enqueued), **watch.read(len(jobs))}


class Watch:
    """Time and CPU from now on, of some workers and of the server."""

    def __init__(self, server: EmbeddedServer, workers: list[subprocess.Popen[bytes]]) -> None:
        self.server, self.workers = server, workers
        self.began, self.cpu = time.perf_counter(), self._cpu()

    def _cpu(self) -> tuple[float, float]:
        return sum(cpu_seconds(worker.pid) for worker in self.workers), server_cpu(self.server)

    def read(self, jobs: int) -> dict[str, float]:
        took, now = time.perf_counter() - self.began, self._cpu()
        workers, server = (round((late - soon) / jobs * 1e6) for soon, late in zip(self.cpu, now, strict=True))
        return {"jobs_per_s": round(jobs / took), "worker_cpu_us": workers, "server_cpu_us": server}


@contextlib.contextmanager
def crew(command: list[str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Worker processes that have said that they are up."""
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(WORKERS)]
    try:
        for worker in workers:
            worker.stdout.readline()
        yield workers
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()


def floor(bench: Bench, count: int, batch: int = 10) -> dict[str, float]:
    """Two processes' worth of nothing but: claim a batch, insert the effects, delete, commit."""
    bench.owner.execute(
        "CREATE TABLE bench_floor (id bigint PRIMARY KEY, state int DEFAULT 0, args jsonb DEFAULT '{}')"
    )
    bench.owner.execute("CREATE INDEX ON bench_floor (id) WHERE state = 0")
    bench.owner.execute("INSERT INTO bench_floor SELECT g FROM generate_series(1, %s) g", [count])
    bench.owner.execute("VACUUM ANALYZE bench_floor")
    program = (
        "import sys, psycopg\n"
        "c = psycopg.connect(sys.argv[1], autocommit=True)\n"
        "print('up', flush=True)\n"
        "while True:\n"
        "    with c.transaction():\n"
        "        got = c.execute('SELECT id FROM bench_floor WHERE state = 0 ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED', [int(sys.argv[2])]).fetchall()\n"
        "        if not got: break\n"
        "        for (n,) in got: c.execute('INSERT INTO bench_effect (number) VALUES (%s)', [n])\n"
        "        c.execute('DELETE FROM bench_floor WHERE id = ANY(%s)', [[n for (n,) in got]])\n"
    )
    crew = [
        subprocess.Popen([sys.executable, "-c", program, bench.server.dsn(), str(batch)], stdout=subprocess.PIPE)
        for _ in range(WORKERS)
    ]
    for worker in crew:
        worker.stdout.readline()
    began = time.perf_counter()
    for worker in crew:
        worker.wait()
    took = time.perf_counter() - began
    bench.owner.execute("DROP TABLE bench_floor")
    return {"batch": batch, "jobs_per_s": round(count / took)}


async def wake_up(bench: Bench, times: int = 100) -> dict[str, dict[str, float]]:
    """From the commit of an enqueue to the effect's own time stamp, with nothing else to do."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.engine_jobs", bench.dsn, str(SLOTS)], stdout=subprocess.PIPE
    )
    worker.stdout.readline()
    await asyncio.sleep(1)
    bench.owner.execute("TRUNCATE bench_effect")
    sent: dict[int, float] = {}
    for number in range(times):
        bench.put([Effect(number)])
        sent[number] = bench.owner.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()[0]
        bench.owner.execute("NOTIFY postroom")
        await asyncio.sleep(0.03)
    await asyncio.sleep(0.5)
    woke = dict(bench.owner.execute("SELECT number, extract(epoch FROM at)::float8 FROM bench_effect").fetchall())
    one_lane = [InLane(number, "one") for number in range(times)]
    bench.owner.execute("TRUNCATE bench_effect")
    bench.put(one_lane)
    bench.owner.execute("NOTIFY postroom")
    while bench.waiting():
        await asyncio.sleep(0.05)
    at = [
        row[0]
        for row in bench.owner.execute("SELECT extract(epoch FROM at)::float8 FROM bench_effect ORDER BY at").fetchall()
    ]
    worker.terminate()
    worker.wait()
    return {
        "wake_up_ms": spread([woke[number] - sent[number] for number in sent if number in woke]),
        "next_of_a_key_ms": spread([later - sooner for sooner, later in zip(at, at[1:], strict=False)]),
    }


def fill(bench: Bench, count: int) -> None:
    """Jobs that wait for 10,000 keys, so that no worker of the benchmark gets to them."""
    bench.owner.execute(
        "INSERT INTO postroom.job (tenant_id, kind, key, lane, state, priority, correlation_id) "
        "SELECT %s, %s, g::text, 'k' || g %% 10000, 2, 3, gen_random_uuid() "
        "FROM generate_series(1, %s) g",
        [bench.tenant, f"bench.waiting_{count}", count],
    )


def finish(bench: Bench, count: int) -> None:
    bench.owner.execute(
        "INSERT INTO postroom.attempt (tenant_id, job_id, kind, epoch, outcome, retry_count, correlation_id, created_at, finished_at) "
        "SELECT %s, g, 'bench.done', 1, 'done', 0, gen_random_uuid(), now(), now() FROM generate_series(1, %s) g",
        [bench.tenant, count],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=6000)
    parser.add_argument("--big", action="store_true")
    parser.add_argument("--beside", action="store_true", help="also PGQueuer and procrastinate")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    count = options.jobs
    with private_server() as server:
        bench = Bench(server)
        result: dict[str, object] = {
            "floor, 10 a commit": floor(bench, count),
            "floor, 1 a commit": floor(bench, count, batch=1),
            "no-op": bench.drain([Nothing(number) for number in range(count)]),
            "one effect": bench.drain([Effect(number) for number in range(count)]),
            "400 lanes": bench.drain([InLane(number, f"k{number % 400}") for number in range(count)]),
            **asyncio.run(wake_up(bench)),
        }
        if options.beside:
            from benchmarks.engine_beside import beside

            result |= beside(bench, count)
        if options.big:
            for waiting in (100_000, 1_000_000):
                fill(bench, waiting - bench.owner.execute("SELECT count(*) FROM postroom.job").fetchone()[0])
                bench.owner.execute("ANALYZE postroom.job")
                result[f"one effect, {waiting:,} waiting"] = bench.drain([Effect(number) for number in range(count)])
            finish(bench, 1_000_000)
            result["… and 1,000,000 finished"] = bench.drain([Effect(number) for number in range(count)])
        keep("engine", result)


if __name__ == "__main__":
    main()
