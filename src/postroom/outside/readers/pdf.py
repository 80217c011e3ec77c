"""PDF to words with boxes, by pdfium; qpdf mends what pdfium refuses. For reading processes only."""

from __future__ import annotations

import ctypes
import io
import re
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import ge
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from postroom.nouns.documents import Box, BrokenFile, FileTooLarge, PasswordNeeded, Scripted
from postroom.outside.readers.wire import Edges, PageWords, ReadAnswer, ReadLimits, ReadRequest, page_words

END_OF_PDF = b"%%EOF"
TAIL = 4096  # what gateways and signers append to a whole file is shorter
SCRIPT_MARKS = re.compile(rb"/(?:JavaScript|JS|Launch)\b")
BLANK = " "
ODD_BLANK = re.compile(r"[\x00\t-\r\x1c-\x1f\x85\xa0\u00ad\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufffe]")
PAIRS = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")
LONE_HALF = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
RECTANGLE = ctypes.sizeof(pdfium.FS_RECTF)

# Called twice for every word. Without declared types, with pointers made once and the interpreter's lock kept, a call
# costs a third of what it would through pypdfium2.
_place_letter = ctypes.PYFUNCTYPE(None)(ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0)
_object_of = ctypes.PYFUNCTYPE(ctypes.c_void_p)(ctypes.cast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p).value or 0)


class DrawnObject(ctypes.c_void_p):
    """An object of a page, as pdfium hands it out: of a type of its own, so that it is no number in between."""


_object_at = ctypes.PYFUNCTYPE(DrawnObject)(ctypes.cast(pdfium.FPDFPage_GetObject, ctypes.c_void_p).value or 0)
_type_of = ctypes.PYFUNCTYPE(ctypes.c_int)(ctypes.cast(pdfium.FPDFPageObj_GetType, ctypes.c_void_p).value or 0)
_mode_of = ctypes.PYFUNCTYPE(ctypes.c_int)(
    ctypes.cast(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_void_p).value or 0
)
_fill_of = ctypes.PYFUNCTYPE(ctypes.c_int)(ctypes.cast(pdfium.FPDFPageObj_GetFillColor, ctypes.c_void_p).value or 0)
FILL = array("I", (0, 0, 0, 0))  # red, green, blue, alpha
FILL_POINTERS = [ctypes.c_void_p(FILL.buffer_info()[0] + FILL.itemsize * part) for part in range(len(FILL))]
NO_INK = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
FILLED = (pdfium.FPDF_TEXTRENDERMODE_FILL, pdfium.FPDF_TEXTRENDERMODE_FILL_CLIP)
NO_TEXT = pdfium.FPDF_TEXTRENDERMODE_UNKNOWN
PALE = 245  # of 255: nobody sees it on white
LOOK_CLOSELY = 2  # pixels a point
SMALLEST = 1.5  # points from the top of a word to its foot
CONTRAST = 12  # of 255 between ink and paper
FAINT = 10  # of 255: see-through
ROOM = (pdfium.FS_RECTF * 4096)()
POINTERS = [ctypes.byref(ROOM, RECTANGLE * at) for at in range(len(ROOM))]


def read(request: ReadRequest, content: bytes, enough_words: int) -> ReadAnswer:
    """All pages' words, embedded files, and what a person should know about the file. With fewer words than enough, and
    no file in it, it is a scan."""
    document, notes = open_document(content, request.passwords)
    try:
        pages = len(document)
        if pages > request.limits.pages:
            raise FileTooLarge(f"The PDF has {pages} pages; at most {request.limits.pages} are read.")
        scripted = has_script(document, content)
        if scripted and request.refuse_scripts:
            raise Scripted("The PDF carries a script; ask the sender for one without.")
        embedded = list(_embedded(document, request.limits))
        read_pages, hidden = _read_pages(document, request.limits, closely=bool(embedded))
        return ReadAnswer(
            pages=read_pages,
            page_count=pages,
            embedded=embedded,
            notes=[*notes, *(["The PDF carries a script, which was not run."] if scripted else [])],
            scripted=scripted,
            hidden=hidden,
            damaged=bool(notes) or is_cut_off(content),
            scanned=sum(page.count for page in read_pages) < enough_words and not embedded,
        )
    finally:
        document.close()


