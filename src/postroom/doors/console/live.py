"""News for open pages: which parts of them are old now, over one resumable stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors import sse
from postroom.doors.console import frame
from postroom.doors.console.topics import ALL_TOPICS, topics
from postroom.doors.entry import Caller, signed_in
from postroom.engine import feed

BATCH_SECONDS = 0.25  # between two batches: a burst is one refresh, and the last news is never left out
ALIVE_SECONDS = 15.0
FAR_BEHIND_FACTS = 200


async def news(request: Request) -> Response:
    """One event a batch: the topics that changed. Pages fetch the fragments they show."""
    who = await signed_in(request, "viewer")
    said = request.headers.get("last-event-id") or request.query_params.get("after", "")
    start = feed.FeedPosition.parse(said) if said else await feed.newest(who.scope.db, who.tenant_id)
    return sse.stream(request, _news(request, who, start), frame.GUARDS)


async def _news(request: Request, who: Caller, start: feed.FeedPosition) -> AsyncGenerator[bytes, None]:
    loop = asyncio.get_running_loop()
    yield sse.opening() + sse.event("open", {}, sse.position_text(start))
    behind = await feed.read(who.scope.db, who.tenant_id, start, FAR_BEHIND_FACTS)
    ahead = not await feed.reached(who.scope.db, who.tenant_id, start)  # a tab that was open on another database
    if ahead or len(behind) == FAR_BEHIND_FACTS:  # too much to tell one by one: everything is old
        start = await feed.newest(who.scope.db, who.tenant_id)
        yield sse.event("news", dict.fromkeys(ALL_TOPICS, 1), sse.position_text(start))
    spoke = loop.time()
    async for facts in sse.heard_by(request, who, start):
        if facts:
            yield sse.event("news", topics(facts), facts[-1].position)
        elif loop.time() - spoke > ALIVE_SECONDS:
            yield sse.ALIVE
        else:
            continue
        spoke = loop.time()
        if facts:
            await asyncio.sleep(BATCH_SECONDS)


ROUTES = [
    Route("/live", news, methods=["GET"]),
]
