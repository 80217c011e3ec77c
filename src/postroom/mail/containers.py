"""What hides inside other files: winmail.dat, .msg and zip, opened within limits."""

from __future__ import annotations

import io
import logging
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from oxmsg.domain import constants as pid
from oxmsg.domain import model as oxmodel
from oxmsg.message import Message as OutlookMessage
from oxmsg.properties import Properties
from oxmsg.storage import Storage
from tnefparse import TNEF
from tnefparse.tnef import TNEFAttachment

from postroom.mail.headers import decode_bytes

logging.getLogger("tnefparse").setLevel(logging.CRITICAL)  # its warnings hold pieces of people's mail

_EMBEDDED_MESSAGE = "__substg1.0_3701000D"
_EMBEDDED_OFFSET = 24
_TNEF_OBJECTS = 20_000
_CHUNK = 1 << 16
AGAIN = "ask the sender for it again, best as a PDF"


class ContainerError(Exception):
    """A container that cannot be opened; the message says why, for a person."""


class NotPlain(Exception):
    """There is more to a mail than may be looked into here."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far we go into what a stranger sent."""

    depth: int = 8
    files: int = 1_000
    unpacked_bytes: int = 200 * 1024 * 1024
    parts: int = 5_000


@dataclass(slots=True)
class Budget:
    """What is left of the limits, for one mail with everything inside it."""

    limits: Limits = field(default_factory=Limits)
    files: int = 0
    unpacked: int = 0
    parts: int = 0
    plain: bool = False  # open nothing, rather raise NotPlain

    def take_file(self) -> None:
        self.files += 1
        if self.files > self.limits.files:
            raise ContainerError(f"more than {self.limits.files} files in one mail")

    def take_bytes(self, count: int) -> None:
        self.unpacked += count
        if self.unpacked > self.limits.unpacked_bytes:
            raise ContainerError(f"unpacks to more than {self.limits.unpacked_bytes // (1024 * 1024)} MB")


@dataclass(frozen=True, slots=True)
class Piece:
    """A file found inside something, not yet looked at."""

    filename: str
    content: bytes
    declared_type: str = "application/octet-stream"
    content_id: str = ""
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Capsule:
    """A mail in Microsoft's words: header lines, two bodies, and the files with it."""

    headers: str = ""
    text: str = ""
    html: str = ""
    pieces: tuple[Piece, ...] = ()
    inner: tuple[Capsule, ...] = ()


