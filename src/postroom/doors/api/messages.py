"""Messages: each once, with what became of it in every pipeline and why."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Path, Query, Request, Response
from pydantic import ConfigDict, Field

from postroom import reads
from postroom.doors import sanitize
from postroom.doors.api.facts import FactOut, facts_of
from postroom.doors.api.files import BYTES, as_file
from postroom.doors.api.paging import Cursor, Limit, Moment, OutBody, PageOut, Word, by_time, page
from postroom.doors.api.route import Operator, Reader, collection
from postroom.doors.entry import Caller
from postroom.engine import queue as lanes
from postroom.nouns.errors import Conflict, NoSuchMessage
from postroom.nouns.mail import AutomaticKind, TrustLevel
from postroom.reads.clients import MessageClient
from postroom.reads.messages import MessageRow
from postroom.rooms.documents import commands as documents
from postroom.rooms.documents.jobs.mail import ReadDocuments
from postroom.rooms.sync.jobs import FetchMessage

router = collection("messages")
Hash = Annotated[str, Path(pattern="^[0-9a-f]{1,64}$", description="Of the file's bytes, as the message names it.")]
State = Literal["announced", "arrived", "failed", "gone", "ignored"]
Status = Literal["pending", "processed", "filtered", "failed", "deleted"]
Source = Literal["push", "poll", "hint", "backfill", "reconcile", "import"]
NOBODY = UUID(int=0)
JOBS = [FetchMessage.kind, ReadDocuments.kind]


class PipelineStatusOut(OutBody):
    """What became of a message in one pipeline."""

    status: Status
    rule: str | None = Field(description="Which rule filtered it.")
    reason: str | None = Field(description="Why, in words, if it was filtered, failed or deleted.")


class AttachmentOut(OutBody):
    """A file as it was sent. `path` is its place in the mail, `type` what its bytes are."""

    filename: str
    type: str
    size: int
    inline: bool
    path: list[str]
    sha256: str


class MessageOut(OutBody):
    """A mail, once."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "0193a7c4-5f00-7000-8000-1b2c3d4e5f60",
                    "mailbox_id": "0193a7c0-1000-7000-8000-000000000001",
                    "mailbox": "dealing@house.test",
                    "provider_message_id": "AAkALgAAAAAAHYQDEap",
                    "state": "arrived",
                    "status": {
                        "pad_contract_notes": {"status": "processed", "rule": None, "reason": None},
                        "ap_invoices": {"status": "filtered", "rule": "kind", "reason": "A contract note."},
                    },
                    "reason": None,
                    "source": "push",
                    "thread_id": None,
                    "internet_message_id": "<42@broker.test>",
                    "sender_email": "notes@broker.test",
                    "sender_name": "Broker",
                    "recipients": {"to": ["dealing@house.test"]},
                    "subject": "Contract note",
                    "snippet": "Please find attached",
                    "labels": ["INBOX"],
                    "attachments": [],
                    "automatic": None,
                    "trust": "authenticated",
                    "trust_because": "DMARC passed.",
                    "size": 18422,
                    "received_at": "2026-03-02T09:15:00Z",
                    "announced_at": "2026-03-02T09:15:01Z",
                    "arrived_at": "2026-03-02T09:15:02Z",
                    "removed_at": None,
                    "client": "ACME",
                }
            ]
        }
    )

    id: UUID
    mailbox_id: UUID
    mailbox: str = Field(description="The mailbox's address.")
    provider_message_id: str
    state: State
    status: dict[str, PipelineStatusOut] = Field(description="By pipeline.")
    reason: str | None = Field(description="Why the message itself failed, is gone or ignored.")
    source: Source
    thread_id: UUID | None
    internet_message_id: str | None
    sender_email: str | None
    sender_name: str | None
    recipients: dict[str, list[str]]
    subject: str | None
    snippet: str | None
    labels: list[str]
    attachments: list[AttachmentOut]
    automatic: AutomaticKind | None = Field(description="What kind of machine wrote it, if one did.")
    trust: TrustLevel | None
    trust_because: str | None
    size: int | None
    received_at: datetime | None
    announced_at: datetime
    arrived_at: datetime | None
    removed_at: datetime | None
    client: str | None = Field(None, description="The code of the account whose message it is, where that is sure.")


class MessageDetailOut(MessageOut):
    """With its text. The HTML is sanitised: no scripts, styles, forms or images."""

    body_text: str | None
    body_html: str | None
    headers: dict[str, list[str]]


class RetriedOut(OutBody):
    jobs: int = Field(description="How many jobs of the message run again.")


