from __future__ import annotations

import io

import pytest
from PIL import Image

from contracts.readers.papers import boxes, picture, printed
from postroom.nouns.documents import BrokenFile, FileTooLarge, NotADocument, ScanWithoutOcr
from postroom.outside.readers.pool import Readers
from postroom.outside.readers.wire import ReadLimits


def test_a_scan_needs_the_extra(readers):
    with pytest.raises(ScanWithoutOcr):
        readers.read(picture("PNG"))


def test_a_picture_is_drawn_in_the_points_it_was_read_in(readers):
    twice = io.BytesIO()
    frames = [Image.new("RGB", (2000, 500), "white"), Image.new("RGB", (2000, 700), "white")]
    frames[0].save(twice, "TIFF", save_all=True, append_images=frames[1:], dpi=(300, 300))

    drawn = Image.open(io.BytesIO(readers.page_image(twice.getvalue(), 2, width=1000)))

    assert ("PNG", (1000, 350)) == (drawn.format, drawn.size)
    assert pytest.approx(36, abs=0.1) == drawn.info["dpi"][0]  # half a dot a point: a dot of the file was one
    with pytest.raises(BrokenFile, match="no page 3"):
        readers.page_image(twice.getvalue(), 3)


def test_a_page_can_be_drawn(readers):
    drawn = Image.open(io.BytesIO(readers.page_image(printed(), 1, width=300)))

    assert ("PNG", 300) == (drawn.format, drawn.width)
    with pytest.raises(BrokenFile, match="no page 7"):
        readers.page_image(printed(), 7)
    with pytest.raises(NotADocument):
        readers.page_image(b"\x00\x01\x02", 1)


@pytest.mark.long
def test_pictures_are_recognised_page_by_page():
    with Readers(processes=1) as seeing:
        text = seeing.read(picture("TIFF", pages=2))
        with pytest.raises(BrokenFile):
            seeing.read(picture("PNG")[:60])

    assert ("ocr", 2) == (text.source, len(text.pages))
    for page in text.pages:
        assert "1234.56" in " ".join(word.text for word in page.words)
        assert all(0 <= box[0] < box[2] <= page.width for box in boxes(page))


def test_an_enormous_picture_is_refused_before_it_is_unpacked():
    with Readers(processes=1, limits=ReadLimits(pixels=10_000)) as small, pytest.raises(FileTooLarge, match="points"):
        small.read(picture("PNG"))
