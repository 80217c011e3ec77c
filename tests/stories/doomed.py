"""Workers and web processes that are killed, with no chance to say goodbye, at a named step.

Everything is imported once; every order that comes in over standard input gets a process of its own.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import inspect
import itertools
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn

from harness import QuietServer
from postroom.app.house import open_house
from postroom.app.web import web_app
from stories.office import APP_STATE, settings_for


@dataclass
class Place:
    base_url: str


def doom(where: str, when: str) -> None:
    """Die before, or after, the first call of `module:Class.function`; with `after#2`, the second."""
    module, _, path = where.partition(":")
    *outer, name = path.split(".")
    owner = functools.reduce(getattr, outer, importlib.import_module(module))
    setattr(owner, name, _deadly(getattr(owner, name), when))


def _deadly(real: Callable[..., Any], when: str) -> Callable[..., Any]:
    moment_of_death, _, number = when.partition("#")
    calls = itertools.count(1)

    def die(moment: str) -> None:
        if moment == moment_of_death and next(calls) == int(number or 1):
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


async def live(part: str, base_url: str, dsn: str, home: str, port: int) -> None:
    place: Any = Place(base_url)  # only its address is read
    settings = settings_for(place, dsn, port, home, graph_client_state=APP_STATE)
    async with open_house(settings) as house:
        if part == "work":
            await house.worker().run_until_quiet(idle=1.0)
        else:
            options = {"port": port, "log_level": "error", "lifespan": "off", "access_log": False}
            await QuietServer(uvicorn.Config(web_app(house), **options)).serve()


def follow(order: str, base_url: str, dsn: str, home: str) -> int:
    """`part port where when`: a process that does it, and how it ended. With `-`, it lives until it is killed."""
    part, port, where, when = order.split()
    pid = os.fork()
    if pid == 0:
        os.dup2(2, 1)  # what it logs is not an answer
        if where != "-":
            doom(where, when)
        asyncio.run(live(part, base_url, dsn, home, int(port)))
        os._exit(0)
    say(pid)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    for line in sys.stdin:
        say(follow(line, *sys.argv[1:4]))
