"""Graph's words back into RFC 5322: what `$value` shows and what is sent."""

from __future__ import annotations

import base64
import email
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email import policy
from email.charset import QP, Charset
from email.encoders import encode_base64
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.utils import format_datetime
from typing import Any

from . import bodies
from .mime import SimGraphAttachment

_LINES = policy.compat32.clone(linesep="\r\n")
_ATOMS = re.compile(r"[\w!#$%&'*+/=?^`{|}~ -]+", re.ASCII)


def compose(
    props: Mapping[str, Any], attached: Sequence[SimGraphAttachment], message_id: str, when: float, *, bcc: bool
) -> bytes:
    """The message as MIME, written anew each time.

    Properties are words, never encoded ones: what looks like an encoded word is encoded, so that it reads as it stands.
    The standard library would decode it and write what it hides; so the head is written here.
    """
    people = {"From": [props.get("from")], "To": props.get("toRecipients", []), "Cc": props.get("ccRecipients", [])}
    people |= {"Reply-To": props.get("replyTo", []), "Bcc": props.get("bccRecipients", []) if bcc else []}
    head = [(name, line) for name, found in people.items() if (line := _addresses(found))]
    head.append(("Subject", _words("Subject", str(props.get("subject") or ""))))
    head.append(("Date", format_datetime(datetime.fromtimestamp(int(when), UTC))))
    head += [("Message-ID", _one_line(message_id)), *_threading(props)]
    if props.get("importance", "normal") != "normal":
        head.append(("Importance", _one_line(str(props["importance"]))))
    for one in props.get("internetMessageHeaders") or []:
        if str(one.get("name", "")).lower().startswith("x-"):
            head.append((one["name"], _words(one["name"], str(one.get("value", "")))))
    message = _with_files(_body(props["body"]), attached)
    return "".join(f"{name}: {line}\r\n" for name, line in head).encode("utf-8", "replace") + message.as_bytes(
        policy=_LINES
    )


def _threading(props: Mapping[str, Any]) -> list[tuple[str, str]]:
    earlier = [_one_line(str(each)) for each in props.get("references") or []]
    return [("In-Reply-To", earlier[-1]), ("References", "\r\n ".join(earlier))] if earlier else []


def _addresses(people: Sequence[Mapping[str, Any] | None]) -> str:
    found = []
    for person in people:
        one = (person or {}).get("emailAddress") or {}
        address = _one_line(str(one.get("address") or ""))
        if all(address.rpartition("@")):
            shown = _one_line(str(one.get("name") or ""))
            found.append(address if shown in ("", address) else f"{_shown_name(shown)} <{address}>")
    return ",\r\n ".join(found)


def _shown_name(shown: str) -> str:
    if not shown.isascii() or "=?" in shown:
        return _words("From", shown)
    return shown if _ATOMS.fullmatch(shown) else '"' + re.sub(r'(["\\])', r"\\\1", shown) + '"'


def _words(name: str, text: str) -> str:
    line = _one_line(text)
    plain = line.isascii() and "=?" not in line
    return Header(line, "us-ascii" if plain else "utf-8", header_name=name).encode(linesep="\r\n")


def _one_line(text: str) -> str:
    return "".join(each for each in text.replace("\n", " ") if each.isprintable())


def _body(body: dict[str, str]) -> Message:
    plain = _text_part(bodies.as_text(body), "plain")
    if body["contentType"].lower() != "html":
        return plain
    return MIMEMultipart("alternative", _subparts=[plain, _text_part(bodies.as_html(body, unsafe=True), "html")])


def _text_part(text: str, subtype: str) -> Message:
    part = MIMENonMultipart("text", subtype)
    charset = Charset("utf-8")
    charset.body_encoding = QP
    part.set_payload(text, charset)
    return part


def _with_files(body: Message, attached: Sequence[SimGraphAttachment]) -> Message:
    return MIMEMultipart("mixed", _subparts=[body, *map(_attachment, attached)]) if attached else body


def _attachment(file: SimGraphAttachment) -> Message:
    if file.kind == "reference":
        part = Message()
        part.add_header("Content-Type", "message/external-body", access_type="URL", url=file.url, name=file.name)
        part.set_payload([Message()])
        return part
    if file.kind == "item":
        part = MIMEMessage(email.message_from_bytes(file.data))
    else:
        main, _, sub = (file.content_type or "application/octet-stream").partition("/")
        part = MIMEBase(main, sub or "octet-stream")
        part.set_payload(file.data)
        encode_base64(part)
    if file.content_id:
        part["Content-ID"] = f"<{_one_line(file.content_id)}>"
    # Told with its charset, a name is taken by the letter.
    disposition = "inline" if file.inline else "attachment"
    part.add_header("Content-Disposition", disposition, filename=("utf-8", "", _one_line(file.name)))
    return part


def regenerated(raw: bytes, address: str, when: float) -> bytes:
    """A received mail as `$value` gives it: its bytes changed by a header or two of Exchange's own."""
    stamp = format_datetime(datetime.fromtimestamp(int(when), UTC))
    head = (
        f"Received: from mx.simulated.invalid by {address.rpartition('@')[2]} with HTTPS; {stamp}\r\n"
        "X-MS-Exchange-Organization-SCL: 1\r\nX-MS-Exchange-MessageSentRepresentingType: 1\r\n"
    )
    return head.encode() + raw


def from_base64(text: bytes) -> bytes:
    """A MIME upload's body; raises ValueError when it is not base64."""
    return base64.b64decode(b"".join(text.split()), validate=True)
