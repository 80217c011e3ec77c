"""What a person may hand in."""

from __future__ import annotations

from dataclasses import dataclass

from postroom.mail.attachments import Dropped, worth_keeping
from postroom.nouns.errors import BadRequest
from postroom.nouns.mail import Attachment

LONGEST_NAME = 200
_MARKS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"<", "application/xml"),
    (b"\xff\xfe<", "application/xml"),
    (b"\xfe\xff\0<", "application/xml"),
)


@dataclass(frozen=True, slots=True)
class Accepted:
    filename: str
    content_type: str


def accepted(content: bytes, filename: str) -> Accepted:
    """By its content, as with mail. Raises BadRequest that says what is wrong."""
    name = "".join(char for char in filename.replace("\\", "/").rpartition("/")[2] if char.isprintable())
    name = name.strip(" .")[:LONGEST_NAME] or "document"
    content_type = sniff(content)
    verdict = worth_keeping(Attachment(name, content, sniffed_type=content_type))
    if isinstance(verdict, Dropped):
        raise BadRequest(f"{name} is not taken: {verdict.because}")
    return Accepted(name, content_type)


def sniff(content: bytes) -> str:
    if b"%PDF-" in content[:1024]:
        return "application/pdf"
    start = content[:64].removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    return next((kind for mark, kind in _MARKS if start.startswith(mark)), "application/octet-stream")