@router.get("/messages", summary="List messages, newest first")
async def list_messages(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    mailbox_id: UUID | None = None,
    mailbox: Annotated[Word | None, Query(description="Its address, instead of its id.")] = None,
    thread_id: UUID | None = None,
    provider_message_id: Annotated[Word | None, Query(max_length=1000)] = None,
    state: State | None = None,
    status: Annotated[Status | None, Query(description="With this status in any pipeline, or in `pipeline`.")] = None,
    pipeline: Word | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    client: Annotated[Word | None, Query(description="An account's code or id: only its messages.")] = None,
) -> PageOut[MessageOut]:
    """Each with its status per pipeline and, if it was filtered or failed, the reason."""
    after = by_time(cursor)
    async with who.scope.read() as tx:
        if mailbox is not None:
            mailbox_id = await reads.messages.mailbox_of(tx, mailbox) or NOBODY
        account_id = await reads.clients.account_called(tx, client) if client else None
        rows = await reads.messages.messages(
            tx,
            limit + 1,
            after,
            mailbox_id=mailbox_id,
            thread_id=thread_id,
            provider_message_id=provider_message_id,
            state=state,
            status=status,
            pipeline=pipeline,
            since=since,
            until=until,
            account_id=account_id,
        )
        clients = await reads.clients.clients_of(tx, [row.id for row in rows])
    return page(rows, limit, lambda row: message_of(row, clients.get(row.id)), lambda row: (row.listed_at, row.id))


@router.get("/messages/{message_id}", summary="One message with its text")
async def get_message(message_id: UUID, who: Reader) -> MessageDetailOut:
    async with who.scope.read() as tx:
        found = await reads.messages.message(tx, message_id)
        text = await reads.messages.body(tx, message_id)
        clients = await reads.clients.clients_of(tx, [message_id])
    row = _known(found, message_id)
    plain, html = (text.body, text.body_html) if text else (None, None)
    return MessageDetailOut(
        **message_of(row, clients.get(row.id)).model_dump(),
        body_text=plain,
        body_html=(await sanitize.readable(html)).html or None if html else None,
        headers=text.headers if text else {},
    )


@router.get("/messages/{message_id}/facts", summary="The walk of one message: its facts, newest first")
async def timeline(message_id: UUID, who: Reader, limit: Limit = 100, cursor: Cursor = None) -> PageOut[FactOut]:
    await _find(who, message_id)
    return await facts_of(who, reads.facts.FactFilter(message_id=message_id), limit, cursor)


@router.get("/messages/{message_id}/attachments", summary="The files of one message")
async def list_attachments(message_id: UUID, who: Reader) -> PageOut[AttachmentOut]:
    """What was sent, without the bytes."""
    return PageOut(items=message_of(await _find(who, message_id)).attachments, next=None)


@router.get(
    "/messages/{message_id}/attachments/{sha256}",
    summary="One file of a message, brought from the mailbox if need be",
    response_class=Response,
    responses=BYTES,
)
async def get_attachment(message_id: UUID, sha256: Hash, request: Request, who: Reader) -> Response:
    """To be saved, not shown: it is a stranger's. Bytes are kept from the first time on."""
    outside = request.app.state.house.outside
    found = await documents.fetch_attachment(who.scope, outside, message_id, sha256)
    return as_file(found.filename, found.content)


@router.post("/messages/{message_id}/retry", summary="Try a message that got stuck once more", status_code=202)
async def retry(message_id: UUID, who: Operator) -> RetriedOut:
    """Its jobs that wait or were put aside start afresh. 409 when nothing of it is stuck."""
    row = await _find(who, message_id)
    async with who.scope.read() as tx:
        stuck = await reads.jobs.jobs_of_message(tx, message_id, JOBS)
    for job in stuck:
        await lanes.replay(who.scope, job)
    again = len(stuck) or await _fetch(who, row) or await _read_again(who, message_id)
    if not again:
        raise Conflict("Nothing of this message waits, failed or was put aside.")
    return RetriedOut(jobs=again)


async def _fetch(who: Caller, row: MessageRow) -> int:
    if row.state not in ("announced", "failed"):
        return 0
    async with who.scope.finish() as tx:
        await who.scope.enqueue(tx, FetchMessage(row.mailbox_id, row.id))
    return 1


async def _read_again(who: Caller, message_id: UUID) -> int:
    papers = await documents.documents(who.scope, message_id=message_id, most=200)
    failed = [each.id for each in papers.items if each.status == "failed"]
    for each in failed:
        await documents.retry(who.scope, each)
    return len(failed)


async def _find(who: Caller, message_id: UUID) -> MessageRow:
    async with who.scope.read() as tx:
        return _known(await reads.messages.message(tx, message_id), message_id)


def _known(row: MessageRow | None, message_id: UUID) -> MessageRow:
    if row is None:
        raise NoSuchMessage(f"There is no message {message_id}.")
    return row


def message_of(row: MessageRow, client: MessageClient | None = None) -> MessageOut:
    own = {name: getattr(row, name) for name in MessageOut.model_fields if name not in ("reason", "client")}
    return MessageOut.model_validate({**own, "reason": row.because, "client": client.code if client else None})
