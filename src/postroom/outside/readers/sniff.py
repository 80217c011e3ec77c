"""What a file is, by its first bytes and never by its name."""

from __future__ import annotations

from typing import Literal

Kind = Literal["pdf", "image", "text", "unknown"]

HEAD = 1024  # a PDF may start with rubbish; readers look this far for its mark
END_OF_PDF = b"%%EOF"
TAIL = 4096  # what gateways and signers append to a whole file is shorter
IMAGE_MARKS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")
FOREIGN_MARKS = (
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"MZ",
    b"\x7fELF",
    b"GIF8",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf",
)


def kind_of(content: bytes) -> Kind:
    head = content[:HEAD]
    if b"%PDF-" in head:
        return "pdf"
    if content.startswith(IMAGE_MARKS):
        return "image"
    if not content or content.startswith(FOREIGN_MARKS):
        return "unknown"
    return "text" if _looks_typed(head) else "unknown"


def is_cut_off(pdf: bytes) -> bool:
    """Whether a PDF lacks its end, which says where everything is. Readers rebuild it from what they find."""
    end = pdf.rfind(END_OF_PDF)
    return end < 0 or len(pdf) - end > TAIL


def _looks_typed(head: bytes) -> bool:
    controls = sum(1 for byte in head if byte < 32 and byte not in b"\t\n\r\f")
    return controls * 50 < len(head)


def decode(content: bytes) -> str:
    """Text of unknown encoding: UTF-8 if it is that, else Windows' Western one, which most old files are."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
