"""Messages: every mail with what became of it and why; one message with its words, files and walk."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from postroom import reads
from postroom.doors import sanitize
from postroom.doors.console import frame
from postroom.doors.console.forms import asked, asked_id, id_of, one_of
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.errors import NoSuchMessage
from postroom.rooms.clients.store import mappings
from postroom.rooms.documents import commands as documents
from postroom.rooms.mailboxes import store as mailboxes

STATUSES = ("pending", "processed", "filtered", "failed", "gone")
PARTS = {"messages": "messages/_list.html"}
ONE = {"walk": "messages/_walk.html", "outcome": "messages/_outcome.html"}
BODY_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; "
    "form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox"
)
SAFE_TO_SHOW = {"application/pdf", "image/png", "image/jpeg", "text/plain"}


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    chosen: dict[str, Any] = {
        "mailbox_id": asked_id(request, "mailbox"),
        "status": one_of(request, "status", STATUSES),
        "words": asked(request, "q") or None,
    }
    client = asked(request, "client")
    wanted = {**chosen, "status": None, "state": "gone"} if chosen["status"] == "gone" else chosen
    async with who.scope.read() as tx:
        account_id = await reads.clients.account_called(tx, client) if client else None
        leaf = await reads.messages.search(tx, **wanted, account_id=account_id, before=asked(request, "before"))
        ends = await reads.messages.document_ends(tx, [each.id for each in leaf.messages])
        boxes = await mailboxes.mailboxes(tx)
        clients = await reads.clients.clients_of(tx, [each.id for each in leaf.messages])
    values = {"leaf": leaf, "ends": ends, "boxes": boxes, "chosen": chosen, "statuses": STATUSES}
    values |= {"client": client, "clients": clients}
    return await frame.page(request, who, "messages/index.html", PARTS, **values)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    message = await _message(who, id_of(request))
    async with who.scope.read() as tx:
        body = await reads.messages.body(tx, message.id)
        fetched = await reads.messages.fetched_files(tx, message.id)
        walk = await reads.facts.walk_of_message(tx, message.id)
        names = await reads.facts.labels(tx, walk)
        mapping = await mappings.mappings(tx, message_id=message.id, most=1)
        siblings = await reads.messages.messages(tx, 20, thread_id=message.thread_id) if message.thread_id else []
    made = await documents.documents(who.scope, message_id=message.id, most=50)
    clean = await sanitize.readable(body.body_html) if body and body.body_html else None
    values = {"message": message, "fetched": fetched, "body": body, "clean": clean, "walk": walk, "made": made.items}
    values["made_as"] = [{"kind": each.kind, "status": each.status} for each in made.items]
    values |= {"mapping": mapping[0] if mapping else None}
    return await frame.page(request, who, "messages/show.html", ONE, siblings=siblings, names=names, **values)


async def _message(who: Caller, message_id: UUID) -> reads.messages.MessageRow:
    async with who.scope.read() as tx:
        found = await reads.messages.message(tx, message_id)
    if found is None:
        raise NoSuchMessage("There is no such message here. It may belong to another tenant.")
    return found


async def as_sent(request: Request) -> Response:
    """For the frame that shows the mail with its own colours: it may run nothing and fetch nothing."""
    who = await signed_in(request, "viewer")
    message = await _message(who, id_of(request))
    async with who.scope.read() as tx:
        body = await reads.messages.body(tx, message.id)
    clean = await sanitize.as_sent(body.body_html or "") if body else sanitize.CleanMail("")
    html = clean.html or f"<pre>{escape(clean.text)}</pre>"
    guards = {**frame.GUARDS, "Content-Security-Policy": BODY_POLICY}
    text = f"<!doctype html><meta charset=utf-8><title>Mail</title><body>{html}</body>"
    return frame.packed(request, HTMLResponse(text, headers=guards))


async def attachment(request: Request) -> Response:
    """Brought from the mailbox when it is asked for, and kept then."""
    who = await signed_in(request, "viewer")
    outside, sha256 = request.app.state.house.outside, str(request.path_params["sha256"])
    found = await documents.fetch_attachment(who.scope, outside, id_of(request), sha256)
    return file_response(found.content, found.filename, found.content_type)


async def fetch(request: Request) -> Response:
    """Bring a file here without saving it on the spot: it can be saved from then on, whatever the mailbox does."""
    who = await signed_in(request, "operator")
    outside, sha256 = request.app.state.house.outside, str(request.path_params["sha256"])
    message = await _message(who, id_of(request))
    found = await documents.fetch_attachment(who.scope, outside, message.id, sha256)
    async with who.scope.read() as tx:
        fetched = await reads.messages.fetched_files(tx, message.id)
    response = frame.html(request, "messages/_files.html", who=who, message=message, fetched=fetched)
    return frame.toast(response, f"{found.filename or 'The file'} is here.", changed=["messages"])


def file_response(content: bytes, filename: str, content_type: str) -> Response:
    """A file of a stranger: saved, never run. Its type is what the bytes say."""
    name = "".join(char if char.isascii() and (char.isalnum() or char in "._- ") else "_" for char in filename)
    kind = content_type if content_type in SAFE_TO_SHOW else "application/octet-stream"
    guards = {**frame.GUARDS, "Content-Security-Policy": "default-src 'none'; sandbox"}
    guards["Content-Disposition"] = f'attachment; filename="{name[:150] or "file"}"'
    return Response(content, headers=guards, media_type=kind)


ROUTES = [
    Route("/messages", index, methods=["GET"]),
    Route("/messages/{id:uuid}", show, methods=["GET"]),
    Route("/messages/{id:uuid}/as-sent", as_sent, methods=["GET"]),
    Route("/messages/{id:uuid}/files/{sha256}", attachment, methods=["GET"]),
    Route("/messages/{id:uuid}/files/{sha256}/fetch", fetch, methods=["POST"]),
]
