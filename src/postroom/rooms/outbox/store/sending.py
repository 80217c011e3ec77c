"""The send of a proposal: begun, asked for, looked for, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.drafts import Draft
from postroom.nouns.ids import MailboxId, MessageId, TenantId, ThreadId
from postroom.nouns.retention import ForgottenBatch
from postroom.rooms.outbox.store.proposals import QUERIES, ProposalCase


@dataclass(frozen=True, slots=True)
class SentProposal:
    id: UUID
    mailbox_id: MailboxId
    thread_id: ThreadId | None


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """A mail that says what became of another one."""

    id: MessageId
    mailbox_id: MailboxId
    thread_id: ThreadId | None
    body: str | None
    enclosed_text: str | None
    headers: dict[str, Any]
    automatic: str | None
    received_at: datetime | None


async def begin(tx: Tx, case: ProposalCase, draft: Draft, now: datetime) -> bool:
    """From here on it cannot be taken back. False when it was revoked or changed meanwhile."""
    held = as_json(msgspec.to_builtins(draft))
    named = {"held": held, "message_id": draft.internet_message_id or None, "hash": case.hash}
    return bool(await tx.run(QUERIES.begin_sending, id=case.id, now=now, **named))


async def call_again(tx: Tx, proposal_id: UUID, now: datetime) -> None:
    await tx.run(QUERIES.call_again, id=proposal_id, now=now)


async def note_look(tx: Tx, proposal_id: UUID, found: str, because: str, now: datetime) -> None:
    checked = as_json([{"at": now.isoformat(), "found": found, "because": because}])
    await tx.run(QUERIES.note_look, id=proposal_id, checked=checked, because=because, now=now)


async def put_sent(
    tx: Tx, proposal_id: UUID, sent_ref: str | None, message_id: str, because: str, now: datetime
) -> bool:
    values = {"sent_ref": sent_ref, "message_id": message_id, "because": because, "now": now}
    return bool(await tx.run(QUERIES.put_sent, id=proposal_id, **values))


async def give_back(tx: Tx, proposal_id: UUID, because: str, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.give_back, id=proposal_id, because=because, now=now))


async def postpone(tx: Tx, proposal_id: UUID, send_at: datetime, because: str, now: datetime) -> None:
    await tx.run(QUERIES.postpone, id=proposal_id, send_at=send_at, because=because, now=now)


async def note_written_to(tx: Tx, tenant_id: TenantId, addresses: Sequence[str], now: datetime) -> None:
    await tx.run(QUERIES.note_written_to, tenant_id=tenant_id, addresses=list(addresses), now=now)


async def report(tx: Tx, message_id: MessageId) -> DeliveryReport | None:
    return await tx.row(QUERIES.report, DeliveryReport, message_id=message_id)


async def bounced(tx: Tx, message_ids: Sequence[str]) -> SentProposal | None:
    return await tx.row(QUERIES.bounced_proposal, SentProposal, message_ids=list(message_ids))


async def last_sent_in(tx: Tx, thread_id: ThreadId, after: datetime) -> SentProposal | None:
    return await tx.row(QUERIES.sent_in_thread, SentProposal, thread_id=thread_id, after=after)


async def put_bounce(tx: Tx, proposal_id: UUID, because: str, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.put_bounce, id=proposal_id, because=because, now=now))


async def forget_proposals(tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int) -> ForgottenBatch:
    """What they said; that they were sent, who approved them and when, stays."""
    del tenant_id
    files = await tx.values(QUERIES.forget_proposals, before=before, now=now, most=most)
    keys = [each["blob_key"] for one in files for each in one if each.get("blob_key")]
    return ForgottenBatch(len(files), keys)
