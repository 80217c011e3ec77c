"""RFC 5322 in, Graph's words out; done when somebody looks, not when the mail arrives."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any

_ID = re.compile(rb"^(message-id|in-reply-to|references):((?:.*(?:\r?\n[ \t].*)*))", re.IGNORECASE | re.MULTILINE)
_ANGLE = re.compile(rb"<[^<>\s]+>")
_MEETING = {"REQUEST": "meetingRequest", "CANCEL": "meetingCancelled", "REPLY": "meetingAccepted"}


@dataclass(slots=True)
class SimGraphAttachment:
    """A file, an embedded item or a link, as it hangs on a message."""

    kind: str  # file, item, reference
    name: str
    content_type: str | None
    data: bytes  # the file, or the embedded message
    content_id: str | None = None
    inline: bool = False
    url: str = ""
    number: int = 0
    modified: float = 0.0

    @property
    def size(self) -> int:
        """Larger than the file: Exchange counts its own properties along."""
        return len(self.data) + len(self.data) * 45 // 1000 + 178


@dataclass(frozen=True, slots=True)
class ThreadingIds:
    """The ids in the header, found without parsing the mail."""

    message_id: str
    refers_to: tuple[str, ...]


def peek(raw: bytes) -> ThreadingIds:
    ends = [at for at in (raw.find(b"\r\n\r\n"), raw.find(b"\n\n")) if at >= 0]
    head = raw[: min(ends) + 1] if ends else raw
    own = ""
    refers: list[str] = []
    for name, value in _ID.findall(head):
        found = [angle.decode("utf-8", "replace") for angle in _ANGLE.findall(value)]
        if name.lower() == b"message-id":
            own = own or (found[0] if found else value.strip().decode("utf-8", "replace"))
        else:
            refers += found
    return ThreadingIds(own, tuple(dict.fromkeys(refers)))


def parsed(raw: bytes) -> Message:
    """By the old, lenient rules: five times faster than the strict ones, and no header can break it."""
    return email.message_from_bytes(raw, policy=policy.compat32)


def header(message: Message, name: str) -> str:
    return next((decoded(text) for text in _lines(message, name)), "")


def _lines(message: Message, name: str) -> Iterator[str]:
    wanted = name.lower()
    return (_unfolded(text) for key, text in message.raw_items() if key.lower() == wanted)


def _unfolded(text: object) -> str:
    """One line; raw eight-bit text is read as UTF-8, as Exchange does."""
    joined = str(text).replace("\r", "").replace("\n", "")
    return joined.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def decoded(text: str) -> str:
    """Encoded words made readable, as far as they can be."""
    if "=?" not in text:
        return text
    try:
        return str(make_header(decode_header(text)))
    except (ValueError, LookupError):
        return text


def recipients(message: Message, name: str) -> list[dict[str, Any]]:
    found = getaddresses(list(_lines(message, name)))
    return [recipient(address, decoded(shown)) for shown, address in found if address]


def recipient(address: str, name: str = "") -> dict[str, Any]:
    return {"emailAddress": {"name": name or address, "address": address}}


def sent_at(message: Message) -> str | None:
    try:
        when = parsedate_to_datetime(header(message, "Date"))
    except (ValueError, TypeError):
        return None
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return stamp(aware.timestamp())


def stamp(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(raw: bytes) -> tuple[dict[str, Any], list[SimGraphAttachment]]:
    """Graph's properties of this mail, and what hangs on it."""
    message = parsed(raw)
    body, attached = _walk(message)
    sender = recipients(message, "From")
    props: dict[str, Any] = {
        "subject": header(message, "Subject"),
        "from": sender[0] if sender else None,
        "sender": next(iter(recipients(message, "Sender") or sender), None),
        "toRecipients": recipients(message, "To"),
        "ccRecipients": recipients(message, "Cc"),
        "bccRecipients": recipients(message, "Bcc"),
        "replyTo": recipients(message, "Reply-To"),
        "body": body,
        "importance": _importance(message),
        "isReadReceiptRequested": "Disposition-Notification-To" in message,
        "internetMessageHeaders": [
            {"name": name, "value": decoded(_unfolded(value))} for name, value in message.raw_items()
        ],
        "sentDateTime": sent_at(message),
    }
    props.update(_meeting(message))
    return props, attached


