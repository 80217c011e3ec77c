"""What a daily DAG would do: reconcile a window of every mailbox, and try again what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from postroom.app.house import House
from postroom.db import sql
from postroom.engine import queue as lanes
from postroom.nouns.ids import MailboxId, MessageId, TenantId
from postroom.nouns.jobs import Enqueue, Priority
from postroom.nouns.provider_traits import traits
from postroom.rooms.documents.jobs import ReadDocuments
from postroom.rooms.mailboxes import store as mailboxes
from postroom.rooms.sync.jobs import ReconcileMailbox
from postroom.rooms.tenants import store as tenants

FAILED = sql.Query(
    "failed",
    "SELECT DISTINCT m.id, m.mailbox_id FROM postroom.disposition d JOIN postroom.message m ON m.id = d.message_id "
    "WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.status = 'failed' LIMIT 5000",
)
STILL_FAILED = sql.Query(
    "still_failed",
    "SELECT count(DISTINCT d.message_id) FROM postroom.disposition d JOIN postroom.message m ON m.id = d.message_id "
    "WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.status = 'failed' AND m.mailbox_id = %(mailbox_id)s "
    "AND m.state = 'arrived'",
)


@dataclass(frozen=True, slots=True)
class Failed:
    id: MessageId
    mailbox_id: MailboxId


@dataclass(frozen=True, slots=True)
class Backstopped:
    """A mailbox afterwards."""

    address: str
    compared: bool  # in this run; a mailbox that could not be asked was not
    listed: int
    held: int
    waiting: int
    failed: int
    unread: int  # ours, but what they brought could not be read

    @property
    def is_whole(self) -> bool:
        return self.compared and not (self.waiting or self.failed or self.unread)


async def backstop(house: House, *, days: int, work: bool) -> Sequence[Backstopped]:
    """With `work`, do it here and now; without, leave it to the workers. How every mailbox stands afterwards."""
    began = house.clock()
    for tenant in await tenants.all_tenants(house.db):
        await _start(house, tenant.tenant_id, days)
    if work:
        await house.worker().run_until_quiet(idle=1.0)
    return [
        each for tenant in await tenants.all_tenants(house.db) for each in await _report(house, tenant.tenant_id, began)
    ]


async def _start(house: House, tenant_id: TenantId, days: int) -> None:
    scope = house.scope(tenant_id, "backstop")
    async with scope.read() as tx:
        put_aside = await lanes.jobs(tx, states=["quarantined"], most=5000)
    for job in put_aside:
        await lanes.replay(scope, job.id)
    async with scope.finish() as tx:
        since = scope.now - timedelta(days=days)
        served = [each for each in await mailboxes.mailboxes(tx) if each.is_served and traits(each.provider).is_synced]
        await scope.enqueue(tx, *(ReconcileMailbox(each.id, since) for each in served))
        again = [ReadDocuments(each.id, each.mailbox_id, again=True) for each in await tx.rows(FAILED, Failed)]
        await scope.enqueue(tx, *(Enqueue(job, priority=Priority.ROUTINE) for job in again))


async def _report(house: House, tenant_id: TenantId, began: datetime) -> list[Backstopped]:
    async with house.scope(tenant_id, "backstop").read() as tx:
        signs = {each.id: each for each in await mailboxes.health(tx)}
        return [
            Backstopped(
                address=each.address,
                compared=(checked := signs[each.id].checked_at) is not None and checked >= began,
                listed=signs[each.id].listed_now or 0,
                held=signs[each.id].held_now or 0,
                waiting=signs[each.id].waiting,
                failed=signs[each.id].failed,
                unread=await tx.value(STILL_FAILED, mailbox_id=each.id),
            )
            for each in await mailboxes.mailboxes(tx)
            if each.status not in {"paused", "disconnected"} and traits(each.provider).is_synced
        ]
