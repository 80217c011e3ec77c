"""The same work on two libraries, for comparison: one effect a job, two processes of ten."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

PROCRASTINATE = """
import asyncio, sys, procrastinate
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=sys.argv[1], max_size=10))
@app.task(name="effect")
async def effect(number):
    await app.connector.execute_query_async("INSERT INTO bench_effect (number) VALUES (%(number)s)", number=number)
async def main():
    async with app.open_async():
        if sys.argv[2] == "put":
            await app.schema_manager.apply_schema_async()
            await effect.batch_defer_async(*({"number": n} for n in range(int(sys.argv[3]))))
        else:
            print("up", flush=True)
            await app.run_worker_async(concurrency=10, wait=False, install_signal_handlers=False, fetch_job_polling_interval=0.05)
asyncio.run(main())
"""

PGQUEUER = """
import asyncio, sys, psycopg
from datetime import timedelta
from pgqueuer import PgQueuer, Queries
from pgqueuer.db import PsycopgDriver
async def main():
    connection = await psycopg.AsyncConnection.connect(sys.argv[1], autocommit=True)
    driver = PsycopgDriver(connection)
    if sys.argv[2] == "put":
        queries = Queries(driver)
        await queries.install()
        n = int(sys.argv[3])
        await queries.enqueue(["effect"] * n, [str(i).encode() for i in range(n)], [0] * n)
        return
    pgq = PgQueuer(driver)
    own = await psycopg.AsyncConnection.connect(sys.argv[1], autocommit=True)
    lock = asyncio.Lock()
    @pgq.entrypoint("effect", concurrency_limit=10)
    async def effect(job):
        async with lock:
            await own.execute("INSERT INTO bench_effect (number) VALUES (%s)", [int(job.payload)])
    print("up", flush=True)
    await pgq.run(batch_size=10, dequeue_timeout=timedelta(seconds=1))
asyncio.run(main())
"""


def beside(bench: Any, count: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, program in (("PGQueuer, one effect", PGQUEUER), ("procrastinate, one effect", PROCRASTINATE)):
        bench.owner.execute("TRUNCATE bench_effect")
        try:
            result[name] = {"jobs_per_s": _run(bench, program, count)}
        except (subprocess.SubprocessError, TimeoutError) as problem:
            result[name] = {"did not run": str(problem)[:200]}
    return result


def _run(bench: Any, program: str, count: int) -> int:
    dsn = bench.server.dsn()
    subprocess.run(
        [sys.executable, "-c", program, dsn, "put", str(count)], check=True, capture_output=True, timeout=120
    )
    crew = [subprocess.Popen([sys.executable, "-c", program, dsn, "work"], stdout=subprocess.PIPE) for _ in range(2)]
    try:
        for worker in crew:
            worker.stdout.readline()
        began = time.perf_counter()
        while bench.owner.execute("SELECT count(*) FROM bench_effect").fetchone()[0] < count:
            if time.perf_counter() - began > 120:
                raise TimeoutError("not done in two minutes")
            time.sleep(0.02)
        return round(count / (time.perf_counter() - began))
    finally:
        for worker in crew:
            worker.kill()
            worker.wait()