def open_zip(content: bytes, budget: Budget) -> Iterator[Piece]:
    """The files of a zip, by what they really unpack to, never by the sizes written in it."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error) as error:
        raise ContainerError(f"a broken zip file ({error}); {AGAIN}") from error
    for entry in entries:
        name = entry.filename
        if entry.is_dir() or name.startswith("__MACOSX/") or name.endswith((".DS_Store", "Thumbs.db")):
            continue
        budget.take_file()
        if entry.flag_bits & 0x1:
            raise ContainerError("a zip file with a password; ask the sender for it without one, best as a PDF")
        yield Piece(name.replace("\\", "/").rpartition("/")[2], _member(archive, entry, budget))


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget) -> bytes:
    out = io.BytesIO()
    try:
        with archive.open(entry) as stream:
            while chunk := stream.read(_CHUNK):
                budget.take_bytes(len(chunk))
                out.write(chunk)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ) as error:
        raise ContainerError(f"a broken zip file ({error}); {AGAIN}") from error
    return out.getvalue()


def open_tnef(content: bytes) -> Capsule:
    """A winmail.dat: its bodies and its files; a mail in a mail comes out as another winmail.dat."""
    _refuse_endless_tnef(content)
    try:
        tnef = TNEF(content, do_checksum=False)
        return Capsule(
            text=_tnef_text(tnef.body),
            html=_tnef_text(tnef.htmlbody),
            pieces=tuple(_tnef_piece(found) for found in tnef.attachments if found.data),
        )
    except Exception as error:
        raise ContainerError(f"a broken winmail.dat ({type(error).__name__}); {AGAIN}") from error


def _refuse_endless_tnef(content: bytes) -> None:
    """Each object costs the library a copy of the rest, so a file of countless tiny ones would never end."""
    at, count = 6, 0
    while at + 9 < len(content):
        (length,) = struct.unpack_from("<I", content, at + 5)
        at += 11 + length
        count += 1
        if count > _TNEF_OBJECTS:
            raise ContainerError("a winmail.dat of too many parts")


def _tnef_text(value: object) -> str:
    if isinstance(value, list | tuple):
        value = value[0] if value else b""
    if isinstance(value, bytes):
        value = decode_bytes(value)
    return value.strip("\0") if isinstance(value, str) else ""


def _tnef_piece(found: TNEFAttachment) -> Piece:
    attributes = {attribute.name: attribute.data for attribute in found.mapi_attrs}
    try:
        name = _tnef_text(found.long_filename())
    except UnicodeDecodeError:
        name = _tnef_text(getattr(found, "_name", b""))
    return Piece(
        filename=name or "attachment",
        content=bytes(found.data),
        declared_type=_tnef_text(attributes.get(pid.PID_ATTACH_MIME_TAG)) or "application/octet-stream",
        content_id=_tnef_text(attributes.get(pid.PID_ATTACH_CONTENT_ID)).strip("<>"),
    )


def open_msg(content: bytes) -> Capsule:
    """An Outlook .msg file."""
    try:
        root = OutlookMessage.load(content)
        return _capsule(root._storage, oxmodel.MSG_HDR_OFFSET, depth=0)  # noqa: SLF001 - the only way to embedded mails
    except Exception as error:
        raise ContainerError(f"a broken .msg file ({type(error).__name__}); {AGAIN}") from error


def _capsule(storage: oxmodel.StorageT | Storage, offset: int, *, depth: int) -> Capsule:
    properties = Properties(storage, properties_header_offset=offset)
    pieces: list[Piece] = []
    inner: list[Capsule] = []
    for attached in storage.iter_attachment_storages():
        mail = next((s for s in getattr(attached, "storages", ()) if s.name == _EMBEDDED_MESSAGE), None)
        if mail is not None and depth < Limits().depth:
            inner.append(_capsule(mail, _EMBEDDED_OFFSET, depth=depth + 1))
        elif mail is None and (piece := _msg_piece(attached)) is not None:
            pieces.append(piece)
    html = properties.binary_prop_value(pid.PID_HTML)
    return Capsule(
        headers=_msg_headers(properties, storage),
        text=_string(properties, pid.PID_BODY),
        html=decode_bytes(html, properties.body_encoding) if html else _string(properties, pid.PID_BODY_HTML),
        pieces=tuple(pieces),
        inner=tuple(inner),
    )


def _msg_piece(attached: oxmodel.StorageT) -> Piece | None:
    properties = Properties(attached, properties_header_offset=oxmodel.ATTACH_HDR_OFFSET)
    content = properties.binary_prop_value(pid.PID_ATTACH_DATA_BINARY)
    if content is None:
        return None
    return Piece(
        filename=_string(properties, pid.PID_ATTACH_LONG_FILENAME)
        or _string(properties, pid.PID_ATTACH_FILENAME)
        or "attachment",
        content=content,
        declared_type=_string(properties, pid.PID_ATTACH_MIME_TAG) or "application/octet-stream",
        content_id=_string(properties, pid.PID_ATTACH_CONTENT_ID).strip("<>"),
    )


def _string(properties: Properties, key: int) -> str:
    return (properties.str_prop_value(key) or "").strip("\0")


def _msg_headers(properties: Properties, storage: oxmodel.StorageT | Storage) -> str:
    """The internet headers if the mail came over the internet, else the same lines made from properties."""
    if headers := _string(properties, pid.PID_TRANSPORT_MESSAGE_HEADERS):
        return headers
    lines = [f"Subject: {_one_line(_string(properties, pid.PID_SUBJECT))}"]
    email = _string(properties, pid.PID_SENDER_SMTP_ADDRESS) or _string(properties, pid.PID_SENDER_EMAIL_ADDRESS)
    if email:
        name = _string(properties, pid.PID_SENDER_NAME).replace('"', "")
        lines.append(f'From: "{_one_line(name)}" <{_one_line(email)}>')
    if sent := properties.date_prop_value(pid.PID_CLIENT_SUBMIT_TIME):
        lines.append(f"Date: {sent:%a, %d %b %Y %H:%M:%S} +0000")
    lines.extend(_msg_recipients(storage))
    return "\n".join(lines)


def _msg_recipients(storage: oxmodel.StorageT | Storage) -> Iterator[str]:
    for stored in storage.iter_recipient_storages():
        properties = Properties(stored, properties_header_offset=oxmodel.RECIP_HDR_OFFSET)
        email = _string(properties, 0x39FE) or _string(properties, 0x3003)  # SMTP address, else any address
        label = {2: "Cc", 3: "Bcc"}.get(properties.int_prop_value(0x0C15) or 1, "To")
        if email:
            name = _string(properties, 0x3001).replace('"', "")
            yield f'{label}: "{_one_line(name)}" <{_one_line(email)}>'


def _one_line(text: str) -> str:
    return " ".join(text.split())
