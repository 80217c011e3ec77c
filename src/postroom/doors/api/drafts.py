"""Drafts: what was written, for which message, on what each statement stands, and what people made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Request
from pydantic import Field

from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, OutBody, PageOut, by_time, page
from postroom.doors.api.route import Admin, Operator, Reader, collection
from postroom.doors.entry import Caller
from postroom.mail.language import Language
from postroom.reads.papers import OutdatedQuote
from postroom.rooms.replies import commands
from postroom.rooms.replies.commands import DraftHead, DraftRow
from postroom.rooms.replies.rules.voicing import HIGHEST_GATE, LOWEST_GATE, Formality, ReplyPolicy

router = collection("drafts")
Status = Literal["written", "blocked_user_edited", "superseded", "sent", "discarded"]
LONGEST_BODY = 100_000
Addresses = Annotated[
    list[Annotated[str, Field(max_length=500, pattern=NO_NUL, examples=["anna@client.example"])]], Field(max_length=50)
]
VoiceLine = Annotated[str, Field(max_length=200, pattern=NO_NUL, examples=["Hello {name},"])]


class QuoteOut(OutBody):
    source: str = Field(description="The paper's name.")
    quote: str = Field(description="Stands in it letter by letter, white space aside.")
    valid_from: date | None = Field(default=None, description="Where the paper says so of these words.")
    valid_until: date | None = None


class ClaimOut(OutBody):
    statement: str
    evidence: list[QuoteOut]


class BlockedOut(OutBody):
    statement: str
    because: str


class OutdatedOut(OutBody):
    """Words of a paper that does not say them today."""

    name: str
    evidence_id: UUID | None = Field(description="Its newest version; null: none is kept.")
    quote: str
    because: str = Field(examples=["prices.md was changed: it does not say “Parking costs 18 EUR.” any more."])


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
    cc: list[str]
    subject: str
    proposed: str = Field(description="As it was written by us.")
    body: str = Field(description="As it stands, or stood.")
    claims: list[ClaimOut]
    outdated: list[OutdatedOut] = Field(description="While it waits: what it quotes, and no paper says any more.")
    questions: list[str] = Field(description="What no paper answers; each stands in the body between `[[` and `]]`.")
    blocked: list[BlockedOut] = Field(description="What was left out, and why.")
    confidence: float
    gate: float = Field(description="The chance of being right that evidence had to have.")
    model: str = Field(description="`rules` when none was asked.")
    edited_by: str | None
    final: str | None = Field(description="What a person made of it, at the console or in the mail program.")
    distance: float | None = Field(
        description="How far that is from what was proposed: 0 is the same, 1 shares nothing."
    )
    created_at: datetime
    updated_at: datetime


class DraftIn(InBody):
    """What is left out stays as it is."""

    body: Annotated[str, Field(min_length=1, max_length=LONGEST_BODY, pattern=NO_NUL)]
    to: Addresses | None = None
    cc: Addresses | None = None
    subject: Annotated[str, Field(max_length=500, pattern=NO_NUL)] | None = None
    fingerprint: str | None = Field(
        None, max_length=100, description="The one that was seen: 409 if it was changed since."
    )


class DiscardIn(InBody):
    reason: Annotated[str, Field(min_length=1, max_length=500, pattern=NO_NUL, examples=["The tone is wrong."])]


class DraftOutcomesOut(OutBody):
    """What became of the drafts of the last ninety days."""

    written: int
    sent: int
    unchanged: int = Field(description="Of those that were sent.")
    discarded: int
    changed: int
    median_distance: float | None = Field(description="Of those that people changed.")


class ReplyPolicyOut(OutBody):
    """How sure drafts have to be, in which voice they are written, and from whose answers they may learn."""

    gate: float | None = Field(
        description="The chance of being right that evidence has to have; null: as the house does."
    )
    gate_now: float
    language: Language | None = Field(description="Null: the sender's.")
    formality: Formality
    thanks: bool
    greetings: dict[str, str] = Field(description="By language; `{name}` is the sender's.")
    closings: dict[str, str]
    signature: str
    learn_from: list[UUID] = Field(description="Mailboxes whose sent answers may answer again.")


class ReplyPolicyIn(InBody):
    """What is left out stays as it is."""

    gate: Annotated[float, Field(ge=LOWEST_GATE, le=HIGHEST_GATE)] | None = None
    language: Language | None = None
    formality: Formality = "neutral"
    thanks: bool = True
    greetings: dict[Language, VoiceLine] = Field(default_factory=dict)
    closings: dict[Language, VoiceLine] = Field(default_factory=dict)
    signature: Annotated[str, Field(max_length=1_000, pattern=NO_NUL)] = ""
    learn_from: Annotated[list[UUID], Field(max_length=1_000)] = Field(default_factory=list)


@router.get("/drafts", summary="List drafts, newest first")
async def list_drafts(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    thread_id: UUID | None = None,
    status: Status | None = None,
    changed: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> PageOut[DraftOut]:
    """`changed`: only those that people made something else of."""
    rows = await commands.list_drafts(
        who.scope, limit + 1, by_time(cursor), thread_id=thread_id, status=status, changed=changed
    )
    return page(rows, limit, _draft, lambda row: (row.created_at, row.id))


@router.get("/drafts/outcomes", summary="What became of the drafts of the last ninety days")
async def get_outcomes(who: Reader) -> DraftOutcomesOut:
    return DraftOutcomesOut.model_validate(await commands.draft_outcomes(who.scope))


@router.get("/drafts/policy", summary="How sure drafts have to be, and in which voice they are written")
async def get_policy(who: Reader) -> ReplyPolicyOut:
    return reply_policy_of(await commands.reply_policy(who.scope))


@router.patch("/drafts/policy", summary="Change how sure drafts have to be, or their voice")
async def change_policy(body: ReplyPolicyIn, who: Admin) -> ReplyPolicyOut:
    """It counts for drafts that are written from now on."""
    changes = reply_changes(body.model_dump(exclude_unset=True))
    return reply_policy_of(await commands.change_reply_policy(who.scope, changes))


@router.get("/drafts/{draft_id}", summary="One draft with its evidence")
async def get_draft(draft_id: UUID, who: Reader) -> DraftOut:
    return await _shown(who, draft_id)


@router.put("/drafts/{draft_id}", summary="Change a draft in the mailbox")
async def change_draft(draft_id: UUID, body: DraftIn, request: Request, who: Operator) -> DraftOut:
    """From then on it is a person's, and every yes to it is void. 409 when it is over, or somebody changed it in the
    mail program."""
    head = DraftHead(body.to, body.cc, body.subject)
    open_copilot = request.app.state.house.outside.open_copilot
    await commands.edit_draft(who.scope, open_copilot, draft_id, body.body, body.fingerprint, head)
    return await _shown(who, draft_id)


@router.post("/drafts/{draft_id}/discard", summary="Throw a draft away, with a reason")
async def discard_draft(draft_id: UUID, body: DiscardIn, request: Request, who: Operator) -> DraftOut:
    """409 when it is over, or somebody changed it in the mail program."""
    await commands.discard_draft(who.scope, request.app.state.house.outside.open_copilot, draft_id, body.reason)
    return await _shown(who, draft_id)


@router.post("/drafts/{draft_id}/restore", summary="Take back that a draft was thrown away")
async def restore_draft(draft_id: UUID, request: Request, who: Operator) -> DraftOut:
    """The same words stand in the mailbox again. 409 when somebody wrote since, or its words are forgotten."""
    await commands.restore_draft(who.scope, request.app.state.house.outside.open_copilot, draft_id)
    return await _shown(who, draft_id)


async def _shown(who: Caller, draft_id: UUID) -> DraftOut:
    return _draft(await commands.one_draft(who.scope, draft_id))


def _draft(row: DraftRow) -> DraftOut:
    plain = {name: getattr(row, name) for name in DraftOut.model_fields if hasattr(row, name)}
    return DraftOut(**{**plain, "to": row.recipients, "outdated": outdated_of(row.outdated)})


def outdated_of(found: Iterable[OutdatedQuote]) -> list[OutdatedOut]:
    return [OutdatedOut(name=e.name, evidence_id=e.paper_id, quote=e.quote, because=e.because) for e in found]


def reply_changes(said: Mapping[str, Any]) -> dict[str, Any]:
    """As the room takes it."""
    named = {"learn_from": frozenset(said["learn_from"])} if "learn_from" in said else {}
    return {**said, **named}


def reply_policy_of(held: ReplyPolicy) -> ReplyPolicyOut:
    return ReplyPolicyOut(**held.told(), gate_now=held.gate_now)
