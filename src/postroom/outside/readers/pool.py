"""A few reading processes, each of one tenant, fresh after some files. A hostile file costs one, never the parent."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, TypeVar
from uuid import UUID

import msgspec

from postroom.mail.containers import NotPlain
from postroom.mail.headers import decode_bytes
from postroom.mail.mime_parts import SlimMail, slim
from postroom.mail.parse import read_headers, read_plain_mail
from postroom.mail.sniff import RFC822, readable_as, sniff
from postroom.nouns.documents import (
    BrokenFile,
    CannotRead,
    DocumentText,
    Extraction,
    FileTooLarge,
    Hostile,
    NotADocument,
    PasswordNeeded,
    Protected,
    ScanWithoutOcr,
    Scripted,
    typed,
)
from postroom.nouns.mail import MailMessage
from postroom.outside.readers import codec
from postroom.outside.readers.confine import Confinement
from postroom.outside.readers.process import ProcessTemplate, ReaderProcess
from postroom.outside.readers.understand import refused, text_of
from postroom.outside.readers.wire import Purpose, ReadAnswer, ReaderWork, ReadLimits, ReadRequest
from postroom.reading.profiles import SenderProfile

T = TypeVar("T")
REFUSALS: dict[str, type[CannotRead]] = {
    kind.reason: kind
    for kind in (
        *(BrokenFile, NotADocument, PasswordNeeded, Protected),
        *(ScanWithoutOcr, Scripted, FileTooLarge, CannotRead),
    )
}
SMALL_MAIL = (
    1 << 16
)  # bytes of text, with nothing to open: the worst of this size costs a blink, and is read on the spot
BRIEF_MAIL, BRIEF_TEXT = 1 << 17, 1 << 13  # a millisecond or two: less than a thread costs to be asked
LARGE_FILE = 4 << 20
LARGEST_PLAIN = 1 << 21  # with its files, which are decoded and hashed in one go
SMALL_TEXT = 1 << 16


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What a file says, and how it was read. `text` only if it was asked for."""

    extraction: Extraction
    source: Literal["text_layer", "ocr", "plain", "xml"]
    pages: int
    scripted: bool = False
    damaged: bool = False
    text: DocumentText | None = None
    withheld: bool = False


