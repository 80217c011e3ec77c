"""The archiver: once, under the agreed path, with the agreed labels, and nothing ever replaced."""

import asyncio
import hashlib
from datetime import UTC, date, datetime

import pytest

from postroom.nouns.errors import NotFound, Unavailable
from postroom.outside.blobs.folder import FolderBlobs
from postroom.rooms.documents.archive import PDFArchiver

NOW = datetime(2026, 2, 4, 9, 30, tzinfo=UTC)
TRADE = "ldeburna-20260204-AAPL-BUY-100"
PDF = b"%PDF-1.7 the original"
LETTER = {
    "sender_email": "trades@broker.test",
    "received_date": date(2026, 2, 4),
    "unique_id": TRADE,
    "filename": "note.pdf",
    "source": "graph_webhook",
}
FOLDER = f"archive/sender_email=trades%40broker%2Etest/received_date=2026-02-04/{TRADE}"


@pytest.fixture
def archive(tmp_path):
    return FolderBlobs(tmp_path)


@pytest.fixture
def archiver(archive):
    return PDFArchiver(archive, now=lambda: NOW)


async def everything(archive):
    return sorted([key async for key in archive.beneath()])


def test_a_document_is_archived_from_plain_code(archiver, archive):
    path = archiver.archive_processed_pdf(
        PDF, "trades@broker.test", date(2026, 2, 4), TRADE, "note.pdf", "graph_webhook"
    )

    assert path == f"{FOLDER}/note.pdf"
    assert asyncio.run(archive.get(path)) == PDF


async def test_the_blocking_call_works_inside_a_running_loop_too(archiver):
    assert archiver.archive_processed_pdf(PDF, **LETTER) == f"{FOLDER}/note.pdf"


async def test_the_labels_say_who_sent_it_how_it_came_when_and_which_trade(archiver, archive):
    path = await archiver.aarchive_processed_pdf(PDF, **LETTER)

    found = await archive.head(path)
    assert found.content_type == "application/pdf"
    assert dict(found.metadata) == {
        "sender-email": "trades@broker.test",
        "source": "graph_webhook",
        "processed-at": "2026-02-04T09:30:00+00:00",
        "trade-key": TRADE,
    }


async def test_a_trade_key_can_be_given_beside_another_id_and_is_left_out_when_there_is_none(archiver, archive):
    named = await archiver.aarchive_processed_pdf(PDF, **LETTER | {"unique_id": "0a1b"}, trade_key=TRADE)
    bare = await archiver.aarchive_processed_pdf(PDF, **LETTER | {"unique_id": "0a1c"})

    assert (await archive.head(named)).metadata["trade-key"] == TRADE
    assert "trade-key" not in (await archive.head(bare)).metadata


async def test_the_same_document_again_gives_the_same_path_and_one_object(archiver, archive):
    paths = {await archiver.aarchive_processed_pdf(PDF, **LETTER) for _ in range(3)}
    paths |= set(await asyncio.gather(*[archiver.aarchive_processed_pdf(PDF, **LETTER) for _ in range(5)]))

    assert await everything(archive) == [f"{FOLDER}/note.pdf"] == list(paths)


async def test_another_document_of_the_same_name_gets_a_path_of_its_own_and_replaces_nothing(archiver, archive):
    first = await archiver.aarchive_processed_pdf(PDF, **LETTER)
    second = await archiver.aarchive_processed_pdf(b"%PDF-1.7 corrected", **LETTER)
    again = await archiver.aarchive_processed_pdf(b"%PDF-1.7 corrected", **LETTER)

    mark = hashlib.sha256(b"%PDF-1.7 corrected").hexdigest()[:16]
    assert second == again == f"{FOLDER}/note-{mark}.pdf"
    assert await archive.get(first) == PDF
    assert await archive.get(second) == b"%PDF-1.7 corrected"


async def test_even_a_marked_path_taken_by_something_else_is_left_alone(archiver, archive):
    await archiver.aarchive_processed_pdf(b"first", **LETTER)
    marked = await archiver.aarchive_processed_pdf(b"second", **LETTER)
    await archive.remove(marked)
    await archive.put_if_absent(marked, b"squatter", {}, "application/pdf")

    path = await archiver.aarchive_processed_pdf(b"second", **LETTER)

    assert path not in (marked, f"{FOLDER}/note.pdf")
    assert await archive.get(path) == b"second"
    assert await archive.get(marked) == b"squatter"


async def test_two_tenants_do_not_share_documents(archive):
    paths = [
        await PDFArchiver(archive, now=lambda: NOW, under=f"tenants/{tenant}").aarchive_processed_pdf(PDF, **LETTER)
        for tenant in ("one", "two")
    ]

    assert paths == [f"tenants/one/{FOLDER}/note.pdf", f"tenants/two/{FOLDER}/note.pdf"]


async def test_a_hostile_letter_is_archived_all_the_same(archiver, archive):
    letter = LETTER | {
        "sender_email": "\ud800" + "é" * 500 + "@x",
        "unique_id": "../" * 200,
        "filename": "a/\0\r\n" * 100,
        "source": "x" * 500,
    }

    path = await archiver.aarchive_processed_pdf(PDF, **letter, trade_key="é" * 900)

    assert await everything(archive) == [path]
    assert await archive.get(path) == PDF
    assert len((await archive.head(path)).metadata["sender-email"].encode()) <= 256


async def test_a_blank_id_becomes_a_new_one(archiver):
    first = await archiver.aarchive_processed_pdf(PDF, **LETTER | {"unique_id": " "})
    second = await archiver.aarchive_processed_pdf(PDF, **LETTER | {"unique_id": ""})

    assert first != second


async def test_an_error_of_the_archive_is_passed_on():
    class Broken:
        async def put_if_absent(self, *_):
            raise Unavailable("The archive's disk is full.")

    with pytest.raises(Unavailable, match="full"):
        await PDFArchiver(Broken(), now=lambda: NOW).aarchive_processed_pdf(PDF, **LETTER)


async def test_a_document_removed_while_it_is_compared_is_tried_again_later():
    class Vanishing:
        async def put_if_absent(self, *_):
            return False

        async def get(self, key):
            raise NotFound(key)

    with pytest.raises(Unavailable, match="removed"):
        await PDFArchiver(Vanishing(), now=lambda: NOW).aarchive_processed_pdf(PDF, **LETTER)


async def test_an_archive_that_gives_back_other_bytes_is_not_believed():
    class Forgetful:
        async def put_if_absent(self, *_):
            return False

        async def get(self, key):
            return b"something else"

    with pytest.raises(Unavailable, match="something else"):
        await PDFArchiver(Forgetful(), now=lambda: NOW).aarchive_processed_pdf(PDF, **LETTER)
