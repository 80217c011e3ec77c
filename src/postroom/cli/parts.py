"""The parts of a running process: all are watched, and when one ends by itself the process does, with an error."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, Protocol

import structlog
import typer

from postroom.app.house import House
from postroom.chores.listening import listen
from postroom.db.embedded import EmbeddedServer
from postroom.nouns.errors import PostroomError

LOOK_SECONDS = 2.0
log = structlog.get_logger()


class Stoppable(Protocol):
    """A web server."""

    should_exit: bool

    async def serve(self) -> None: ...


async def run_parts(opened: House, server: Stoppable | None, *, worker: bool) -> None:
    """Run until a signal comes or a part ends; then let running work end."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    hands = opened.worker() if worker else None
    slow: dict[str, Coroutine[Any, Any, Any]] = {}  # those that end by themselves when they are told
    quick: dict[str, Coroutine[Any, Any, Any]] = {"waker": opened.waker.watch()}
    if server is not None:
        slow["web server"] = server.serve()
    if hands is not None:
        opened.vitals.complaints.append(hands.complaint)
        slow["worker"] = hands.run()
        quick |= {"timetable": opened.scheduler().run(), "listener": listen(opened)}
    if opened.server is not None:
        quick["database"] = keep_running(opened.server)
    winding = [asyncio.create_task(part, name=name) for name, part in slow.items()]
    cancelled = [asyncio.create_task(part, name=name) for name, part in quick.items()]
    waiting = asyncio.create_task(stop.wait())
    done, _ = await asyncio.wait([waiting, *winding, *cancelled], return_when=asyncio.FIRST_COMPLETED)
    opened.vitals.stopping = True
    dead = [part for part in (*winding, *cancelled) if part in done]
    for part in dead:
        _say_why(part)
    if server is not None:
        server.should_exit = True
    if hands is not None:
        hands.stop()
    for part in cancelled:
        part.cancel()
    ended = await asyncio.gather(*winding, *cancelled, return_exceptions=True)
    waiting.cancel()
    _end(ended, early=bool(dead) and not stop.is_set())


def _say_why(part: asyncio.Task[Any]) -> None:
    problem = None if part.cancelled() else part.exception()
    log.error(
        "a part ended, so the process does",
        part=part.get_name(),
        error=f"{type(problem).__name__}: {problem}" if problem else "it returned",
        exc_info=problem if problem is not None and not isinstance(problem, PostroomError) else None,
    )


def _end(ended: list[Any], *, early: bool) -> None:
    problems = [each for each in ended if isinstance(each, Exception)]
    ours = next((each for each in problems if isinstance(each, PostroomError)), None)
    if ours is not None:
        raise ours
    if early or problems:
        raise typer.Exit(1)


async def keep_running(server: EmbeddedServer) -> None:
    """Our own PostgreSQL: who killed it, for want of memory or by hand, does not stop the post."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if await asyncio.to_thread(server.answers):
            continue
        log.error("our PostgreSQL does not answer: it is started again")
        await asyncio.to_thread(server.start_again)
        log.warning("our PostgreSQL answers again")