def _importance(message: Message) -> str:
    said = header(message, "Importance").lower() or header(message, "X-Priority")[:1]
    return {"high": "high", "1": "high", "2": "high", "low": "low", "4": "low", "5": "low"}.get(said, "normal")


def _meeting(message: Message) -> dict[str, Any]:
    for part in message.walk():
        if part.get_content_type() == "text/calendar":
            method = str(part.get_param("method") or "REQUEST").upper()
            kind = "eventMessageRequest" if method == "REQUEST" else "eventMessage"
            return {
                "@odata.type": f"#microsoft.graph.{kind}",
                "meetingMessageType": _MEETING.get(method, "none"),
            }
    return {}


def _walk(message: Message) -> tuple[dict[str, str], list[SimGraphAttachment]]:
    texts: dict[str, str] = {}
    attached: list[SimGraphAttachment] = []
    for part, related in _leaves(message, related=False):
        kind = part.get_content_type()
        if kind in {"text/plain", "text/html"} and not _is_file(part) and kind not in texts:
            texts[kind] = text_of(part)
        elif kind != "text/calendar" or _is_file(part):
            attached.append(_attached(part, related=related))
    for number, one in enumerate(attached, 1):
        one.number = number
    if "text/html" in texts:
        return {"contentType": "html", "content": texts["text/html"]}, attached
    return {"contentType": "text", "content": texts.get("text/plain", "")}, attached


def _leaves(part: Message, *, related: bool) -> Iterator[tuple[Message, bool]]:
    """The parts that hold something; an embedded message is one of them, not a tree to walk into."""
    if part.get_content_maintype() == "multipart":
        inside = related or part.get_content_subtype() == "related"
        for child in part.get_payload() if part.is_multipart() else []:
            if isinstance(child, Message):
                yield from _leaves(child, related=inside)
    else:
        yield part, related


def _is_file(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


def text_of(part: Message) -> str:
    found = part.get_payload(decode=True)
    data = found if isinstance(found, bytes) else b""
    for charset in (part.get_content_charset() or "utf-8", "utf-8", "windows-1252"):
        try:
            return data.decode(charset)
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    return data.decode("latin-1")


def _file_name(part: Message) -> str:
    """A name that is told with its charset is taken by the letter; in others, encoded words are read."""
    found = part.get_param("filename", header="content-disposition")
    return part.get_filename() or "" if isinstance(found, tuple) else decoded(part.get_filename() or "")


def _attached(part: Message, *, related: bool) -> SimGraphAttachment:
    kind = part.get_content_type()
    cid = header(part, "Content-ID").strip("<> ") or None
    name = _file_name(part)
    if kind == "message/rfc822":
        inner = _embedded(part)
        return SimGraphAttachment(
            "item", name.removesuffix(".eml") or header(parsed(inner), "Subject"), None, inner, cid
        )
    if kind == "message/external-body":
        return SimGraphAttachment("reference", name, None, b"", cid, url=str(part.get_param("url") or ""))
    data = part.get_payload(decode=True)
    inline = bool(cid) and (related or part.get_content_disposition() == "inline")
    return SimGraphAttachment("file", name, kind, data if isinstance(data, bytes) else b"", cid, inline)


def _embedded(part: Message) -> bytes:
    payload = part.get_payload()
    if isinstance(payload, list) and payload and isinstance(payload[0], Message):
        return payload[0].as_bytes()
    decoded = part.get_payload(decode=True)
    return decoded if isinstance(decoded, bytes) else b""
