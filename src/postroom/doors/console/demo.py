"""The demo's own page: what is simulated, and a mail of the visitor's own."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors import limits
from postroom.doors.console import frame
from postroom.doors.console.forms import handed_in, said
from postroom.doors.console.mounting import DemoMail
from postroom.doors.entry import signed_in
from postroom.nouns.errors import BadRequest, NotFound
from postroom.rooms.mailboxes import store

_WORD = r"[^\s<>@,;:()\[\]\\\"]+"
SENDER = re.compile(rf"[^<>@]*<{_WORD}@{_WORD}>|{_WORD}@{_WORD}")


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    if not request.app.state.console.demo:
        raise NotFound("This house is not a demo: its mail is real.")
    async with who.scope.read() as tx:
        boxes = [box for box in await store.mailboxes(tx) if box.status != "disconnected"]
    return await frame.page(request, who, "demo/index.html", boxes=boxes)


async def send(request: Request) -> Response:
    who = await signed_in(request, "operator")
    post = request.app.state.console.send_mail
    if post is None:
        raise NotFound("This house is not a demo: nothing can be dropped into its mailboxes.")
    words, files = await said(request, 20_000), await handed_in(request, "files", limits.FILE_BYTES)
    async with who.scope.read() as tx:
        known = {box.address for box in await store.mailboxes(tx)}
    if words.get("mailbox") not in known:
        raise BadRequest("Choose one of the connected mailboxes.")
    sender, subject = _line(words.get("sender", "")), _line(words.get("subject", "")) or "(no subject)"
    if not SENDER.fullmatch(sender):
        raise BadRequest("Say who the mail is from, such as broker@house.example.")
    name, content = files[0] if files else ("", b"")
    await post(DemoMail(words["mailbox"], sender, subject, words.get("text", ""), name, content))
    return frame.done(f"On its way to {words['mailbox']}. Watch it arrive.", "messages")


def _line(text: str) -> str:
    """As a header of a mail can hold it."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


ROUTES = [
    Route("/demo", show, methods=["GET"]),
    Route("/demo/send", send, methods=["POST"]),
]
