"""One file to its words, or to what they say. For reading processes only."""

from __future__ import annotations

from functools import partial

from postroom.mail.headers import decode_bytes
from postroom.mail.sniff import readable_as, sniff
from postroom.nouns.documents import (
    DocumentText,
    Embedded,
    FileTooLarge,
    Hostile,
    NotADocument,
    TextPage,
    TextSource,
    Word,
    typed,
)
from postroom.outside.readers import codec, pdf
from postroom.outside.readers.wire import PageWords, ReadAnswer, ReadLimits, ReadRequest, page_words
from postroom.reading.extractor import extract
from postroom.reading.invoices.ours import never_ours
from postroom.reading.profiles import SenderProfile
from postroom.reading.stated import XML, read_stated

TEXT_LAYER_WORDS = 4  # fewer, and the page is a scan with a stamp or a page number on it
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
        extraction=extraction,
    )


def _words(request: ReadRequest, content: bytes) -> ReadAnswer:
    if request.recognise:
        from postroom.outside.readers import images

        return images.read(request, content)
    kind = readable_as(content)
    if kind == "pdf":
        return pdf.read(request, content, TEXT_LAYER_WORDS)
    if kind == "text":
        return _typed(content, request.limits)
    raise NotADocument("The file is no PDF, PNG, JPEG, TIFF or text; convert it to PDF.")


def _typed(content: bytes, limits: ReadLimits) -> ReadAnswer:
    text = decode_bytes(content)
    parts = text.split()
    if len(parts) > limits.words or max(map(len, parts), default=0) > limits.word_length:
        raise FileTooLarge(f"The text has more than {limits.words:,} words, or one that is none.")
    pages = [_as_words(page) for page in typed(text).pages]
    return ReadAnswer(pages=pages, page_count=len(pages), source="plain")


def _as_words(page: TextPage) -> PageWords:
    texts = [word.text for word in page.words]
    left, top, right, bottom = ([word.box[side] for word in page.words] for side in range(4))
    return page_words(page.number, page.width, page.height, texts, (left, top, right, bottom))


def _picture(request: ReadRequest, content: bytes) -> ReadAnswer:
    if readable_as(content) == "pdf":
        return pdf.picture(request, content)
    from postroom.outside.readers import images

    return images.picture(request, content)
