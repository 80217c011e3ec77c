"""The trail: search it, take it away, and prove that nobody changed it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from postroom import reads
from postroom.doors.console import frame
from postroom.doors.console.forms import asked, asked_id
from postroom.doors.entry import Caller, signed_in
from postroom.engine import feed
from postroom.engine.facts import TellingFact
from postroom.rooms.mailboxes import store as mailboxes

PARTS = {"facts": "audit/_list.html"}
PAGE = 60


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    kind, day = asked(request, "kind"), _day(asked(request, "until"))
    group = kind if kind.endswith(".") else None
    async with who.scope.read() as tx:
        found = await reads.facts.recent(
            tx,
            kind=kind if kind and not group else None,
            group=group,
            mailbox_id=asked_id(request, "mailbox"),
            actor=asked(request, "actor") or None,
            words=asked(request, "q") or None,
            until=day + timedelta(days=1) if day else None,
            before=asked(request, "before"),
            most=PAGE,
        )
        boxes = await mailboxes.mailboxes(tx)
        kinds = await reads.facts.kinds(tx)
        names = await reads.facts.labels(tx, found)
    after = _cursor(found, by_time=bool(kind and not group)) if len(found) == PAGE else None
    values = {"facts": found, "boxes": boxes, "kinds": kinds, "after": after, "day": asked(request, "until")}
    groups = sorted({each.partition(".")[0] + "." for each in kinds})
    return await frame.page(request, who, "audit/index.html", PARTS, names=names, groups=groups, **values)


def _cursor(found: list[TellingFact], *, by_time: bool) -> str:
    last = found[-1]
    return f"{last.told_at.isoformat()}~{last.id}" if by_time else last.position


def _day(text: str) -> datetime | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


async def verify(request: Request) -> Response:
    """Walks the whole chain, so only on request."""
    who = await signed_in(request, "operator")
    report = await request.app.state.house.trail.verify(who.tenant_id, asked(request, "head") or None)
    return frame.html(request, "audit/_report.html", who=who, report=report)


async def export(request: Request) -> Response:
    """One JSON line for each fact, oldest first, with its fingerprint: enough to check it elsewhere."""
    who = await signed_in(request, "admin")
    name = f"postroom-audit-{who.tenant or 'trail'}-{who.scope.now:%Y%m%d-%H%M}.jsonl"
    headers = {**frame.GUARDS, "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(_exported(request, who), headers=headers, media_type="application/x-ndjson")


async def _exported(request: Request, who: Caller) -> AsyncIterator[bytes]:
    at = feed.FeedPosition(0, 0)
    while facts := await feed.read(request.app.state.house.db, who.tenant_id, at, 500):
        lines = ({**fact.as_dict(), "position": fact.position, "digest": fact.digest.hex()} for fact in facts)
        yield b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        at = feed.FeedPosition(facts[-1].xid, facts[-1].id)


ROUTES = [
    Route("/audit", index, methods=["GET"]),
    Route("/audit/verify", verify, methods=["POST"]),
    Route("/audit/export", export, methods=["GET"]),
]
