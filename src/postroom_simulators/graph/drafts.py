"""Drafts, replies, forwards and sending."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import attachments, bodies, compose, mime, wire
from .items import SimGraphItem
from .mailbox import SimGraphMailbox
from .messages import apply, check, entity
from .outbox import GraphOutbox
from .replies import answer_to
from .request import GraphError, GraphRequest, GraphResponse, bad_request
from .table import GraphRoute


class DraftRoutes:
    def __init__(self, outbox: GraphOutbox) -> None:
        self._outbox = outbox

    def routes(self) -> list[GraphRoute]:
        message = "users/{user}/messages/{message}"
        drafted = [
            GraphRoute("POST", f"{message}/{name}", self._drafting(name), need="write")
            for name in ("createReply", "createReplyAll", "createForward")
        ]
        at_once = [
            GraphRoute("POST", f"{message}/{name}", self._at_once(f"create{name[0].upper()}{name[1:]}"), need="send")
            for name in ("reply", "replyAll", "forward")
        ]
        return [
            GraphRoute("POST", "users/{user}/messages", self.create, need="write"),
            GraphRoute("POST", "users/{user}/mailFolders/{folder}/messages", self.create, need="write"),
            GraphRoute("POST", f"{message}/send", self.send, need="send"),
            GraphRoute("POST", "users/{user}/sendMail", self.send_mail, need="send"),
            *drafted,
            *at_once,
        ]

    def create(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        folder = mailbox.folder(request.params.get("folder", "drafts"))
        item = _from_mime(request, mailbox) if request.is_mime else _from_json(mailbox, request.json())
        mailbox.add(item, folder)
        return entity(request, mailbox, item, 201)

    def _drafting(self, kind: str) -> Callable[[GraphRequest, SimGraphMailbox], GraphResponse]:
        def draft(request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
            item = self._answering(request, mailbox, kind)
            mailbox.add(item, mailbox.folder("drafts"))
            return entity(request, mailbox, item, 201)

        return draft

    def _at_once(self, kind: str) -> Callable[[GraphRequest, SimGraphMailbox], GraphResponse]:
        def send(request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
            item = self._answering(request, mailbox, kind)
            if not request.is_mime and (comment := request.parameters(wire.PostedReply).get("comment")):
                item.props["body"] = bodies.with_comment(item.props["body"], str(comment))
            self._outbox.send(mailbox, item)
            return GraphResponse(202)

        return send

    def _answering(self, request: GraphRequest, mailbox: SimGraphMailbox, kind: str) -> SimGraphItem:
        """A draft that answers a message. Known issue: a comment does not show in the draft."""
        original = mailbox.item(request.params["message"])
        if request.is_mime:
            return _from_mime(request, mailbox)
        asked = request.parameters(wire.PostedReply)
        changes = _plain(asked.get("message") or {})
        if asked.get("comment") and changes.get("body"):
            raise bad_request("Specify either a comment or the body of the message, not both.", "ErrorInvalidRequest")
        item = answer_to(mailbox, original, kind)
        if kind == "createForward":
            changes.setdefault("toRecipients", asked.get("toRecipients") or [])
        check(changes, creating=True)
        _fill(mailbox, item, changes)
        return item

    def send(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        if not item.is_draft:
            raise GraphError(403, "ErrorAccessDenied", "The message was already sent.")
        self._outbox.send(mailbox, item)
        return GraphResponse(202)

    def send_mail(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        asked: dict[str, Any] = {} if request.is_mime else request.parameters(wire.PostedSendMail)
        if request.is_mime:
            item = _from_mime(request, mailbox)
        else:
            message = asked.get("message")
            if not isinstance(message, dict):
                raise bad_request("The message parameter is required.", "ErrorInvalidRequest")
            item = _from_json(mailbox, message)
        if asked.get("saveToSentItems", True) is False:
            self._outbox.send_and_forget(mailbox, item)
        else:
            self._outbox.send(mailbox, item)
        return GraphResponse(202)


def _from_mime(request: GraphRequest, mailbox: SimGraphMailbox) -> SimGraphItem:
    if len(request.content) > 4 * 1024 * 1024:
        raise GraphError(413, "RequestEntityTooLarge", "The MIME content may have at most 4 MB.")
    try:
        raw = compose.from_base64(request.content)
    except ValueError:
        text = "Invalid base64 string for MIME content."
        raise GraphError(400, "ErrorMimeContentInvalidBase64String", text) from None
    props, attached = mime.read(raw)
    seen = mime.peek(raw)
    props = {name: value for name, value in props.items() if value or name not in {"from", "sender"}}
    item = mailbox.compose(props, seen.refers_to)
    item.attached.extend(attached)
    return item


def _from_json(mailbox: SimGraphMailbox, asked: dict[str, Any]) -> SimGraphItem:
    asked = _plain(asked)
    check(asked, creating=True)
    item = mailbox.compose({})
    _fill(mailbox, item, asked)
    return item


def _plain(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if not name.startswith("@")}


def _fill(mailbox: SimGraphMailbox, item: SimGraphItem, asked: dict[str, Any]) -> None:
    mailbox.by_message_id.setdefault(item.message_id, []).append(item)
    try:
        apply(mailbox, item, asked)
    finally:
        mailbox.by_message_id[item.message_id].remove(item)
    for one in asked.get("attachments") or []:
        attachments.attach(mailbox, item, one)
