"""Threads: conversations, and the messages in them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import Field

from postroom import reads
from postroom.doors.api.messages import MessageOut, message_of
from postroom.doors.api.paging import MOST, Cursor, Limit, OutBody, PageOut, by_time, page
from postroom.doors.api.route import Reader, collection
from postroom.nouns.errors import NotFound

router = collection("threads")


class ThreadOut(OutBody):
    """A conversation in one mailbox."""

    id: UUID
    mailbox_id: UUID
    mailbox: str = Field(description="The mailbox's address.")
    provider_thread_id: str
    subject: str
    messages: int = Field(description="How many there are.")
    last_message_at: datetime


class ThreadDetailOut(ThreadOut):
    """With its newest messages, newest first; older ones are listed by `GET /messages?thread_id=…`."""

    newest: list[MessageOut]


@router.get("/threads", summary="List threads, latest first")
async def list_threads(
    who: Reader, limit: Limit = 50, cursor: Cursor = None, mailbox_id: UUID | None = None
) -> PageOut[ThreadOut]:
    async with who.scope.read() as tx:
        rows = await reads.messages.threads(tx, limit + 1, by_time(cursor), mailbox_id=mailbox_id)
    return page(rows, limit, ThreadOut.model_validate, lambda row: (row.last_message_at, row.id))


@router.get("/threads/{thread_id}", summary="One thread with its messages")
async def get_thread(thread_id: UUID, who: Reader) -> ThreadDetailOut:
    async with who.scope.read() as tx:
        found = await reads.messages.thread(tx, thread_id)
        rows = await reads.messages.messages(tx, MOST, thread_id=thread_id)
    if found is None:
        raise NotFound(f"There is no thread {thread_id}.")
    shown = ThreadOut.model_validate(found)
    return ThreadDetailOut(**shown.model_dump(), newest=[message_of(row) for row in rows])
