"""The reading process. One is loaded and confined, reads nothing, and is copied whenever a fresh one is wanted."""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from postroom.mail.parse import read_mail, read_mail_file
from postroom.memory import fill_gaps
from postroom.nouns.documents import CannotRead, FileTooLarge
from postroom.outside.readers import confine
from postroom.outside.readers.understand import understand
from postroom.outside.readers.wire import HEAD, Purpose, ReadAnswer, ReadLimits, ReadRequest
from postroom.reading.kinds import cautions
from postroom.reading.labels import compounds, words

SLICE = 1 << 20
LOOK_AROUND_SECONDS = 5.0
REMEMBERED = 100
NO_WORD = 1 << 20  # no process ends with this
YOUNG = 50_000  # objects that may come into being before the collector looks at them: more than most files need
OFTEN_TOGETHER = ("en", "de")  # German papers with more English in them; other mixtures are put together when met
READ_BEFOREHAND = 10  # times: Python fits code to its use in the first eight, and writes it into the code's own pages


class Order(msgspec.Struct, frozen=True, tag=True):
    """Make a process for this; the file descriptor that travels with it is its line."""

    purpose: Purpose
    limits: ReadLimits


class Fate(msgspec.Struct, frozen=True, tag=True):
    """Say how this copy ended."""

    pid: int


_WANTED: msgspec.msgpack.Decoder[Order | Fate] = msgspec.msgpack.Decoder(Order | Fate)


def serve_copies(line: socket.socket) -> None:
    """Until the parent hangs up. Each order is answered with the id of the copy, and a handle to end it by."""
    _load()
    confined = confine.settle()
    line.sendall(msgspec.msgpack.encode(confined))
    gc.freeze()
    copies = Copies(line)
    try:
        while True:
            if select.select([line], [], [], LOOK_AROUND_SECONDS)[0]:
                said, lines, _, _ = socket.recv_fds(line, 4096, 1)
                if not said:
                    return
                wanted = _WANTED.decode(said)
                if isinstance(wanted, Fate):
                    copies.tell_fate(wanted.pid)
                else:
                    copies.make(lines[0], wanted)
            copies.let_go()
    finally:
        copies.end()


class Copies:
    """The reading processes that were made, and how those ended that are over."""

    def __init__(self, parent: socket.socket) -> None:
        self._parent = parent
        self._alive: set[int] = set()
        self._ended: OrderedDict[int, int] = OrderedDict()

    def make(self, line: int, order: Order) -> None:
        pid = os.fork()
        if pid == 0:
            _become(self._parent, line, order)
        self._alive.add(pid)
        os.close(line)
        handles = [os.pidfd_open(pid)] if hasattr(os, "pidfd_open") else []
        socket.send_fds(self._parent, [pid.to_bytes(8, "big")], handles)
        for handle in handles:
            os.close(handle)

    def tell_fate(self, pid: int) -> None:
        till = time.monotonic() + 1.0
        while pid not in self._ended and time.monotonic() < till:
            self.let_go()
            time.sleep(0.01)
        self._parent.sendall(self._ended.get(pid, NO_WORD).to_bytes(8, "big", signed=True))

    def let_go(self) -> None:
        """Those that are over are counted, and remembered for a while."""
        with contextlib.suppress(ChildProcessError):
            while (over := os.waitpid(-1, os.WNOHANG))[0] > 0:
                self._alive.discard(over[0])
                self._ended[over[0]] = os.waitstatus_to_exitcode(over[1])
        while len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)

    def end(self) -> None:
        for pid in self._alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in self._alive:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _load() -> None:
    """What is read at the first file, so that a copy need not, and what would be loaded when files are out of reach."""
    gc.disable()  # all that is loaded stays: to look through it again and again is an eighth of the time
    import encodings.idna  # noqa: F401 - found by name later
    import stringprep  # noqa: F401 - likewise

    import pikepdf  # noqa: F401 - opens what pdfium refuses
    from PIL import Image

    from postroom.outside.readers import images, office  # noqa: F401 - loaded here so that no copy has to: drawn pages, Office texts

    with _unseen("numpy"):  # openpyxl would load it, for what nobody computes here: a fifth of all this
        from postroom.outside.readers import workbooks  # noqa: F401 - loaded here so that no copy has to
    Image.init()
    for languages in (*(words.with_english([language]) for language in words.languages()), OFTEN_TOGETHER):
        words.lexicon(languages)
        cautions.load(languages)
        compounds.roots(languages)
    for _ in range(READ_BEFOREHAND):
        for sample in (_NOTE, _BILL, _PRINTED):
            understand(ReadRequest("extract", ReadLimits(), with_words=False), sample)
    read_mail(b"Subject: x\r\nContent-Type: text/html\r\n\r\n<p>x</p>")
    fill_gaps()
    gc.freeze()  # uncollected: loading leaves a hundred dead objects, and to find them takes a tenth of its time
    gc.set_threshold(YOUNG, 20, 50)
    gc.enable()


