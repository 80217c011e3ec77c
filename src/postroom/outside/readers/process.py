"""The parent's side: the loaded process that copies are made of, and one copy that reads for one tenant."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
from uuid import UUID

import msgspec

from postroom.nouns.documents import Hostile, TookTooLong
from postroom.outside.readers.confine import Confinement
from postroom.outside.readers.wire import (
    ANSWER_LIMIT,
    HEAD,
    Purpose,
    ReadAnswer,
    ReadLimits,
    ReadRequest,
    framed,
)
from postroom.outside.readers.worker import NO_WORD, Fate, Order

SLICE = 1 << 17
UNPACKED_ASIDE = 1 << 18  # bytes: a longer answer is unpacked beside the event loop
LOADED_WITHIN_SECONDS = 60.0
WORKER = ("-m", "postroom.outside.readers.worker")
KEPT = {"MALLOC_TRIM_THRESHOLD_": str(32 << 20), "MALLOC_MMAP_THRESHOLD_": str(4 << 20)}
"""What one file needed is kept for the next, rather than given back and asked for again page by page (glibc)."""


class ReaderProcess:
    """Reads files of one tenant, one at a time."""

    def __init__(self, line: socket.socket, pid: int, handle: int | None, tenant: UUID | None) -> None:
        self.pid, self.tenant, self.served = pid, tenant, 0
        self._line, self._handle = line, handle

    @property
    def alive(self) -> bool:
        return not select.select([self._line], [], [], 0)[0]  # it says nothing by itself, except by ending

    async def ask(self, request: ReadRequest, content: bytes, seconds: float) -> ReadAnswer:
        """Raises TookTooLong, and EOFError when the process ended or talks nonsense."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                for part in framed(request, content):
                    await loop.sock_sendall(self._line, part)
                body = await self._answer(loop)
        except TimeoutError as late:
            raise TookTooLong(f"Reading the file took longer than {seconds:g} seconds.") from late
        except OSError as broken:
            raise EOFError(str(broken)) from broken
        self.served += 1
        return await asyncio.to_thread(_unpacked, body) if len(body) > UNPACKED_ASIDE else _unpacked(body)

    async def _answer(self, loop: asyncio.AbstractEventLoop) -> memoryview:
        """Mostly there in one piece."""
        part = await loop.sock_recv(self._line, SLICE)
        if len(part) < HEAD.size:
            raise EOFError("an answer without a head")
        size = HEAD.unpack_from(part)[0]
        if size > ANSWER_LIMIT:
            raise Hostile("The file unpacks to more text than can be handled.")
        got = len(part) - HEAD.size
        if got == size:
            return memoryview(part)[HEAD.size :]
        body = bytearray(size)
        body[:got] = part[HEAD.size :]
        view = memoryview(body)
        while got < size:
            read = await loop.sock_recv_into(self._line, view[got:])
            if not read:
                raise EOFError("an answer that breaks off")
            got += read
        return view[:size]

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._handle is not None:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            else:
                os.kill(self.pid, signal.SIGKILL)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        self._line.close()


def _unpacked(body: memoryview) -> ReadAnswer:
    try:
        return msgspec.msgpack.decode(body, type=ReadAnswer)
    except msgspec.MsgspecError as odd:
        raise EOFError(str(odd)) from None


class ProcessTemplate:
    """Loaded once, confined, and copied for every fresh reading process. It never sees a file."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._child: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._turn = asyncio.Lock()
        self.confinement: Confinement | None = None

    async def load(self) -> None:
        """Ahead of the first file, which would have to wait for it."""
        async with self._turn:
            await self._started()

    async def copy(self, purpose: Purpose, tenant: UUID | None) -> ReaderProcess:
        async with self._turn:
            line = await self._started()
            ours, theirs = socket.socketpair()
            with theirs:
                order = msgspec.msgpack.encode(Order(purpose, self._limits))
                socket.send_fds(line, [order], [theirs.fileno()])
            ours.setblocking(False)  # noqa: FBT003 - the standard library's own argument
            try:
                said, handles = await _heard(line)
            except BaseException:
                ours.close()
                raise
        return ReaderProcess(ours, int.from_bytes(said, "big"), handles[0] if handles else None, tenant)

    async def fate(self, pid: int) -> str:
        """How a copy ended, for people."""
        async with self._turn:
            try:
                line = await self._started()
                line.sendall(msgspec.msgpack.encode(Fate(pid)))
                code = int.from_bytes((await _heard(line))[0], "big", signed=True)
            except (EOFError, OSError, TimeoutError):
                return "it no longer answers"
        if code == NO_WORD:
            return "it no longer answers"
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    async def _started(self) -> socket.socket:
        if self._line is not None and self._child is not None and self._child.poll() is None:
            return self._line
        self.close()
        ours, theirs = socket.socketpair()
        with theirs:
            self._child = subprocess.Popen(  # noqa: S603, ASYNC220 - our own interpreter; it is not waited for
                [sys.executable, *WORKER, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=clean_environment(),
                start_new_session=True,
            )
        self._line = ours
        try:
            said, _ = await _heard(ours, LOADED_WITHIN_SECONDS)
        except BaseException:
            self._child.kill()  # else its first word would be taken for the answer to the next order
            self.close()
            raise
        self.confinement = msgspec.msgpack.decode(said, type=Confinement)
        return ours

    def close(self) -> None:
        """Its copies end with it."""
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._child is not None:
            try:
                self._child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
            self._child = None


async def _heard(line: socket.socket, seconds: float = 30.0) -> tuple[bytes, list[int]]:
    """The next message, with what travels with it."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(line, ready.set)
    try:
        async with asyncio.timeout(seconds):
            await ready.wait()
    finally:
        loop.remove_reader(line)
    said, handles, _, _ = socket.recv_fds(line, 4096, 1)
    if not said:
        raise EOFError("the reading process ended before it was asked")
    return said, handles


def clean_environment() -> dict[str, str]:
    """Only what Python needs to find itself: a reading process has no business with our secrets."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONNOUSERSITE": "1", **KEPT}
