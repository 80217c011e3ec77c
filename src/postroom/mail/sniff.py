"""What a file is, by its bytes and never by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

OCTETS = "application/octet-stream"
PDF = "application/pdf"
RFC822 = "message/rfc822"
TNEF = "application/ms-tnef"
MSG = "application/vnd.ms-outlook"
ZIP = "application/zip"
XML = "application/xml"
HTML = "text/html"
CSV = "text/csv"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OLE = "application/x-ole-storage"
LOCKED_OFFICE = "application/x-ole-encrypted-package"  # how Word and Excel keep a file with a password
OLD_WORD = "application/msword"
OLD_EXCEL = "application/vnd.ms-excel"
RTF = "text/rtf"
OPEN_DOCUMENT = "application/vnd.oasis.opendocument"
XPS = "application/oxps"
IWORK = "application/vnd.apple.iwork"
UNREAD_OFFICE = (LOCKED_OFFICE, OLD_WORD, OLD_EXCEL, RTF, OPEN_DOCUMENT, OLE, XPS, IWORK)
IMAGES = ("image/png", "image/jpeg", "image/tiff")  # those that can be read

ReadableAs = Literal["pdf", "image", "text", "html", "csv", "docx", "xlsx", "unknown"]

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", PDF),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"II+\0", "image/tiff"),
    (b"MM\0+", "image/tiff"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x78\x9f\x3e\x22", TNEF),
    (b"{\\rtf", RTF),
    (b"\x1f\x8b", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"-----BEGIN PGP SIGNATURE", "application/pgp-signature"),
    (b"-----BEGIN PKCS7", "application/pkcs7-signature"),
    (b"-----BEGIN PGP MESSAGE", "application/pgp-encrypted"),
    (b"\x7fELF", "application/x-executable"),
    (b"MZ", "application/x-msdownload"),
)
_OFFICE: tuple[tuple[bytes, str], ...] = (
    (b"word/", DOCX),
    (b"xl/", XLSX),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (b"mimetypeapplication/vnd.oasis", OPEN_DOCUMENT),
)
_PRINTED: tuple[tuple[bytes, str], ...] = (
    (b"FixedDocSeq.fdseq", XPS),
    (b"FixedDocumentSequence.fdseq", XPS),
    (b"Documents/1/FixedDoc", XPS),
    (b"Index/Document.iwa", IWORK),
    (b"Index.zip", IWORK),
)
_TEXT_HEAD = 4096
_PKCS7_OID = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
_OLE_STREAMS: tuple[tuple[bytes, str], ...] = tuple(
    (name.encode("utf-16-le"), kind)
    for name, kind in (
        ("__properties_version1.0", MSG),
        ("EncryptedPackage", LOCKED_OFFICE),
        ("WordDocument", OLD_WORD),
        ("Workbook", OLD_EXCEL),
    )
)
_READ_AS: dict[str, ReadableAs] = {
    PDF: "pdf",
    **dict.fromkeys(IMAGES, "image"),
    **dict.fromkeys((XML, RFC822, "text/plain", "text/calendar", "text/vcard"), "text"),
    HTML: "html",
    CSV: "csv",
    DOCX: "docx",
    XLSX: "xlsx",
}
_SEPARATORS = ((";", 0.6), ("\t", 0.6), ("|", 0.6), (",", 0.8))
"""Between cells, and in how many lines there must be equally many of them."""
_QUOTED_CELL = re.compile(r'"[^"]*"')
_PAIRED = 0.9  # of the lines of a table of two columns, which prose never has
_FEWEST_PAIRS = 3
_TWO_CELLS = {
    mark: re.compile(rf"[^{re.escape(mark)}]{{1,80}}?{re.escape(mark)}(?! )[^{re.escape(mark)}]{{1,200}}")
    for mark in (";", "\t", "|")
} | {
    ",": re.compile(r"[^,]{0,80}(?:[^,\d],|\d,(?!\d{1,3}(?![\d.])))(?! )[^,]{1,200}(?:,\d+)?")
}  # `Kurs,100,00` has two
_MAIL_LINE = re.compile(
    rb"\A(?:From [^\n]*\n)?(?:(?:received|return-path|from|to|subject|date|message-id|mime-version"
    rb"|delivered-to|content-type|x-[\w-]+|dkim-signature|arc-[\w-]+|authentication-results)"
    rb":[^\n]*\n(?:[ \t][^\n]*\n)*){2}",
    re.IGNORECASE,
)


def sniff(content: bytes) -> str:
    """The media type that the bytes themselves show; `application/octet-stream` when they show none."""
    head = content[:1024]
    for magic, kind in _MAGIC:
        if head.startswith(magic) and not (len(magic) == 2 and is_text(head)):  # BM is a picture, BMO a bank
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:8] == b"ftyp" and head[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"avif"):
        return "image/heic"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(content)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return next((kind for name, kind in _OLE_STREAMS if name in content), OLE)
    if head[:1] == b"\x30" and _PKCS7_OID in head[:64]:
        return "application/pkcs7-mime"
    if b"%PDF-" in head and not _MAIL_LINE.match(content[:8192].lstrip()):
        return PDF  # readers accept junk before the mark; a container of a small PDF shows its own mark first
    return _text_kind(content)


def is_text(content: bytes) -> bool:
    """Whether a person may have typed it: not a zero byte, and hardly another control character."""
    head = content[:_TEXT_HEAD]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode()
    controls = sum(byte < 32 and byte not in b"\t\r\n\f\x1b" for byte in head)
    return b"\0" not in head and controls * 50 < max(len(head), 1)


def readable_as(content: bytes) -> ReadableAs:
    """Who reads such a file: a reader of PDFs, of pictures, of typed text, of tables, or nobody."""
    if b"%PDF-" in content[:1024]:
        return "pdf"
    return _READ_AS.get(sniff(content), "unknown")


def separator(text: str) -> str:
    """What parts the cells of a table written as text; empty if it is none."""
    lines = [_QUOTED_CELL.sub("x", line) for line in text.splitlines()[:40] if line.strip()]
    for mark, share in _SEPARATORS:
        counts = Counter(line.count(mark) for line in lines)
        usual, often = max(counts.items(), key=lambda item: (item[0] >= 2, item[1]), default=(0, 0))
        if usual >= 2 and often >= 2 and often >= share * len(lines):
            return mark
    return _between_two(lines)


def _between_two(lines: Sequence[str]) -> str:
    """What parts a label from its value on nearly every line: never a comma with a blank behind it, nor one within an
    amount."""
    for mark, _ in _SEPARATORS:
        pairs = sum(1 for line in lines if _TWO_CELLS[mark].fullmatch(line.strip(" \r\ufeff")))
        if pairs >= _FEWEST_PAIRS and pairs >= _PAIRED * len(lines):
            return mark
    return ""


def _zip_kind(content: bytes) -> str:
    names = content[:4096] + content[-65536:]
    if printed := next((kind for mark, kind in _PRINTED if mark in names), ""):
        return printed
    if b"[Content_Types].xml" in names or b"mimetypeapplication/vnd.oasis" in names:
        return next((kind for mark, kind in _OFFICE if mark in names), ZIP)
    return ZIP


def _text_kind(content: bytes) -> str:
    head = content[:_TEXT_HEAD].removeprefix(b"\xef\xbb\xbf")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode()
    start = head.lstrip().lower()
    if start.startswith(b"begin:vcalendar"):
        return "text/calendar"
    if start.startswith(b"begin:vcard"):
        return "text/vcard"
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return HTML
    if start.startswith(b"<?xml") or re.match(rb"<[a-z][\w.-]*(:[\w.-]+)?[\s>]", start):
        return HTML if b"<html" in start else XML
    if _MAIL_LINE.match(content[:8192].lstrip()):
        return RFC822
    if not head or not is_text(head):
        return OCTETS
    return CSV if separator(_whole_lines(head)) else "text/plain"


def _whole_lines(head: bytes) -> str:
    text = head.decode("utf-8", "replace")
    return text if len(head) < _TEXT_HEAD else text.rpartition("\n")[0]
