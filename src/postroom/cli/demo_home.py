"""A running demo says how it is reached, so that other commands in its home ask its simulators, not the clouds."""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import SecretStr

from postroom.nouns.errors import Misconfigured
from postroom.settings import Settings

FILE = "demo.json"


@contextlib.contextmanager
def announced(running: Settings, told: Mapping[str, Any]) -> Iterator[None]:
    """While the demo runs. The lock ends with the process, whatever ended it, so nobody believes an old file."""
    path = running.home / FILE
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Misconfigured(
                f"Another demo runs in {running.home}: stop it, or set another POSTROOM_HOME."
            ) from None
        file.truncate(0)
        json.dump({name: _plain(value) for name, value in told.items()}, file)
        file.flush()
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def as_the_demo_runs(ours: Settings) -> Settings:
    """These settings, with the addresses of the demo that runs in this home; as they are when none does."""
    try:
        with (ours.home / FILE).open(encoding="utf-8") as file:
            if not _is_locked(file.fileno()):
                return ours
            told = json.load(file)
    except (OSError, ValueError):
        return ours
    return ours.model_copy(update={name: _kept(name, value) for name, value in told.items()})


def _is_locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _plain(value: object) -> object:
    return value.get_secret_value() if isinstance(value, SecretStr) else value  # a demo's secrets are none


def _kept(name: str, value: Any) -> Any:
    return SecretStr(value) if name.endswith("_secret") else value