class ReaderPool:
    """Reads files of every kind we know, and mails, for one event loop, which is never held up."""

    def __init__(
        self,
        *,
        processes: int = 2,
        limits: ReadLimits | None = None,
        ocr: bool = True,
        refuse_scripts: bool = False,
        template: ProcessTemplate | None = None,
    ) -> None:
        self._limits, self._ocr, self._refuse_scripts = limits or ReadLimits(), ocr, refuse_scripts
        self._template = template or ProcessTemplate(self._limits)
        seats: dict[Purpose, int] = {"read": processes, "ocr": 1, "open": processes}
        self._seats = {
            purpose: _Seats(self._template, purpose, count, self._limits) for purpose, count in seats.items()
        }

    async def aread(self, content: bytes, passwords: Sequence[str] = (), *, tenant: UUID | None = None) -> DocumentText:
        """The words of a file. Raises CannotRead, whose kind and message say why not."""
        if len(content) <= SMALL_TEXT and readable_as(content) == "text":
            return typed(decode_bytes(content))
        answer = await self._read(self._request("read", passwords), content, tenant)
        return await asyncio.to_thread(text_of, answer)

    async def aextract(
        self,
        content: bytes,
        passwords: Sequence[str] = (),
        *,
        profile: SenderProfile | None = None,
        own: Sequence[str] = (),
        with_words: bool = False,
        tenant: UUID | None = None,
    ) -> ReadFile:
        """What a file says, to one who knows the sender and our own names. Raises CannotRead."""
        request = self._request(
            "extract",
            passwords,
            with_words=with_words,
            profile=profile.as_json() if profile else None,
            own=tuple(own),
        )
        answer = await self._read(request, content, tenant)
        return ReadFile(
            _extraction(answer),
            answer.source,
            answer.page_count,
            answer.scripted,
            answer.damaged,
            await asyncio.to_thread(text_of, answer) if with_words else None,
            answer.withheld,
        )

    async def apage_image(
        self,
        content: bytes,
        page: int,
        width: int = 1000,
        passwords: Sequence[str] = (),
        *,
        tenant: UUID | None = None,
    ) -> bytes:
        """Page `page` (from 1) of a PDF or an image as PNG, whose resolution tells points from dots; of any other file
        as SVG, in points."""
        if readable_as(content) == "unknown":
            raise refused(content)
        request = self._request("image", passwords, page=page, width=width)
        return (await self._asked("read", request, content, tenant)).image

    async def aread_mail(self, raw: bytes, *, tenant: UUID | None = None) -> MailMessage:
        """Any mail. One that defies reading is known by its headers, with a file in its place that says why."""
        if len(raw) <= LARGEST_PLAIN:
            mail = slim(raw) if len(raw) <= BRIEF_MAIL else await asyncio.to_thread(slim, raw)
            brief = len(raw) <= BRIEF_MAIL and len(mail.rest) <= BRIEF_TEXT
            plain = _plain_mail(mail) if brief else await asyncio.to_thread(_plain_mail, mail)
            if plain is not None:
                return plain
        try:
            answer = await self._asked("open", self._request("mail", ()), raw, tenant)
        except CannotRead as failure:
            return read_headers(raw, f"The mail could not be taken apart. {failure}")
        return answer.mail or read_headers(raw, "The mail could not be taken apart.")

    async def aread_mail_file(self, name: str, content: bytes, *, tenant: UUID | None = None) -> MailMessage:
        """A file that is a mail or holds one: `.eml`, `.msg`, `winmail.dat`, an archive. Raises CannotRead."""
        if name.lower().endswith(".eml") or sniff(content) == RFC822:
            return await self.aread_mail(content, tenant=tenant)
        answer = await self._asked("open", self._request("mail", (), name=name), content, tenant)
        if answer.mail is None:
            raise Hostile("The file gave no mail.")
        return answer.mail

    async def load(self) -> None:
        """What reading needs, ahead of the first file. If it fails, the first file says so."""
        with contextlib.suppress(EOFError, OSError):
            await self._template.load()

    async def confinement(self) -> Confinement:
        """What holds of a reading process here; one is made to see."""
        async with self._seats["read"].lent(None):
            pass
        return self._template.confinement or Confinement()

    def close(self) -> None:
        for seats in self._seats.values():
            seats.close()
        self._template.close()

    def _request(self, work: ReaderWork, passwords: Sequence[str], **more: Any) -> ReadRequest:
        return ReadRequest(work, self._limits, tuple(passwords), refuse_scripts=self._refuse_scripts, **more)

    async def _read(self, request: ReadRequest, content: bytes, tenant: UUID | None) -> ReadAnswer:
        """By its text layer; by its picture when there is none."""
        kind = readable_as(content)
        if kind == "unknown":
            raise refused(content)
        damaged = False
        if kind != "image":
            answer = await self._asked("read", request, content, tenant)
            if not answer.scanned:
                return answer
            damaged = answer.damaged
        if not self._ocr:
            raise ScanWithoutOcr("The file is an image without text, and recognition is switched off.")
        seen = await self._asked("ocr", _recognising(request), content, tenant)
        return msgspec.structs.replace(seen, damaged=damaged)

    async def _asked(self, purpose: Purpose, request: ReadRequest, content: bytes, tenant: UUID | None) -> ReadAnswer:
        answer = await self._seats[purpose].ask(request, content, tenant)
        if answer.refused:
            raise REFUSALS.get(answer.refused, CannotRead)(answer.because)
        return answer


def _recognising(request: ReadRequest) -> ReadRequest:
    return msgspec.structs.replace(request, recognise=True)


def _extraction(answer: ReadAnswer) -> Extraction:
    try:
        return codec.decode(Extraction, answer.extraction)
    except codec.NotOurs as odd:
        raise Hostile(f"Reading the file gave an answer that is none ({odd}).") from None


def _plain_mail(mail: SlimMail) -> MailMessage | None:
    """The mail, when it can be read on the spot."""
    if len(mail.rest) > SMALL_MAIL:
        return None
    try:
        return read_plain_mail(mail)
    except NotPlain:
        return None