@contextlib.contextmanager
def _unseen(library: str) -> Iterator[None]:
    """As if it were not installed, unless it is loaded already."""
    loaded: dict[str, Any] = sys.modules
    if library in loaded:
        yield
        return
    loaded[library] = None
    try:
        yield
    finally:
        del loaded[library]


_NOTE = """Musterbank AG, Hauptstraße 1, 60311 Frankfurt
Depotnummer 7000000001
Auftragsnummer 000001/10.00
Datum 13.03.2023

Wertpapier Abrechnung Kauf
Nominale Wertpapierbezeichnung ISIN (WKN)
Stück 10 MUSTER SE INHABER-AKTIEN O.N. DE0007164600 (716460)
Handels-/Ausführungsplatz Xetra
Schlusstag/-Zeit 13.03.2023 10:15:22
Ausführungskurs 10,00 EUR
Kurswert 100,00- EUR
Provision 4,95- EUR
Ausmachender Betrag 104,95- EUR
Den Gegenwert buchen wir mit Valuta 15.03.2023 zu Lasten des Kontos 1234567890
""".encode()
_BILL = """Muster GmbH, Hauptstraße 1, 60311 Frankfurt
Rechnung Nr. 17
Rechnungsdatum 13.03.2023
Netto 100,00 EUR
USt 19 % 19,00 EUR
Gesamtbetrag 119,00 EUR
""".encode()
_PRINTED = b"""%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>> endobj
4 0 obj <</Length 54>> stream
BT /F 12 Tf 50 800 Td (Datum 13.03.2023, a page) Tj ET
endstream endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
trailer <</Root 1 0 R>>
%%EOF
"""


def _become(parent: socket.socket, line: int, order: Order) -> None:
    code = 1
    try:
        parent.close()
        limits, purpose = order.limits, order.purpose
        cpu_seconds = int(limits.seconds_for(purpose) * limits.files_per_process) + 5
        confine.narrow(limits.megabytes_for(purpose), cpu_seconds, threads=purpose == "ocr")
        serve(line)
        code = 0
    finally:
        os._exit(code)


def serve(line: int) -> None:
    """Request by request, until the parent hangs up."""
    asked = open(line, "rb", closefd=False)  # noqa: SIM115 - as long as the process; mostly a request comes in one piece
    while len(head := asked.read(HEAD.size)) == HEAD.size:
        size, length = HEAD.unpack(head)
        body, content = asked.read(size), asked.read(length)
        if len(body) + len(content) < size + length:
            return
        told = answer(msgspec.msgpack.decode(body, type=ReadRequest), content)
        del content  # a large one is not needed twice in memory
        packed = msgspec.msgpack.encode(told)
        if len(packed) > SLICE:
            _write(line, HEAD.pack(len(packed), 0))
            _write(line, packed)
        else:
            _write(line, HEAD.pack(len(packed), 0) + packed)


def _write(line: int, packed: bytes) -> None:
    view = memoryview(packed)
    while view:
        view = view[os.write(line, view[:SLICE]) :]


def answer(request: ReadRequest, content: bytes) -> ReadAnswer:
    """The answer to one request; a refusal is an answer too, anything worse ends this process."""
    work: Callable[[ReadRequest, bytes], ReadAnswer] = _mail if request.work == "mail" else understand
    try:
        return work(request, content)
    except CannotRead as refusal:
        return ReadAnswer(refused=refusal.reason, because=str(refusal))
    except MemoryError:
        return ReadAnswer(refused=FileTooLarge.reason, because="Reading the file takes more memory than is allowed.")


def _mail(request: ReadRequest, content: bytes) -> ReadAnswer:
    name = request.name
    found = ReadAnswer(mail=read_mail_file(name, content) if name else read_mail(content))
    try:
        msgspec.msgpack.encode(found)
    except UnicodeEncodeError:  # half of a surrogate pair in some header: seldom, so looked for only now
        plain = msgspec.to_builtins(found, builtin_types=(bytes,))
        return msgspec.convert(_cleaned(plain), ReadAnswer)
    return found


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {key: _cleaned(each) for key, each in value.items()}
        case list() | tuple():
            return [_cleaned(each) for each in value]
        case _:
            return value


if __name__ == "__main__":
    serve_copies(socket.socket(fileno=int(sys.argv[1])))
