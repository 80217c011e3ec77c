"""The parent of processes that are killed, with no chance to say goodbye, at a named step.

It imports everything once; every order that comes over its socket gets a process of its own.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import importlib
import inspect
import itertools
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any


def named(where: str) -> tuple[Any, str]:
    """Who owns `module:Class.function`, and what it is called there."""
    module, _, path = where.partition(":")
    *outer, name = path.split(".")
    return functools.reduce(getattr, outer, importlib.import_module(module)), name


def doom(where: str, when: str) -> None:
    """Die before, or after, the first call of `module:Class.function`; with `after#2`, the second."""
    owner, name = named(where)
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


def start(life: str, values: list[Any], where: str | None, when: str) -> int:
    """A process that lives this life, till it is killed where it is told; without a place, till somebody kills it."""
    pid = os.fork()
    if pid == 0:
        if where is not None:
            doom(where, when)
        asyncio.run(getattr(*named(life))(*values))
        os._exit(0)
    return pid


if __name__ == "__main__":
    for module in sys.argv[2:]:
        importlib.import_module(module)
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as line, line.makefile("rw") as orders:
        for order in orders:
            pid = start(*json.loads(order))
            print(pid, file=orders, flush=True)
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=orders, flush=True)
