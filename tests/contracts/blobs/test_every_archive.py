"""What holds for every archive, whichever URL names it."""

import asyncio
from datetime import date

import pytest

from contracts.blobs.archives import NOW
from postroom.nouns.errors import BadRequest, NotFound
from postroom.rooms.documents.archive import PDFArchiver

PDF = b"%PDF-1.7\r\n\x00\xff--\n\nbinary\r\n"
LABELS = {"sender-email": "dealing@broker.test", "source": "graph_webhook", "trade-key": "ann-AAPL-BUY-100"}
NOTE = "archive/sender_email=a%40b%2Etest/received_date=2026-02-04/ann-20260204-AAPL-BUY-100/note.pdf"


async def keys_of(blobs, prefix=""):
    return sorted([key async for key in blobs.beneath(prefix)])


async def test_what_was_put_is_read_back_byte_for_byte(blobs):
    assert await blobs.put_if_absent(NOTE, PDF, LABELS, "application/pdf") is True

    assert await blobs.get(NOTE) == PDF


async def test_the_label_says_what_was_put(blobs):
    await blobs.put_if_absent(NOTE, PDF, LABELS, "application/pdf")

    found = await blobs.head(NOTE)

    assert (found.key, found.size, found.content_type) == (NOTE, len(PDF), "application/pdf")
    assert dict(found.metadata) == LABELS


async def test_metadata_keeps_every_alphabet_and_its_blanks(blobs):
    labels = {"sender-email": "jörg@münchen.test", "source": " 100%  取引 \N{SNOWMAN} ", "trade-key": ""}
    await blobs.put_if_absent("a/b", PDF, labels, "application/pdf")

    kept = dict((await blobs.head("a/b")).metadata)

    assert {name: value for name, value in kept.items() if value} == {
        name: value for name, value in labels.items() if value
    }


async def test_a_taken_key_stays_as_it_was(blobs):
    await blobs.put_if_absent(NOTE, PDF, LABELS, "application/pdf")

    assert await blobs.put_if_absent(NOTE, b"other", {"source": "poller"}, "text/plain") is False

    assert await blobs.get(NOTE) == PDF
    assert dict((await blobs.head(NOTE)).metadata) == LABELS


async def test_of_many_writers_at_once_one_wins_and_its_file_and_label_belong_together(blobs):
    async def put(writer):
        return await blobs.put_if_absent(NOTE, b"by %d" % writer, {"source": str(writer)}, "text/plain")

    won = await asyncio.gather(*[put(writer) for writer in range(8)])

    winner = won.index(True)
    assert won.count(True) == 1
    assert await blobs.get(NOTE) == b"by %d" % winner
    assert (await blobs.head(NOTE)).metadata["source"] == str(winner)


@pytest.mark.parametrize(
    "key",
    [
        NOTE,
        "100% sure#1?.pdf",
        "a b/c+d&e=f;g.pdf",
        "%2E%2e%2F/x..",
        "Überweisung/取引報告書/\N{PILE OF POO}.pdf",
        "quote'\"(x)[y]{z}!$,~@:.pdf",
        "x" * 240,
        "/".join(["é" * 60] * 8),
    ],
)
async def test_keys_are_kept_to_the_letter(blobs, key):
    assert await blobs.put_if_absent(key, PDF, {}, "application/pdf") is True

    assert await blobs.get(key) == PDF
    assert await keys_of(blobs) == [key]
    assert await blobs.exists(key) is True


@pytest.mark.parametrize(
    "key",
    [
        "",
        "/a",
        "a/",
        "a//b",
        "../a",
        "a/./b",
        ".postroom/lock",
        "a\nb",
        "a\0b",
        "\ud800",
        "é" * 600,
        "é" * 121,
    ],
    ids=ascii,
)
async def test_keys_that_some_archive_could_not_hold_are_refused_by_all(blobs, key):
    with pytest.raises(BadRequest, match="cannot hold the key"):
        await blobs.put_if_absent(key, PDF, {}, "application/pdf")
    for call in (blobs.get, blobs.head, blobs.exists, blobs.remove):
        with pytest.raises(BadRequest, match="cannot hold the key"):
            await call(key)


@pytest.mark.parametrize(
    ("labels", "content_type"),
    [
        ({"Sender": "x"}, "text/plain"),
        ({"a_b": "x"}, "text/plain"),
        ({"note": "é" * 400}, "text/plain"),
        ({}, "text/plain\r\nX: y"),
    ],
)
async def test_labels_that_some_archive_could_not_hold_are_refused_by_all(blobs, labels, content_type):
    with pytest.raises(BadRequest):
        await blobs.put_if_absent("a", PDF, labels, content_type)

    assert await blobs.exists("a") is False


async def test_what_is_not_there_is_said_to_be_not_there(blobs):
    assert await blobs.exists("a/b") is False
    with pytest.raises(NotFound, match="a/b"):
        await blobs.get("a/b")
    with pytest.raises(NotFound):
        await blobs.head("a/b")
    assert await keys_of(blobs) == []
    assert await keys_of(blobs, "a") == []


async def test_a_listing_is_of_a_folder_and_not_of_names_that_begin_alike(blobs):
    for key in ("a/1", "a/b/2", "ab/3", "c"):
        await blobs.put_if_absent(key, PDF, {}, "application/pdf")

    assert await keys_of(blobs, "a") == ["a/1", "a/b/2"]
    assert await keys_of(blobs, "a/") == ["a/1", "a/b/2"]
    assert await keys_of(blobs) == ["a/1", "a/b/2", "ab/3", "c"]


async def test_a_removed_file_is_gone_and_its_key_free_again(blobs):
    await blobs.put_if_absent("a/b", PDF, LABELS, "application/pdf")

    await blobs.remove("a/b")
    await blobs.remove("a/b")

    assert await blobs.exists("a/b") is False
    assert await blobs.put_if_absent("a/b", b"new", {}, "text/plain") is True
    assert dict((await blobs.head("a/b")).metadata) == {}


async def test_an_empty_file_is_a_file(blobs):
    await blobs.put_if_absent("empty", b"", {}, "application/pdf")

    assert await blobs.get("empty") == b""
    assert (await blobs.head("empty")).size == 0


async def test_a_large_file_arrives_whole(blobs):
    data = bytes(range(256)) * (12 << 12)
    await blobs.put_if_absent("large", data, {}, "application/pdf")

    assert await blobs.get("large") == data


async def test_an_entered_archive_serves_other_event_loops_too(blobs):
    async with blobs as archive:
        await archive.put_if_absent("a", b"1", {}, "text/plain")
        elsewhere = await asyncio.to_thread(lambda: asyncio.run(archive.get("a")))
        assert (await archive.get("a"), elsewhere) == (b"1", b"1")


async def test_the_archiver_files_a_document_once_under_its_agreed_path(blobs):
    archiver = PDFArchiver(blobs, now=lambda: NOW)
    letter = ("a@b.test", date(2026, 2, 4), "ann-20260204-AAPL-BUY-100", "note.pdf", "poller")

    first = await asyncio.to_thread(archiver.archive_processed_pdf, PDF, *letter)
    again = await archiver.aarchive_processed_pdf(PDF, *letter)
    other = await archiver.aarchive_processed_pdf(PDF + b"changed", *letter)

    assert first == again == NOTE
    assert await keys_of(blobs) == sorted([NOTE, other])
    assert dict((await blobs.head(NOTE)).metadata) == {
        "sender-email": "a@b.test",
        "source": "poller",
        "processed-at": "2026-02-04T09:30:00+00:00",
        "trade-key": "ann-20260204-AAPL-BUY-100",
    }
