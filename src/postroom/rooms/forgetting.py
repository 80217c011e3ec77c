"""Retention, on one page: which room forgets which kind of thing when the tenant keeps it no longer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId
from postroom.nouns.retention import ForgottenBatch, Kept
from postroom.rooms.documents.store.forgetting import forget_archived, forget_attachments, forget_documents
from postroom.rooms.outbox.store.sending import forget_proposals
from postroom.rooms.replies.store.forgetting import forget_drafts, forget_evidence
from postroom.rooms.retention.jobs import forgetting
from postroom.rooms.retention.ports import Forgets
from postroom.rooms.sync.forgetting import forget_messages


async def forget_drafts_and_proposals(
    tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int
) -> ForgottenBatch:
    """A draft and the mail that it became say the same, so that both are forgotten together."""
    drafts = await forget_drafts(tx, tenant_id, before, now, most)
    if drafts.count >= most:
        return drafts
    mails = await forget_proposals(tx, tenant_id, before, now, most - drafts.count)
    return ForgottenBatch(drafts.count + mails.count, [*drafts.files, *mails.files])


BY_KIND: Mapping[Kept, Forgets] = {
    "messages": forget_messages,
    "attachments": forget_attachments,
    "documents": forget_documents,
    "archive": forget_archived,
    "drafts": forget_drafts_and_proposals,
    "evidence": forget_evidence,
}
forget_old = forgetting(BY_KIND)
