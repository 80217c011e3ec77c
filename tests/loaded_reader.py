"""The process that reading processes are copied from: houses that are opened one after the other hand it on.

Loading it costs more than reading most files. It never sees a file, and every house has copies of its own.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from postroom.outside.readers.confine import Confinement
from postroom.outside.readers.pool import ReaderPool
from postroom.outside.readers.process import ProcessTemplate, ReaderProcess
from postroom.outside.readers.wire import Purpose, ReadLimits

Loaded = tuple[subprocess.Popen[bytes], socket.socket, Confinement | None]


class HandedOn(ProcessTemplate):
    """Taken from the house before, and left to the one after, unless somebody was cut off while it was asked."""

    def __init__(self, ready: list[Loaded]) -> None:
        super().__init__(ReadLimits())
        self._ready, self._unanswered = ready, 0

    async def load(self) -> None:
        self._take()
        self._unanswered += 1
        await super().load()
        self._unanswered -= 1

    async def copy(self, purpose: Purpose, tenant: UUID | None) -> ReaderProcess:
        self._take()
        self._unanswered += 1
        process = await super().copy(purpose, tenant)
        self._unanswered -= 1
        return process

    def _take(self) -> None:
        if self._line is None and self._ready:
            self._child, self._line, self.confinement = self._ready.pop()

    async def fate(self, pid: int) -> str:
        self._unanswered += 1
        said = await super().fate(pid)
        self._unanswered -= "no longer" not in said
        return said

    def close(self) -> None:
        if self._line and self._child and self._child.poll() is None and not self._unanswered and not self._ready:
            self._ready.append((self._child, self._line, self.confinement))
            self._child = self._line = None
        super().close()


@contextlib.contextmanager
def handed_on() -> Iterator[None]:
    ready: list[Loaded] = []

    def opened(**options: Any) -> ReaderPool:
        return ReaderPool(template=HandedOn(ready), **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("postroom.app.house.ReaderPool", opened)
        yield
    last = ProcessTemplate(ReadLimits())
    if ready:
        last._child, last._line, _ = ready.pop()
    last.close()
