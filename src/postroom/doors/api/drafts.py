"""Drafts: what was written, for which message, on what each statement stands, and what people made of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Request
from pydantic import Field

from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, OutBody, PageOut, by_time, page
from postroom.doors.api.route import Operator, Reader, collection
from postroom.doors.entry import Caller
from postroom.rooms.replies import commands
from postroom.rooms.replies.commands import DraftRow

router = collection("drafts")
Status = Literal["written", "blocked_user_edited", "superseded", "sent", "discarded"]
LONGEST_BODY = 100_000


class QuoteOut(OutBody):
    source: str = Field(description="The paper's name.")
    quote: str = Field(description="Stands in it letter by letter, white space aside.")


class ClaimOut(OutBody):
    statement: str
    evidence: list[QuoteOut]


class BlockedOut(OutBody):
    statement: str
    because: str


class DraftOut(OutBody):
    """A revision of the one draft that a thread may have."""

    id: UUID
    thread_id: UUID
    mailbox_id: UUID
    mailbox: str
    provider_thread_id: str
    provider_draft_id: str
    message_id: UUID | None = Field(description="The message it answers.")
    status: Status
    because: str
    fingerprint: str = Field(examples=["sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])
    to: list[str]
    subject: str
    body: str
    claims: list[ClaimOut]
    questions: list[str] = Field(description="What no paper answers; each stands in the body between `[[` and `]]`.")
    blocked: list[BlockedOut] = Field(description="What was left out, and why.")
    confidence: float
    gate: float = Field(description="The share of a question that evidence had to cover.")
    model: str = Field(description="`rules` when none was asked.")
    edited_by: str | None
    created_at: datetime
    updated_at: datetime


class DraftIn(InBody):
    body: Annotated[str, Field(min_length=1, max_length=LONGEST_BODY, pattern=NO_NUL)]


@router.get("/drafts", summary="List drafts, newest first")
async def list_drafts(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    thread_id: UUID | None = None,
    status: Status | None = None,
) -> PageOut[DraftOut]:
    rows = await commands.list_drafts(who.scope, limit + 1, by_time(cursor), thread_id=thread_id, status=status)
    return page(rows, limit, _draft, lambda row: (row.created_at, row.id))


@router.get("/drafts/{draft_id}", summary="One draft with its evidence")
async def get_draft(draft_id: UUID, who: Reader) -> DraftOut:
    return await _shown(who, draft_id)


@router.put("/drafts/{draft_id}", summary="Change a draft in the mailbox")
async def change_draft(draft_id: UUID, body: DraftIn, request: Request, who: Operator) -> DraftOut:
    """From then on it is a person's. 409 when it is over, or somebody changed it in the mail program."""
    await commands.edit_draft(who.scope, request.app.state.house.outside.open_copilot, draft_id, body.body)
    return await _shown(who, draft_id)


async def _shown(who: Caller, draft_id: UUID) -> DraftOut:
    return _draft(await commands.one_draft(who.scope, draft_id))


def _draft(row: DraftRow) -> DraftOut:
    plain = {name: getattr(row, name) for name in DraftOut.model_fields if hasattr(row, name)}
    return DraftOut(**{**plain, "to": row.recipients})
