"""Threads that people answered, as far as something may be learned from them."""

from __future__ import annotations

from dataclasses import dataclass

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.mail.language import Language
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.ids import MailboxId, ThreadId

QUERIES = sql.load("postroom.rooms.replies")


@dataclass(frozen=True, slots=True)
class HandledCase:
    thread_id: ThreadId
    mailbox_id: MailboxId
    reference_code: str
    reason: str | None
    language: Language | None
    copilot: CopilotMode
    sensitive: bool  # a person had to see it first: nothing to learn from
    clients: list[str]


async def handled_case(tx: Tx, thread_id: ThreadId) -> HandledCase | None:
    return await tx.row(QUERIES.handled_case, HandledCase, thread_id=thread_id)