def _read_pages(document: Any, limits: ReadLimits, *, closely: bool) -> tuple[list[PageWords], bool]:
    """Counted as they are read: a page may hold millions; and whether some words are invisible. `closely`: each is held
    against the picture of its page, as where the words must bear out what an embedded file states."""
    pages, left, hidden = [], limits.words, False
    for index in range(len(document)):
        page, unseen = _words_of_page(document, index, left, limits, closely=closely and not hidden)
        pages.append(page)
        left -= page.count
        hidden = hidden or unseen
    return pages, hidden


def is_cut_off(content: bytes) -> bool:
    """Whether a PDF lacks its end, which says where everything is. Readers rebuild it from what they find."""
    end = content.rfind(END_OF_PDF)
    return end < 0 or len(content) - end > TAIL


def open_document(content: bytes, passwords: tuple[str, ...]) -> tuple[Any, list[str]]:
    """The opened PDF and notes. Tries no password first, then each given one, then a repaired copy."""
    try:
        return _unlock(content, passwords), []
    except pypdfium2.PdfiumError as failure:
        mended = _mend(content, passwords, failure)
    try:
        return _unlock(mended, ()), ["The file was damaged and was repaired for reading."]
    except pypdfium2.PdfiumError as failure:
        raise BrokenFile(f"The PDF is damaged beyond repair ({failure}); ask for it again.") from failure


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
            raise BrokenFile(f"The PDF is damaged beyond repair ({failure}); ask for it again.") from hopeless
    raise PasswordNeeded("The PDF is protected and damaged; none of the known passwords opens it.")


def has_script(document: Any, content: bytes) -> bool:
    return pdfium.FPDFDoc_GetJavaScriptActionCount(document) > 0 or bool(SCRIPT_MARKS.search(content))


def _embedded(document: Any, limits: ReadLimits) -> Iterator[tuple[str, bytes]]:
    left = limits.embedded_megabytes * 1024 * 1024
    for index in range(min(document.count_attachments(), 20)):
        attachment = document.get_attachment(index)
        try:
            content = bytes(attachment.get_data())
        except pypdfium2.PdfiumError:
            continue
        left -= len(content)
        if left < 0:
            raise FileTooLarge(f"The files inside the PDF exceed {limits.embedded_megabytes} MB.")
        yield attachment.get_name(), content


def _page(document: Any, index: int) -> Any:
    try:
        return document[index]
    except pypdfium2.PdfiumError as failure:
        raise BrokenFile(f"Page {index + 1} of the PDF is damaged; ask for it again.") from failure


def _words_of_page(
    document: Any, index: int, most: int, limits: ReadLimits, *, closely: bool
) -> tuple[PageWords, bool]:
    page = _page(document, index)
    try:
        width, height = page.get_size()
        text_page = page.get_textpage()
        try:
            texts, letters = _words(text_page, most, limits)
            places = _places(text_page, letters)
            hidden, pale = (False, []) if _all_seen(page, len(texts)) else _unseen(text_page, letters[::2])
        finally:
            text_page.close()
        edges = _edges(places, page.get_cropbox(), page.get_rotation())
        hidden = hidden or (bool(pale) and _shows_nothing(page, edges, pale, limits))
        hidden = hidden or (closely and _shows_other_than_its_words(page, edges, limits))
        return page_words(index + 1, width, height, texts, edges), hidden
    finally:
        page.close()


def _all_seen(page: Any, words: int) -> bool:
    """Whether all text of a page is drawn in ink that shows: asked of its objects, which are fewer than its words.
    False where some is not, where forms hold objects of their own, and where there are more objects than words."""
    count = pdfium.FPDFPage_CountObjects(page)
    if count > words:
        return False
    own = ctypes.c_void_p.from_param(ctypes.cast(page.raw, ctypes.c_void_p).value)
    for at in range(count):
        drawn = _object_at(own, at)
        mode = _mode_of(drawn)
        if mode == NO_TEXT:
            if _type_of(drawn) == pdfium.FPDF_PAGEOBJ_FORM:
                return False
        elif _look(drawn, mode):
            return False
    return True


