"""Messages, folders and attachments as Graph's JSON."""

from __future__ import annotations

import base64
import re
from typing import Any
from urllib.parse import quote

from . import bodies, ids
from .items import SimGraphFolder, SimGraphItem
from .mailbox import SimGraphMailbox
from .mime import SimGraphAttachment, read, stamp
from .request import GraphRequest

DEFAULT = (
    "createdDateTime", "lastModifiedDateTime", "changeKey", "categories", "receivedDateTime", "sentDateTime",
    "hasAttachments", "internetMessageId", "subject", "bodyPreview", "importance", "parentFolderId",
    "conversationId", "conversationIndex", "isDeliveryReceiptRequested", "isReadReceiptRequested", "isRead",
    "isDraft", "webLink", "inferenceClassification", "body", "sender", "from", "toRecipients", "ccRecipients",
    "bccRecipients", "replyTo", "flag",
)  # fmt: skip
ON_SELECT = ("internetMessageHeaders", "uniqueBody", "meetingMessageType")
BASIC_HIDES = {"body", "bodyPreview", "uniqueBody", "attachments", "singleValueExtendedProperties"}
KNOWN = {"id", *DEFAULT, *ON_SELECT}
_EXPANDED = re.compile(r"(\w+)\s*(?:\(((?:[^()]|\([^()]*\))*)\))?")
_MARK = re.compile(r"id eq '((?:[^']|'')*)'")


def value_of(item: SimGraphItem, name: str) -> Any:
    """One property; the cheap ones need no parsing."""
    match name:
        case "id":
            return item.mutable_id
        case "createdDateTime":
            return stamp(item.created)
        case "lastModifiedDateTime":
            return stamp(item.modified)
        case "receivedDateTime":
            return stamp(item.received)
        case "changeKey":
            return item.change_key
        case "categories":
            return list(item.categories)
        case "internetMessageId":
            return item.message_id
        case "parentFolderId":
            return item.folder.id
        case "conversationId":
            return item.conversation
        case "isRead":
            return item.is_read
        case "isDraft":
            return item.is_draft
        case _:
            return _parsed_value(item, name)


def _parsed_value(item: SimGraphItem, name: str) -> Any:
    props = item.props
    match name:
        case "sentDateTime":
            return props.get("sentDateTime") or stamp(item.created)
        case "hasAttachments":
            return any(not one.inline for one in item.attached)
        case "bodyPreview":
            return bodies.preview(props["body"])
        case "conversationIndex":
            return item.conversation_index
        case "isDeliveryReceiptRequested":
            return props.get(name) if item.is_draft else None
        case "webLink":
            return f"https://outlook.office365.com/owa/?ItemID={quote(item.mutable_id, safe='')}&exvsurl=1"
        case "inferenceClassification":
            return item.inference
        case "flag":
            return item.flag or {"flagStatus": "notFlagged"}
        case _:
            return props.get(name)


def message(
    request: GraphRequest,
    item: SimGraphItem,
    mailbox: SimGraphMailbox,
    select: tuple[str, ...] = (),
    expand: str | None = None,
) -> dict[str, Any]:
    """A message with the properties asked for, in the id format asked for."""
    shown: dict[str, Any] = {}
    if item.event_type and (not select or "meetingMessageType" in select):
        shown["@odata.type"] = item.event_type
    shown["@odata.etag"] = f'W/"{item.change_key}"'
    shown["id"] = item.id_for(immutable=request.immutable)
    for name in select or DEFAULT:
        if name in {"body", "uniqueBody"}:
            shown[name] = _body(request, item, name)
        elif name == "internetMessageHeaders":
            if not item.is_draft and item.props.get(name) and item.folder.well_known != "sentitems":
                shown[name] = item.props[name]
        elif name != "id":
            shown[name] = value_of(item, name)
    if "@odata.type" in shown and not select:
        shown["meetingMessageType"] = item.props["meetingMessageType"]
    _expand(request, item, shown, expand)
    _basic(request, shown)
    return shown


def _basic(request: GraphRequest, shown: dict[str, Any]) -> None:
    """Mail.ReadBasic shows no content, no attachments and no extended properties."""
    reads = {one for one in request.caller.scopes if one.startswith("Mail.Read")}
    if reads and all(one.startswith("Mail.ReadBasic") for one in reads):
        for name in BASIC_HIDES & shown.keys():
            del shown[name]


