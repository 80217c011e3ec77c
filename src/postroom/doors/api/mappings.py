"""Mappings: whose mail each mail is, why we think so, and what people said about it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import ConfigDict, Field, JsonValue, PlainSerializer, WithJsonSchema

from postroom.doors.api.paging import (
    NO_NUL,
    Cursor,
    InBody,
    Limit,
    OutBody,
    PageOut,
    Revision,
    Word,
    by_id,
    next_after,
)
from postroom.doors.api.route import Admin, Operator, Reader, collection
from postroom.doors.entry import Caller
from postroom.nouns.clients import Clue, Email, MappingStatus, Signal, Suggestion
from postroom.rooms.clients import commands
from postroom.rooms.clients.mapping_service import EmailMappingService
from postroom.rooms.clients.rules import mails
from postroom.rooms.clients.rules.suggesting import MappingPolicy
from postroom.rooms.clients.store.mappings import MappingRow, clues_from

router = collection("mappings")
MOST_ADDRESSES, MOST_EARLIER = 300, 100
Share = Annotated[
    Decimal,
    PlainSerializer(lambda share: f"{share:.2f}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^[01]\.\d\d$", "examples": ["0.95"]}),
]
AddressText = Annotated[str, Field(max_length=500, pattern=NO_NUL, examples=["Anna Kowalski <anna@acme.example>"])]
Addresses = Annotated[list[AddressText], Field(max_length=MOST_ADDRESSES)]
CodeText = Annotated[str, Field(max_length=64, pattern=NO_NUL)]
Days = Annotated[int, Field(ge=1, le=3650)]


class ClueOut(OutBody):
    """One piece of evidence: its weight in log-odds, below nothing when it speaks against the account."""

    signal: Signal
    weight: float
    because: str


class ClientCandidateOut(OutBody):
    account: str
    name: str
    confidence: Share
    reasons: list[str]
    clues: list[ClueOut] = Field(description="The reasons with their weights, strongest first.")


class MappingOut(OutBody):
    """What became of one message: whose it is, how sure that is, and why."""

    id: UUID
    message_id: UUID
    thread_id: UUID | None
    mailbox_id: UUID
    sender_email: str | None
    sender_name: str | None
    subject: str | None
    received_at: datetime
    account: str | None = Field(description="The account's code; in triage the likeliest one.")
    account_name: str | None
    engagement: str | None
    work_item: str | None
    confidence: Share
    reasons: list[str]
    objections: list[str] = Field(description="Those of the reasons that keep it for a person.")
    staleness: list[str]
    status: MappingStatus
    requires_triage: bool
    candidates: list[ClientCandidateOut]
    ignore_reason: str | None
    decided_by: str | None
    decided_at: datetime | None
    revision: int = Field(description="Give it back when you decide, and nobody is overruled unseen.")


class MappingChangeOut(OutBody):
    """A person's decision: before, after, who, when, and which signals had misled us."""

    action: str
    before: dict[str, JsonValue]
    after: dict[str, JsonValue]
    misled: list[str]
    changed_by: str
    changed_at: datetime
    undone_by: str | None
    undone_at: datetime | None


class MappingDetailOut(MappingOut):
    """With all decisions, newest first."""

    changes: list[MappingChangeOut]


class DecidedMappingOut(MappingOut):
    touched: int = Field(description="How many messages the decision changed, with this one.")


class ReachOut(OutBody):
    """How many other messages a decision would touch: all of the thread, and those of the sender that wait."""

    thread: int
    waiting_from_sender: int
    both: int


class NextMappingOut(OutBody):
    id: UUID | None = Field(description="Null when nothing waits.")
    waiting: int = Field(description="How many wait, up to 1,000.")


class MappingDecisionIn(InBody):
    thread: bool = Field(default=False, description="Also all other messages of its thread.")
    next_from_sender: bool = Field(default=False, description="Also what waits of its sender, and what will come.")
    revision: Revision | None = Field(None, description="The mapping's, as you saw it: 409 when another decided since.")


class MappingConfirmationIn(MappingDecisionIn):
    account: Annotated[str, Field(min_length=1, max_length=64, pattern=NO_NUL, examples=["ACME"])]
    engagement: CodeText | None = None
    work_item: CodeText | None = Field(None, description="Its engagement need not be named.")


class IgnoringIn(MappingDecisionIn):
    reason: str = Field(min_length=1, max_length=300, pattern=r"^[^\u0000]*\S[^\u0000]*$", examples=["A newsletter."])


