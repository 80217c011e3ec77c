"""The first page: what needs me, how the mailboxes are, what flows, and what just happened."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom import reads
from postroom.doors.console import frame
from postroom.doors.console.forms import asked
from postroom.doors.entry import signed_in
from postroom.rooms.mailboxes import store as mailboxes

FLOWS = (
    ("mail.message.received", "Mail in", "accent"),
    ("document.routed", "Documents routed", "accent"),
    ("attempt.failed", "Failed attempts", "bad"),
)
THROUGHPUT = reads.overview.Throughput()
PARTS = {
    "needs": "overview/_needs.html",
    "boxes": "overview/_boxes.html",
    "activity": "overview/_activity.html",
    "flows": "overview/_flows.html",
}


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    wanted = request.headers.get("hx-target", "")
    async with who.scope.read() as tx:
        boxes = await mailboxes.mailboxes(tx)
        health = {each.id: each for each in await mailboxes.health(tx)} if wanted in ("", "boxes") else {}
        needs = await reads.overview.needs(tx)
        facts = await reads.facts.recent(tx, quiet=True, most=30) if wanted in ("", "activity") else []
        names = await reads.facts.labels(tx, facts)
    values: dict[str, Any] = {"boxes": boxes, "health": health, "facts": facts, "names": names}
    if wanted == "needs":
        return frame.html(request, PARTS["needs"], who=who, needs=needs, **values)
    return await frame.page(request, who, "overview/index.html", PARTS, **values)


async def flows(request: Request) -> Response:
    """Apart from the page, which does not wait for it."""
    who = await signed_in(request, "viewer")
    now = who.scope.now
    async with who.scope.read() as tx, asyncio.timeout(10):
        counted = await THROUGHPUT.last(tx, who.tenant_id, [kind for kind, _, _ in FLOWS], now)
    hours = [f"{now - timedelta(hours=back):%H}:00" for back in range(23, -1, -1)]
    shown = [(name, tone, counted[kind], sum(counted[kind])) for kind, name, tone in FLOWS]
    return frame.html(request, PARTS["flows"], who=who, flows=shown, hours=hours)


async def nav(request: Request) -> Response:
    """The navigation with its counts, as seen from a page."""
    who = await signed_in(request, "viewer")
    async with who.scope.read() as tx:
        needs = await reads.overview.needs(tx)
    return frame.html(request, "_nav.html", who=who, needs=needs, at=asked(request, "at"))


ROUTES = [
    Route("/", show, methods=["GET"]),
    Route("/nav", nav, methods=["GET"]),
    Route("/overview/flows", flows, methods=["GET"]),
]
