"""One chromium for all browser tests of a test process: starting it costs more than most of them do.

Each test has contexts of its own, which share nothing.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from playwright._impl._driver import compute_driver_executable, get_driver_env

from needs import CHROMIUM

ARGUMENTS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


@contextlib.contextmanager
def running(folder: Path) -> Iterator[str]:
    """Hands out the address that playwright connects to."""
    config = folder / "chromium.json"
    config.write_text(json.dumps({"executablePath": CHROMIUM, "args": ARGUMENTS}))
    command = [*compute_driver_executable(), "launch-server", "--browser", "chromium", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=get_driver_env()) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()