class EarlierMailIn(InBody):
    """A mail of the same thread that came before."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    sender: AddressText | None = Field(None, alias="from")
    to: Addresses | None = None
    cc: Addresses | None = None
    subject: Annotated[str, Field(max_length=2000, pattern=NO_NUL)] | None = None
    text: Annotated[str, Field(max_length=500_000, pattern=NO_NUL)] | None = None
    date: datetime | None = None


class MailIn(EarlierMailIn):
    """A mail as far as its client goes; `date` is now if it is not given."""

    thread: Annotated[list[EarlierMailIn], Field(max_length=MOST_EARLIER)] | None = None


class CandidateAnswerOut(OutBody):
    account: str
    confidence: Share
    reasons: list[str]


class SuggestionOut(OutBody):
    """Whose mail it would be. Nothing is kept."""

    account: str | None
    engagement: str | None
    work_item: str | None
    confidence: Share
    reasons: list[str]
    objections: list[str] = Field(description="Those of the reasons that keep it for a person.")
    staleness: list[str]
    requires_triage: bool
    candidates: list[CandidateAnswerOut]


class SignalReportOut(OutBody):
    """How a signal did, by what people said of it."""

    signal: Signal
    right: int
    wrong: int
    precision: float | None = Field(description="How often it was right here; null when it never spoke.")
    expected: float = Field(description="How often it was right in the labelled mails that it was fitted on.")
    fitted: float = Field(description="Its weight by itself.")
    weight: float = Field(description="Its weight here, after what people said.")


class MappingPolicyOut(OutBody):
    """What the tenant decides about mapping."""

    threshold: Share = Field(description="A suggestion at or above it is mapped without a person.")
    staleness_days: int
    multi_account_penalty: Share
    mixed_thread_penalty: Share
    subject_penalty: Share
    stale_penalty: Share
    silent_after_days: int
    left_out: list[UUID] = Field(description="Mailboxes whose mail is no client's.")


class MappingPolicyIn(InBody):
    """What is left out stays as it is."""

    threshold: Decimal | None = Field(None, ge=Decimal("0.5"), le=1)
    staleness_days: Days | None = None
    multi_account_penalty: Decimal | None = Field(None, ge=0, le=1)
    mixed_thread_penalty: Decimal | None = Field(None, ge=0, le=1)
    subject_penalty: Decimal | None = Field(None, ge=0, le=1)
    stale_penalty: Decimal | None = Field(None, ge=0, le=1)
    silent_after_days: Annotated[int, Field(ge=30, le=3650)] | None = None
    left_out: Annotated[list[UUID], Field(max_length=1000)] | None = None


@router.get("/mappings", summary="List what became of each message, newest first")
async def list_mappings(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: MappingStatus | None = None,
    account: Annotated[Word | None, Query(description="An account's code or id.")] = None,
    message_id: UUID | None = None,
    sender: Annotated[Word | None, Query(description="A mail address.")] = None,
) -> PageOut[MappingOut]:
    found, more = await commands.list_mappings(
        who.scope,
        status=status,
        account=account,
        message_id=message_id,
        sender=sender,
        before=by_id(cursor),
        most=limit,
    )
    return PageOut(items=[mapping_of(each) for each in found], next=next_after(more))


@router.post("/mappings/suggest", summary="Say whose mail a mail would be, and keep nothing")
async def suggest(body: MailIn, who: Reader) -> SuggestionOut:
    return _suggestion(await EmailMappingService(who.scope).suggest(await asyncio.to_thread(_email, body)))


@router.get("/mappings/next", summary="The message that has waited longest for somebody to say whose it is")
async def next_mapping(
    who: Reader, after: Annotated[UUID | None, Query(description="Skip to after this one.")] = None
) -> NextMappingOut:
    found = await commands.next_in_triage(who.scope, after)
    return NextMappingOut(id=found, waiting=await commands.waiting_in_triage(who.scope))


@router.get("/mappings/signals", summary="How each signal did")
async def list_signals(who: Reader) -> PageOut[SignalReportOut]:
    report = await commands.signal_report(who.scope)
    return PageOut(items=[SignalReportOut.model_validate(each) for each in report], next=None)


@router.get("/mappings/policy", summary="How sure is sure enough, and what a doubt costs")
async def get_policy(who: Reader) -> MappingPolicyOut:
    return _policy(await commands.mapping_policy(who.scope))


@router.patch("/mappings/policy", summary="Change how sure is sure enough, or what a doubt costs")
async def change_policy(body: MappingPolicyIn, who: Admin) -> MappingPolicyOut:
    """It counts for mail that comes, and for what waits."""
    said: dict[str, Any] = body.model_dump(exclude_none=True)
    return _policy(await commands.adjust_mapping_policy(who.scope, said))


@router.get("/mappings/{mapping_id}", summary="One mapping with what people decided")
async def get_mapping(mapping_id: UUID, who: Reader) -> MappingDetailOut:
    found = await commands.get_mapping(who.scope, mapping_id)
    changes = [MappingChangeOut.model_validate(each) for each in found.changes]
    return MappingDetailOut(**mapping_of(found.mapping).model_dump(), changes=changes)


@router.get("/mappings/{mapping_id}/reach", summary="How many other messages a decision would touch")
async def get_reach(mapping_id: UUID, who: Reader) -> ReachOut:
    return ReachOut.model_validate(await commands.reach(who.scope, mapping_id))


@router.post("/mappings/{mapping_id}/confirm", summary="Say whose message it is")
async def confirm(mapping_id: UUID, body: MappingConfirmationIn, who: Operator) -> DecidedMappingOut:
    """As was suggested, or another account: then the message moves there."""
    act = await commands.confirm_mapping(
        who.scope,
        mapping_id,
        body.account,
        body.engagement,
        body.work_item,
        thread=body.thread,
        next_from_sender=body.next_from_sender,
        version=body.revision,
    )
    return await _decided(who, mapping_id, act)


@router.post("/mappings/{mapping_id}/ignore", summary="Set a message aside: it is no client's")
async def ignore(mapping_id: UUID, body: IgnoringIn, who: Operator) -> DecidedMappingOut:
    """The message stays, with who set it aside, when and why."""
    act = await commands.mark_ignored(
        who.scope,
        mapping_id,
        body.reason,
        thread=body.thread,
        next_from_sender=body.next_from_sender,
        version=body.revision,
    )
    return await _decided(who, mapping_id, act)


@router.post("/mappings/{mapping_id}/undo", summary="Take the last decision back, with all that it touched")
async def undo(mapping_id: UUID, who: Operator) -> DecidedMappingOut:
    return await _decided(who, mapping_id, await commands.undo_mapping(who.scope, mapping_id))


async def _decided(who: Caller, mapping_id: UUID, act: commands.MappingAct) -> DecidedMappingOut:
    found = await commands.get_mapping(who.scope, mapping_id)
    return DecidedMappingOut(**mapping_of(found.mapping).model_dump(), touched=act.messages)


def mapping_of(row: MappingRow) -> MappingOut:
    own = {name: getattr(row, name) for name in MappingOut.model_fields if hasattr(row, name)}
    told = {"revision": row.version, "reasons": [*row.reasons, *row.objections]}
    return MappingOut(**own | told | {"candidates": [_candidate(each) for each in row.candidates]})


def _candidate(held: dict[str, Any]) -> ClientCandidateOut:
    clues: list[Clue] = clues_from(held)
    return ClientCandidateOut(
        account=held["account"],
        name=held["name"],
        confidence=Decimal(held["confidence"]),
        reasons=[clue.because for clue in clues],
        clues=[ClueOut.model_validate(clue) for clue in clues],
    )


def _email(body: MailIn) -> Email:
    earlier = tuple(_mail(each) for each in body.thread or ())
    return mails.with_thread(_mail(body), earlier)


def _mail(body: EarlierMailIn) -> Email:
    bare = Email(
        sender=mails.address_from(body.sender or ""),
        to=mails.addresses_from(body.to or ()),
        cc=mails.addresses_from(body.cc or ()),
        subject=body.subject or "",
        date=_aware(body.date),
    )
    return mails.with_new_words(body.text or "", bare)


def _aware(said: datetime | None) -> datetime | None:
    """A time without its zone is taken as UTC."""
    return said.replace(tzinfo=UTC) if said is not None and said.tzinfo is None else said


def _suggestion(found: Suggestion) -> SuggestionOut:
    return SuggestionOut(
        account=found.account.code if found.account else None,
        engagement=found.engagement.code if found.engagement else None,
        work_item=found.work_item.code if found.work_item else None,
        confidence=found.confidence,
        reasons=[*found.reasons, *found.objections],
        objections=[*found.objections],
        staleness=[*found.staleness],
        requires_triage=found.requires_triage,
        candidates=[
            CandidateAnswerOut(account=each.account.code, confidence=each.confidence, reasons=each.reasons)
            for each in found.candidates
        ],
    )


def _policy(held: MappingPolicy) -> MappingPolicyOut:
    return MappingPolicyOut.model_validate(commands.policy_values(held))
