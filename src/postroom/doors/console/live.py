"""News for open pages: server-sent events, resumable where a connection was lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from postroom.doors.console import frame
from postroom.doors.entry import visitor
from postroom.engine import feed
from postroom.engine.facts import TellingFact
from postroom.nouns.ids import TenantId

CALM = 0.25  # seconds between two batches: a burst is one refresh, and the last news is never left out
BEAT = 15.0  # seconds of silence after which a comment shows that the line is open
FAR_BEHIND = 200  # facts
CHECK = 60.0  # seconds after which we look whether the session still holds
TOPICS = {
    "mail": ("messages", "mailboxes"),
    "message": ("messages",),
    "document": ("documents", "messages"),
    "trade": ("trades", "documents"),
    "invoice": ("invoices", "documents"),
    "order": ("orders",),
    "attempt": ("attempts", "messages"),
    "mailbox": ("mailboxes",),
    "watch": ("mailboxes",),
    "sync": ("mailboxes",),
    "person": ("people",),
    "key": ("people",),
    "session": ("people",),
    "tenant": ("people",),
}

ALL_TOPICS = sorted({"activity", *(topic for each in TOPICS.values() for topic in each)})


def topics(facts: Sequence[TellingFact]) -> dict[str, int]:
    """Which parts of the pages are old now, with how many facts say so."""
    counted: dict[str, int] = {"activity": len(facts)}
    for fact in facts:
        for topic in TOPICS.get(fact.kind.partition(".")[0], ()):
            counted[topic] = counted.get(topic, 0) + 1
    return counted


async def news(request: Request) -> Response:
    """One event a batch: the topics that changed. Pages fetch the fragments they show."""
    who = await visitor(request, "viewer")
    house = request.app.state.house
    said = request.headers.get("last-event-id") or request.query_params.get("after", "")
    start = feed.FeedPosition.parse(said) if said else await feed.newest(house.db, who.tenant_id)
    lines = _lines(request, who.tenant_id, start)
    headers = {**frame.GUARDS, "X-Accel-Buffering": "no"}
    return StreamingResponse(lines, media_type="text/event-stream", headers=headers)


async def _lines(request: Request, tenant_id: TenantId, start: feed.FeedPosition) -> AsyncIterator[str]:
    house, loop = request.app.state.house, asyncio.get_running_loop()
    yield f"retry: 2000\nid: {start.xid}-{start.id}\nevent: open\ndata: {{}}\n\n"
    spoke = checked = loop.time()
    behind = await feed.read(house.db, tenant_id, start, FAR_BEHIND)
    if len(behind) == FAR_BEHIND:  # too much to tell one by one: everything is old
        start = await feed.newest(house.db, tenant_id)
        yield _event("news", f"{start.xid}-{start.id}", dict.fromkeys(ALL_TOPICS, 1))
    async for facts in feed.follow(house.db, house.waker, tenant_id, start):
        now = loop.time()
        if await request.is_disconnected():
            return
        if now - checked > CHECK:
            await visitor(request, "viewer")  # a person who was locked out hears nothing more
            checked = now
        text = _event("news", facts[-1].position, topics(facts)) if facts else ""
        if text or now - spoke > BEAT:
            yield text or ": still here\n\n"
            spoke = now
        if facts:
            await asyncio.sleep(CALM)


def _event(name: str, position: str, data: object) -> str:
    return f"id: {position}\nevent: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n"


ROUTES = [
    Route("/live", news, methods=["GET"]),
]
