"""What the audit of a run costs: the same job with one effect, with and without its five facts, in turn.

`python -m benchmarks.audit [--jobs N] [--keep]`. CPU time of the workers and of the server, which means the same on a busy
machine, and bytes in the table of facts with its indexes.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

from benchmarks.bench import keep, private_server
from benchmarks.engine import Bench
from benchmarks.engine_jobs import Audited, Effect

ROUNDS = 3
SIZE = "SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint FROM pg_inherits WHERE inhparent = 'postroom.fact'::regclass"
COUNT = "SELECT count(*) FROM postroom.fact"


def measure(jobs: int) -> dict[str, Any]:
    with private_server() as server:
        bench = Bench(server)
        plain, audited = [], []
        before = bench.owner.execute(SIZE).fetchone()[0]
        for round_ in range(ROUNDS):
            start = round_ * jobs
            plain.append(bench.drain([Effect(number) for number in range(start, start + jobs)]))
            audited.append(bench.drain([Audited(number) for number in range(start, start + jobs)]))
        facts = bench.owner.execute(COUNT).fetchone()[0]
        grown = bench.owner.execute(SIZE).fetchone()[0] - before
        bench.owner.close()
    cost = {name: _median(audited, name) - _median(plain, name) for name in ("worker_cpu_us", "server_cpu_us")}
    return {
        "facts_per_run": round(facts / (jobs * ROUNDS), 2),
        "worker_us_per_run": round(cost["worker_cpu_us"]),
        "server_us_per_run": round(cost["server_cpu_us"]),
        "bytes_per_fact": round(grown / max(1, facts)),
        "plain_us": round(_median(plain, "worker_cpu_us") + _median(plain, "server_cpu_us")),
    }


def _median(runs: list[dict[str, float]], name: str) -> float:
    return median(run[name] for run in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--keep", action="store_true")
    asked = parser.parse_args()
    found = measure(asked.jobs)
    print(found)
    if asked.keep:
        keep("audit", found)


if __name__ == "__main__":
    main()
