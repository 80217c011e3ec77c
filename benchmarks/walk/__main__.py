"""The whole walk, notification to ledger success, against a bare script that makes the same calls, reads the PDF,
inserts a row and writes a file.

    python -m benchmarks.walk [CASE…] [--rounds N] [--smaller N] [--statements] [--profile FILE] [--keep]

Mails with text, HTML and a contract note of 47 kB. The simulators run in a process of their own; ours are one web process
and the workers of the case; the floor is two processes. Both take turns, round by round, so that whatever else the machine
does slows both. CPU is counted by the kernel and told by group: our processes, the reading processes, PostgreSQL.
Statements, transactions, kB of PostgreSQL's log, kB of files, requests to the provider: each a message.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import resource
import statistics
import sys
import tempfile
from typing import Any

import psycopg

from benchmarks.bench import keep
from benchmarks.intake import free_port
from benchmarks.walk.cases import CASES, Case
from benchmarks.walk.walking import Bench
from benchmarks.walk.watching import counted_server, most_used
from benchmarks.walk.world import SimulatedWorld

ROUTED = "SELECT count(*) FROM postroom.trade WHERE status = %s"
ROW_OF_FLOOR = "CREATE TABLE bench_floor_message (mailbox text, id text, body text, PRIMARY KEY (mailbox, id))"


def measure(name: str, case: Case, rounds: int, *, statements: bool, idle: bool, profile: str = "") -> dict[str, Any]:
    with contextlib.ExitStack() as stack:
        world = SimulatedWorld(free_port())
        stack.callback(world.close)
        server = stack.enter_context(counted_server())
        home = stack.enter_context(tempfile.TemporaryDirectory())
        owner = stack.enter_context(psycopg.connect(server.dsn(), autocommit=True))
        owner.execute(ROW_OF_FLOOR)
        bench = Bench(case, server, owner, world, home)
        bench.profile = profile
        stack.enter_context(bench.running())
        owner.execute("SELECT pg_stat_statements_reset()")  # connecting is not the walk
        ours, bare = [], []
        for number in range(case.rounds or rounds):
            ours.append(bench.burst())
            bare.append(bench.floor(number))
            shown = {key: round(value, 1) for key, value in bare[-1].items()}
            print(name, number, ours[-1], shown, file=sys.stderr, flush=True)
        told = {"about": case.about, **summary(ours, bare)}
        told["trades"] = {status: owner.execute(ROUTED, [status]).fetchone()[0] for status in ("confirmed", "review")}
        if statements:
            told["most_used"] = most_used(owner, sum(burst["messages"] for burst in ours))
        if idle:
            told["idle"] = bench.latency()
        return told


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
        "last_to_first_cpu": round(ours[-1]["cpu_ms"]["all"] / ours[0]["cpu_ms"]["all"], 2),
        "bursts_per_s": [burst["per_s"] for burst in ours],
        "bursts_cpu_ms": [burst["cpu_ms"]["all"] for burst in ours],
        "peak_mb": {name: max(burst["peak_mb"].get(name, 0) for burst in ours) for name in ("main", "readers", "all")},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--smaller", type=int, default=1, help="so many times fewer messages to each mailbox")
    parser.add_argument("--statements", action="store_true", help="list the statements that cost most")
    parser.add_argument(
        "--profile", default="", metavar="FILE", help="profile one worker, for pstats; it is slower then"
    )
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    result: dict[str, Any] = {}
    for name in options.cases or list(CASES):
        case = dataclasses.replace(CASES[name], messages=max(1, CASES[name].messages // options.smaller))
        idle = name == "ten" and not options.profile
        result[name] = measure(
            name, case, options.rounds, statements=options.statements, idle=idle, profile=options.profile
        )
    keep("walk", {**result, **beside_each_other(result)})


def beside_each_other(result: dict[str, Any]) -> dict[str, Any]:
    """What the cases say together, where both were run."""
    told: dict[str, Any] = {}
    if "ten" in result:
        usual = result["ten"]
        for name in result.keys() - {"ten"}:
            told[f"{name}_to_ten_cpu"] = round(result[name]["cpu_ms"]["all"] / usual["cpu_ms"]["all"], 2)
            told[f"{name}_to_ten_per_s"] = round(result[name]["per_s"] / usual["per_s"], 2)
    return dict(sorted(told.items()))


if __name__ == "__main__":
    main()