def _unseen(text_page: Any, letters: Sequence[int]) -> tuple[bool, list[int]]:
    """Whether a word is drawn without ink, as under a scan, or see-through; and which are pale, by their first
    letters. Words of one object look alike."""
    page = ctypes.c_void_p.from_param(ctypes.cast(text_page.raw, ctypes.c_void_p).value)
    drawn = list(map(_object_of, repeat(page), letters))
    looks = {one: _look(own := DrawnObject(one), _mode_of(own)) for one in set(drawn) if one is not None}
    if "pale" not in looks.values():
        return "hidden" in looks.values(), []
    return "hidden" in looks.values(), [at for at, one in enumerate(drawn) if looks.get(one) == "pale"]


def _look(drawn: DrawnObject, mode: int) -> str:
    if mode in NO_INK:
        return "hidden"
    if mode not in FILLED or not _fill_of(drawn, *FILL_POINTERS):
        return ""
    red, green, blue, alpha = FILL
    if alpha < FAINT:
        return "hidden"
    return "pale" if min(red, green, blue) >= PALE else ""


def _shows_nothing(page: Any, edges: Edges, pale: Sequence[int], limits: ReadLimits) -> bool:
    """Whether one of these words leaves no trace where it is drawn; on a dark ground it does."""
    wide, high = page.get_size()
    if wide * high > limits.pixels:
        return True
    image = page.render(scale=1).to_pil().convert("L")
    boxes = list(zip(*edges, strict=True))
    for at in pale:
        left, top, right, bottom = map(int, boxes[at])
        box = max(left, 0), max(top, 0), min(right + 1, image.width), min(bottom + 1, image.height)
        if box[0] < box[2] and box[1] < box[3] and image.crop(box).getextrema()[0] >= PALE:
            return True
    return False


def _shows_other_than_its_words(page: Any, edges: Edges, limits: ReadLimits) -> bool:
    """Whether a word is off the page, too small to read, covered, cut away or in a layer that is switched off; or
    something is laid over the page that is no part of it, such as a stamp with words of its own."""
    wide, high = page.get_size()
    boxes = list(zip(*edges, strict=True))
    if wide * high * LOOK_CLOSELY**2 > limits.pixels:
        return True
    if any(not (0 <= left + right <= 2 * wide and 0 <= top + bottom <= 2 * high) for left, top, right, bottom in boxes):
        return True
    image = page.render(scale=LOOK_CLOSELY, draw_annots=False).to_pil().convert("L")
    if any(bottom - top < SMALLEST or _is_plain(image, box) for box in boxes for _, top, _, bottom in [box]):
        return True
    if pdfium.FPDFPage_GetAnnotCount(page.raw) == 0:
        return False
    with_notes = page.render(scale=LOOK_CLOSELY).to_pil().convert("L")
    return bool(with_notes.tobytes() != image.tobytes())


def _is_plain(image: Any, edges: Box) -> bool:
    """Whether there is no ink where a word stands."""
    left, top, right, bottom = (int(edge * LOOK_CLOSELY) for edge in edges)
    box = max(left, 0), max(top, 0), min(right + 1, image.width), min(bottom + 1, image.height)
    if box[0] >= box[2] or box[1] >= box[3]:
        return True
    darkest, lightest = image.crop(box).getextrema()
    return bool(lightest - darkest < CONTRAST)


def _words(text_page: Any, most: int, limits: ReadLimits) -> tuple[list[str], list[int]]:
    """Each word, and the numbers of its first and its last letter: two a word."""
    text, paired = _letters(text_page)
    words: list[str] = []
    letters: list[int] = []
    at = 0
    for word in ODD_BLANK.sub(BLANK, text.replace("\r\n", 2 * BLANK)).split(BLANK):
        if word:
            words.append(word)
            letters += at, at + len(word) - 1
        at += len(word) + 1
    if len(words) > most or max(map(len, words), default=0) > limits.word_length:
        raise FileTooLarge(f"The PDF has more than {limits.words:,} words, or one that is none.")
    if text_page.count_chars() != len(text):
        letters = [_index(text_page, at) for at in letters]
    return [_whole(word) for word in words] if paired else words, letters


def _letters(text_page: Any) -> tuple[str, bool]:
    """The page's text, one character for each letter as pdfium counts them, and whether some are half a pair.

    pdfium counts in UTF-16: an emoji is two letters. A half alone (some icon of a font) counts as a blank.
    """
    text = text_page.get_text_range(errors="surrogatepass")
    if not PAIRS.search(text):
        return text, False
    units = memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")
    return LONE_HALF.sub("\0", "".join(map(chr, units))), True


