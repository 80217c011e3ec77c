"""Programs that all test processes of a run share: the first that needs one starts it, and stops it after the last."""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def shared(home: Path, name: str, program: AbstractContextManager[Any]) -> Iterator[Any]:
    """What the running program said (JSON), whoever started it. Who comes after its owner has begun to leave starts a new one."""
    told = home / f"{name}.json"
    with contextlib.ExitStack() as ours, (home / f"{name}.users").open("a") as use:
        with _alone(home / f"{name}.lock"):
            is_owner = not told.exists()
            if is_owner:
                told.write_text(json.dumps(ours.enter_context(program)))
            said = json.loads(told.read_text())
            fcntl.flock(use, fcntl.LOCK_SH)
        yield said
        if is_owner:
            with _alone(home / f"{name}.lock"):
                told.unlink()
            fcntl.flock(use, fcntl.LOCK_EX)  # waits for those who still use it


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
