"""What a run costs: CPU by group of processes, memory, and what the database was asked for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.bench import cpu_seconds, private_server, server_cpu
from postroom.db.embedded import EmbeddedServer

CALLS = (
    "SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid "
    "WHERE r.rolname LIKE 'postroom%' AND query !~* '^(begin|commit|rollback|set |reset |discard |deallocate )'"
)
COMMITS = "SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()"
WAL = "SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 / 1024"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@dataclass
class Watched:
    """Sampled beside a run: how many backends wait for a lock, and the memory of all that is ours."""

    looking: psycopg.Connection
    roots: list[int]
    waits: list[int] = field(default_factory=list)
    peak: dict[str, int] = field(default_factory=dict)

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        stop = threading.Event()

        def sample() -> None:
            for turn in range(10_000_000):
                if stop.wait(0.02):
                    return
                self.waits.append(self.looking.execute(WAITING).fetchone()[0])
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


def cpu_by_group(server: EmbeddedServer, roots: list[int], watching: list[psycopg.Connection]) -> dict[str, float]:
    """Seconds: our own processes, the reading processes below them, PostgreSQL. What PostgreSQL does for those who only
    watch is not the walk's: on a busy machine, where a message takes longer, they would cost more than it does."""
    watched = sum(cpu_seconds(each.info.backend_pid) for each in watching)
    return {
        "main": sum(map(cpu_seconds, roots)),
        "readers": reader_cpu(roots),
        "postgres": server_cpu(server) - watched,
    }


def database_counts(owner: psycopg.Connection) -> dict[str, float]:
    owner.execute("SELECT pg_stat_force_next_flush()")
    questions = {"statements": CALLS, "transactions": COMMITS, "wal_kb": WAL}
    return {name: owner.execute(question).fetchone()[0] for name, question in questions.items()}


def written_kb(roots: list[int]) -> float:
    """What our processes handed to the disk, by the kernel's count: the archive, mostly."""
    return sum(map(_written, roots)) / 1024


def _written(pid: int) -> int:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
        for line in Path(f"/proc/{pid}/io").read_text().splitlines():
            if line.startswith("write_bytes:"):
                return int(line.split()[1])
    return 0


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


@contextlib.contextmanager
def counted_server() -> Iterator[EmbeddedServer]:
    """A private server that counts its statements."""
    with private_server() as server:
        with psycopg.connect(server.dsn(), autocommit=True) as owner:
            owner.execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
            owner.execute("ALTER SYSTEM SET pg_stat_statements.track_planning = on")
        server.stop()
        server.start()
        with psycopg.connect(server.dsn(), autocommit=True) as owner:
            owner.execute("CREATE EXTENSION pg_stat_statements")
        yield server


def most_used(owner: psycopg.Connection, messages: int) -> list[dict[str, Any]]:
    rows = owner.execute(
        "SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 110), sum(calls)::float8, sum(total_exec_time)::float8, sum(total_plan_time)::float8, sum(plans)::float8 "
        "FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname LIKE 'postroom%%' "
        "GROUP BY 1 ORDER BY 3 DESC LIMIT 45"
    ).fetchall()
    return [
        {"query": query, "calls": round(calls / messages, 2), "ms": round(spent / messages, 3)}
        | {"plan_ms": round(planning / messages, 3), "plans": round(plans / messages, 2)}
        for query, calls, spent, planning, plans in rows
    ]
