"""Reading processes: what a file costs, who shares one, and what happens to those that misbehave."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from uuid import uuid4

import pytest

from contracts.readers.misbehaving import readers_that
from contracts.readers.papers import changed, printed
from postroom.nouns.documents import CannotRead, FileTooLarge, Hostile, TookTooLong
from postroom.outside.readers.pool import ReaderPool, Readers
from postroom.outside.readers.process import ProcessTemplate, clean_environment
from postroom.outside.readers.understand import text_of
from postroom.outside.readers.wire import PageWords, ReadAnswer, ReadLimits


def test_a_file_that_takes_too_long_costs_its_process_only():
    body = "if b'slow' in content: time.sleep(60)\nreturn said(len(content))"
    with readers_that(body, limits=ReadLimits(seconds=1)) as slow:
        with pytest.raises(TookTooLong, match="1 seconds"):
            slow.read(b"%PDF- slow")
        with pytest.raises(CannotRead, match="10"):
            slow.read(b"%PDF- fine")


def test_a_file_that_kills_its_process_costs_nothing_else():
    body = "if b'bad' in content: signal.raise_signal(signal.SIGSEGV)\nreturn said(len(content))"
    with readers_that(body) as hurt:
        with pytest.raises(Hostile, match=f"signal {int(signal.SIGSEGV)}"):
            hurt.read(b"%PDF- bad")
        with pytest.raises(CannotRead, match="9"):
            hurt.read(b"%PDF- ok.")


@pytest.mark.parametrize("lie", ["HEAD.pack(4, 0) + b'oops'", "b'no'", "HEAD.pack(1 << 40, 0)"])
def test_an_answer_that_is_no_answer_is_hostile(lie):
    with readers_that(f"os.write(worker.LINE, {lie}); os._exit(0)") as lied, pytest.raises(Hostile):
        lied.read(b"%PDF-1.7")


def test_an_extraction_of_another_shape_is_hostile():
    with readers_that("return ReadAnswer(extraction=[1, 2, 3])") as lied, pytest.raises(Hostile, match="none"):
        lied.extract(b"%PDF-1.7")


def test_words_without_places_are_hostile():
    with pytest.raises(Hostile, match="without places"):
        text_of(ReadAnswer(pages=[PageWords(1, 10.0, 10.0, "two\nwords", bytes(32))]))


def test_a_page_that_unpacks_to_gigabytes_is_stopped_by_the_memory_limit():
    def inflate(document):
        page = document.pages[0]
        page.Contents = document.make_stream(b"(x) Tj " * 30_000_000)

    bomb = changed(printed(), inflate)
    with Readers(processes=1, limits=ReadLimits(megabytes=400, seconds=20)) as small:
        with pytest.raises(CannotRead):
            small.read(bomb)
        assert small.read(printed()).words > 0


def test_more_words_than_anybody_reads_are_refused_where_they_are_read():
    many = printed(*[["1 2 3 4 5 6 7 8 9 10"] * 30 for _ in range(4)])
    with Readers(processes=1, limits=ReadLimits(words=1000)) as few, pytest.raises(FileTooLarge, match="1,000 words"):
        few.read(many)


@pytest.mark.parametrize("text", [b"1 " * 100_000, b"x" * 100_000])
def test_typed_text_has_the_same_bounds(text):
    with Readers(processes=1, limits=ReadLimits(words=1000)) as few, pytest.raises(FileTooLarge):
        few.read(text)


def test_what_a_file_says_comes_without_its_words_unless_they_are_asked_for(readers):
    assert readers.extract(printed()).text is None
    assert 6 == readers.extract(printed(), with_words=True).text.words


def test_a_process_is_replaced_after_its_share_of_files():
    with Readers(processes=1, limits=ReadLimits(files_per_process=2)) as worn:
        pids = []
        for _ in range(3):
            worn.read(printed())
            pids.append([process.pid for process in worn.pool._seats["read"]._idle])

    assert pids[0] != []
    assert pids[1] == []
    assert pids[2] != pids[0]


def test_two_tenants_never_share_a_process():
    one, other = uuid4(), uuid4()
    seen: dict[object, set[int]] = {one: set(), other: set()}
    with Readers(processes=1) as shared:
        for tenant in (one, one, other, one, other, other):
            shared.read(printed(), tenant=tenant)
            seen[tenant] |= {process.pid for process in shared.pool._seats["read"]._idle if process.tenant == tenant}

    assert seen[one]
    assert seen[other]
    assert not seen[one] & seen[other]


def test_several_threads_share_the_processes():
    found = []
    with Readers(processes=2) as shared:
        threads = [threading.Thread(target=lambda: found.append(shared.read(printed()).words)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [6] * 6 == found


async def test_a_pool_reads_for_the_loop_it_is_used_in_without_a_thread_that_waits():
    pool = ReaderPool(processes=2)
    try:
        texts = await asyncio.gather(*(pool.aread(printed()) for _ in range(6)))
    finally:
        pool.close()

    assert [6] * 6 == [text.words for text in texts]


async def test_a_reading_that_is_called_off_leaves_no_process_at_work():
    with readers_that("time.sleep(60)") as stuck:
        task = asyncio.create_task(stuck.aread(b"%PDF- x"))
        await asyncio.sleep(1.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        for _ in range(100):
            if not stuck.pool._seats["read"]._free.locked():
                break
            await asyncio.sleep(0.05)

        assert not stuck.pool._seats["read"]._free.locked()
        assert [] == stuck.pool._seats["read"]._idle


def test_closing_ends_every_process():
    closing = Readers(processes=1)
    closing.read(printed())
    pids = [process.pid for process in closing.pool._seats["read"]._idle]
    pids.append(closing.pool._template._child.pid)
    closing.close()

    for pid in pids:
        _gone(pid)


def test_a_reading_process_ends_with_the_one_that_made_it():
    left = Readers(processes=1)
    left.read(printed())
    (pid,) = [process.pid for process in left.pool._seats["read"]._idle]
    left.pool._template._child.kill()
    left.close()

    _gone(pid)


def _gone(pid: int) -> None:
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")


def test_a_reading_process_sees_none_of_our_secrets(monkeypatch):
    monkeypatch.setenv("POSTROOM_SEALING_KEY", "hush")

    assert "POSTROOM_SEALING_KEY" not in clean_environment()


async def test_what_is_loaded_ahead_is_not_loaded_again_for_the_first_file():
    template = ProcessTemplate(ReadLimits())
    pool = ReaderPool(processes=1, template=template)
    try:
        await pool.load()
        loaded = template.confinement
        await pool.aread(printed())
        assert loaded is not None
        assert loaded is template.confinement  # told anew by each process that is loaded
    finally:
        pool.close()


async def test_a_load_that_was_given_up_leaves_no_word_behind_for_the_next():
    template = ProcessTemplate(ReadLimits())
    pool = ReaderPool(processes=1, template=template)
    try:
        given_up = asyncio.create_task(pool.load())
        await asyncio.sleep(0.05)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        assert template.confinement is None  # it was still loading
        assert (await pool.aread(printed())).words > 0
    finally:
        pool.close()


LOADED = """
import functools, gc, sys
from postroom.outside.readers import understand, worker
from postroom.outside.readers.wire import ReadLimits, ReadRequest
worker._load()
gc.unfreeze()
kept = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
of_words = [each for each in kept if each.__module__.startswith("postroom.reading") and not each.cache_info().maxsize]
before = [each.cache_info().misses for each in of_words]
for paper in (
    "Avis d'opéré\\nAchat de 10 titres\\nCours 10,00 EUR\\nMontant net 100,00 EUR\\nDate 13.03.2023",
    "Fattura n. 17\\nData fattura 13.03.2023\\nTotale fattura 119,00 EUR",
    "Invoice 17\\nInvoice date 13 March 2023\\nTotal due 119.00 GBP",
):
    understand.understand(ReadRequest("extract", ReadLimits()), paper.encode())
print([each.__name__ for each, count in zip(of_words, before) if each.cache_info().misses > count])
print("numpy" in sys.modules)
"""


def test_what_all_papers_need_is_loaded_before_copies_are_made_and_numpy_is_not():
    told = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert ["[]", "False"] == told.stdout.split()
