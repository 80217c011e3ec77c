"""Retention of drafts and evidence: the words go; that there was a draft, and what became of it, stays."""

from __future__ import annotations

from datetime import datetime

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId
from postroom.nouns.retention import ForgottenBatch
from postroom.rooms.replies.store import evidence

QUERIES = sql.load("postroom.rooms.replies")


async def forget_drafts(tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int) -> ForgottenBatch:
    """What is over: the words, what they stood on, and what a person made of them."""
    del tenant_id
    slots = list(await tx.values(QUERIES.forget_drafts, before=before, now=now, most=most))
    if slots:
        await tx.run(QUERIES.forget_held, slots=slots)
    return ForgottenBatch(len(slots))


async def forget_evidence(tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int) -> ForgottenBatch:
    """Versions that were replaced or retired, and answers that people sent. The papers of today stay."""
    del now
    await evidence.lock(tx, tenant_id)
    gone = list(await tx.values(QUERIES.old_evidence, before=before, most=most))
    for each in gone:
        await evidence.unindex(tx, each)
    if gone:
        await tx.run(QUERIES.drop_evidence, ids=gone)
    return ForgottenBatch(len(gone))
