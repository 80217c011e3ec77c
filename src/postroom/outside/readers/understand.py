"""One file to its words, or to what they say. For reading processes only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from postroom.mail.headers import decode_bytes
from postroom.mail.mime_parts import meta_charset
from postroom.mail.sniff import LOCKED_OFFICE, ReadableAs, readable_as, sniff
from postroom.mail.unread import UNREAD
from postroom.nouns.documents import (
    BrokenFile,
    CannotRead,
    DocumentText,
    Embedded,
    FileTooLarge,
    Hostile,
    NotADocument,
    Protected,
    TextPage,
    TextSource,
    Word,
    typed,
)
from postroom.outside.readers import codec, drawn_text, markup, pdf
from postroom.outside.readers.wire import PageWords, ReadAnswer, ReadLimits, ReadRequest, page_words
from postroom.reading.extractor import extract
from postroom.reading.invoices.ours import never_ours
from postroom.reading.page import grid
from postroom.reading.profiles import SenderProfile
from postroom.reading.stated import XML, read_stated

TEXT_LAYER_WORDS = 4  # fewer, and the page is a scan with a stamp or a page number on it
LONGEST_TABLE = 4_000_000  # letters of HTML, or of a table as text
_word = partial(tuple.__new__, Word)  # by the hundred for every page: half the price of calling it


def understand(request: ReadRequest, content: bytes) -> ReadAnswer:
    """As far as the request goes: the picture of a page, the words, or what they say."""
    if request.work == "image":
        return _picture(request, content)
    if request.work == "extract" and sniff(content) in XML:
        stated = never_ours(None, read_stated(content), request.own)
        return ReadAnswer(source="xml", extraction=codec.encode(stated))
    read = _words(request, content)
    if read.scanned or request.work == "read":
        return read
    text = text_of(read)
    profile = SenderProfile.from_json(request.profile) if request.profile else None
    extraction = never_ours(text, extract(text, profile), request.own)
    return _kept(read, request, codec.encode(extraction))


def text_of(read: ReadAnswer) -> DocumentText:
    """The words with their places. Raises Hostile when there are words without places."""
    source: TextSource = "plain" if read.source == "xml" else read.source
    return DocumentText(
        pages=tuple(_page(page) for page in read.pages),
        source=source,
        embedded=tuple(Embedded(name, content) for name, content in read.embedded),
        notes=tuple(read.notes),
        scripted=read.scripted,
        damaged=read.damaged,
        hidden=read.hidden,
    )


def _page(page: PageWords) -> TextPage:
    try:
        words = tuple(map(_word, page.words()))
    except ValueError as mismatch:
        raise Hostile("Reading the file gave words without places.") from mismatch
    return TextPage(page.number, page.width, page.height, words)


def _kept(read: ReadAnswer, request: ReadRequest, extraction: object) -> ReadAnswer:
    """With or without the words, which are many times what they say."""
    return ReadAnswer(
        pages=read.pages if request.with_words else [],
        page_count=read.page_count,
        embedded=read.embedded if request.with_words else [],
        notes=read.notes,
        source=read.source,
        scripted=read.scripted,
        damaged=read.damaged,
        withheld=read.withheld,
        extraction=extraction,
    )


def _words(request: ReadRequest, content: bytes) -> ReadAnswer:
    if request.recognise:
        from postroom.outside.readers import images

        return images.read(request, content)
    kind = readable_as(content)
    if kind == "pdf":
        return pdf.read(request, content, TEXT_LAYER_WORDS)
    if kind in ("unknown", "image"):
        raise refused(content)
    return _unprinted(kind, content, request.limits)


def refused(content: bytes) -> CannotRead:
    """Why nobody here reads such a file, and what to do about it."""
    if not content.strip():
        return NotADocument("The file is empty; ask for it again.")
    kind = sniff(content)
    if kind == LOCKED_OFFICE:
        return Protected(UNREAD[kind])
    if kind in UNREAD:
        return NotADocument(UNREAD[kind])
    return NotADocument("The file is no PDF, picture, text, Word or Excel file; convert it to PDF.")


def _unprinted(kind: ReadableAs, content: bytes, limits: ReadLimits) -> ReadAnswer:
    """What has no pages of its own, laid out on some."""
    from postroom.outside.readers import office, workbooks  # libraries that the parent does not need

    withheld = macros = False
    if kind == "docx":
        sheets, macros = office.word_file(content)
    elif kind == "xlsx":
        sheets, withheld, macros = workbooks.workbook(content)
    else:
        text = decode_bytes(content, meta_charset(content) if kind == "html" else "")
        if kind == "text":
            _refuse_many(text.split(), limits)
            return _answer(typed(text).pages, limits)
        if len(text) > LONGEST_TABLE:
            raise FileTooLarge(f"The text has more than {LONGEST_TABLE:,} letters; ask for a shorter one, or a PDF.")
        sheets = [markup.sheet(text) if kind == "html" else workbooks.delimited(text)]
    read = _answer(grid.pages(sheets), limits)
    return msgspec.structs.replace(read, scripted=macros, withheld=withheld)


def _answer(pages: Sequence[TextPage], limits: ReadLimits) -> ReadAnswer:
    for page in pages:
        _refuse_many([word.text for word in page.words], limits)
    if sum(len(page.words) for page in pages) > limits.words:
        raise _too_many(limits)
    packed = [_as_words(page) for page in pages]
    return ReadAnswer(pages=packed, page_count=len(packed), source="plain")


def _refuse_many(words: Sequence[str], limits: ReadLimits) -> None:
    if len(words) > limits.words or max(map(len, words), default=0) > limits.word_length:
        raise _too_many(limits)


def _too_many(limits: ReadLimits) -> FileTooLarge:
    return FileTooLarge(f"The text has more than {limits.words:,} words, or one that is none.")


def _as_words(page: TextPage) -> PageWords:
    texts = [word.text for word in page.words]
    left, top, right, bottom = ([word.box[side] for word in page.words] for side in range(4))
    return page_words(page.number, page.width, page.height, texts, (left, top, right, bottom))


def _picture(request: ReadRequest, content: bytes) -> ReadAnswer:
    kind = readable_as(content)
    if kind == "pdf":
        return pdf.picture(request, content)
    if kind == "image":
        from postroom.outside.readers import images

        return images.picture(request, content)
    read = _unprinted(kind, content, request.limits)
    if request.page > len(read.pages):
        raise BrokenFile(f"The file has no page {request.page}.")
    return ReadAnswer(image=drawn_text.svg(read.pages[request.page - 1]))
