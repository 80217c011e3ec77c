"""Idempotency keys: a request repeated under its key acts once, and its answer is kept for a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId

QUERIES = sql.load(__package__ or "", "idempotency.sql")


@dataclass(frozen=True, slots=True)
class HeldKey:
    """An idempotency key, with whose request holds it."""

    request: bytes
    claim: UUID
    answer: bytes | None


async def claim_key(
    tx: Tx,
    tenant_id: TenantId,
    actor: str,
    key: str,
    request: bytes,
    claim: UUID,
    now: datetime,
    *,
    kept_since: datetime,
    dead_since: datetime,
) -> HeldKey:
    await tx.run(QUERIES.forget_keys, kept_since=kept_since)
    values = {"actor": actor, "key": key, "request": request, "claim": claim, "now": now}
    held = await tx.row(
        QUERIES.claim_key, HeldKey, tenant_id=tenant_id, kept_since=kept_since, dead_since=dead_since, **values
    )
    assert held is not None
    return held


async def release_key(tx: Tx, actor: str, key: str, claim: UUID) -> None:
    await tx.run(QUERIES.release_key, actor=actor, key=key, claim=claim)


async def keep_answer(tx: Tx, actor: str, key: str, claim: UUID, answer: bytes) -> None:
    await tx.run(QUERIES.keep_answer, actor=actor, key=key, claim=claim, answer=answer)