class _Seats:
    """At most so many processes of one purpose at work; those that are idle wait for their tenant."""

    def __init__(self, template: ProcessTemplate, purpose: Purpose, count: int, limits: ReadLimits) -> None:
        self._template, self._purpose, self._count, self._limits = template, purpose, count, limits
        self._free = asyncio.Semaphore(count)
        self._idle: list[ReaderProcess] = []
        self._closed = False

    async def ask(self, request: ReadRequest, content: bytes, tenant: UUID | None) -> ReadAnswer:
        seconds = self._limits.seconds_for(self._purpose)
        async with self.lent(tenant) as process:
            try:
                answer = await process.ask(request, content, seconds)
                if len(content) > LARGE_FILE:
                    process.served = self._limits.files_per_process  # it keeps what it needed; a fresh one needs little
                return answer
            except EOFError:
                raise Hostile(
                    f"Reading the file ended its process ({await self._template.fate(process.pid)})."
                ) from None

    @contextlib.asynccontextmanager
    async def lent(self, tenant: UUID | None) -> AsyncIterator[ReaderProcess]:
        """One that never read for anybody else; after any trouble it is not used again."""
        async with self._free:
            process = self._take(tenant) or await self._template.copy(self._purpose, tenant)
            try:
                yield process
            except BaseException:
                process.end()
                raise
            self._put_back(process)

    def _take(self, tenant: UUID | None) -> ReaderProcess | None:
        for at, process in enumerate(self._idle):
            if process.tenant == tenant:
                found = self._idle.pop(at)
                if found.alive:
                    return found
                found.end()
                return None
        if len(self._idle) >= self._count:
            self._idle.pop(0).end()
        return None

    def _put_back(self, process: ReaderProcess) -> None:
        if self._closed or process.served >= self._limits.files_per_process:
            process.end()
        else:
            self._idle.append(process)

    def close(self) -> None:
        self._closed = True
        for process in self._idle:
            process.end()
        self._idle.clear()


class Readers:
    """The same for programs without an event loop, and for several loops: a pool on a thread of its own."""

    def __init__(self, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="readers", daemon=True)
        self._thread.start()
        self.pool: ReaderPool = self._wait(_made(options))

    def read(self, content: bytes, passwords: Sequence[str] = (), *, tenant: UUID | None = None) -> DocumentText:
        return self._wait(self.pool.aread(content, passwords, tenant=tenant))

    def extract(self, content: bytes, passwords: Sequence[str] = (), **known: Any) -> ReadFile:
        return self._wait(self.pool.aextract(content, passwords, **known))

    def read_mail(self, raw: bytes, *, tenant: UUID | None = None) -> MailMessage:
        return self._wait(self.pool.aread_mail(raw, tenant=tenant))

    def read_mail_file(self, name: str, content: bytes, *, tenant: UUID | None = None) -> MailMessage:
        return self._wait(self.pool.aread_mail_file(name, content, tenant=tenant))

    def page_image(self, content: bytes, page: int, width: int = 1000, passwords: Sequence[str] = ()) -> bytes:
        return self._wait(self.pool.apage_image(content, page, width, passwords))

    async def aread(self, content: bytes, passwords: Sequence[str] = (), *, tenant: UUID | None = None) -> DocumentText:
        return await self._ask(self.pool.aread(content, passwords, tenant=tenant))

    async def aextract(self, content: bytes, passwords: Sequence[str] = (), **known: Any) -> ReadFile:
        return await self._ask(self.pool.aextract(content, passwords, **known))

    async def aread_mail(self, raw: bytes, *, tenant: UUID | None = None) -> MailMessage:
        return await self._ask(self.pool.aread_mail(raw, tenant=tenant))

    async def apage_image(
        self, content: bytes, page: int, width: int = 1000, passwords: Sequence[str] = (), *, tenant: UUID | None = None
    ) -> bytes:
        return await self._ask(self.pool.apage_image(content, page, width, passwords, tenant=tenant))

    def close(self) -> None:
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self.pool.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Readers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _ask(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))


async def _made(options: dict[str, Any]) -> ReaderPool:
    return ReaderPool(**options)
