"""A PostgreSQL that a story may kill, and a moment of the house's own work at which it does."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import migrate

# What was committed is on disk: else a killed server would forget what it said is kept.
SMALL = {"fsync": "off", "shared_buffers": "32MB", "max_connections": "60"}


@dataclass
class OwnServer:
    """One of this test's own."""

    server: EmbeddedServer
    kills: int = 0

    def dies(self, victim: str) -> None:
        """And is back when this returns, as after the look of the process that keeps it running."""
        self.kills += 1
        postmaster = int((self.server.data / "postmaster.pid").read_text().split()[0])
        if victim == "postmaster":
            os.kill(postmaster, signal.SIGKILL)
        else:
            with psycopg.connect(self.server.dsn(), autocommit=True) as owner:
                asked = "SELECT pid FROM pg_stat_activity WHERE usename = 'postroom' LIMIT 1"
                os.kill(owner.execute(asked).fetchone()[0], signal.SIGKILL)  # type: ignore[index]  # the house is open
        self._until_back()

    def _until_back(self) -> None:
        for _ in range(600):
            try:
                self.server.start_again()
                with psycopg.connect(self.server.dsn(), connect_timeout=5) as owner:
                    owner.execute("SELECT 1")
                    return
            except Exception:  # noqa: BLE001 - it recovers
                time.sleep(0.1)
        raise AssertionError("PostgreSQL did not come back.")


@contextlib.contextmanager
def running() -> Iterator[OwnServer]:
    home = Path(tempfile.mkdtemp(prefix="postroom-killed-"))
    home.chmod(0o755)
    server = EmbeddedServer(home, SMALL).start()
    try:
        migrate(server.dsn(), login="postroom")
        yield OwnServer(server)
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


def once(monkeypatch: pytest.MonkeyPatch, where: str, when: str, act: Any) -> None:
    """At the next call of `module:Class.function`, before or after what it does."""
    module, _, path = where.partition(":")
    *outer, name = path.split(".")
    owner = functools.reduce(getattr, outer, importlib.import_module(module))
    real = getattr(owner, name)

    async def interrupted(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(owner, name, real)
        if when == "before":
            act()
        answer = await real(*given, **named)
        if when == "after":
            act()
        return answer

    monkeypatch.setattr(owner, name, interrupted)
