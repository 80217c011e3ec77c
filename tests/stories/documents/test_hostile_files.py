"""Files that would do harm: each ends with its reason, and the rest of the mail goes on."""

from __future__ import annotations

import io
import zipfile

import pikepdf
import pytest

from postroom.outside.readers import process
from postroom.outside.readers.pool import Readers
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


async def test_a_truncated_pdf_fails_with_its_reason_and_its_neighbour_is_confirmed(scope):
    await scope.trusts()
    message = await scope.receives(("broken.pdf", NOTE.pdf[:700]), ("note.pdf", NOTE.pdf))

    await scope.works()

    assert ["failed", "confirmed"] == scope.statuses()
    assert "damaged" in scope.reasons()[0]
    ((because,),) = scope.own(
        "SELECT because FROM postroom.disposition WHERE message_id = %s AND pipeline = 'pad_contract_notes'", message
    )
    assert "broken.pdf" in because
    assert [("broken.pdf", "broken")] == [
        (each["filename"], each["failure"]) for each in scope.facts("document.unreadable")
    ]
    assert 1 == len(scope.archived())


async def test_a_pdf_cut_in_two_is_not_taken_for_one_that_concerns_nobody(scope):
    """Readers rebuild what is left of it: as a blank page, or with letters that mean nothing."""
    await scope.trusts()
    await scope.receives(("half.pdf", NOTE.pdf[: len(NOTE.pdf) * 6 // 10]))

    await scope.works()

    assert ["failed"] == scope.statuses()
    assert "ask for it again" in scope.reasons()[0]


async def test_a_pdf_that_lost_its_tail_is_mended_for_reading_and_archived_as_it_came(scope):
    await scope.trusts()
    cut = NOTE.pdf[: NOTE.pdf.rindex(b"startxref")]
    await scope.receives(("note.pdf", cut))

    await scope.works()

    assert ["confirmed"] == scope.statuses(), scope.reasons()
    assert cut == (scope.root / scope.archived()[0]).read_bytes()


async def test_a_pdf_with_a_script_is_read_but_never_confirmed_unseen(scope):
    await scope.trusts()
    await scope.receives(("note.pdf", scripted(NOTE.pdf)))

    await scope.works()

    assert ["review"] == scope.statuses()
    assert "script" in scope.reasons()[0]


async def test_a_zip_bomb_fails_with_its_reason_and_its_neighbour_is_confirmed(scope):
    await scope.trusts()
    await scope.receives(("notes.zip", bomb()), ("note.pdf", NOTE.pdf), kind="application/octet-stream")

    await scope.works()

    assert sorted(["failed", "confirmed"]) == sorted(scope.statuses()), scope.reasons()
    assert any("200 MB" in because for because in scope.reasons())


@pytest.mark.parametrize(("size", "status"), [(LIMIT, "failed"), (LIMIT + 1, "skipped")])
async def test_one_byte_over_the_limit_is_not_opened(scope, size, status):
    head = b"%PDF-1.4\n"
    message = await scope.receives(("huge.pdf", head + bytes(size - len(head))), subject="As promised")

    await scope.works()

    assert [status] == scope.statuses()
    if status == "skipped":
        assert ["25.0 MB is over the limit of 25 MB."] == scope.reasons()
        assert "filtered" == scope.dispositions(message)["pad_contract_notes"]


@pytest.fixture
def fragile(scope, monkeypatch):
    """A desk whose reading processes die, truly, of whatever holds the word poison."""
    monkeypatch.setattr(process, "WORKER", ("-c", FRAGILE))
    with Readers(processes=1, ocr=False) as readers:
        scope.outside.reader = ChangedReader(readers)
        yield scope


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


async def test_a_fault_of_ours_in_one_document_does_not_hold_up_the_mail(scope):
    await scope.trusts()
    calls = []

    def stumbling(read):
        calls.append(read)
        if len(calls) == 1:
            raise ZeroDivisionError
        return sure(read)

    scope.outside.reader.change = stumbling
    await scope.receives(("one.pdf", NOTE.pdf), ("two.pdf", NOTE.pdf + b"\n"))

    await scope.works()

    assert sorted(["failed", "confirmed"]) == sorted(scope.statuses())
    assert any("ZeroDivisionError" in because for because in scope.reasons())


async def test_two_files_of_one_name_in_one_mail_are_two_documents(scope):
    await scope.trusts()
    other = NOTES["thornbury"](DAY, 2, direction="SELL")
    await scope.receives(("note.pdf", NOTE.pdf), ("note.pdf", other.pdf))

    await scope.works()

    assert ["confirmed", "confirmed"] == scope.statuses(), scope.reasons()
    assert 2 == len(scope.archived())
