"""Dashboard figures: what waits for a person, how many documents of each kind, and facts by the hour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId
from postroom.reads.facts import QUERIES as FACT_QUERIES

QUERIES = sql.load(__package__ or "", "overview.sql")
SETTLED = timedelta(minutes=10)  # after that nothing is told any more with an earlier time


@dataclass(frozen=True, slots=True)
class OpenWork:
    """What waits for a person."""

    review: int
    unreadable: int
    aside: int
    mailboxes: int
    clients: int
    threads: int
    proposals: int

    @property
    def documents(self) -> int:
        """Documents that somebody must look at: to review, or not readable by us."""
        return self.review + self.unreadable

    @property
    def total(self) -> int:
        return self.documents + self.aside + self.mailboxes + self.clients + self.threads + self.proposals


@dataclass(frozen=True, slots=True)
class DocumentTally:
    kind: str
    status: str
    count: int


@dataclass(frozen=True, slots=True)
class _Hour:
    hour: int
    count: int


async def needs(tx: Tx) -> OpenWork:
    found = await tx.row(QUERIES.needs, OpenWork)
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class _ProposalTally:
    status: str
    count: int


async def waiting_proposals(tx: Tx, most: int) -> list[UUID]:
    return await tx.values(QUERIES.waiting_proposals, most=most)


async def proposals(tx: Tx) -> dict[str, int]:
    """How many mails wait for a yes, are on their way or in doubt."""
    return {row.status: row.count for row in await tx.rows(QUERIES.proposals, _ProposalTally)}


async def documents(tx: Tx) -> list[DocumentTally]:
    return await tx.rows(QUERIES.documents, DocumentTally)


class Throughput:
    """Facts by the hour. An hour that is over is counted once and remembered, so a busy day costs no page anything."""

    def __init__(self) -> None:
        self._known: dict[tuple[TenantId, str, int], int] = {}

    async def last(
        self, tx: Tx, tenant_id: TenantId, kinds: Sequence[str], now: datetime, hours: int = 24
    ) -> dict[str, list[int]]:
        newest = int(now.timestamp() // 3600)
        span = range(newest - hours + 1, newest + 1)
        return {kind: await self._of(tx, tenant_id, kind, span, now) for kind in kinds}

    async def _of(self, tx: Tx, tenant_id: TenantId, kind: str, span: range, now: datetime) -> list[int]:
        missing = [hour for hour in span if (tenant_id, kind, hour) not in self._known]
        fresh: dict[int, int] = {}
        if missing:
            since, until = _hour_at(missing[0]), _hour_at(missing[-1] + 1)
            rows = await tx.rows(FACT_QUERIES.hours, _Hour, kind=kind, since=since, until=until)
            fresh = {row.hour: row.count for row in rows}
            self._remember(tenant_id, kind, missing, fresh, now)
        return [self._known.get((tenant_id, kind, hour), fresh.get(hour, 0)) for hour in span]

    def _remember(self, tenant: TenantId, kind: str, hours: list[int], counts: dict[int, int], now: datetime) -> None:
        if len(self._known) > 100_000:
            self._known.clear()
        for hour in hours:
            if _hour_at(hour + 1) + SETTLED < now:
                self._known[(tenant, kind, hour)] = counts.get(hour, 0)


def _hour_at(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * 3600, UTC)
