"""PDF to words with boxes, by pdfium; qpdf mends what pdfium refuses. For reading processes only."""

from __future__ import annotations

import ctypes
import io
import re
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from postroom.nouns.documents import Box, Broken, PasswordNeeded, Scripted, TooLarge
from postroom.outside.readers.wire import Answer, Limits, Request, Sheet

SCRIPT_MARKS = re.compile(rb"/(?:JavaScript|JS|Launch)\b")
WORD = re.compile(r"[^\s\x00\ufffe\u00ad]+")


def read(request: Request) -> Answer:
    """All pages' words, embedded files, and what a person should know about the file."""
    document, notes = open_document(request.content, request.passwords)
    try:
        pages = len(document)
        if pages > request.limits.pages:
            raise TooLarge(f"The PDF has {pages} pages; at most {request.limits.pages} are read.")
        scripted = has_script(document, request.content)
        if scripted and request.refuse_scripts:
            raise Scripted("The PDF carries a script; ask the sender for one without.")
        sheets = [_sheet(document, number) for number in range(pages)]
        return Answer(
            sheets=sheets,
            embedded=list(_embedded(document, request.limits)),
            notes=[*notes, *(["The PDF carries a script, which was not run."] if scripted else [])],
            scripted=scripted,
        )
    finally:
        document.close()


def open_document(content: bytes, passwords: tuple[str, ...]) -> tuple[Any, list[str]]:
    """The opened PDF and notes. Tries no password first, then each given one, then a repaired copy."""
    try:
        return _unlock(content, passwords), []
    except pypdfium2.PdfiumError as failure:
        mended = _mend(content, passwords, failure)
    try:
        return _unlock(mended, ()), ["The file was damaged and was repaired for reading."]
    except pypdfium2.PdfiumError as failure:
        raise Broken(f"The PDF is damaged beyond repair ({failure}); ask for it again.") from failure


def _unlock(content: bytes, passwords: tuple[str, ...]) -> Any:
    for password in (None, *passwords):
        try:
            document = pypdfium2.PdfDocument(content, password=password)
        except pypdfium2.PdfiumError as failure:
            if failure.err_code != pdfium.FPDF_ERR_PASSWORD:
                raise
        else:
            if len(document) == 0:
                document.close()
                raise pypdfium2.PdfiumError("no pages")
            return document
    raise PasswordNeeded(
        "The PDF is protected and none of the known passwords opens it; add the password and try again."
        if passwords
        else "The PDF is protected by a password; add it to the tenant's passwords and try again."
    )


def _mend(content: bytes, passwords: tuple[str, ...], failure: Exception) -> bytes:
    import pikepdf

    for password in ("", *passwords):
        try:
            with pikepdf.open(io.BytesIO(content), password=password) as damaged:
                copy = io.BytesIO()
                damaged.save(copy)
                return copy.getvalue()
        except pikepdf.PasswordError:
            continue
        except (pikepdf.PdfError, ValueError, RuntimeError) as hopeless:
            raise Broken(f"The PDF is damaged beyond repair ({failure}); ask for it again.") from hopeless
    raise PasswordNeeded("The PDF is protected and damaged; none of the known passwords opens it.")


def has_script(document: Any, content: bytes) -> bool:
    return pdfium.FPDFDoc_GetJavaScriptActionCount(document) > 0 or bool(SCRIPT_MARKS.search(content))


def _embedded(document: Any, limits: Limits) -> Iterator[tuple[str, bytes]]:
    left = limits.embedded_megabytes * 1024 * 1024
    for index in range(min(document.count_attachments(), 20)):
        attachment = document.get_attachment(index)
        try:
            content = bytes(attachment.get_data())
        except pypdfium2.PdfiumError:
            continue
        left -= len(content)
        if left < 0:
            raise TooLarge(f"The files inside the PDF exceed {limits.embedded_megabytes} MB.")
        yield attachment.get_name(), content


def _sheet(document: Any, index: int) -> Sheet:
    page = document[index]
    try:
        width, height = page.get_size()
        text_page = page.get_textpage()
        try:
            words = list(_words(text_page, page))
        finally:
            text_page.close()
        return Sheet(index + 1, width, height, words)
    finally:
        page.close()


def _words(text_page: Any, page: Any) -> Iterator[tuple[str, Box]]:
    text = text_page.get_text_range()
    place = _Place(text_page, page, len(text))
    for found in WORD.finditer(text):
        yield found.group(), place.of(found.start(), found.end() - 1)


class _Place:
    """Boxes of characters as high as their face, turned upright and measured from the top left corner."""

    def __init__(self, text_page: Any, page: Any, length: int) -> None:
        self._raw = text_page.raw
        self._shifted = text_page.count_chars() != length
        self._rotation = page.get_rotation()
        left, bottom, right, top = page.get_cropbox()
        self._edges = (left, bottom, right, top)
        self._out = pdfium.FS_RECTF()
        self._ref = ctypes.byref(self._out)

    def of(self, first: int, last: int) -> Box:
        a, b = self._character(first), self._character(last)
        left, right = min(a[0], b[0]), max(a[1], b[1])
        bottom, top = min(a[2], b[2]), max(a[3], b[3])
        return self._upright(left, bottom, right, top)

    def _character(self, index: int) -> tuple[float, float, float, float]:
        if self._shifted:
            index = max(pdfium.FPDFText_GetCharIndexFromTextIndex(self._raw, index), 0)
        pdfium.FPDFText_GetLooseCharBox(self._raw, index, self._ref)
        return self._out.left, self._out.right, self._out.bottom, self._out.top

    def _upright(self, left: float, bottom: float, right: float, top: float) -> Box:
        x0, y0, x1, y1 = self._edges
        if self._rotation == 90:
            return (bottom - y0, left - x0, top - y0, right - x0)
        if self._rotation == 180:
            return (x1 - right, bottom - y0, x1 - left, top - y0)
        if self._rotation == 270:
            return (y1 - top, x1 - right, y1 - bottom, x1 - left)
        return (left - x0, y1 - top, right - x0, y1 - bottom)


def picture(request: Request) -> Answer:
    """Page `request.page` as a PNG, `request.width` pixels wide."""
    document, _ = open_document(request.content, request.passwords)
    try:
        if not 1 <= request.page <= len(document):
            raise Broken(f"The PDF has {len(document)} pages; there is no page {request.page}.")
        bitmap = render(document, request.page - 1, request.width, request.limits)
        out = io.BytesIO()
        bitmap.save(out, "PNG")
        return Answer(image=out.getvalue())
    finally:
        document.close()


def render(document: Any, index: int, width: int, limits: Limits) -> Any:
    page = document[index]
    try:
        points_wide, points_high = page.get_size()
        scale = width / max(points_wide, 1.0)
        if points_wide * points_high * scale * scale > limits.pixels:
            raise TooLarge(f"Page {index + 1} is too large to be drawn.")
        return page.render(scale=scale).to_pil()
    finally:
        page.close()
