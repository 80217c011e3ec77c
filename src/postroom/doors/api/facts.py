"""Facts: what happened, for ever; searched, exported and proved."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from fastapi import Query, Request
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict, Field

from postroom import reads
from postroom.doors.api.paging import Cursor, Limit, Moment, OutBody, PageOut, Word, by_position, next_after
from postroom.doors.api.route import Reader, collection
from postroom.doors.entry import Caller
from postroom.engine import audit_chain as seals
from postroom.engine import feed
from postroom.engine.facts import TellingFact

router = collection("facts")
LINES = "application/x-ndjson"


class FactOut(OutBody):
    """Something that happened, told once."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": 4711,
                    "position": "90210-4711",
                    "told_at": "2026-03-02T09:15:02Z",
                    "kind": "mailbox.paused",
                    "actor": "key:desk:01890c3e-7d00-7a1e-8000-3f6b2c9d1e55",
                    "mailbox_id": "0193a7c0-1000-7000-8000-000000000001",
                    "thread_id": None,
                    "message_id": None,
                    "document_id": None,
                    "job_id": None,
                    "run_id": None,
                    "correlation_id": None,
                    "body": {"mailbox_id": "0193a7c0-1000-7000-8000-000000000001"},
                    "digest": "6c1d…",
                }
            ]
        }
    )

    id: int
    position: str = Field(description="Where it stands in the feed; `Last-Event-ID` of the events.")
    told_at: datetime
    kind: str
    actor: str = Field(description="Who did it: `postroom`, `person:ADDRESS`, `key:NAME:ID`, `cli:USER`, and so on.")
    mailbox_id: UUID | None
    thread_id: UUID | None
    message_id: UUID | None
    document_id: UUID | None
    job_id: int | None
    run_id: str | None
    correlation_id: UUID | None
    body: dict[str, Any] = Field(description="What it says; its shape goes by the kind.")
    digest: str = Field(description="SHA-256 of all the above but `id` and `position`, in hex.")


class ChainReportOut(OutBody):
    """What walking the chain of seals showed."""

    sound: bool
    facts: int
    seals: int
    unsealed: int = Field(description="Facts of the last moments, which the next seal covers.")
    head: str = Field(description="The chain's end: note it down, and give it as `head` some day.")
    anchors: int = Field(description="Heads that were noted outside the database, which the chain was held against.")
    problems: list[str]


@router.get("/facts", summary="Search the facts, newest first")
async def list_facts(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    kind: Annotated[Word | None, Query(description="A kind such as `mailbox.paused`, or its first part.")] = None,
    mailbox_id: UUID | None = None,
    thread_id: UUID | None = None,
    message_id: UUID | None = None,
    document_id: UUID | None = None,
    actor: Word | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
) -> PageOut[FactOut]:
    """A page that had to be searched for may be short, or even empty, while `next` says where to search on."""
    asked = reads.facts.FactFilter(kind, message_id, document_id, mailbox_id, thread_id, actor, since, until)
    return await facts_of(who, asked, limit, cursor)


@router.get(
    "/facts/export",
    summary="Every fact as a JSON line, oldest first",
    response_class=StreamingResponse,
    responses={
        200: {"description": "Lines of facts, then of seals.", "content": {LINES: {"schema": {"type": "string"}}}}
    },
)
async def export(
    who: Reader,
    after: Annotated[
        str | None, Query(pattern=r"^\d{1,18}-\d{1,18}$", description="Only facts after this `position`.")
    ] = None,
) -> StreamingResponse:
    """Streamed, however many there are. A fact's line has `fact`, `xid` and its `digest`; a seal's line has `seal`."""
    start = feed.FeedPosition.parse(after) if after else feed.FeedPosition(0, 0)
    name = {"Content-Disposition": 'attachment; filename="facts.jsonl"'}
    return StreamingResponse(_lines(who, start), media_type=LINES, headers=name)


@router.get("/facts/verify", summary="Prove that no fact was changed, added or taken away")
async def verify(
    request: Request,
    who: Reader,
    head: Annotated[str | None, Query(pattern=r"^[0-9a-f]{64}$", description="A head noted down earlier.")] = None,
) -> ChainReportOut:
    """Walks the whole chain, and holds it against the heads that were noted outside the database.

    With a million facts that takes a while.
    """
    seen: seals.ChainReport = await request.app.state.house.trail.verify(who.tenant_id, head)
    return ChainReportOut(
        sound=seen.is_sound,
        facts=seen.facts,
        seals=seen.seals,
        unsealed=seen.unsealed,
        head=seen.head,
        anchors=seen.anchors,
        problems=seen.problems,
    )


async def _lines(who: Caller, after: feed.FeedPosition) -> AsyncIterator[bytes]:
    """The same lines as `postroom audit export` writes."""
    db, tenant = who.scope.db, who.tenant_id
    while facts := await feed.read(db, tenant, after, most=1000):
        yield b"".join(_line(_exported(fact)) for fact in facts)
        after = feed.FeedPosition(facts[-1].xid, facts[-1].id)
    for sealed in await seals.all_seals(db, tenant):
        yield _line(sealed.as_line())


def _exported(fact: TellingFact) -> dict[str, Any]:
    return {"fact": fact.id, "xid": fact.xid, **fact.as_dict(), "digest": fact.digest.hex()}


def _line(values: dict[str, Any]) -> bytes:
    return msgspec.json.encode(values) + b"\n"


async def facts_of(who: Caller, asked: reads.facts.FactFilter, limit: int, cursor: str | None) -> PageOut[FactOut]:
    after = by_position(cursor)
    async with who.scope.read() as tx:
        rows, end = await reads.facts.search(tx, limit, after, asked)
    return PageOut(items=[fact_of(row) for row in rows], next=next_after(*end) if end else None)


def fact_of(row: TellingFact) -> FactOut:
    own = {"position": row.position, "digest": row.digest.hex()}
    return FactOut(**{name: getattr(row, name) for name in FactOut.model_fields if name not in own}, **own)
