from __future__ import annotations

import os
import signal
import threading

import pytest

from contracts.readers.papers import changed, printed
from postroom.nouns.documents import CannotRead, Hostile, TookTooLong
from postroom.outside.readers import pool
from postroom.outside.readers.pool import Readers
from postroom.outside.readers.wire import PageSheet, ReadLimits


def test_a_file_that_takes_too_long_costs_its_process_only(monkeypatch):
    monkeypatch.setattr(pool, "WORKER", ("-c", "import time; time.sleep(60)"))
    with Readers(processes=1, limits=ReadLimits(seconds=0.3)) as slow:
        with pytest.raises(TookTooLong, match=r"0\.3 seconds"):
            slow.read(printed())
        monkeypatch.undo()
        assert readable(slow)


def test_a_file_that_kills_its_process_costs_nothing_else(monkeypatch):
    kill = f"import os, sys; sys.stdin.buffer.read(8); os.kill(os.getpid(), {int(signal.SIGSEGV)})"
    monkeypatch.setattr(pool, "WORKER", ("-c", kill))
    with Readers(processes=1) as hurt:
        with pytest.raises(Hostile, match=f"signal {int(signal.SIGSEGV)}"):
            hurt.read(printed())
        monkeypatch.undo()
        assert readable(hurt)


def readable(known):
    known._plain._idle.clear()
    try:
        return known.read(printed()).words > 0
    except TookTooLong:
        known._limits = ReadLimits()
        return known.read(printed()).words > 0


def test_an_answer_that_is_no_answer_is_hostile(monkeypatch):
    lie = "import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write(b'\\0' * 7 + b'\\4' + b'oops'); sys.stdout.flush()"
    monkeypatch.setattr(pool, "WORKER", ("-c", lie))
    with Readers(processes=1) as lied, pytest.raises(Hostile):
        lied.read(printed())


def test_words_without_places_are_hostile():
    with pytest.raises(Hostile, match="without places"):
        pool._page(PageSheet(1, 10.0, 10.0, "two\nwords", bytes(32)))


def test_a_page_that_unpacks_to_gigabytes_is_stopped_by_the_memory_limit():
    def inflate(document):
        page = document.pages[0]
        page.Contents = document.make_stream(b"(x) Tj " * 30_000_000)

    bomb = changed(printed(), inflate)
    with Readers(processes=1, limits=ReadLimits(megabytes=300, seconds=20)) as small:
        with pytest.raises(CannotRead):
            small.read(bomb)
        assert small.read(printed()).words > 0


def test_a_process_is_replaced_after_its_share_of_documents():
    with Readers(processes=1, limits=ReadLimits(documents_per_process=2)) as worn:
        pids = []
        for _ in range(3):
            worn.read(printed())
            pids.append([process._child.pid for process in worn._plain._idle])
    assert pids[0] != []
    assert pids[1] == []
    assert pids[2] != pids[0]


def test_several_threads_share_the_processes():
    found = []
    with Readers(processes=2) as shared:
        threads = [threading.Thread(target=lambda: found.append(shared.read(printed()).words)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [6] * 6 == found


async def test_reading_does_not_block_the_loop(readers):
    assert (await readers.aread(printed())).words == 6


def test_closing_ends_every_process():
    closing = Readers(processes=1)
    closing.read(printed())
    (pid,) = [process._child.pid for process in closing._plain._idle]
    closing.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_reading_process_sees_none_of_our_secrets(monkeypatch):
    monkeypatch.setenv("POSTROOM_SEALING_KEY", "hush")

    assert "POSTROOM_SEALING_KEY" not in pool._environment()
