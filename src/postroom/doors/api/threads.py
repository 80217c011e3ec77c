"""Threads: what each wants of us, its conversation, and what people do about it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from postroom import reads
from postroom.doors.api.messages import MessageOut, message_of
from postroom.doors.api.paging import MOST, Cursor, InBody, Limit, Moment, OutBody, PageOut, Word, by_time, page
from postroom.doors.api.route import Operator, Reader, collection
from postroom.doors.entry import Caller
from postroom.nouns.copilot import StateKey
from postroom.nouns.errors import NoSuchThread
from postroom.nouns.ids import PersonId, ThreadId
from postroom.reads.threads import ThreadRow
from postroom.rooms.triage import commands
from postroom.rooms.triage.rules.channels import DEFAULT
from postroom.rooms.triage.rules.codes import code_in

router = collection("threads")


class TopicMatchOut(OutBody):
    topic: str
    words: list[str] = Field(description="The sender's own words that speak for it.")


class TriageOut(OutBody):
    """What a thread wants of us, by which rule, and why."""

    action: Literal["ignore", "needs_review", "draft"]
    reason: str = Field(examples=["sensitive_refund_or_cancellation"])
    because: str
    matched: list[TopicMatchOut]
    language: str | None
    decided_at: datetime | None


class AnalysisOut(OutBody):
    """What a thread is about; `model` is `rules` when none was asked."""

    summary: str
    intent: Literal["request", "question", "update", "complaint", "introduction", "other"]
    urgency: Literal["low", "normal", "high", "critical"]
    suggestedChannel: str | None  # noqa: N815 - the name that its readers know
    draftResponse: str | None  # noqa: N815 - the name that its readers know
    reasoning: str
    note: str = Field("", description="Why a model's opinion does not count, if one was asked.")
    model: str


class ThreadOut(OutBody):
    """A conversation in one mailbox."""

    id: UUID
    mailbox_id: UUID
    mailbox: str = Field(description="The mailbox's address.")
    provider_thread_id: str
    subject: str
    messages: int = Field(description="How many there are.")
    last_message_at: datetime
    reference_code: str | None = Field(examples=["PR-7KQ2MX"])
    state: StateKey | None
    error_code: str | None
    triage: TriageOut | None = Field(description="Null where the copilot has not looked at it.")
    analysis: AnalysisOut | None
    channel_id: UUID | None
    channel: str | None = Field(description="Its name; null where nothing waits in it.")
    assigned_to: UUID | None
    assignee: str | None
    snoozed_till: datetime | None
    not_for_us: bool
    done: bool
    label: str | None = Field(description="Our label on it at the provider.")
    revision: int | None = Field(description="Changes with every mail and every decision of a person.")


class TurnOut(OutBody):
    """A message of the thread, ours or theirs: what is new in it told from what is quoted, signature and disclaimer."""

    ref: str
    message_id: UUID | None
    is_draft: bool
    outgoing: bool
    sender_email: str | None
    sent_at: datetime | None
    subject: str
    own_text: str
    forwarded_text: str
    quoted_text: str
    signature: str
    disclaimer: str


class ThreadDetailOut(ThreadOut):
    """With its turns, oldest first, and its newest messages, newest first (all: `GET /messages?thread_id=…`)."""

    turns: list[TurnOut]
    newest: list[MessageOut]


class ThreadDecisionIn(InBody):
    """What is decided about a thread as it was seen."""

    revision: int | None = Field(None, description="The one that was seen: 409 if somebody wrote or decided since.")


class AssignIn(ThreadDecisionIn):
    person_id: UUID | None = Field(description="Null: nobody sees to it.")


class SnoozeIn(ThreadDecisionIn):
    till: Moment | None = Field(description="Null: in sight again.")


class MoveIn(ThreadDecisionIn):
    channel_id: UUID | None = Field(description="Null: Default.")


class InboxCountOut(OutBody):
    state: StateKey
    channel_id: UUID | None
    snoozed: bool
    threads: int


class InboxCountsOut(OutBody):
    items: list[InboxCountOut]


@router.get("/threads", summary="List threads, latest first")
async def list_threads(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    mailbox_id: UUID | None = None,
    state: Literal["open", "ready", "needs_review", "error"] | None = None,
    channel_id: UUID | Literal["default"] | None = None,
    assigned_to: UUID | None = None,
    snoozed: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    q: Word | None = None,
) -> PageOut[ThreadOut]:
    """All of them; with a state, channel (or `default`) or person, what waits for somebody. `q` searches subject,
    sender and summary of the 5,000 latest, and finds a code wherever it is."""
    is_waiting, words = bool(state or channel_id or assigned_to or snoozed), (q or "").strip()
    wanted = reads.threads.InboxFilter(
        state=None if state == "open" else state,
        mailbox_id=mailbox_id,
        channel=str(channel_id) if channel_id else reads.threads.ANY_CHANNEL,
        assigned_to=assigned_to,
        snoozed=snoozed,
    )
    async with who.scope.read() as tx:
        if code := code_in(words):
            return PageOut(items=[thread_of(row) for row in await reads.threads.by_code(tx, code)], next=None)
        if words:
            rows = await reads.threads.search(tx, words, limit + 1, by_time(cursor), wanted, waiting=is_waiting)
        elif is_waiting:
            rows = await reads.threads.inbox(tx, limit + 1, by_time(cursor), wanted)
            return page(rows, limit, thread_of, lambda row: (row.newest_at, row.id))
        else:
            rows = await reads.threads.threads(tx, limit + 1, by_time(cursor), mailbox_id=mailbox_id)
    return page(rows, limit, thread_of, lambda row: (row.last_message_at, row.id))


@router.get("/threads/counts", summary="How many threads wait, by state and channel")
async def count_threads(who: Reader) -> InboxCountsOut:
    async with who.scope.read() as tx:
        found = await reads.threads.inbox_counts(tx)
    return InboxCountsOut(items=[InboxCountOut.model_validate(each) for each in found])


@router.get("/threads/{thread_id}", summary="One thread with its conversation")
async def get_thread(thread_id: UUID, who: Reader) -> ThreadDetailOut:
    return await _shown(who, thread_id)


@router.post("/threads/{thread_id}/assign", summary="Say who sees to a thread")
async def assign(thread_id: UUID, body: AssignIn, who: Operator) -> ThreadDetailOut:
    person = PersonId(body.person_id) if body.person_id else None
    await commands.assign(who.scope, ThreadId(thread_id), person, revision=body.revision)
    return await _shown(who, thread_id)


@router.post("/threads/{thread_id}/snooze", summary="Put a thread out of sight for a while")
async def snooze(thread_id: UUID, body: SnoozeIn, who: Operator) -> ThreadDetailOut:
    """Until then, or until somebody writes."""
    await commands.snooze(who.scope, ThreadId(thread_id), body.till, revision=body.revision)
    return await _shown(who, thread_id)


@router.post("/threads/{thread_id}/move", summary="Put a thread into another channel")
async def move(thread_id: UUID, body: MoveIn, who: Operator) -> ThreadDetailOut:
    await commands.move(who.scope, ThreadId(thread_id), body.channel_id, revision=body.revision)
    return await _shown(who, thread_id)


@router.post("/threads/{thread_id}/not-for-us", summary="Say that a thread is not for us")
async def set_not_for_us(thread_id: UUID, who: Operator, body: ThreadDecisionIn | None = None) -> ThreadDetailOut:
    """Nothing more is done about it, whoever writes in it, until it is opened again."""
    await commands.set_not_for_us(who.scope, ThreadId(thread_id), revision=body.revision if body else None)
    return await _shown(who, thread_id)


@router.post("/threads/{thread_id}/done", summary="Say that a thread was dealt with")
async def set_done(thread_id: UUID, who: Operator, body: ThreadDecisionIn | None = None) -> ThreadDetailOut:
    """New mail opens it again."""
    await commands.set_done(who.scope, ThreadId(thread_id), revision=body.revision if body else None)
    return await _shown(who, thread_id)


@router.post("/threads/{thread_id}/reopen", summary="Take back that a thread is not for us, or done")
async def reopen(thread_id: UUID, who: Operator, body: ThreadDecisionIn | None = None) -> ThreadDetailOut:
    await commands.reopen(who.scope, ThreadId(thread_id), revision=body.revision if body else None)
    return await _shown(who, thread_id)


async def _shown(who: Caller, thread_id: UUID) -> ThreadDetailOut:
    async with who.scope.read() as tx:
        found = await reads.threads.thread(tx, thread_id)
        rows = await reads.messages.messages(tx, MOST, thread_id=thread_id)
        turns = await reads.threads.turns(tx, thread_id)
        clients = await reads.clients.clients_of(tx, [row.id for row in rows])
    if found is None:
        raise NoSuchThread(f"There is no thread {thread_id}.")
    shown = [TurnOut(**_fields(each), is_draft=each.draft_ref is not None) for each in turns]
    newest = [message_of(row, clients.get(row.id)) for row in rows]
    return ThreadDetailOut(**thread_of(found).model_dump(), turns=shown, newest=newest)


def _fields(turn: reads.threads.TurnRow) -> dict[str, object]:
    return {name: getattr(turn, name) for name in TurnOut.model_fields if name != "is_draft"}


def thread_of(row: ThreadRow) -> ThreadOut:
    plain = {name: getattr(row, name) for name in ThreadOut.model_fields if hasattr(row, name)}
    plain["channel"] = (row.channel or DEFAULT) if row.analysis is not None else None
    return ThreadOut(
        **{**plain, "analysis": _analysis(row)},
        triage=_triage(row),
        not_for_us=row.not_for_us_at is not None,
        done=row.done_at is not None,
    )


def _triage(row: ThreadRow) -> TriageOut | None:
    if row.verdict is None:
        return None
    action, reason = row.verdict
    return TriageOut(
        action=action,
        reason=reason,
        because=row.because or "",
        matched=[TopicMatchOut(topic=each["topic"], words=each["words"]) for each in row.matched or ()],
        language=row.language,
        decided_at=row.decided_at,
    )


def _analysis(row: ThreadRow) -> AnalysisOut | None:
    """With the draft that was proposed, where triage leaves the thread to be answered and the evidence is enough."""
    if row.analysis is None:
        return None
    proposed = row.draft_response if row.action == "draft" else None
    return AnalysisOut(**{**row.analysis, "draftResponse": proposed}, model=row.model or "rules")
