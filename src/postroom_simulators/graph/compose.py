"""Graph's words back into RFC 5322: what `$value` shows and what is sent."""

from __future__ import annotations

import base64
import email
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.utils import format_datetime
from typing import Any

from . import bodies
from .mime import SimGraphAttachment


def compose(
    props: Mapping[str, Any], attached: Sequence[SimGraphAttachment], message_id: str, when: float, *, bcc: bool
) -> bytes:
    """The message as MIME, written anew each time."""
    message = EmailMessage(policy=policy.SMTP)
    _address(message, "From", [props.get("from")])
    _address(message, "To", props.get("toRecipients", []))
    _address(message, "Cc", props.get("ccRecipients", []))
    _address(message, "Reply-To", props.get("replyTo", []))
    if bcc:
        _address(message, "Bcc", props.get("bccRecipients", []))
    message["Subject"] = str(props.get("subject") or "").replace("\r", "").replace("\n", " ")
    message["Date"] = format_datetime(datetime.fromtimestamp(int(when), UTC))
    message["Message-ID"] = message_id
    for name, value in _threading(props):
        message[name] = value
    if props.get("importance", "normal") != "normal":
        message["Importance"] = props["importance"]
    for one in props.get("internetMessageHeaders") or []:
        if str(one.get("name", "")).lower().startswith("x-"):
            message[one["name"]] = one.get("value", "")
    _body(message, props["body"])
    _attach(message, attached)
    return message.as_bytes()


def _threading(props: Mapping[str, Any]) -> list[tuple[str, str]]:
    earlier = props.get("references") or []
    return [("In-Reply-To", earlier[-1]), ("References", " ".join(earlier))] if earlier else []


def _address(message: EmailMessage, name: str, people: Sequence[Mapping[str, Any] | None]) -> None:
    found = []
    for person in people:
        one = (person or {}).get("emailAddress") or {}
        user, _, domain = str(one.get("address") or "").rpartition("@")
        if user and domain:
            shown = str(one.get("name") or "")
            found.append(Address("" if shown == one["address"] else shown, user, domain))
    if found:
        message[name] = found


def _body(message: EmailMessage, body: dict[str, str]) -> None:
    message.set_content(bodies.as_text(body), cte="quoted-printable")
    if body["contentType"].lower() == "html":
        message.add_alternative(bodies.as_html(body, unsafe=True), subtype="html", cte="quoted-printable")


def _attach(message: EmailMessage, attached: Sequence[SimGraphAttachment]) -> None:
    for one in attached:
        if one.kind == "item":
            message.add_attachment(email.message_from_bytes(one.data, policy=policy.default), filename=one.name)
        elif one.kind == "reference":
            part = EmailMessage()
            part["Content-Type"] = "message/external-body"
            part.set_param("access-type", "URL")
            part.set_param("url", one.url)
            part.set_param("name", one.name)
            part.set_payload([Message()])
            if message.get_content_type() != "multipart/mixed":
                message.make_mixed()
            message.attach(part)
        else:
            main, _, sub = (one.content_type or "application/octet-stream").partition("/")
            message.add_attachment(
                one.data,
                maintype=main,
                subtype=sub or "octet-stream",
                filename=one.name,
                cid=f"<{one.content_id}>" if one.content_id else None,
                disposition="inline" if one.inline else "attachment",
            )


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
