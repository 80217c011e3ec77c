"""Files that would do harm: each ends with its reason, and the rest of the mail goes on."""

from __future__ import annotations

import io
import zipfile

import pikepdf
import pytest

from postroom.nouns.documents import TookTooLong
from postroom.outside.readers import process
from postroom.outside.readers.pool import Readers
from postroom.rooms.documents.jobs import RereadDocuments
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY, ChangedReader, sure

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
LIMIT = 25 * 1024 * 1024


def scripted(pdf: bytes) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        action = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert('hello')"))
        document.Root.OpenAction = document.make_indirect(action)
        document.save(out)
    return out.getvalue()


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("note.pdf", b"%PDF-1.4\n" + bytes(260 * 1024 * 1024))
    return out.getvalue()


async def test_a_truncated_pdf_fails_with_its_reason_and_its_neighbour_is_confirmed(desk):
    await desk.trusts()
    message = await desk.receives(("broken.pdf", NOTE.pdf[:700]), ("note.pdf", NOTE.pdf))

    await desk.works()

    assert ["failed", "confirmed"] == desk.statuses()
    assert "damaged" in desk.reasons()[0]
    ((because,),) = desk.own(
        "SELECT because FROM postroom.disposition WHERE message_id = %s AND pipeline = 'pad_contract_notes'", message
    )
    assert "broken.pdf" in because
    assert [("broken.pdf", "broken")] == [
        (each["filename"], each["failure"]) for each in desk.facts("document.unreadable")
    ]
    assert 1 == len(desk.archived())


