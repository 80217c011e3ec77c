"""Attachments of the three kinds, and upload sessions for the large ones."""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from postroom_simulators.clock import SimClock
from postroom_simulators.recorder import RecordedCall, Recorder

from . import compose, ids, mime, views, wire
from .items import SimGraphItem
from .mailbox import SimGraphMailbox
from .messages import wholesome
from .mime import SimGraphAttachment
from .request import GraphError, GraphRequest, GraphResponse, bad_request, not_found
from .table import GraphRoute

_SMALL = 3 * 1024 * 1024
_CHUNK = 4 * 1024 * 1024
_LARGEST = 150 * 1024 * 1024
_RANGE = re.compile(r"^bytes (\d+)-(\d+)/(\d+)$")


@dataclass(slots=True)
class UploadSession:
    """A large file coming in pieces."""

    key: str
    token: str
    mailbox: SimGraphMailbox
    item: SimGraphItem
    wanted: dict[str, Any]
    size: int
    expires: float
    data: bytearray = field(default_factory=bytearray)


class AttachmentRoutes:
    def __init__(self, clock: SimClock, recorder: Recorder) -> None:
        self._clock, self._recorder = clock, recorder
        self._sessions: dict[str, UploadSession] = {}

    def routes(self) -> list[GraphRoute]:
        all_of = "users/{user}/messages/{message}/attachments"
        return [
            GraphRoute("GET", all_of, self.list, need="content"),
            GraphRoute("POST", all_of, self.add, need="write"),
            GraphRoute("GET", f"{all_of}/$count", self.count, need="content"),
            GraphRoute("POST", f"{all_of}/createUploadSession", self.open, need="write"),
            GraphRoute("GET", f"{all_of}/{{attachment}}", self.get, need="content"),
            GraphRoute("DELETE", f"{all_of}/{{attachment}}", self.delete, need="write"),
            GraphRoute("GET", f"{all_of}/{{attachment}}/$value", self.value, need="content"),
        ]

    def web_routes(self) -> list[web.RouteDef]:
        return [web.put("/outlook/AttachmentSessions/{key}", self.put)]

    def list(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        select = views.selected(request)
        base = {"id", "name", "contentType", "size", "isInline", "lastModifiedDateTime"}
        if unknown := set(select) - base:
            kind = "Microsoft.OutlookServices.Attachment"
            text = f"Could not find a property named '{min(unknown)}' on type '{kind}'."
            raise bad_request(text, "RequestBroker--ParseUri")
        shown = [views.attachment(request, item, one, full=not select) for one in item.attached]
        if select:
            kept = {"@odata.type", "@odata.mediaContentType", "id", *select}
            shown = [{name: value for name, value in one.items() if name in kept} for one in shown]
        return GraphResponse(200, {"@odata.context": self._context(request, mailbox), "value": shown})

    def count(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        return GraphResponse(200, str(len(item.attached)).encode(), {"Content-Type": "text/plain"})

    def get(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item, one = _find(request, mailbox)
        inner = "itemattachment/item" in request.option("expand").lower()
        shown = views.attachment(request, item, one, full=True, inner=inner)
        return GraphResponse(200, {"@odata.context": f"{self._context(request, mailbox)}/$entity", **shown})

    def value(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        _, one = _find(request, mailbox)
        if one.kind == "reference":
            raise GraphError(405, "ErrorInvalidRequest", "Media content is not supported for this kind of attachment.")
        kind = "text/plain" if one.kind == "item" else one.content_type
        return GraphResponse(200, one.data, {"Content-Type": kind or "application/octet-stream"})

    def add(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        if len(request.content) > _SMALL * 4 // 3 + 4096:
            raise GraphError(413, "RequestEntityTooLarge", "The attachment is too large; use an upload session.")
        asked = request.shaped(wire.PostedAttachment)
        mailbox.edit(item, lambda one: attach(mailbox, one, asked))
        shown = views.attachment(request, item, item.attached[-1], full=True)
        return GraphResponse(201, {"@odata.context": f"{self._context(request, mailbox)}/$entity", **shown})

    def delete(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item, one = _find(request, mailbox)

        def drop(message: SimGraphItem) -> None:
            message.rewritten()
            message.attached.remove(one)

        mailbox.edit(item, drop)
        return GraphResponse(204)

    def open(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        item = mailbox.item(request.params["message"])
        asked = request.shaped(wire.PostedUploadSession).get("AttachmentItem")
        if not asked or not asked.get("name") or "size" not in asked:
            raise bad_request(
                "The AttachmentItem parameter needs attachmentType, name and size.", "ErrorInvalidRequest"
            )
        if asked["size"] < _SMALL:
            text = "The attachment size should not be less than the minimum size of an upload session."
            raise bad_request(text, "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize")
        if asked["size"] > _LARGEST:
            raise GraphError(413, "ErrorAttachmentSizeLimitExceeded", "The attachment size exceeds the limit.")
        expires = self._clock.time() + 3600
        made = UploadSession(
            secrets.token_hex(12), secrets.token_urlsafe(24), mailbox, item, asked, asked["size"], expires
        )
        self._sessions[made.key] = made
        body = {
            "@odata.context": f"{request.root}/$metadata#microsoft.graph.uploadSession",
            "uploadUrl": f"{request.origin}/outlook/AttachmentSessions/{made.key}?authtoken={made.token}",
            "expirationDateTime": mime.stamp(expires),
            "nextExpectedRanges": ["0-"],
        }
        return GraphResponse(201, body)

    async def put(self, request: web.Request) -> web.Response:
        """One piece; the URL is the permission, so a token in the header is a client's mistake."""
        status, body, headers = self._piece(request, await content_of(request))
        self._recorder.record(RecordedCall(self._clock.time(), "graph", "PUT", request.path, status, note="upload"))
        if body is None:
            return web.Response(status=status, headers=headers)
        return web.json_response(body, status=status, headers=headers)

    def _piece(self, request: web.Request, data: bytes) -> tuple[int, dict[str, Any] | None, dict[str, str]]:
        session = self._sessions.get(request.match_info["key"])
        if session is None or session.expires <= self._clock.time():
            return (
                404,
                {"error": {"code": "ErrorItemNotFound", "message": "The upload session is not found."}},
                {},
            )
        if request.query.get("authtoken") != session.token:
            return (
                401,
                {"error": {"code": "InvalidAuthenticationToken", "message": "The authtoken is wrong."}},
                {},
            )
        if "Authorization" in request.headers:
            self._recorder.mistake("upload session: Authorization header on a pre-authenticated URL")
        found = _RANGE.match(request.headers.get("Content-Range", ""))
        numbers = tuple(map(int, found.groups())) if found else (-1, -1, -1)
        expected = (len(session.data), len(session.data) + len(data) - 1, session.size)
        if numbers != expected or len(data) > _CHUNK:
            text = f"Content-Range must continue at {len(session.data)} with at most {_CHUNK} bytes."
            return 416, {"error": {"code": "InvalidContentRange", "message": text}}, {}
        session.data += data
        if len(session.data) < session.size:
            going_on = {"expirationDateTime": mime.stamp(session.expires)}
            return 200, {**going_on, "nextExpectedRanges": [f"{len(session.data)}-"]}, {}
        return self._complete(request, session)

    def _complete(self, request: web.Request, session: UploadSession) -> tuple[int, None, dict[str, str]]:
        del self._sessions[session.key]
        content = base64.b64encode(bytes(session.data)).decode()
        asked = {"@odata.type": "#microsoft.graph.fileAttachment", **session.wanted, "contentBytes": content}
        session.mailbox.edit(session.item, lambda one: attach(session.mailbox, one, asked))
        key = ids.attachment_id(session.item.immutable_id, session.item.attached[-1].number)
        place = f"{request.scheme}://{request.host}/v1.0/users('{session.mailbox.guid}')"
        return (
            201,
            None,
            {"Location": f"{place}/messages('{session.item.immutable_id}')/attachments('{key}')"},
        )

    def _context(self, request: GraphRequest, mailbox: SimGraphMailbox) -> str:
        return f"{request.root}/$metadata#users('{mailbox.guid}')/messages('{request.params['message']}')/attachments"


async def content_of(request: web.Request) -> bytes:
    """The body, whatever limit the application around us has set."""
    if not request.can_read_body:
        return b""
    return await request.clone(client_max_size=_LARGEST).read()


def _find(request: GraphRequest, mailbox: SimGraphMailbox) -> tuple[SimGraphItem, SimGraphAttachment]:
    item = wholesome(mailbox.item(request.params["message"]))
    for one in item.attached:
        if request.params["attachment"] in {
            ids.attachment_id(item.immutable_id, one.number),
            ids.attachment_id(item.mutable_id, one.number),
        }:
            return item, one
    raise not_found()


def attach(mailbox: SimGraphMailbox, item: SimGraphItem, asked: dict[str, Any]) -> None:
    """Hang what the client described on the message."""
    made = _described(asked, mailbox)
    item.rewritten()
    made.number = 1 + max((one.number for one in item.attached), default=0)
    made.modified = mailbox.clock.time()
    item.attached.append(made)


def _described(asked: dict[str, Any], mailbox: SimGraphMailbox) -> SimGraphAttachment:
    kind = str(asked.get("@odata.type", "")).lower().removeprefix("#").rpartition(".")[2]
    name = str(asked.get("name") or "")
    match kind:
        case "fileattachment":
            data = _decoded(asked.get("contentBytes"))
            content_type = str(asked.get("contentType") or "application/octet-stream")
            return SimGraphAttachment(
                "file", name, content_type, data, asked.get("contentId"), bool(asked.get("isInline"))
            )
        case "itemattachment":
            inner = mailbox.compose({})
            props = asked.get("item") or {}
            inner.props["subject"] = str(props.get("subject") or name)
            inner.props["body"] = {"contentType": "text", "content": "", **(props.get("body") or {})}
            raw = compose.compose(inner.props, [], inner.message_id, mailbox.clock.time(), bcc=False)
            return SimGraphAttachment("item", name, None, raw)
        case "referenceattachment":
            return SimGraphAttachment("reference", name, None, b"", url=str(asked.get("sourceUrl") or ""))
        case _:
            text = "The '@odata.type' of the attachment must be a file, item or reference attachment."
            raise bad_request(text, "ErrorInvalidRequest")


def _decoded(content: object) -> bytes:
    try:
        return base64.b64decode(str(content or ""), validate=True)
    except ValueError:
        raise bad_request("Cannot convert the literal of contentBytes to 'Edm.Binary'.", "RequestBodyRead") from None
