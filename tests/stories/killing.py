"""Starts processes that are killed at a named step, and sees how they ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from stories.office import Office

TESTS = Path(__file__).parent.parent
LIVES = ("stories.doomed", "stories.doomed_clients")


@contextlib.contextmanager
def prefork() -> Iterator[socket.socket]:
    """One parent for all the processes that a test process has killed: importing costs more than most of them do."""
    ours, its = socket.socketpair()
    path = {"PYTHONPATH": f"{TESTS}:{TESTS.parent / 'src'}", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "stories.prefork", str(its.fileno()), *LIVES]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with ours, subprocess.Popen(command, env=path, pass_fds=[its.fileno()], **quiet):
        its.close()
        yield ours
        ours.shutdown(socket.SHUT_RDWR)


class Victims:
    """One at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._pid: int | None = None

    async def starts(self, life: str, *values: Any, where: str | None, when: str = "") -> int:
        """Its process id."""
        self._writer.write(json.dumps([life, values, where, when]).encode() + b"\n")
        self._pid = await self._line()
        return self._pid

    async def ended(self) -> int:
        status, self._pid = await self._line(), None
        return status

    async def end(self) -> None:
        """None is left for the next test."""
        if self._pid is not None:
            os.kill(self._pid, signal.SIGKILL)
            await self.ended()

    async def _line(self) -> int:
        return int(await asyncio.wait_for(self._reader.readline(), 90))


@contextlib.asynccontextmanager
async def victims(parent: socket.socket) -> AsyncIterator[Victims]:
    reader, writer = await asyncio.open_unix_connection(sock=parent.dup())
    opened = Victims(reader, writer)
    try:
        yield opened
    finally:
        await opened.end()
        writer.close()
        await writer.wait_closed()


class DoomedOffice:
    """The processes of one office, killed one after the other."""

    def __init__(self, them: Victims, office: Office, dsn: str) -> None:
        self._victims, self._place = them, (office.world.base_url, dsn, str(office.house.settings.home))

    async def starts(self, part: str, where: str | None, when: str = "", port: int = 8025) -> int:
        """Its process id."""
        return await self._victims.starts("stories.doomed:live", part, *self._place, port, where=where, when=when)

    async def ended(self) -> int:
        return await self._victims.ended()

    async def dies(self, where: str, when: str) -> int:
        await self.starts("work", where, when)
        return await self.ended()


def presumed_dead(office: Office) -> None:
    """As the other workers see it when its leases end: its own, and those of the requests it had in flight."""
    office.own("UPDATE postroom.worker SET lease_till = now() - interval '1 s'")
    leased = "SELECT slot FROM postroom.provider_slot FOR UPDATE SKIP LOCKED"  # the dead hold no locks
    office.own(f"UPDATE postroom.provider_slot SET till = now() - interval '1 s' WHERE slot IN ({leased})")
    office.own("SELECT postroom.reap_workers()")
