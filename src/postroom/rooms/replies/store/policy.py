"""What a tenant decided about its drafts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.mail.language import Language
from postroom.nouns.ids import MailboxId, TenantId
from postroom.rooms.replies.rules.voicing import Formality, ReplyPolicy

QUERIES = sql.load("postroom.rooms.replies")


@dataclass(frozen=True, slots=True)
class _ReplyPolicyRow:
    gate: float | None
    language: Language | None
    formality: Formality
    thanks: bool
    greetings: dict[str, Any]
    closings: dict[str, Any]
    signature: str
    learn_from: list[UUID]


@dataclass(frozen=True, slots=True)
class NamedMailbox:
    id: MailboxId
    address: str


async def reply_policy(tx: Tx) -> ReplyPolicy:
    """Without a row the documented defaults hold."""
    row = await tx.row(QUERIES.reply_policy, _ReplyPolicyRow)
    if row is None:
        return ReplyPolicy()
    said = (row.gate, row.language, row.formality, row.thanks, row.greetings, row.closings, row.signature)
    return ReplyPolicy(*said, frozenset(row.learn_from))


async def lock_policy(tx: Tx) -> None:
    await tx.run(QUERIES.lock_policy)


async def put_reply_policy(tx: Tx, tenant_id: TenantId, policy: ReplyPolicy, now: datetime) -> None:
    await tx.run(
        QUERIES.put_reply_policy,
        tenant_id=tenant_id,
        gate=policy.gate,
        language=policy.language,
        formality=policy.formality,
        thanks=policy.thanks,
        greetings=as_json(dict(policy.greetings)),
        closings=as_json(dict(policy.closings)),
        signature=policy.signature,
        learn_from=sorted(policy.learn_from),
        now=now,
    )


async def mailboxes(tx: Tx) -> list[NamedMailbox]:
    return await tx.rows(QUERIES.mailboxes_of_ours, NamedMailbox)
