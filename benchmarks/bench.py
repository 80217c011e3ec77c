"""What the benchmarks share: a private server, quick statistics, and results beside the floor of the same run."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import migrate

RESULTS = Path(__file__).parent / "results"
LOAD = round(os.getloadavg()[0], 1)


@contextlib.contextmanager
def private_server() -> Iterator[EmbeddedServer]:
    with tempfile.TemporaryDirectory(prefix="postroom-bench-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        server = EmbeddedServer(home / "home").start()
        try:
            migrate(server.dsn(), login="postroom")
            yield server
        finally:
            server.stop()


def cpu_seconds(pid: int, *, with_children: bool = False) -> float:
    """What a process has used so far, by the kernel's own count: machines are noisy, this is not."""
    text = Path(f"/proc/{pid}/stat").read_text()
    fields = text[text.rindex(")") + 2 :].split()
    ticks = sum(int(fields[number]) for number in (range(11, 15) if with_children else range(11, 13)))
    return ticks / os.sysconf("SC_CLK_TCK")


def server_cpu(server: EmbeddedServer) -> float:
    """The postmaster, the children it had, and those it has."""
    postmaster = int((server.data / "postmaster.pid").read_text().splitlines()[0])
    used = cpu_seconds(postmaster, with_children=True)
    for child in Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            used += cpu_seconds(int(child))
    return used


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
def crew(command: list[str], size: int = 2) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Worker processes that have said that they are up."""
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(size)]
    try:
        for worker in workers:
            worker.stdout.readline()
        yield workers
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def spread(values: Sequence[float]) -> dict[str, float]:
    """Milliseconds."""
    return {
        "p50": round(statistics.median(values) * 1000, 2),
        "p99": round(quantile(values, 0.99) * 1000, 2),
        "worst": round(max(values) * 1000, 2),
    }


def keep(name: str, result: dict[str, Any]) -> None:
    """Print it, and with `--keep` write it to benchmarks/results for the record, with how busy the machine was before."""
    result = {"machine": {"cores": os.cpu_count(), "load_before": LOAD}, **result}
    print(json.dumps(result, indent=2))
    if "--keep" in sys.argv:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n")
