"""Gmail's JSON: how a mail, a thread, a label, a draft and a history record look to a client."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterable
from typing import Any

from postroom_simulators.google.gmail import mime
from postroom_simulators.google.gmail.mailbox import (
    SimGmailDraft,
    SimGmailLabel,
    SimGmailMailbox,
    SimGmailMessage,
    SimHistoryRecord,
)

FORMATS = ("minimal", "full", "raw", "metadata")
_INLINE = 100_000  # a text body beyond this is fetched like an attachment

MintAttachmentId = Callable[[SimGmailMessage, str], str]


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()


def stub(mail: SimGmailMessage) -> dict[str, Any]:
    return {"id": mail.id, "threadId": mail.thread_id}


def labelled(mail: SimGmailMessage) -> dict[str, Any]:
    return stub(mail) | {"labelIds": sorted(mail.labels)}


def snippet(mail: SimGmailMessage) -> str:
    if mail.snippet is None:
        mail.snippet = mime.snippet(mail.raw)
    return mail.snippet


def message(mail: SimGmailMessage, form: str, mint: MintAttachmentId, wanted: Collection[str] = ()) -> dict[str, Any]:
    shown = labelled(mail) | {
        "snippet": snippet(mail),
        "sizeEstimate": len(mail.raw),
        "historyId": str(mail.history_id),
        "internalDate": str(int(mail.received_at * 1000)),
    }
    if form == "raw":
        shown["raw"] = b64(mail.raw)
    elif form == "full":
        shown["payload"] = _part(mime.tree(mail.raw), lambda part_id: mint(mail, part_id))
    elif form == "metadata":
        shown["payload"] = _metadata(mail.raw, {name.lower() for name in wanted})
    return shown


def thread_line(messages: list[SimGmailMessage]) -> dict[str, Any]:
    newest = max(mail.history_id for mail in messages)
    return {"id": messages[0].thread_id, "snippet": snippet(messages[-1]), "historyId": str(newest)}


def draft(item: SimGmailDraft, shown: dict[str, Any]) -> dict[str, Any]:
    return {"id": item.id, "message": shown}


def label(item: SimGmailLabel) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": item.id, "name": item.name, "type": item.kind}
    shown |= {"messageListVisibility": item.message_visibility, "labelListVisibility": item.list_visibility}
    return shown | ({"color": item.color} if item.color else {})


def label_with_counts(box: SimGmailMailbox, item: SimGmailLabel) -> dict[str, Any]:
    mails = box.by_label.get(item.id, {}).values()
    unread = [mail for mail in mails if "UNREAD" in mail.labels]
    return label(item) | {
        "messagesTotal": len(mails),
        "messagesUnread": len(unread),
        "threadsTotal": len({mail.thread_id for mail in mails}),
        "threadsUnread": len({mail.thread_id for mail in unread}),
    }


def record(item: SimHistoryRecord) -> dict[str, Any]:
    """One history entry: `messages` names the mail again, the typed array says what happened."""
    named = {"id": item.mail, "threadId": item.thread}
    change: dict[str, Any] = {"message": named | {"labelIds": list(item.labels)}}
    if item.changed:
        change["labelIds"] = list(item.changed)
    return {"id": str(item.id), "messages": [named], item.kind: [change]}


def _metadata(raw: bytes, wanted: set[str]) -> dict[str, Any]:
    content_type = mime.header(raw, "Content-Type").partition(";")[0].strip().lower()
    fields = [pair for pair in mime.headers(raw) if not wanted or pair[0].lower() in wanted]
    return {"mimeType": content_type or "text/plain", "headers": _headers(fields)}


def _headers(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _part(part: mime.MimePart, mint: Callable[[str], str]) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "partId": part.part_id,
        "mimeType": part.message.get_content_type(),
        "filename": part.filename,
        "headers": _headers(part.headers()),
        "body": _body(part, mint),
    }
    if part.parts:
        shown["parts"] = [_part(inner, mint) for inner in part.parts]
    return shown


def _body(part: mime.MimePart, mint: Callable[[str], str]) -> dict[str, Any]:
    if part.message.get_content_maintype() == "multipart":
        return {"size": 0}
    content = part.content()
    if part.filename or part.message.get_content_maintype() != "text" or len(content) > _INLINE:
        return {"attachmentId": mint(part.part_id), "size": len(content)}
    return {"size": len(content), "data": b64(content)} if content else {"size": 0}
