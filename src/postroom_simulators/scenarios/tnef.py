"""winmail.dat: the envelope in which old Outlook hides its attachments."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_SIGNATURE = 0x223E9F78
_MESSAGE, _ATTACHMENT = 1, 2
_VERSION = 0x00089006
_CODEPAGE = 0x00069007
_MESSAGE_CLASS = 0x00078008
_SUBJECT = 0x00018004
_BODY = 0x0002800C
_RENDERING = 0x00069002
_TITLE = 0x00018010
_DATA = 0x0006800F


def _attribute(level: int, name: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, name, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def _text(value: str) -> bytes:
    return value.encode("cp1252") + b"\0"


def winmail(subject: str, body: str, files: Sequence[tuple[str, bytes]]) -> bytes:
    """A TNEF stream with a subject, a text and the files, whose names are in Western European letters."""
    parts = [
        struct.pack("<IH", _SIGNATURE, 1),
        _attribute(_MESSAGE, _VERSION, struct.pack("<I", 0x00010000)),
        _attribute(_MESSAGE, _CODEPAGE, struct.pack("<II", 1252, 0)),
        _attribute(_MESSAGE, _MESSAGE_CLASS, _text("IPM.Microsoft Mail.Note")),
        _attribute(_MESSAGE, _SUBJECT, _text(subject)),
        _attribute(_MESSAGE, _BODY, _text(body)),
    ]
    for name, data in files:
        rendering = struct.pack("<HIHHI", 1, 0xFFFFFFFF, 32, 32, 0)
        parts += [
            _attribute(_ATTACHMENT, _RENDERING, rendering),
            _attribute(_ATTACHMENT, _TITLE, _text(name)),
            _attribute(_ATTACHMENT, _DATA, data),
        ]
    return b"".join(parts)
