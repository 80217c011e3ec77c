"""A few reusable reading processes. A hostile file costs one of them, never the parent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Literal

import msgspec

from postroom.mail.containers import NotPlain
from postroom.mail.headers import decode_bytes
from postroom.mail.parse import read_headers, read_plain_mail
from postroom.mail.sniff import RFC822, readable_as, sniff
from postroom.nouns.documents import (
    BrokenFile,
    CannotRead,
    DocumentText,
    Embedded,
    FileTooLarge,
    Hostile,
    NotADocument,
    PasswordNeeded,
    ScanWithoutOcr,
    Scripted,
    TextPage,
    TextSource,
    TookTooLong,
    Word,
    typed,
)
from postroom.nouns.mail import MailMessage
from postroom.outside.readers.wire import ANSWER_LIMIT, LENGTH, PageSheet, ReadAnswer, ReadLimits, ReadRequest

REFUSALS: dict[str, type[CannotRead]] = {
    kind.reason: kind
    for kind in (BrokenFile, NotADocument, PasswordNeeded, ScanWithoutOcr, Scripted, FileTooLarge, CannotRead)
}
SLICE = 1 << 16
SMALL_MAIL = 1 << 16  # with nothing to open in it, the worst of this size costs a blink: it is read on the spot
WORKER = ("-m", "postroom.outside.readers.worker")
KEPT = {"MALLOC_TRIM_THRESHOLD_": str(32 << 20), "MALLOC_MMAP_THRESHOLD_": str(4 << 20)}
"""What one file needed is kept for the next, rather than given back and asked for again page by page (glibc)."""


class Readers:
    """Reads PDFs, scans, images, typed text and mails. Safe to use from several threads; `aread` from asyncio."""

    def __init__(
        self,
        *,
        processes: int = 2,
        limits: ReadLimits | None = None,
        ocr: bool = True,
        refuse_scripts: bool = False,
    ) -> None:
        self._limits = limits or ReadLimits()
        self._ocr = ocr
        self._refuse_scripts = refuse_scripts
        self._plain = _Bench(processes, self._limits.megabytes, self._limits.documents_per_process)
        self._recognising = _Bench(1, self._limits.ocr_megabytes, self._limits.documents_per_process)
        self._opening = _Bench(processes, self._limits.mail_megabytes, self._limits.documents_per_process)

    def read(self, content: bytes, passwords: Sequence[str] = ()) -> DocumentText:
        """The words of a file. Raises CannotRead, whose kind and message say why not."""
        kind = readable_as(content)
        if kind == "text":
            return typed(decode_bytes(content))
        if kind == "unknown":
            raise NotADocument("The file is no PDF, PNG, JPEG, TIFF or text; convert it to PDF.")
        if kind == "image":
            return self._recognise(content, passwords)
        text = _text(self._ask("read", content, passwords), "text_layer")
        if text.words >= TEXT_LAYER_WORDS or text.embedded:
            return text
        return replace(self._recognise(content, passwords), damaged=text.damaged)

    async def aread(self, content: bytes, passwords: Sequence[str] = ()) -> DocumentText:
        return await asyncio.to_thread(self.read, content, passwords)

    def page_image(self, content: bytes, page: int, width: int = 1000, passwords: Sequence[str] = ()) -> bytes:
        """Page `page` (from 1) of a PDF or an image as PNG; its resolution tells points from dots."""
        if readable_as(content) not in ("pdf", "image"):
            raise NotADocument("Only the pages of a PDF or an image can be drawn.")
        return self._ask("image", content, passwords, page=page, width=width).image

    def read_mail(self, raw: bytes) -> MailMessage:
        """Any mail. One that defies reading is known by its headers, with a file in its place that says why."""
        if len(raw) <= SMALL_MAIL:
            with contextlib.suppress(NotPlain):
                return read_plain_mail(raw)
        try:
            answer = self._opening.ask(ReadRequest("mail", raw, self._limits), self._limits.mail_seconds)
        except CannotRead as failure:
            return read_headers(raw, f"The mail could not be taken apart. {failure}")
        return answer.mail or read_headers(raw, f"The mail could not be taken apart. {answer.because}")

    def read_mail_file(self, name: str, content: bytes) -> MailMessage:
        """A file that is a mail or holds one: `.eml`, `.msg`, `winmail.dat`, an archive. Raises CannotRead."""
        if name.lower().endswith(".eml") or sniff(content) == RFC822:
            return self.read_mail(content)
        request = ReadRequest("mail", content, self._limits, name=name)
        answer = self._opening.ask(request, self._limits.mail_seconds)
        if answer.mail is None:
            raise REFUSALS.get(answer.refused, CannotRead)(answer.because)
        return answer.mail

    def close(self) -> None:
        for bench in (self._plain, self._recognising, self._opening):
            bench.close()

    def __enter__(self) -> Readers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _recognise(self, content: bytes, passwords: Sequence[str]) -> DocumentText:
        if not self._ocr:
            raise ScanWithoutOcr("The file is an image without text, and recognition is switched off.")
        return _text(self._ask("ocr", content, passwords), "ocr")

    def _ask(
        self,
        work: Literal["read", "ocr", "image"],
        content: bytes,
        passwords: Sequence[str],
        *,
        page: int = 1,
        width: int = 1000,
    ) -> ReadAnswer:
        request = ReadRequest(
            work, content, self._limits, tuple(passwords), page, width, refuse_scripts=self._refuse_scripts
        )
        bench, seconds = self._plain, self._limits.seconds
        if work == "ocr":
            bench, seconds = self._recognising, self._limits.ocr_seconds
        answer = bench.ask(request, seconds)
        if answer.refused:
            raise REFUSALS.get(answer.refused, CannotRead)(answer.because)
        return answer


_word = partial(tuple.__new__, Word)  # by the hundred for every page: half the price of calling it
TEXT_LAYER_WORDS = 4  # fewer, and the page is a scan with a stamp or a page number on it


def _text(answer: ReadAnswer, source: TextSource) -> DocumentText:
    return DocumentText(
        pages=tuple(_page(sheet) for sheet in answer.sheets),
        source=source,
        embedded=tuple(Embedded(name, content) for name, content in answer.embedded),
        notes=tuple(answer.notes),
        scripted=answer.scripted,
        damaged=answer.damaged,
    )


def _page(sheet: PageSheet) -> TextPage:
    try:
        words = tuple(map(_word, sheet.words()))
    except ValueError as mismatch:
        raise Hostile("Reading the file gave words without places.") from mismatch
    return TextPage(sheet.number, sheet.width, sheet.height, words)


class _Bench:
    """Idle processes of one kind, at most `seats` at work at a time."""

    def __init__(self, seats: int, megabytes: int, documents: int) -> None:
        self._megabytes = megabytes
        self._documents = documents
        self._free = threading.Semaphore(seats)
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._closed = False

    def ask(self, request: ReadRequest, seconds: float) -> ReadAnswer:
        with self._free:
            process = self._take()
            try:
                answer = process.ask(request, seconds)
            except BaseException:
                process.end()
                raise
            self._put_back(process)
            return answer

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def _take(self) -> _Process:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.alive:
                    return process
                process.end()
        return _Process(self._megabytes)

    def _put_back(self, process: _Process) -> None:
        with self._lock:
            if not self._closed and process.served < self._documents:
                self._idle.append(process)
                return
        process.end()


class _Process:
    def __init__(self, megabytes: int) -> None:
        self.served = 0
        self._child = subprocess.Popen(  # noqa: S603 - our own interpreter and module, nothing of the file
            [sys.executable, *WORKER, str(megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,
        )
        assert self._child.stdin
        assert self._child.stdout
        self._to, self._from = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._to, False)
        self._writable, self._readable = select.poll(), select.poll()
        self._writable.register(self._to, select.POLLOUT)
        self._readable.register(self._from, select.POLLIN)

    @property
    def alive(self) -> bool:
        return self._child.poll() is None

    def ask(self, request: ReadRequest, seconds: float) -> ReadAnswer:
        till = time.monotonic() + seconds
        body = msgspec.msgpack.encode(request)
        try:
            self._write(LENGTH.pack(len(body)) + body, till)
            answer = msgspec.msgpack.decode(self._read(till), type=ReadAnswer)
        except TimeoutError as late:
            raise TookTooLong(f"Reading the file took longer than {seconds:g} seconds.") from late
        except (EOFError, BrokenPipeError, msgspec.MsgspecError) as end:
            raise Hostile(f"Reading the file ended its process ({self._ending()}).") from end
        self.served += 1
        return answer

    def end(self) -> None:
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            pipe.close()

    def _ending(self) -> str:
        try:
            code = self._child.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it no longer answers"
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _write(self, body: bytes, till: float) -> None:
        view = memoryview(body)
        while view:
            try:
                view = view[os.write(self._to, view[:SLICE]) :]
            except BlockingIOError:
                _wait(self._writable, till)

    def _read(self, till: float) -> memoryview:
        """An answer, which is mostly there in one piece."""
        answer = self._part(till)
        while len(answer) < LENGTH.size:
            answer += self._part(till)
        end = LENGTH.size + LENGTH.unpack_from(answer)[0]
        if end > ANSWER_LIMIT:
            raise Hostile("The file unpacks to more text than can be handled.")
        parts = [answer]
        missing = end - len(answer)
        while missing > 0:
            parts.append(self._part(till))
            missing -= len(parts[-1])
        return memoryview(b"".join(parts))[LENGTH.size : end]

    def _part(self, till: float) -> bytes:
        _wait(self._readable, till)
        part = os.read(self._from, SLICE)
        if not part:
            raise EOFError
        return part


def _wait(pipe: select.poll, till: float) -> None:
    left = till - time.monotonic()
    if left <= 0 or not pipe.poll(1000 * left):
        raise TimeoutError


def _environment() -> dict[str, str]:
    """Only what Python needs to find itself: a reading process has no business with our secrets."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONNOUSERSITE": "1", **KEPT}
