"""Small makers of test data: say only what matters to the test."""

from __future__ import annotations

from uuid import uuid4

import psycopg

from postroom.nouns.ids import TenantId


def make_tenant(owner_dsn: str, name: str | None = None) -> TenantId:
    tenant = TenantId(uuid4())
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO postroom.tenant (tenant_id, name) VALUES (%s, %s)",
            [tenant, name or f"t-{tenant.hex[:12]}"],
        )
    return tenant
