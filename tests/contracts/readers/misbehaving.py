"""Reading processes that do something else than read: they are confined all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest

from postroom.nouns.documents import CannotRead
from postroom.outside.readers import process
from postroom.outside.readers.pool import Readers

SCRIPT = """
import os, signal, socket, sys, time
from postroom.outside.readers import worker
from postroom.outside.readers.wire import HEAD, ReadAnswer
real = worker.answer
def said(value):
    return ReadAnswer(refused="broken", because=repr(value))
def answer(request, content):
    {body}
serve = worker.serve
def noted(line):
    worker.LINE = line
    serve(line)
worker.serve, worker.answer = noted, answer
{loading}
worker.serve_copies(socket.socket(fileno=int(sys.argv[1])))
"""


def worker_that(body: str, loading: str = "") -> tuple[str, str]:
    """A worker whose answer to every file is this code; `content` is the file, `said(x)` an answer."""
    return ("-c", SCRIPT.format(body=body.strip().replace("\n", "\n    "), loading=loading))


@contextmanager
def readers_that(body: str, **options) -> Iterator[Readers]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "WORKER", worker_that(body, "worker._load = lambda: None  # nothing will be read"))
        with Readers(processes=1, **options) as readers:
            yield readers


OBEY = """
names = dict(globals())
try:
    exec(content.partition(b"\\n")[2], names)
    return said(names["found"])
except BaseException as problem:
    return said(type(problem).__name__)
"""


@contextmanager
def obedient_readers() -> Iterator[Readers]:
    """Reading processes that do what the file says, loaded once."""
    with Readers(processes=1) as readers:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(process, "WORKER", worker_that(OBEY))
            readers._wait(readers.pool.confinement())
        yield readers


def tried(readers: Readers, code: str) -> str:
    """What comes of some code inside a reading process of its own: its value, or how it failed."""
    with pytest.raises(CannotRead) as refusal:
        readers.read(b"%PDF-1.7 anything\n" + code.encode(), tenant=uuid4())
    return str(refusal.value)
