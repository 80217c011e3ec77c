"""The same work on two libraries, for comparison: one effect a job, two processes of ten, uvloop for all.

Each is set up in the way that serves it best: PGQueuer without limits of its own (at a limit it waits for its next poll),
both with a pool of ten connections for the effects. Neither can commit effect and "done" together; ours does.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

from benchmarks.bench import Watch, crew

ROUNDS = 5
LONGEST = 180
INSERT = "INSERT INTO bench_effect (number) VALUES (%(number)s)"


def beside(bench: Any, count: int, ours: Callable[[], dict[str, float]]) -> dict[str, Any]:
    """Ours and PGQueuer's in turn, several times: one run of either says little. Procrastinate once: it is far off."""
    runs: dict[str, list[dict[str, float]]] = {"ours": [], "PGQueuer": []}
    for _ in range(ROUNDS):
        runs["ours"].append(ours())
        runs["PGQueuer"].append(_drain(bench, "PGQueuer", count))
    result: dict[str, Any] = {f"{name}, one effect, in turn": _middle(each) for name, each in runs.items()}
    return result | {"procrastinate, one effect": _drain(bench, "procrastinate", count)}


def _middle(runs: list[dict[str, float]]) -> dict[str, Any]:
    """The median of each figure, and every rate."""
    names = ("jobs_per_s", "worker_cpu_us", "server_cpu_us")
    return {name: round(median(run[name] for run in runs)) for name in names} | {
        "rates": [run["jobs_per_s"] for run in runs]
    }


def _drain(bench: Any, name: str, count: int) -> dict[str, float]:
    bench.owner.execute("TRUNCATE bench_effect")
    command = [sys.executable, "-c", "from benchmarks.engine_beside import main; main()", name]
    dsn = bench.server.dsn()
    subprocess.run([*command, "put", dsn, str(count)], check=True, timeout=LONGEST)
    with crew([*command, "work", dsn]) as workers:
        watch = Watch(bench.server, workers)
        until = time.perf_counter() + LONGEST
        while (done := bench.owner.execute("SELECT count(*) FROM bench_effect").fetchone()[0]) < count:
            if time.perf_counter() > until:
                raise TimeoutError(f"{name} did {done} of {count} jobs in {LONGEST} seconds.")
            time.sleep(0.05)
        return watch.read(count)


async def pgqueuer(act: str, dsn: str, count: int) -> None:
    import psycopg
    from pgqueuer import PgQueuer, Queries
    from pgqueuer.db import PsycopgDriver
    from psycopg_pool import AsyncConnectionPool

    driver = PsycopgDriver(await psycopg.AsyncConnection.connect(dsn, autocommit=True))
    if act == "put":
        queries = Queries(driver)
        if await queries.schema_is_installed():  # its log grows with every run, and slows the next one
            await queries.uninstall()
        await queries.install()
        await queries.enqueue(["effect"] * count, [str(number).encode() for number in range(count)], [0] * count)
        return
    queuer = PgQueuer(driver)
    async with AsyncConnectionPool(dsn, min_size=10, max_size=10, kwargs={"autocommit": True}) as pool:
        await pool.wait()

        @queuer.entrypoint("effect")
        async def effect(job: Any) -> None:
            async with pool.connection() as connection:
                await connection.execute(INSERT.encode(), {"number": int(job.payload)})

        print("up", flush=True)
        await queuer.run(batch_size=10, dequeue_timeout=timedelta(seconds=1))


async def procrastinate(act: str, dsn: str, count: int) -> None:
    from procrastinate import App, PsycopgConnector

    app = App(connector=PsycopgConnector(conninfo=dsn, min_size=10, max_size=10))

    @app.task(name="effect")
    async def effect(number: int) -> None:
        await app.connector.execute_query_async(INSERT, number=number)

    async with app.open_async():
        if act == "put":
            await app.schema_manager.apply_schema_async()
            await effect.batch_defer_async(*({"number": number} for number in range(count)))
            return
        print("up", flush=True)
        await app.run_worker_async(concurrency=10, install_signal_handlers=False, fetch_job_polling_interval=0.05)


def main() -> None:
    """`LIBRARY put DSN JOBS` enqueues, `LIBRARY work DSN` works until it is ended."""
    import uvloop

    library, act, dsn, *more = sys.argv[1:]
    works = {"PGQueuer": pgqueuer, "procrastinate": procrastinate}[library]
    uvloop.run(works(act, dsn, int(more[0]) if more else 0))