def _body(request: GraphRequest, item: SimGraphItem, name: str) -> dict[str, str]:
    text = request.prefer.get("outlook.body-content-type", "").lower() == "text"
    unsafe = "outlook.allow-unsafe-html" in request.prefer
    if text and 'outlook.body-content-type="text"' not in request.applied:
        request.applied.append('outlook.body-content-type="text"')
    body = item.props["body"]
    shown = bodies.unique(body) if name == "uniqueBody" else body
    return bodies.shown(shown, text=text, unsafe=unsafe, comments=request.keep_comments)


def _expand(request: GraphRequest, item: SimGraphItem, shown: dict[str, Any], expand: str | None) -> None:
    for name, inner in _EXPANDED.findall(request.option("expand") if expand is None else expand):
        if name == "attachments":
            full = "$select" not in inner
            shown[name] = [attachment(request, item, one, full=full) for one in item.attached]
        elif name == "singleValueExtendedProperties":
            wanted = {one.replace("''", "'") for one in _MARK.findall(inner)}  # the name's case matters
            found = [{"id": key, "value": value} for key, value in item.marks.items() if key in wanted]
            if found:
                shown[name] = found


def selected(request: GraphRequest) -> tuple[str, ...]:
    """`$select`, unknown names refused later by who lists what it knows."""
    return tuple(name.strip() for name in request.option("select").split(",") if name.strip())


def attachment(
    request: GraphRequest, item: SimGraphItem, one: SimGraphAttachment, *, full: bool, inner: bool = False
) -> dict[str, Any]:
    kind = {"file": "fileAttachment", "item": "itemAttachment", "reference": "referenceAttachment"}[one.kind]
    shown: dict[str, Any] = {
        "@odata.type": f"#microsoft.graph.{kind}",
        "@odata.mediaContentType": one.content_type,
        "id": ids.attachment_id(item.id_for(immutable=request.immutable), one.number),
        "lastModifiedDateTime": stamp(one.modified),
        "name": one.name,
        "contentType": one.content_type,
        "size": one.size,
        "isInline": one.inline,
    }
    if one.content_type is None:
        del shown["@odata.mediaContentType"]
    if one.kind == "file" and full:
        shown["contentId"] = one.content_id
        shown["contentLocation"] = None
        shown["contentBytes"] = base64.b64encode(one.data).decode()
    if one.kind == "item" and inner:
        shown["item"] = embedded(one.data)
    return shown


def embedded(raw: bytes, depth: int = 0) -> dict[str, Any]:
    """The message inside an item attachment: no id, its own files with their content."""
    props, attached = read(raw)
    names = (
        "subject",
        "importance",
        "sender",
        "from",
        "toRecipients",
        "ccRecipients",
        "replyTo",
        "sentDateTime",
    )
    shown: dict[str, Any] = {"@odata.type": "#microsoft.graph.message", "id": ""}
    shown.update({name: props[name] for name in names})
    shown["hasAttachments"] = any(not one.inline for one in attached)
    shown["isDraft"] = False
    shown["body"] = bodies.shown(props["body"], text=False, unsafe=False)
    shown["attachments"] = [_embedded_attachment(one, depth) for one in attached] if depth < 30 else []
    return shown


def _embedded_attachment(one: SimGraphAttachment, depth: int) -> dict[str, Any]:
    common = {"name": one.name, "contentType": one.content_type, "size": one.size, "isInline": one.inline}
    if one.kind == "item":
        return {
            "@odata.type": "#microsoft.graph.itemAttachment",
            **common,
            "item": embedded(one.data, depth + 1),
        }
    if one.kind == "reference":
        return {"@odata.type": "#microsoft.graph.referenceAttachment", **common}
    content = {"contentId": one.content_id, "contentBytes": base64.b64encode(one.data).decode()}
    return {"@odata.type": "#microsoft.graph.fileAttachment", **common, **content}


def folder(one: SimGraphFolder) -> dict[str, Any]:
    return {
        "id": one.id,
        "displayName": one.name,
        "parentFolderId": one.parent.id if one.parent else one.id,
        "childFolderCount": len(one.children),
        "unreadItemCount": one.unread,
        "totalItemCount": len(one.items),
        "sizeInBytes": 0,
        "isHidden": False,
    }
