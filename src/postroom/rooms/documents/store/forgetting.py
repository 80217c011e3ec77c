"""Retention of documents: fetched attachments, what was read, and archived originals are let go of."""

from __future__ import annotations

from datetime import datetime

from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId
from postroom.nouns.retention import ForgottenBatch
from postroom.rooms.documents.store.documents import QUERIES


async def forget_attachments(tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int) -> ForgottenBatch:
    del tenant_id, now
    keys = await tx.values(QUERIES.forget_attachments, before=before, most=most)
    return ForgottenBatch(len(keys), keys)


async def forget_documents(tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int) -> ForgottenBatch:
    del tenant_id
    return ForgottenBatch(len(await tx.values(QUERIES.forget_documents, before=before, now=now, most=most)))


async def forget_archived(tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int) -> ForgottenBatch:
    del tenant_id
    keys = await tx.values(QUERIES.forget_archived, before=before, now=now, most=most)
    return ForgottenBatch(len(keys), keys)
