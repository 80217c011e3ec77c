"""What a file is, by its bytes and never by its name."""

from __future__ import annotations

import re
from typing import Literal

OCTETS = "application/octet-stream"
PDF = "application/pdf"
RFC822 = "message/rfc822"
TNEF = "application/ms-tnef"
MSG = "application/vnd.ms-outlook"
ZIP = "application/zip"
XML = "application/xml"
HTML = "text/html"
IMAGES = ("image/png", "image/jpeg", "image/tiff")  # those that can be read

ReadableAs = Literal["pdf", "image", "text", "unknown"]

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
    (b"{\\rtf", "text/rtf"),
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
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (b"mimetypeapplication/vnd.oasis", "application/vnd.oasis.opendocument"),
)
_PKCS7_OID = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
_MSG_STREAM = "__properties_version1.0".encode("utf-16-le")
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
        if head.startswith(magic):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:8] == b"ftyp" and head[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"avif"):
        return "image/heic"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(content)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return MSG if _MSG_STREAM in content else "application/x-ole-storage"
    if head[:1] == b"\x30" and _PKCS7_OID in head[:64]:
        return "application/pkcs7-mime"
    if b"%PDF-" in head and not _MAIL_LINE.match(content[:8192].lstrip()):
        return PDF  # readers accept junk before the mark; a container of a small PDF shows its own mark first
    return _text_kind(content)


def readable_as(content: bytes) -> ReadableAs:
    """Who reads such a file: a reader of PDFs, of pictures, of typed text, or nobody."""
    kind = sniff(content)
    if kind == PDF or b"%PDF-" in content[:1024]:
        return "pdf"
    if kind in IMAGES:
        return "image"
    return "text" if kind.startswith("text/") or kind in (XML, RFC822) else "unknown"


def _zip_kind(content: bytes) -> str:
    names = content[:4096] + content[-65536:]
    if b"[Content_Types].xml" in names or b"mimetypeapplication/vnd.oasis" in names:
        return next((kind for mark, kind in _OFFICE if mark in names), ZIP)
    return ZIP


def _text_kind(content: bytes) -> str:
    head = content[:4096].removeprefix(b"\xef\xbb\xbf")
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
    if not head or b"\0" in head:
        return OCTETS
    controls = sum(byte < 32 and byte not in b"\t\r\n\f\x1b" for byte in head)
    return "text/plain" if controls * 50 < len(head) else OCTETS