def _whole(word: str) -> str:
    return word.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _index(text_page: Any, at: int) -> int:
    """The letter's number, where the text leaves some letters out."""
    return max(int(pdfium.FPDFText_GetCharIndexFromTextIndex(text_page.raw, at)), 0)


def _places(text_page: Any, letters: Sequence[int]) -> array[float]:
    """The boxes of these letters, as pdfium tells them: left, top, right, bottom, upwards from the lower left."""
    page = ctypes.c_void_p.from_param(ctypes.cast(text_page.raw, ctypes.c_void_p).value)
    places = array("f")
    for at in range(0, len(letters), len(POINTERS)):
        some = letters[at : at + len(POINTERS)]
        ctypes.memset(ROOM, 0, RECTANGLE * len(some))
        deque(map(_place_letter, repeat(page), some, POINTERS), maxlen=0)
        places.frombytes(memoryview(ROOM).cast("B")[: RECTANGLE * len(some)])
    return places


def _edges(places: array[float], page: Box, rotation: int) -> Edges:
    """Each word's edges: from its first to its last letter, as high as its face, seen from the top left corner."""
    left, top, bottom, right = places[0::8], places[1::8], places[3::8], places[6::8]
    if rotation or bottom.tobytes() != places[7::8].tobytes() or not all(map(ge, right, places[2::8])):
        return _edges_of_any(places, page, rotation)
    x0, _, _, y1 = page
    if x0:
        left, right = array("d", [x - x0 for x in left]), array("d", [x - x0 for x in right])
    return left, [y1 - y for y in top], right, [y1 - y for y in bottom]


def _edges_of_any(places: array[float], page: Box, rotation: int) -> Edges:
    """The same where the page is turned, or some word is not written from left to right on one height."""
    boxes = []
    for left, top, right, bottom, last_left, last_top, last_right, last_bottom in zip(*[iter(places)] * 8, strict=True):
        if bottom == last_bottom and last_right >= right:
            box = left, bottom, last_right, top
        else:
            box = min(left, last_left), min(bottom, last_bottom), max(right, last_right), max(top, last_top)
        boxes.append(_upright(rotation, page, *box))
    return [box[0] for box in boxes], [box[1] for box in boxes], [box[2] for box in boxes], [box[3] for box in boxes]


def _upright(rotation: int, page: Box, left: float, bottom: float, right: float, top: float) -> Box:
    """A box measured from the top left corner of the page as it is shown."""
    x0, y0, x1, y1 = page
    if rotation == 0:
        return (left - x0, y1 - top, right - x0, y1 - bottom)
    if rotation == 90:
        return (bottom - y0, left - x0, top - y0, right - x0)
    if rotation == 180:
        return (x1 - right, bottom - y0, x1 - left, top - y0)
    return (y1 - top, x1 - right, y1 - bottom, x1 - left)


def picture(request: ReadRequest, content: bytes) -> ReadAnswer:
    """Page `request.page` as a PNG, `request.width` pixels wide."""
    document, _ = open_document(content, request.passwords)
    try:
        if not 1 <= request.page <= len(document):
            raise BrokenFile(f"The PDF has {len(document)} pages; there is no page {request.page}.")
        wide, _ = document.get_page_size(request.page - 1)
        return ReadAnswer(image=png(render(document, request.page - 1, request.width, request.limits), wide))
    finally:
        document.close()


def png(image: Any, points_wide: float) -> bytes:
    """It states its resolution, so that places in points can be marked on it exactly."""
    out = io.BytesIO()
    scale = image.width / max(points_wide, 1.0)
    image.save(out, "PNG", dpi=(72 * scale, 72 * scale))
    return out.getvalue()


def render(document: Any, index: int, width: int, limits: ReadLimits) -> Any:
    page = _page(document, index)
    try:
        points_wide, points_high = page.get_size()
        scale = width / max(points_wide, 1.0)
        if points_wide * points_high * scale * scale > limits.pixels:
            raise FileTooLarge(f"Page {index + 1} is too large to be drawn.")
        return page.render(scale=scale).to_pil()
    finally:
        page.close()
