"""Raw mail read only as far as a question needs it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime

_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_FIELD = re.compile(rb"^([!-9;-~]+):[ \t]*((?:.*)(?:\r?\n[ \t].*)*)", re.M)
_THREADING = re.compile(rb"^(message-id|in-reply-to|references|subject):[ \t]*(.*(?:\r?\n[ \t].*)*)", re.M | re.I)
_ID = re.compile(r"<[^<>\s]+>")
_REPLY_MARK = re.compile(r"^\s*(?:(?:re|fwd?|aw|wg|antw|tr|sv|rv)\s*(?:\[\d+\])?\s*:\s*)+", re.I)
_TAGS = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.S | re.I)
_PARSER = BytesParser(policy=policy.compat32)
_PEEK = 16_384  # enough of a mail to find its first words without decoding the attachments


@dataclass(frozen=True, slots=True)
class ThreadHeaders:
    """What threading needs."""

    message_id: str
    refers_to: tuple[str, ...]  # nearest first
    subject: str  # without Re: and its relatives


def head(raw: bytes) -> bytes:
    found = _END_OF_HEAD.search(raw)
    return raw[: found.start()] if found else raw


def envelope(raw: bytes) -> ThreadHeaders:
    seen: dict[bytes, str] = {}
    for name, value in _THREADING.findall(head(raw)):
        seen.setdefault(name.lower(), _text(value))
    ids = _ID.findall(seen.get(b"message-id", ""))
    nearest = _ID.findall(seen.get(b"in-reply-to", ""))
    older = _ID.findall(seen.get(b"references", ""))
    return ThreadHeaders(ids[0] if ids else "", (*nearest, *reversed(older)), bare_subject(seen.get(b"subject", "")))


def bare_subject(subject: str) -> str:
    return " ".join(_REPLY_MARK.sub("", _decoded(subject)).split()).casefold()


def headers(raw: bytes) -> list[tuple[str, str]]:
    """All fields in order, names as the sender wrote them, encoded words decoded."""
    return [(name.decode(), _decoded(_text(value))) for name, value in _FIELD.findall(head(raw))]


def header(raw: bytes, wanted: str) -> str:
    return next((value for name, value in headers(raw) if name.lower() == wanted.lower()), "")


def addresses(raw: bytes, *fields: str) -> list[str]:
    wanted = {field.lower() for field in fields}
    found = getaddresses([value for name, value in headers(raw) if name.lower() in wanted])
    return list(dict.fromkeys(address.lower() for _, address in found if "@" in address))


def date(raw: bytes) -> float | None:
    try:
        return parsedate_to_datetime(header(raw, "Date")).timestamp()
    except ValueError:
        return None


def with_headers(raw: bytes, *, drop: tuple[str, ...] = (), add: tuple[tuple[str, str], ...] = ()) -> bytes:
    """The same mail with some fields gone and others on top."""
    top = head(raw)
    rest = raw[len(top) :]
    gone = {name.lower().encode() for name in drop}
    kept = [field[0].rstrip(b"\r") for field in _FIELD.finditer(top) if field[1].lower() not in gone]
    return b"\r\n".join([*(f"{name}: {value}".encode() for name, value in add), *kept]) + rest


def snippet(raw: bytes) -> str:
    """The first words, HTML-escaped as Gmail does."""
    for part in _PARSER.parsebytes(raw[:_PEEK]).walk():
        if part.get_content_maintype() != "text" or part.get_filename():
            continue
        text = _charset_text(part)
        if part.get_content_subtype() == "html":
            text = html.unescape(_TAGS.sub(" ", text))
        if words := " ".join(text.split()):
            return html.escape(words[:200])
    return ""


def words(raw: bytes) -> str:
    """Header values and text bodies in lower case, for searching."""
    bodies = (_charset_text(part) for part in _PARSER.parsebytes(raw).walk() if part.get_content_maintype() == "text")
    return " ".join([*(value for _, value in headers(raw)), *bodies]).lower()


@dataclass(slots=True)
class MimePart:
    """One MIME part, numbered as Gmail numbers them."""

    part_id: str
    message: Message
    parts: list[MimePart]

    @property
    def filename(self) -> str:
        name = _decoded(self.message.get_filename() or "")
        is_mail = self.message.get_content_type() == "message/rfc822"
        return name or ("noname.eml" if is_mail and self.part_id else "")

    def headers(self) -> list[tuple[str, str]]:
        escaped = ((name, str(value).encode("utf-8", "surrogateescape")) for name, value in self.message.raw_items())
        return [(name, _decoded(_text(value))) for name, value in escaped]

    def content(self) -> bytes:
        if self.message.get_content_type() == "message/rfc822":
            return b"".join(inner.as_bytes() for inner in _inner(self.message))
        payload = self.message.get_payload(decode=True)
        return payload if isinstance(payload, bytes) else b""

    def walk(self) -> Iterator[MimePart]:
        yield self
        for part in self.parts:
            yield from part.walk()


def tree(raw: bytes) -> MimePart:
    return _numbered(_PARSER.parsebytes(raw), "")


def has_attachment(raw: bytes) -> bool:
    return any(part.filename for part in tree(raw).walk())


def with_text(raw: bytes, text: str) -> bytes:
    """What is left after a person rewrote the body: same headers, one plain text."""
    old = BytesParser(policy=policy.default).parsebytes(raw)
    new = EmailMessage(policy=policy.SMTP)
    for name, value in old.items():
        if not name.lower().startswith(("content-", "mime-version")):
            new[name] = value
    new.set_content(text)
    return new.as_bytes()


def _numbered(message: Message, part_id: str) -> MimePart:
    inner = _inner(message)
    prefix = f"{part_id}." if part_id else ""
    return MimePart(part_id, message, [_numbered(part, f"{prefix}{number}") for number, part in enumerate(inner)])


def _inner(message: Message) -> list[Message]:
    payload = message.get_payload()
    return [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []


def _charset_text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    try:
        return payload.decode(part.get_content_charset("utf-8"), "replace")
    except LookupError:
        return payload.decode("utf-8", "replace")


def _text(value: bytes) -> str:
    return re.sub(r"\r?\n(?=[ \t])", "", value.decode("utf-8", "replace")).strip()


def _decoded(value: str) -> str:
    if "=?" not in value:
        return value
    try:
        return str(make_header(decode_header(value)))
    except (LookupError, ValueError):
        return value
