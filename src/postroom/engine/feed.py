"""Facts as they happen: resumable, in order, without gaps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from postroom.db import sql
from postroom.db.pool import Database
from postroom.engine.facts import TellingFact
from postroom.engine.waker import Waker
from postroom.nouns.errors import BadRequest
from postroom.nouns.ids import TenantId

QUERIES = sql.load("postroom.engine")
SWEEP = 2.0


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """The last fact that was read."""

    xid: int
    id: int

    @classmethod
    def parse(cls, text: str) -> FeedPosition:
        try:
            xid, _, fact = text.partition("-")
            return cls(int(xid), int(fact))
        except ValueError:
            raise BadRequest(f"{text!r} is not a position in the feed; one looks like 7412-93.") from None


async def newest(db: Database, tenant_id: TenantId) -> FeedPosition:
    """Where "from now on" begins."""
    async with db.tenant(tenant_id) as tx:
        row = await tx.row(QUERIES.facts_latest, FeedPosition)
    return row or FeedPosition(0, 0)


async def reached(db: Database, tenant_id: TenantId, position: FeedPosition) -> bool:
    """Whether this database has come so far. One who waits for news after a later position would wait in silence."""
    async with db.tenant(tenant_id) as tx:
        return bool(await tx.value(QUERIES.position_reached, xid=position.xid))


async def read(db: Database, tenant_id: TenantId, after: FeedPosition, most: int = 200) -> list[TellingFact]:
    """What came after a position, oldest first."""
    async with db.tenant(tenant_id) as tx:
        return await tx.rows(QUERIES.facts_after, TellingFact, xid=after.xid, id=after.id, most=most)


async def follow(
    db: Database, waker: Waker, tenant_id: TenantId, after: FeedPosition
) -> AsyncIterator[list[TellingFact]]:
    """For ever: what is there, then what comes. An empty list now and then shows that we are alive."""
    with waker.heard() as heard:
        while True:
            heard.clear()
            facts = await read(db, tenant_id, after)
            yield facts
            if facts:
                after = FeedPosition(facts[-1].xid, facts[-1].id)
                continue
            try:
                await asyncio.wait_for(heard.wait(), SWEEP)
            except TimeoutError:
                continue
            await asyncio.sleep(0.01)  # a burst rings often: read it in one go
