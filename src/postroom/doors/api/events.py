"""Events: facts as they happen, over a connection that may break and is taken up again."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from postroom.doors.api.facts import fact_of
from postroom.doors.api.paging import Word
from postroom.doors.api.route import ApiRoute, Reader, collection
from postroom.doors.entry import Visitor
from postroom.engine import feed
from postroom.engine.facts import TellingFact

router = collection("events")
papers = APIRouter(tags=["documents"], route_class=ApiRoute)
LASTS = 15 * 60.0  # seconds; whoever comes back is asked again who he is
DOCUMENT_KINDS = ("document", "trade", "invoice", "order")
POSITION = r"^\d{1,18}-\d{1,18}$"
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events: `id` is the fact's position, `event` its kind, `data` the fact as JSON.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": 'id: 90210-4711\nevent: mailbox.paused\ndata: {"id":4711,"kind":"mailbox.paused"}\n\n',
            }
        },
    }
}
LastSeen = Annotated[
    str | None, Header(alias="Last-Event-ID", pattern=POSITION, description="Goes on after this one, without a gap.")
]
After = Annotated[str | None, Query(pattern=POSITION, description="Likewise, for clients that cannot set headers.")]


@router.get("/events", summary="Facts as they happen", response_class=StreamingResponse, responses=STREAM)
async def events(
    who: Reader,
    last_event_id: LastSeen = None,
    after: After = None,
    kind: Annotated[
        list[Word] | None, Query(max_length=20, description="Only these kinds, or kinds that begin so.")
    ] = None,
) -> StreamingResponse:
    """From now on, or from `Last-Event-ID` on. Ends after a quarter of an hour: come back with the last id."""
    return await _stream(who, last_event_id or after, kind or ())


@papers.get(
    "/documents/events", summary="What happens to documents", response_class=StreamingResponse, responses=STREAM
)
async def document_events(who: Reader, last_event_id: LastSeen = None, after: After = None) -> StreamingResponse:
    """The events of documents, trades, invoices and orders alone."""
    return await _stream(who, last_event_id or after, DOCUMENT_KINDS)


async def _stream(who: Visitor, after: str | None, kinds: Sequence[str]) -> StreamingResponse:
    start = feed.FeedPosition.parse(after) if after else await feed.newest(who.scope.db, who.tenant_id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_told(who, start, kinds), media_type="text/event-stream", headers=headers)


async def _told(who: Visitor, start: feed.FeedPosition, kinds: Sequence[str]) -> AsyncIterator[bytes]:
    till = time.monotonic() + LASTS
    yield b"retry: 2000\n\n"
    async for facts in feed.follow(who.scope.db, who.scope.waker, who.tenant_id, start):
        wanted = [fact for fact in facts if not kinds or _is_of(fact.kind, kinds)]
        yield b"".join(_event(fact) for fact in wanted) or _passed(facts)
        if time.monotonic() > till:
            return


def _is_of(kind: str, kinds: Sequence[str]) -> bool:
    return any(kind == each or kind.startswith(f"{each}.") for each in kinds)


def _passed(facts: Sequence[TellingFact]) -> bytes:
    """Nothing to tell: still alive, and so far read. An id without data moves `Last-Event-ID` and shows nothing."""
    return f"id: {facts[-1].position}\n\n".encode() if facts else b": alive\n\n"


def _event(fact: TellingFact) -> bytes:
    body = msgspec.json.encode(fact_of(fact).model_dump(mode="json"))
    return f"id: {fact.position}\nevent: {fact.kind}\ndata: ".encode() + body + b"\n\n"
