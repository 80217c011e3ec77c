"""Messages: list, read, change, move, copy, delete, delta, MIME."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from postroom_simulators.faults import Faults

from . import compose, listing, mime, views, wire
from .delta import DeltaQueries
from .items import SimGraphFolder, SimGraphItem
from .mailbox import SimGraphMailbox
from .request import GraphError, GraphRequest, GraphResponse, bad_request
from .table import GraphRoute

DRAFT_ONLY = {
    "subject", "body", "toRecipients", "ccRecipients", "bccRecipients", "replyTo", "from", "sender",
    "internetMessageId", "singleValueExtendedProperties", "multiValueExtendedProperties",
}  # fmt: skip
_ALWAYS = {
    "categories", "flag", "importance", "inferenceClassification", "isRead", "isDeliveryReceiptRequested",
    "isReadReceiptRequested",
}  # fmt: skip
_READ_ONLY = {
    "id",
    "changeKey",
    "createdDateTime",
    "lastModifiedDateTime",
    "bodyPreview",
    "isDraft",
    "webLink",
}


class MessageRoutes:
    def __init__(self, faults: Faults, deltas: DeltaQueries) -> None:
        self._faults = faults
        self._deltas = deltas

    def routes(self) -> list[GraphRoute]:
        message = "users/{user}/messages/{message}"
        return [
            GraphRoute("GET", "users/{user}/messages", self.list, need="read"),
            GraphRoute("GET", "users/{user}/mailFolders/{folder}/messages", self.list, need="read"),
            GraphRoute("GET", "users/{user}/messages/$count", self.count, need="read"),
            GraphRoute("GET", "users/{user}/mailFolders/{folder}/messages/$count", self.count, need="read"),
            GraphRoute("GET", "users/{user}/mailFolders/{folder}/messages/delta", self.delta, need="read"),
            GraphRoute("GET", message, self.get, need="read"),
            GraphRoute("PATCH", message, self.patch, need="write"),
            GraphRoute("DELETE", message, self.delete, need="write"),
            GraphRoute("GET", f"{message}/$value", self.value, need="content"),
            GraphRoute("POST", f"{message}/move", self.move, need="write"),
            GraphRoute("POST", f"{message}/copy", self.copy, need="write"),
            GraphRoute("POST", f"{message}/permanentDelete", self.erase, need="write"),
        ]

    def list(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        return GraphResponse(200, listing.page(request, mailbox, _folder(request, mailbox)))

    def count(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        total = str(listing.count_of(request, mailbox, _folder(request, mailbox)))
        return GraphResponse(200, total.encode(), {"Content-Type": "text/plain"})

    def delta(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        return self._deltas.answer(request, mailbox, mailbox.folder(request.params["folder"]))

    def get(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        return entity(request, mailbox, item, select=listing.selected(request))

    def value(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = wholesome(mailbox.item(request.params["message"]))
        return GraphResponse(200, mime_of(mailbox, item), {"Content-Type": "text/plain"})

    def patch(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        match_etag(request, item)
        asked = {name: value for name, value in request.json().items() if not name.startswith("@")}
        if not item.is_draft and self._faults.switches.refuse_draft_fields and DRAFT_ONLY & asked.keys():
            text = "Access is denied. Sensitive properties of a message that is no draft need Mail-Advanced."
            raise GraphError(403, "ErrorAccessDenied", text)
        check(asked, creating=False)
        mailbox.edit(item, lambda one: apply(mailbox, one, asked))
        return entity(request, mailbox, item)

    def delete(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        match_etag(request, item)
        throw_away(mailbox, item)
        return GraphResponse(204)

    def erase(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        mailbox.erase(mailbox.item(request.params["message"]))
        return GraphResponse(204)

    def move(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        mailbox.move(item, self._destination(request, mailbox))
        return entity(request, mailbox, item, 201)

    def copy(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        return entity(request, mailbox, mailbox.copy(item, self._destination(request, mailbox)), 201)

    def _destination(self, request: GraphRequest, mailbox: SimGraphMailbox) -> SimGraphFolder:
        asked = request.parameters(wire.PostedMove)
        key = asked.get("destinationId")
        if not key:
            raise bad_request("The destinationId parameter is required.", "ErrorInvalidRequest")
        return mailbox.folder(str(key))


def _folder(request: GraphRequest, mailbox: SimGraphMailbox) -> SimGraphFolder | None:
    return mailbox.folder(request.params["folder"]) if "folder" in request.params else None


def throw_away(mailbox: SimGraphMailbox, item: SimGraphItem) -> None:
    """Delete as Outlook does: to Deleted Items, from there out of sight."""
    gone = item.folder.well_known == "deleteditems"
    mailbox.move(item, mailbox.folder("recoverableitemsdeletions" if gone else "deleteditems"))


def entity(
    request: GraphRequest, mailbox: SimGraphMailbox, item: SimGraphItem, status: int = 200, select: tuple[str, ...] = ()
) -> GraphResponse:
    """One message as an answer of its own."""
    context = {"@odata.context": f"{request.root}/$metadata#users('{mailbox.guid}')/messages/$entity"}
    headers = {"ETag": f'W/"{item.change_key}"'}
    if status == 201:
        key = quote(item.id_for(immutable=request.immutable), safe="")
        headers["Location"] = f"{request.root}/users('{mailbox.guid}')/messages('{key}')"
    return GraphResponse(status, {**context, **views.message(request, item, mailbox, select)}, headers)


def match_etag(request: GraphRequest, item: SimGraphItem) -> None:
    wanted = request.headers.get("If-Match", "")
    if wanted and wanted != "*" and wanted.removeprefix("W/").strip('"') != item.change_key:
        text = "The change key passed in the request does not match the current change key for the item."
        raise GraphError(412, "ErrorIrresolvableConflict", text)


def wholesome(item: SimGraphItem) -> SimGraphItem:
    """Some messages cannot be read, today or ever."""
    if item.poisoned:
        raise GraphError(500, "ErrorInternalServerError", "An internal server error occurred. The operation failed.")
    return item


def mime_of(mailbox: SimGraphMailbox, item: SimGraphItem, *, bcc: bool = True) -> bytes:
    if item.raw is not None:
        return compose.regenerated(item.raw, mailbox.address, item.received)
    return compose.compose(item.props, item.attached, item.message_id, item.modified, bcc=bcc)


def check(asked: dict[str, Any], *, creating: bool) -> None:
    """Refuse what Graph refuses, before anything is changed."""
    known = DRAFT_ONLY | _ALWAYS | _READ_ONLY | views.KNOWN | {"attachments", "extensions"}
    for name in asked.keys() - known:
        text = f"The property '{name}' does not exist on type 'microsoft.graph.message'."
        raise bad_request(text, "RequestBodyRead")
    try:
        msgspec.convert(asked, wire.PostedMessage)
    except msgspec.ValidationError as error:
        raise bad_request(f"Unable to read JSON request payload: {error}.") from None
    if "internetMessageHeaders" in asked:
        _check_headers(asked["internetMessageHeaders"], creating=creating)


def _check_headers(headers: list[dict[str, str]], *, creating: bool) -> None:
    if not creating:
        raise bad_request("The internetMessageHeaders can only be set on creation.", "ErrorInvalidPropertySet")
    if not 1 <= len(headers) <= 5:
        text = "The internetMessageHeaders collection must have between one and five entries."
        raise bad_request(text, "InvalidInternetMessageHeaderCollection")
    for one in headers:
        if not one["name"].lower().startswith("x-"):
            text = f"The internet message header name '{one['name']}' should start with 'x-' or 'X-'."
            raise bad_request(text, "InvalidInternetMessageHeader")


def apply(mailbox: SimGraphMailbox, item: SimGraphItem, asked: dict[str, Any]) -> None:
    """Write the asked properties; ids and times of the service are silently kept."""
    if (DRAFT_ONLY | {"importance", "internetMessageHeaders"}) & asked.keys():
        item.rewritten()
    for name, value in asked.items():
        match name:
            case "isRead":
                item.is_read = bool(value)
            case "categories":
                item.categories = [str(one) for one in value or []]
            case "flag":
                item.flag = {"flagStatus": "notFlagged", **(value or {})}
            case "inferenceClassification":
                item.inference = str(value)
            case "internetMessageId":
                mailbox.rename_message(item, str(value))
            case "singleValueExtendedProperties" | "multiValueExtendedProperties":
                item.marks.update({str(one["id"]): one.get("value") for one in value or []})
            case _ if name not in _READ_ONLY and name != "attachments":
                item.props[name] = _written(name, value)


def _written(name: str, value: Any) -> Any:
    """A property in the form in which it is kept."""
    match name:
        case "subject":
            return value or ""
        case "body":
            return _body(value or {})
        case "toRecipients" | "ccRecipients" | "bccRecipients" | "replyTo":
            return [_named(one) for one in value or []]
        case "from" | "sender":
            return _named(value) if value else None
        case _:
            return value


def _body(value: dict[str, Any]) -> dict[str, str]:
    """Exchange keeps one kind of line end, whatever it is given."""
    content = str(value.get("content") or "").replace("\r\n", "\n").replace("\r", "\n")
    return {
        "contentType": str(value.get("contentType", "text")).lower(),
        "content": content.replace("\n", "\r\n"),
    }


def _named(one: dict[str, Any]) -> dict[str, Any]:
    given = one["emailAddress"]
    return mime.recipient(str(given.get("address") or ""), str(given.get("name") or ""))
