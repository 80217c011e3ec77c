"""Scans and photographs to words with boxes, by rapidocr (the extra `postroom[ocr]`), one page at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

from postroom.mail.sniff import readable_as
from postroom.nouns.documents import Box, BrokenFile, FileTooLarge, ScanWithoutOcr
from postroom.outside.readers import pdf
from postroom.outside.readers.wire import PageWords, ReadAnswer, ReadLimits, ReadRequest, page_words

SCAN_WIDTH = 1700  # A4 at about 200 dots an inch: smaller loses digits, larger only costs time
SURE_ENOUGH = 0.5
UNSURE = 0.85
PIECES = 4
DARK = 140


def read(request: ReadRequest, content: bytes) -> ReadAnswer:
    """Every page of a scan, PNG, JPEG or many-paged TIFF, as recognised words."""
    engine = _engine()
    pages = [
        _recognised_page(engine, number, image, points_wide)
        for number, (image, points_wide) in enumerate(_pages(request, content), start=1)
    ]
    notes = ["The text was recognised from an image."]
    return ReadAnswer(pages=pages, page_count=len(pages), notes=notes, source="ocr")


def picture(request: ReadRequest, content: bytes) -> ReadAnswer:
    """Page `request.page` of an image file as a PNG, at most `request.width` pixels wide; one of its points is one of
    the page's."""
    for number, (image, points_wide) in enumerate(_image_pages(content, request.limits), start=1):
        if number == request.page:
            image.thumbnail((request.width, image.height))
            return ReadAnswer(image=pdf.png(image, points_wide))
    raise BrokenFile(f"The image has no page {request.page}.")


@cache
def _engine() -> Any:
    try:
        from rapidocr import RapidOCR
    except ImportError as missing:
        raise ScanWithoutOcr(
            "The file is an image without text; install postroom[ocr] to have it recognised."
        ) from missing
    return RapidOCR(params={"Global.log_level": "error"})


def _pages(request: ReadRequest, content: bytes) -> Iterator[tuple[Image.Image, float]]:
    if readable_as(content) == "pdf":
        yield from _pdf_pages(request, content)
    else:
        yield from _image_pages(content, request.limits)


def _pdf_pages(request: ReadRequest, content: bytes) -> Iterator[tuple[Image.Image, float]]:
    document, _ = pdf.open_document(content, request.passwords)
    try:
        _count(len(document), request.limits)
        for index in range(len(document)):
            width, _height = document.get_page_size(index)
            yield pdf.render(document, index, SCAN_WIDTH, request.limits), width
    finally:
        document.close()


def _image_pages(content: bytes, limits: ReadLimits) -> Iterator[tuple[Image.Image, float]]:
    Image.MAX_IMAGE_PIXELS = limits.pixels
    try:
        with Image.open(io.BytesIO(content)) as image:
            _count(getattr(image, "n_frames", 1), limits)
            for frame in ImageSequence.Iterator(image):
                if frame.width * frame.height > limits.pixels:
                    raise FileTooLarge(f"The image has more than {limits.pixels} points.")
                upright = ImageOps.exif_transpose(frame).convert("RGB")
                yield upright, float(upright.width)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
        raise FileTooLarge(f"The image has more than {limits.pixels} points.") from bomb
    except (UnidentifiedImageError, OSError, SyntaxError) as failure:
        raise BrokenFile(f"The image cannot be opened ({failure}); ask for it again.") from failure


def _count(pages: int, limits: ReadLimits) -> None:
    if pages > limits.ocr_pages:
        raise FileTooLarge(f"The scan has {pages} pages; at most {limits.ocr_pages} are recognised.")


def _recognised_page(engine: Any, number: int, image: Image.Image, points_wide: float) -> PageWords:
    import numpy

    scale = points_wide / image.width
    pixels = numpy.asarray(image.convert("RGB"))[:, :, ::-1]
    found = engine(pixels, use_det=True, use_cls=True, use_rec=True)  # it remembers how it was last asked
    words: list[tuple[str, Box]] = []
    if found.boxes is not None:
        for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
            box = _bounds(corners)
            if score < UNSURE:
                words.extend(_again(engine, pixels, box, text, float(score), scale))
            elif score >= SURE_ENOUGH:
                words.extend(_words(text, box, scale))
    left, top, right, bottom = ([box[side] for _, box in words] for side in range(4))
    return page_words(
        number, points_wide, image.height * scale, [text for text, _ in words], (left, top, right, bottom)
    )


def _again(engine: Any, pixels: Any, box: Box, text: str, score: float, scale: float) -> Iterator[tuple[str, Box]]:
    """A line the recogniser stumbled over, taken in pieces: it copes with short ones."""
    pieces = [(part, *_recognised(engine, pixels, part)) for part in _pieces(pixels, box)]
    if len(pieces) > 1 and min(sure for _, _, sure in pieces) > score:
        for part, read, _ in pieces:
            yield from _words(read, part, scale)
    elif score >= SURE_ENOUGH:
        yield from _words(text, box, scale)


def _recognised(engine: Any, pixels: Any, box: Box) -> tuple[str, float]:
    left, top, right, bottom = (int(edge) for edge in box)
    found = engine(pixels[top:bottom, left:right], use_det=False, use_cls=False, use_rec=True)
    return (found.txts[0], float(found.scores[0])) if found.txts else ("", 0.0)


def _pieces(pixels: Any, box: Box) -> list[Box]:
    """The line cut at its widest blanks, into about PIECES parts."""
    left, top, right, bottom = (max(int(edge), 0) for edge in box)
    ink = (pixels[top:bottom, left:right].min(axis=2) < DARK).any(axis=0).tolist()
    blanks: list[tuple[int, int]] = []
    start: int | None = None
    for at, inked in enumerate([*ink, True]):
        if not inked and start is None:
            start = at
        elif inked and start is not None:
            blanks.append((at - start, (start + at) // 2))
            start = None
    inner = [blank for blank in blanks if 0.05 * len(ink) < blank[1] < 0.95 * len(ink)]
    cuts = sorted(at for _, at in sorted(inner, reverse=True)[: PIECES - 1])
    edges = [0, *cuts, len(ink)]
    return [(float(left + a), float(top), float(left + b), float(bottom)) for a, b in pairwise(edges)]


def _bounds(corners: Any) -> Box:
    across = [float(x) for x, _ in corners]
    down = [float(y) for _, y in corners]
    return (min(across), min(down), max(across), max(down))


def _words(text: str, box: Box, scale: float) -> Iterator[tuple[str, Box]]:
    """A recognised line cut at its blanks; each word's share of the box follows its share of the letters."""
    left, top, right, bottom = (edge * scale for edge in box)
    step = (right - left) / max(len(text), 1)
    at = 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        yield word, (left + start * step, top, left + at * step, bottom)
