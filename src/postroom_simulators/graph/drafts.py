"""Drafts, replies, forwards and sending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from postroom_simulators.faults import Faults
from postroom_simulators.schedule import SimSchedule

from . import attachments, bodies, compose, mime, views, wire
from .items import BLANK, GraphItem
from .mailbox import GraphMailbox
from .messages import apply, check, entity, mime_of
from .request import GraphError, GraphRequest, GraphResponse, bad_request
from .table import GraphRoute

Post = Callable[[GraphMailbox, bytes, list[str]], None]


class DraftRoutes:
    """`post` carries a sent mail to its recipients."""

    def __init__(self, faults: Faults, schedule: SimSchedule, post: Post) -> None:
        self._faults, self._schedule, self._post = faults, schedule, post

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

    def create(self, request: GraphRequest, mailbox: GraphMailbox) -> GraphResponse:
        folder = mailbox.folder(request.params.get("folder", "drafts"))
        item = _from_mime(request, mailbox) if request.is_mime else _from_json(mailbox, request.json())
        mailbox.add(item, folder)
        return entity(request, mailbox, item, 201)

    def _drafting(self, kind: str) -> Callable[[GraphRequest, GraphMailbox], GraphResponse]:
        def draft(request: GraphRequest, mailbox: GraphMailbox) -> GraphResponse:
            item = self._answering(request, mailbox, kind)
            mailbox.add(item, mailbox.folder("drafts"))
            return entity(request, mailbox, item, 201)

        return draft

    def _at_once(self, kind: str) -> Callable[[GraphRequest, GraphMailbox], GraphResponse]:
        def send(request: GraphRequest, mailbox: GraphMailbox) -> GraphResponse:
            item = self._answering(request, mailbox, kind)
            if comment := request.json().get("comment"):
                item.props["body"] = bodies.with_comment(item.props["body"], str(comment))
            mailbox.add(item, mailbox.folder("outbox"))
            self._send(mailbox, item)
            return GraphResponse(202)

        return send

    def _answering(self, request: GraphRequest, mailbox: GraphMailbox, kind: str) -> GraphItem:
        """A draft that answers a message. Known issue: a comment does not show in the draft."""
        original = mailbox.item(request.params["message"])
        if request.is_mime:
            return _from_mime(request, mailbox)
        asked = request.shaped(wire.PostedReply)
        changes = _plain(asked.get("message") or asked.get("Message") or {})
        if asked.get("comment") and changes.get("body"):
            raise bad_request("Specify either a comment or the body of the message, not both.", "ErrorInvalidRequest")
        item = mailbox.compose(_answer_props(mailbox, original, kind), _references(mailbox, original))
        if kind == "createForward":
            changes.setdefault("toRecipients", asked.get("toRecipients") or [])
            _copy_attached(original, item, inline_only=False)
        else:
            _copy_attached(original, item, inline_only=True)
        check(changes, creating=True)
        _fill(mailbox, item, changes)
        return item

    def send(self, request: GraphRequest, mailbox: GraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        if not item.is_draft:
            raise GraphError(403, "ErrorAccessDenied", "The message was already sent.")
        _needs_recipients(item)
        self._send(mailbox, item)
        return GraphResponse(202)

    def send_mail(self, request: GraphRequest, mailbox: GraphMailbox) -> GraphResponse:
        asked: dict[str, Any] = {} if request.is_mime else request.shaped(wire.PostedSendMail)
        if request.is_mime:
            item = _from_mime(request, mailbox)
        else:
            message = asked.get("message") or asked.get("Message")
            if not isinstance(message, dict):
                raise bad_request("The message parameter is required.", "ErrorInvalidRequest")
            item = _from_json(mailbox, message)
        _needs_recipients(item)
        if asked.get("saveToSentItems", asked.get("SaveToSentItems", True)) is False:
            self._deliver(mailbox, item)
        else:
            mailbox.add(item, mailbox.folder("outbox"))
            self._send(mailbox, item)
        return GraphResponse(202)

    def _send(self, mailbox: GraphMailbox, item: GraphItem) -> None:
        """Accepted: out it goes, and the copy reaches Sent Items now or later."""

        def sent(one: GraphItem) -> None:
            one.is_draft = False
            one.props["sentDateTime"] = mime.stamp(mailbox.clock.time())
            one.received = int(mailbox.clock.time())

        mailbox.edit(item, sent)
        self._deliver(mailbox, item)
        if lag := self._faults.switches.sent_lag:
            if item.folder.well_known != "outbox":
                mailbox.move(item, mailbox.folder("outbox"))
            self._schedule.after(lag, lambda: self._file(mailbox, item))
        else:
            self._file(mailbox, item)

    def _file(self, mailbox: GraphMailbox, item: GraphItem) -> None:
        if item.immutable_id in mailbox.by_id:
            mailbox.move(item, mailbox.folder("sentitems"))

    def _deliver(self, mailbox: GraphMailbox, item: GraphItem) -> None:
        people = [
            one["emailAddress"]["address"]
            for name in ("toRecipients", "ccRecipients", "bccRecipients")
            for one in item.props[name]
        ]
        raw = item.raw if item.raw is not None else mime_of(mailbox, item, bcc=False)
        self._post(mailbox, raw, list(dict.fromkeys(people)))


def _needs_recipients(item: GraphItem) -> None:
    if not any(item.props[name] for name in ("toRecipients", "ccRecipients", "bccRecipients")):
        raise GraphError(400, "ErrorInvalidRecipients", "At least one recipient is not valid.")


def _from_mime(request: GraphRequest, mailbox: GraphMailbox) -> GraphItem:
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


def _from_json(mailbox: GraphMailbox, asked: dict[str, Any]) -> GraphItem:
    asked = _plain(asked)
    check(asked, creating=True)
    item = mailbox.compose({})
    _fill(mailbox, item, asked)
    return item


def _plain(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if not name.startswith("@")}


def _fill(mailbox: GraphMailbox, item: GraphItem, asked: dict[str, Any]) -> None:
    mailbox.by_message_id.setdefault(item.message_id, []).append(item)
    try:
        apply(mailbox, item, asked)
    finally:
        mailbox.by_message_id[item.message_id].remove(item)
    for one in asked.get("attachments") or []:
        attachments.attach(mailbox, item, one)


def _references(mailbox: GraphMailbox, original: GraphItem) -> tuple[str, ...]:
    if original.raw is not None:
        return (*mime.peek(original.raw).refers_to, original.message_id)
    return (*original.props.get("references", []), original.message_id)


def _answer_props(mailbox: GraphMailbox, original: GraphItem, kind: str) -> dict[str, Any]:
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
        skip = {mailbox.address.lower(), *map(_address, made["toRecipients"])}
        made["toRecipients"] += [one for one in props["toRecipients"] if _address(one) not in skip]
        made["ccRecipients"] = [one for one in props["ccRecipients"] if _address(one) not in skip]
    return made


def _long_date(stamp: str) -> str:
    when = datetime.fromisoformat(stamp)
    return f"{when:%A, %B} {when.day}, {when:%Y} {when.hour % 12 or 12}:{when:%M %p}"


def _address(one: dict[str, Any]) -> str:
    return str(one["emailAddress"]["address"]).lower()


def _copy_attached(original: GraphItem, item: GraphItem, *, inline_only: bool) -> None:
    item.attached.extend(replace(one) for one in original.attached if one.inline or not inline_only)
