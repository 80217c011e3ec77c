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
            words = _words(text_page, page)
        finally:
            text_page.close()
        return Sheet(index + 1, width, height, words)
    finally:
        page.close()


def _words(text_page: Any, page: Any) -> list[tuple[str, Box]]:
    """Each word with the box from its first to its last letter, as high as its face."""
    text = text_page.get_text_range()
    spans = [(found.group(), found.start(), found.end() - 1) for found in WORD.finditer(text)]
    if text_page.count_chars() != len(text):
        spans = [(word, _index(text_page, first), _index(text_page, last)) for word, first, last in spans]
    raw, out = text_page.raw, pdfium.FS_RECTF()
    place, here = pdfium.FPDFText_GetLooseCharBox, ctypes.byref(out)
    x0, _, _, y1 = edges = page.get_cropbox()
    rotation = page.get_rotation()
    words: list[tuple[str, Box]] = []
    for word, first, last in spans:
        place(raw, first, here)
        left, right, top, bottom = out.left, out.right, out.top, out.bottom
        if last != first:
            place(raw, last, here)
            if out.bottom == bottom and out.right > right:
                right = out.right
            else:
                left, right = min(left, out.left), max(right, out.right)
                bottom, top = min(bottom, out.bottom), max(top, out.top)
        if rotation:
            words.append((word, _upright(rotation, edges, left, bottom, right, top)))
        else:
            words.append((word, (left - x0, y1 - top, right - x0, y1 - bottom)))
    return words


def _index(text_page: Any, at: int) -> int:
    """The letter's number, where the text leaves some letters out."""
    return max(int(pdfium.FPDFText_GetCharIndexFromTextIndex(text_page.raw, at)), 0)


def _upright(rotation: int, edges: Box, left: float, bottom: float, right: float, top: float) -> Box:
    """A box measured from the top left corner of the page as it is shown."""
    x0, y0, x1, y1 = edges
    if rotation == 90:
        return (bottom - y0, left - x0, top - y0, right - x0)
    if rotation == 180:
        return (x1 - right, bottom - y0, x1 - left, top - y0)
    return (y1 - top, x1 - right, y1 - bottom, x1 - left)


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