async def test_a_pdf_cut_in_two_is_not_taken_for_one_that_concerns_nobody(desk):
    """Readers rebuild what is left of it: as a blank page, or with letters that mean nothing."""
    await desk.trusts()
    await desk.receives(("half.pdf", NOTE.pdf[: len(NOTE.pdf) * 6 // 10]))

    await desk.works()

    assert ["failed"] == desk.statuses()
    assert "ask for it again" in desk.reasons()[0]


async def test_a_pdf_that_lost_its_tail_is_mended_for_reading_and_archived_as_it_came(desk):
    await desk.trusts()
    cut = NOTE.pdf[: NOTE.pdf.rindex(b"startxref")]
    await desk.receives(("note.pdf", cut))

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    assert cut == (desk.root / desk.archived()[0]).read_bytes()


async def test_a_pdf_with_a_script_is_read_but_never_confirmed_unseen(desk):
    await desk.trusts()
    await desk.receives(("note.pdf", scripted(NOTE.pdf)))

    await desk.works()

    assert ["review"] == desk.statuses()
    assert "script" in desk.reasons()[0]


async def test_a_zip_bomb_fails_with_its_reason_and_its_neighbour_is_confirmed(desk):
    await desk.trusts()
    await desk.receives(("notes.zip", bomb()), ("note.pdf", NOTE.pdf), kind="application/octet-stream")

    await desk.works()

    assert sorted(["failed", "confirmed"]) == sorted(desk.statuses()), desk.reasons()
    assert any("200 MB" in because for because in desk.reasons())


@pytest.mark.parametrize(("size", "status"), [(LIMIT, "failed"), (LIMIT + 1, "skipped")])
async def test_one_byte_over_the_limit_is_not_opened(desk, size, status):
    head = b"%PDF-1.4\n"
    message = await desk.receives(("huge.pdf", head + bytes(size - len(head))), subject="As promised")

    await desk.works()

    assert [status] == desk.statuses()
    if status == "skipped":
        assert ["25.0 MB is over the limit of 25 MB."] == desk.reasons()
        assert "filtered" == desk.dispositions(message)["pad_contract_notes"]


@pytest.fixture
def fragile(desk, monkeypatch):
    """A desk whose reading processes die, truly, of whatever holds the word poison."""
    monkeypatch.setattr(process, "WORKER", ("-c", FRAGILE))
    with Readers(processes=1, ocr=False) as readers:
        desk.outside.reader = ChangedReader(readers)
        yield desk


FRAGILE = """
import os, signal, socket, sys
from postroom.outside.readers import worker
real = worker.answer
def answer(request, content):
    if b"poison" in content:
        signal.raise_signal(signal.SIGKILL)
    return real(request, content)
worker.answer = answer
worker.serve_copies(socket.socket(fileno=int(sys.argv[1])))
"""


async def test_a_file_that_kills_its_reader_costs_one_document(fragile):
    await fragile.trusts()
    await fragile.receives(("poison.pdf", NOTE.pdf + b"poison"), ("note.pdf", NOTE.pdf))

    await fragile.works()

    assert ["failed", "confirmed"] == fragile.statuses()
    assert "Reading the file ended its process (signal 9)." == fragile.reasons()[0]


async def test_what_may_yet_be_read_is_read_again_by_the_clock_so_many_times(fragile):
    await fragile.receives(("poison.pdf", NOTE.pdf + b"poison"), ("broken.pdf", NOTE.pdf[:700]))
    await fragile.works()
    assert ["failed", "failed"] == fragile.statuses()
    retried = []
    for waited in ("9 minutes", "11 minutes", "5 hours", "7 hours", "40 days"):
        fragile.own(f"UPDATE postroom.document SET updated_at = '{fragile.now}'::timestamptz - interval '{waited}'")
        scope = fragile.scope("postroom")
        async with scope.finish() as tx:
            await scope.enqueue(tx, RereadDocuments())
        await fragile.works()
        retried.append(len(fragile.facts("document.retried")))

    assert [0, 1, 1, 2, 2] == retried  # never the broken one: no second look mends it
    assert ["failed", "failed"] == fragile.statuses()
    assert {"The clock asked for it: the reason may be over."} == {
        each["because"] for each in fragile.facts("document.retried")
    }


async def test_a_file_that_failed_for_want_of_time_is_booked_at_the_next_look(desk):
    await desk.trusts()
    real = desk.outside.reader
    desk.outside.reader = Tired(real)
    await desk.receives(("note.pdf", NOTE.pdf))
    await desk.works()
    assert ["failed"] == desk.statuses()

    desk.outside.reader = real
    desk.own(f"UPDATE postroom.document SET updated_at = '{desk.now}'::timestamptz - interval '11 minutes'")
    scope = desk.scope("postroom")
    async with scope.finish() as tx:
        await scope.enqueue(tx, RereadDocuments())
    await desk.works()

    assert ["confirmed"] == desk.statuses()


class Tired(ChangedReader):
    async def aextract(self, content: bytes, passwords=(), **known):
        raise TookTooLong("Reading the file took too long.")


async def test_a_mail_that_kills_its_reader_fails_with_its_reason_and_the_next_is_read(fragile):
    await fragile.trusts()
    message = await fragile.receives(("note.zip", zipped("note.pdf", NOTE.pdf)), subject="The poison one")
    await fragile.receives(("note.pdf", NOTE.pdf))

    await fragile.works()

    assert ["failed", "confirmed"] == fragile.statuses()
    assert "could not be taken apart. Reading the file ended its process (signal 9)." in fragile.reasons()[0]
    assert "failed" == fragile.dispositions(message)["pad_contract_notes"]
    assert ("pad_contract_notes", "failed") in fragile.ledger()


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, content)
    return out.getvalue()


async def test_a_fault_of_ours_in_one_document_does_not_hold_up_the_mail(desk):
    await desk.trusts()
    calls = []

    def stumbling(read):
        calls.append(read)
        if len(calls) == 1:
            raise ZeroDivisionError
        return sure(read)

    desk.outside.reader.change = stumbling
    await desk.receives(("one.pdf", NOTE.pdf), ("two.pdf", NOTE.pdf + b"\n"))

    await desk.works()

    assert sorted(["failed", "confirmed"]) == sorted(desk.statuses())
    assert any("ZeroDivisionError" in because for because in desk.reasons())


async def test_two_files_of_one_name_in_one_mail_are_two_documents(desk):
    await desk.trusts()
    other = NOTES["thornbury"](DAY, 2, direction="SELL")
    await desk.receives(("note.pdf", NOTE.pdf), ("note.pdf", other.pdf))

    await desk.works()

    assert ["confirmed", "confirmed"] == desk.statuses(), desk.reasons()
    assert 2 == len(desk.archived())
