"""A tenant's own desk, and what was told at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from databases import as_owner
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.nouns.ids import TenantId
from postroom.rooms.itinerary import next_jobs
from postroom.rooms.tenants import commands


@dataclass
class Home:
    """One tenant, with a clock that can be put forward."""

    db: Database
    waker: Waker
    tenant_id: TenantId
    owner_dsn: str
    now: datetime = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

    def scope_for(self, tenant_id: TenantId, actor: str) -> TenantScope:
        return TenantScope(self.db, self.waker, next_jobs, tenant_id, actor, lambda: self.now)

    @property
    def scope(self) -> TenantScope:
        return self.scope_for(self.tenant_id, "person:anna@acme.test")

    def waits(self, span: timedelta) -> None:
        self.now += span

    def told(self, *kinds: str) -> list[dict[str, Any]]:
        """The facts of these kinds, oldest first."""
        with psycopg.connect(self.owner_dsn) as owner:
            found = owner.execute(
                "SELECT kind, actor, body FROM postroom.fact WHERE kind = ANY (%s) ORDER BY id", [list(kinds)]
            ).fetchall()
        return [{"kind": kind, "actor": actor, **body} for kind, actor, body in found]


@pytest.fixture
async def home(db: Database, waker: Waker, owner_dsn: str) -> Home:
    tenant_id = await commands.create_tenant(db, "acme", "cli:root")
    return Home(db, waker, tenant_id, owner_dsn)


@pytest.fixture
def forged(owner_dsn: str) -> Callable[[str], None]:
    """Writes a policy past all commands."""

    def write(policy: str) -> None:
        with as_owner(owner_dsn) as owner:
            owner.execute("UPDATE postroom.tenant SET policy = %s::jsonb", [policy])

    return write
