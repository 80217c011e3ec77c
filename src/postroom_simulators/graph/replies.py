"""What a fresh reply or forward looks like before anybody writes into it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from . import bodies, mime, views
from .items import BLANK, SimGraphItem
from .mailbox import SimGraphMailbox


def answer_to(mailbox: SimGraphMailbox, original: SimGraphItem, kind: str) -> SimGraphItem:
    """A draft in no folder yet; `kind` is createReply, createReplyAll or createForward."""
    item = mailbox.compose(_props(mailbox, original, kind), _references(original))
    forward = kind == "createForward"
    item.attached.extend(replace(one) for one in original.attached if one.inline or forward)
    return item


def _references(original: SimGraphItem) -> tuple[str, ...]:
    if original.raw is not None:
        return (*mime.peek(original.raw).refers_to, original.message_id)
    return (*original.props.get("references", []), original.message_id)


def _props(mailbox: SimGraphMailbox, original: SimGraphItem, kind: str) -> dict[str, Any]:
    props = original.props
    prefix = "FW: " if kind == "createForward" else "RE: "
    subject = str(props["subject"])
    made: dict[str, Any] = {**BLANK, "from": mime.recipient(mailbox.address, mailbox.name)}
    made["sender"] = made["from"]
    made["subject"] = subject if subject.upper().startswith(prefix.strip()) else prefix + subject
    made["body"] = bodies.quoted(props, _long_date(views.value_of(original, "sentDateTime")))
    if kind != "createForward":
        made["toRecipients"] = list(props["replyTo"] or ([props["from"]] if props["from"] else []))
    if kind == "createReplyAll":
        skip = {*mailbox.addresses, *map(_address, made["toRecipients"])}
        made["toRecipients"] += [one for one in props["toRecipients"] if _address(one) not in skip]
        made["ccRecipients"] = [one for one in props["ccRecipients"] if _address(one) not in skip]
    return made


def _long_date(stamp: str) -> str:
    when = datetime.fromisoformat(stamp)
    return f"{when:%A, %B} {when.day}, {when:%Y} {when.hour % 12 or 12}:{when:%M %p}"


def _address(one: dict[str, Any]) -> str:
    return str(one["emailAddress"]["address"]).lower()
