"""A worker in a process of its own that is killed, with no chance to say goodbye, at a named step."""

from __future__ import annotations

import asyncio
import functools
import importlib
import inspect
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from postroom.app import open_house
from stories.office import settings_for


@dataclass
class Place:
    base_url: str


def doom(where: str, when: str) -> None:
    """Die before, or after, the first call of `module:Class.function`."""
    module, _, path = where.partition(":")
    *outer, name = path.split(".")
    owner = functools.reduce(getattr, outer, importlib.import_module(module))
    setattr(owner, name, _deadly(getattr(owner, name), when))


def _deadly(real: Callable[..., Any], when: str) -> Callable[..., Any]:
    def die(moment: str) -> None:
        if moment == when:
            os.kill(os.getpid(), signal.SIGKILL)

    async def awaited(*values: Any, **named: Any) -> Any:
        die("before")
        answer = await real(*values, **named)
        die("after")
        return answer

    def called(*values: Any, **named: Any) -> Any:
        die("before")
        answer = real(*values, **named)
        die("after")
        return answer

    return awaited if inspect.iscoroutinefunction(real) else called


async def work(base_url: str, dsn: str, port: str, home: str) -> None:
    settings = settings_for(Place(base_url), dsn, int(port), home)  # type: ignore[arg-type]  # only its address is read
    async with open_house(settings) as house:
        await house.worker().run_until_quiet(idle=1.0)


if __name__ == "__main__":
    doom(sys.argv[5], sys.argv[6])
    asyncio.run(work(*sys.argv[1:5]))
