"""Small makers of test data: say only what matters to the test."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import psycopg

from databases import as_owner
from postroom.nouns.ids import TenantId
from postroom.outside.keys.encryption import Key, Sealer

CHAIN_KEYS = Sealer([Key(b"a sealing key for the tests only")])


def make_tenant(owner_dsn: str, name: str | None = None) -> TenantId:
    tenant = TenantId(uuid4())
    with as_owner(owner_dsn) as owner:
        owner.execute(
            "INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, %s)",
            [tenant, name or f"t-{tenant.hex[:12]}"],
        )
    return tenant


async def settle(owner_dsn: str) -> None:
    """Wait for every transaction that is under way on the whole server: a neighbour's test can be one of them."""
    async with await psycopg.AsyncConnection.connect(owner_dsn, autocommit=True) as connection:

        async def ask(question: str) -> int:
            row = await (await connection.execute(f"SELECT {question}::text::bigint".encode())).fetchone()
            assert row is not None
            return int(row[0])

        mark = await ask("pg_current_xact_id()")
        while await ask("pg_snapshot_xmin(pg_current_snapshot())") <= mark:  # noqa: ASYNC110 - nobody rings when another database's transaction ends
            await asyncio.sleep(0.005)
