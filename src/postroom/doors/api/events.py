"""Events: facts as they happen, over a connection that may break and is taken up again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from postroom.doors import sse
from postroom.doors.api.facts import fact_of
from postroom.doors.api.paging import Word
from postroom.doors.api.route import ApiRoute, Reader, collection
from postroom.doors.entry import Caller
from postroom.engine import feed
from postroom.rooms.subscribers import commands as subscribers
from postroom.rooms.subscribers.rules.events import EVENT_TYPES, EventType

router = collection("events")
document_router = APIRouter(tags=["documents"], route_class=ApiRoute)
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
MAIL_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events: `id` is a position in the feed, `event` the type, `data` the envelope.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
LastSeen = Annotated[
    str | None, Header(alias="Last-Event-ID", pattern=POSITION, description="Goes on after this one, without a gap.")
]
After = Annotated[str | None, Query(pattern=POSITION, description="Likewise, for clients that cannot set headers.")]


@router.get("/events", summary="Facts as they happen", response_class=StreamingResponse, responses=STREAM)
async def events(
    request: Request,
    who: Reader,
    last_event_id: LastSeen = None,
    after: After = None,
    kind: Annotated[
        list[Word] | None, Query(max_length=20, description="Only these kinds, or kinds that begin so.")
    ] = None,
) -> StreamingResponse:
    """From now on, or from `Last-Event-ID` on. Ends after a quarter of an hour: come back with the last id.

    It also ends when the key is revoked or expires.
    """
    return await _stream(request, who, last_event_id or after, kind or ())


@document_router.get(
    "/documents/events", summary="What happens to documents", response_class=StreamingResponse, responses=STREAM
)
async def document_events(
    request: Request, who: Reader, last_event_id: LastSeen = None, after: After = None
) -> StreamingResponse:
    """The events of documents, trades, invoices and orders alone."""
    return await _stream(request, who, last_event_id or after, DOCUMENT_KINDS)


@router.get(
    "/events/mail", summary="Canonical events as they happen", response_class=StreamingResponse, responses=MAIL_STREAM
)
async def mail_events(
    request: Request,
    who: Reader,
    last_event_id: LastSeen = None,
    after: After = None,
    types: Annotated[
        list[EventType] | None, Query(alias="type", max_length=len(EVENT_TYPES), description="Only these types.")
    ] = None,
) -> StreamingResponse:
    """What webhooks are told, over a stream: the same types, the same envelope, the same order."""
    start = await sse.start_of(who, last_event_id or after)
    return sse.stream(request, _mail_events(request, who, start, types or ()))


async def _mail_events(
    request: Request, who: Caller, start: feed.FeedPosition, types: Sequence[str]
) -> AsyncGenerator[bytes, None]:
    yield sse.opening()
    async for facts in sse.heard_by(request, who, start):
        found = await subscribers.events_among(who.scope, facts)
        told = [sse.event(event.type, event.payload, at) for at, event in found if not types or event.type in types]
        yield b"".join(told) + (sse.passed(facts) if facts or not told else b"")


async def _stream(request: Request, who: Caller, after: str | None, kinds: Sequence[str]) -> StreamingResponse:
    return sse.stream(request, _events(request, who, await sse.start_of(who, after), kinds))


async def _events(
    request: Request, who: Caller, start: feed.FeedPosition, kinds: Sequence[str]
) -> AsyncGenerator[bytes, None]:
    yield sse.opening()
    async for facts in sse.heard_by(request, who, start):
        wanted = [fact for fact in facts if not kinds or _is_of(fact.kind, kinds)]
        told = [sse.event(fact.kind, fact_of(fact).model_dump(mode="json"), fact.position) for fact in wanted]
        yield b"".join(told) or sse.passed(facts)


def _is_of(kind: str, kinds: Sequence[str]) -> bool:
    return any(kind == each or kind.startswith(f"{each}.") for each in kinds)
