"""Retention of mail: what messages and threads say is forgotten; that they came, and what became of them, stays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.archive_keys import import_key
from postroom.nouns.ids import TenantId
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import ProviderName, ProviderRef
from postroom.nouns.retention import ForgottenBatch

QUERIES = sql.load(__package__ or "", "forgetting.sql")


@dataclass(frozen=True, slots=True)
class ForgottenMail:
    thread_id: UUID | None
    provider_message_id: ProviderRef
    provider: ProviderName


async def forget_messages(tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int) -> ForgottenBatch:
    """Also the subject of a thread, when nothing is left that says it, and the file of an imported mail."""
    gone = await tx.rows(QUERIES.forget_messages, ForgottenMail, before=before, now=now, most=most)
    threads = [each.thread_id for each in gone if each.thread_id]
    if threads:
        await tx.run(QUERIES.forget_threads, ids=threads)
    imported = [each.provider_message_id for each in gone if not traits(each.provider).is_synced]
    return ForgottenBatch(len(gone), [import_key(tenant_id, ref) for ref in imported])
