"""Letting go of what is older than a tenant keeps, so many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId
from postroom.nouns.providers import ProviderName, ProviderRef
from postroom.rooms.documents.store.documents import QUERIES


@dataclass(frozen=True, slots=True)
class ForgottenMail:
    thread_id: UUID | None
    provider_message_id: ProviderRef
    provider: ProviderName


@dataclass(frozen=True, slots=True)
class Unwanted:
    """A stored file that nothing referred to; `wanted`: something does again."""

    blob_key: str
    wanted: bool


async def messages(tx: Tx, before: datetime, now: datetime, most: int) -> list[ForgottenMail]:
    """Also the subject of a thread, when nothing is left that says it."""
    gone = await tx.rows(QUERIES.forget_messages, ForgottenMail, before=before, now=now, most=most)
    threads = [each.thread_id for each in gone if each.thread_id]
    if threads:
        await tx.run(QUERIES.forget_threads, ids=threads)
    return gone


async def attachments(tx: Tx, before: datetime, most: int) -> list[str]:
    return await tx.values(QUERIES.forget_attachments, before=before, most=most)


async def documents(tx: Tx, before: datetime, now: datetime, most: int) -> list[UUID]:
    return await tx.values(QUERIES.forget_documents, before=before, now=now, most=most)


async def archived(tx: Tx, before: datetime, now: datetime, most: int) -> list[str]:
    return await tx.values(QUERIES.forget_archived, before=before, now=now, most=most)


async def note_unwanted(tx: Tx, tenant_id: TenantId, keys: Sequence[str], now: datetime) -> None:
    await tx.run(QUERIES.note_unwanted, tenant_id=tenant_id, keys=list(keys), now=now)


async def unwanted(tx: Tx, most: int) -> list[Unwanted]:
    return await tx.rows(QUERIES.unwanted_blobs, Unwanted, most=most)


async def drop_unwanted(tx: Tx, keys: Sequence[str]) -> None:
    await tx.run(QUERIES.drop_unwanted, keys=list(keys))
