"""Messages: list, read, change, move, copy, delete, delta, MIME."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from postroom_simulators.faults import Faults

from . import compose, listing, mime, views, wire
from .asks import Answer, Ask, Refused, bad_request
from .delta import Deltas
from .items import Folder, Item
from .mailbox import Mailbox
from .table import Route

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


class Messages:
    def __init__(self, faults: Faults, deltas: Deltas) -> None:
        self._faults = faults
        self._deltas = deltas

    def routes(self) -> list[Route]:
        message = "users/{user}/messages/{message}"
        return [
            Route("GET", "users/{user}/messages", self.list, need="read"),
            Route("GET", "users/{user}/mailFolders/{folder}/messages", self.list, need="read"),
            Route("GET", "users/{user}/messages/$count", self.count, need="read"),
            Route("GET", "users/{user}/mailFolders/{folder}/messages/$count", self.count, need="read"),
            Route("GET", "users/{user}/mailFolders/{folder}/messages/delta", self.delta, need="read"),
            Route("GET", message, self.get, need="read"),
            Route("PATCH", message, self.patch, need="write"),
            Route("DELETE", message, self.delete, need="write"),
            Route("GET", f"{message}/$value", self.value, need="content"),
            Route("POST", f"{message}/move", self.move, need="write"),
            Route("POST", f"{message}/copy", self.copy, need="write"),
            Route("POST", f"{message}/permanentDelete", self.erase, need="write"),
        ]

    def list(self, ask: Ask, mailbox: Mailbox) -> Answer:
        return Answer(200, listing.page(ask, mailbox, _folder(ask, mailbox)))

    def count(self, ask: Ask, mailbox: Mailbox) -> Answer:
        total = str(listing.count_of(ask, mailbox, _folder(ask, mailbox)))
        return Answer(200, total.encode(), {"Content-Type": "text/plain"})

    def delta(self, ask: Ask, mailbox: Mailbox) -> Answer:
        return self._deltas.answer(ask, mailbox, mailbox.folder(ask.params["folder"]))

    def get(self, ask: Ask, mailbox: Mailbox) -> Answer:
        item = mailbox.item(ask.params["message"])
        return entity(ask, mailbox, item, select=listing.selected(ask))

    def value(self, ask: Ask, mailbox: Mailbox) -> Answer:
        item = mailbox.item(ask.params["message"])
        return Answer(200, mime_of(mailbox, item), {"Content-Type": "text/plain"})

    def patch(self, ask: Ask, mailbox: Mailbox) -> Answer:
        item = mailbox.item(ask.params["message"])
        match_etag(ask, item)
        asked = {name: value for name, value in ask.json().items() if not name.startswith("@")}
        if not item.is_draft and self._faults.knobs.refuse_draft_fields and DRAFT_ONLY & asked.keys():
            text = "Access is denied. Sensitive properties of a message that is no draft need Mail-Advanced."
            raise Refused(403, "ErrorAccessDenied", text)
        check(asked, creating=False)
        mailbox.edit(item, lambda one: apply(mailbox, one, asked))
        return entity(ask, mailbox, item)

    def delete(self, ask: Ask, mailbox: Mailbox) -> Answer:
        item = mailbox.item(ask.params["message"])
        match_etag(ask, item)
        throw_away(mailbox, item)
        return Answer(204)

    def erase(self, ask: Ask, mailbox: Mailbox) -> Answer:
        mailbox.erase(mailbox.item(ask.params["message"]))
        return Answer(204)

    def move(self, ask: Ask, mailbox: Mailbox) -> Answer:
        item = mailbox.item(ask.params["message"])
        mailbox.move(item, self._destination(ask, mailbox))
        return entity(ask, mailbox, item, 201)

    def copy(self, ask: Ask, mailbox: Mailbox) -> Answer:
        item = mailbox.item(ask.params["message"])
        return entity(ask, mailbox, mailbox.copy(item, self._destination(ask, mailbox)), 201)

    def _destination(self, ask: Ask, mailbox: Mailbox) -> Folder:
        asked = ask.shaped(wire.Moving)
        key = asked.get("destinationId")
        if not key:
            raise bad_request("The destinationId parameter is required.", "ErrorInvalidRequest")
        return mailbox.folder(str(key))


def _folder(ask: Ask, mailbox: Mailbox) -> Folder | None:
    return mailbox.folder(ask.params["folder"]) if "folder" in ask.params else None


def throw_away(mailbox: Mailbox, item: Item) -> None:
    """Delete as Outlook does: to Deleted Items, from there out of sight."""
    gone = item.folder.well_known == "deleteditems"
    mailbox.move(item, mailbox.folder("recoverableitemsdeletions" if gone else "deleteditems"))


def entity(ask: Ask, mailbox: Mailbox, item: Item, status: int = 200, select: tuple[str, ...] = ()) -> Answer:
    """One message as an answer of its own."""
    context = {"@odata.context": f"{ask.root}/$metadata#users('{mailbox.guid}')/messages/$entity"}
    headers = {"ETag": f'W/"{item.change_key}"'}
    if status == 201:
        key = quote(item.id_for(immutable=ask.immutable), safe="")
        headers["Location"] = f"{ask.root}/users('{mailbox.guid}')/messages('{key}')"
    return Answer(status, {**context, **views.message(ask, item, mailbox, select)}, headers)


def match_etag(ask: Ask, item: Item) -> None:
    wanted = ask.headers.get("If-Match", "")
    if wanted and wanted != "*" and wanted.removeprefix("W/").strip('"') != item.change_key:
        text = "The change key passed in the request does not match the current change key for the item."
        raise Refused(412, "ErrorIrresolvableConflict", text)


def mime_of(mailbox: Mailbox, item: Item, *, bcc: bool = True) -> bytes:
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
        msgspec.convert(asked, wire.Message)
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


def apply(mailbox: Mailbox, item: Item, asked: dict[str, Any]) -> None:
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
    return {
        "contentType": str(value.get("contentType", "text")).lower(),
        "content": value.get("content") or "",
    }


def _named(one: dict[str, Any]) -> dict[str, Any]:
    given = one["emailAddress"]
    return mime.recipient(str(given.get("address") or ""), str(given.get("name") or ""))
