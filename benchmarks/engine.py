"""The engine against its floor (a bare SKIP LOCKED batch claim on the same server) and beside two libraries.

`python -m benchmarks.engine [--jobs N] [--beside] [--big] [--keep]`. Besides jobs a second it counts CPU time, of the
workers and of the server, which means the same on a busy machine.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from uuid import UUID, uuid4

import psycopg

from benchmarks.bench import Watch, crew, keep, private_server, spread
from benchmarks.engine_beside import beside
from benchmarks.engine_jobs import DDL, Effect, InLane, Nothing
from postroom.db.embedded import EmbeddedServer
from postroom.engine.facts import as_json
from postroom.engine.work import as_row
from postroom.nouns.jobs import Job

SLOTS = 10


class Bench:
    def __init__(self, server: EmbeddedServer) -> None:
        self.server = server
        self.command = [sys.executable, "-m", "benchmarks.engine_jobs", server.dsn(user="postroom"), str(SLOTS)]
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
        question = "SELECT EXISTS (SELECT FROM postroom.job WHERE state = 'running') OR EXISTS (SELECT FROM postroom.job WHERE state = 'ready')"
        return self.owner.execute(question).fetchone()[0]

    def drain(self, jobs: list[Job]) -> dict[str, float]:
        """Jobs a second, and CPU microseconds a job, with everything enqueued before the workers start."""
        enqueued = self.put(jobs)
        with crew(self.command) as workers:
            watch = Watch(self.server, workers)
            while self.waiting():
                time.sleep(0.02)
            return {"enqueue_per_s": round(enqueued), **watch.read(len(jobs))}


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
    with crew([sys.executable, "-c", program, bench.server.dsn(), str(batch)]) as workers:
        began = time.perf_counter()
        for worker in workers:
            worker.wait()
        took = time.perf_counter() - began
    bench.owner.execute("DROP TABLE bench_floor")
    return {"batch": batch, "jobs_per_s": round(count / took)}


def wake_up(bench: Bench, times: int = 100) -> dict[str, dict[str, float]]:
    """With nothing else to do: from the commit of an enqueue to the effect, and from one job of a key to its next."""
    with crew(bench.command, size=1):
        time.sleep(1)
        bench.owner.execute("TRUNCATE bench_effect")
        sent = [_nudge(bench, number) for number in range(times)]
        time.sleep(0.5)
        waited = [woke - asked for asked, woke in zip(sent, _effects(bench, "number"), strict=True)]
        bench.owner.execute("TRUNCATE bench_effect")
        bench.put([InLane(number, "one") for number in range(times)])
        bench.owner.execute("NOTIFY postroom")
        while bench.waiting():
            time.sleep(0.05)
        at = _effects(bench, "at")
    steps = [later - sooner for sooner, later in itertools.pairwise(at)]
    return {"wake_up_ms": spread(waited), "next_of_a_key_ms": spread(steps)}


def _nudge(bench: Bench, number: int) -> float:
    bench.put([Effect(number)])
    sent = bench.owner.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()[0]
    bench.owner.execute("NOTIFY postroom")
    time.sleep(0.03)
    return sent


def _effects(bench: Bench, order: str) -> list[float]:
    question = f"SELECT extract(epoch FROM at)::float8 FROM bench_effect ORDER BY {order}"
    return [row[0] for row in bench.owner.execute(question).fetchall()]


def fill(bench: Bench, count: int) -> None:
    """Jobs that wait for 10,000 keys, so that no worker of the benchmark gets to them."""
    bench.owner.execute(
        "INSERT INTO postroom.job (tenant_id, kind, key, lane, state, priority, correlation_id) "
        "SELECT %s, %s, g::text, 'k' || g %% 10000, 'waiting', 3, gen_random_uuid() "
        "FROM generate_series(1, %s) g",
        [bench.tenant, f"bench.waiting_{count}", count],
    )


def finish(bench: Bench, count: int) -> None:
    bench.owner.execute(
        "INSERT INTO postroom.attempt (tenant_id, job_id, kind, epoch, outcome, retry_count, correlation_id, created_at, finished_at) "
        "SELECT %s, g, 'bench.done', 1, 'done', 0, gen_random_uuid(), now(), now() FROM generate_series(1, %s) g",
        [bench.tenant, count],
    )


def settle(bench: Bench, table: str) -> None:
    """What a million inserts leave behind for the server to do is not the cost of the jobs that come after."""
    bench.owner.execute(f"VACUUM (ANALYZE) postroom.{table}".encode())
    bench.owner.execute("CHECKPOINT")


def big(bench: Bench, count: int) -> dict[str, object]:
    """The same jobs in a full house: 10,000 keys at work, then many that wait, then many that are finished."""
    keys = [InLane(number, f"k{number % 10_000}") for number in range(2 * 10_000)]
    result: dict[str, object] = {"20,000 jobs in 10,000 lanes": bench.drain(keys)}
    for waiting in (100_000, 1_000_000):
        fill(bench, waiting - bench.owner.execute("SELECT count(*) FROM postroom.job").fetchone()[0])
        settle(bench, "job")
        result[f"one effect, {waiting:,} waiting"] = bench.drain([Effect(number) for number in range(count)])
    finish(bench, 1_000_000)
    settle(bench, "attempt")
    result["… and 1,000,000 finished"] = bench.drain([Effect(number) for number in range(count)])
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=6000)
    parser.add_argument("--big", action="store_true", help="also 10,000 lanes, 1,000,000 waiting, 1,000,000 finished")
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
            **wake_up(bench),
        }
        if options.beside:
            result |= beside(bench, count, lambda: bench.drain([Effect(number) for number in range(count)]))
        if options.big:
            result |= big(bench, count)
        keep("engine", result)


if __name__ == "__main__":
    main()
