"""Stored files that nothing refers to any more, until they are removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId
from postroom.nouns.retention import Retention, retention_of

QUERIES = sql.load(__package__ or "")


@dataclass(frozen=True, slots=True)
class UnwantedFile:
    """A stored file that nothing referred to; `wanted`: something does again."""

    blob_key: str
    wanted: bool


async def retention(tx: Tx) -> Retention:
    return retention_of(await tx.value(QUERIES.policy) or {})


async def note_unwanted(tx: Tx, tenant_id: TenantId, keys: Sequence[str], now: datetime) -> None:
    await tx.run(QUERIES.note_unwanted, tenant_id=tenant_id, keys=list(keys), now=now)


async def unwanted(tx: Tx, most: int) -> list[UnwantedFile]:
    return await tx.rows(QUERIES.unwanted_blobs, UnwantedFile, most=most)


async def drop_unwanted(tx: Tx, keys: Sequence[str]) -> None:
    await tx.run(QUERIES.drop_unwanted, keys=list(keys))
