"""Retention, every night: ask each room to forget what the tenant keeps no longer, then remove the files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.jobs import Priority, RoutineJob
from postroom.nouns.retention import Kept
from postroom.rooms.retention import store
from postroom.rooms.retention.ports import Forgets, RetentionPorts

BATCH = 200


class ForgetOld(RoutineJob, frozen=True):
    """Let go of what the tenant keeps no longer. Facts, and what was booked, are never forgotten."""

    kind: ClassVar[str] = "retention.forget"
    priority: ClassVar[Priority] = Priority.BACKFILL
    time_limit: ClassVar[timedelta] = timedelta(hours=1)

    @property
    def lane(self) -> str:
        return "retention.forget"


def forgetting(by_kind: Mapping[Kept, Forgets]) -> Callable[[ForgetOld, Work[RetentionPorts]], Awaitable[None]]:
    """The job, with who forgets what."""

    @works(ForgetOld)
    async def forget_old(job: ForgetOld, work: Work[RetentionPorts]) -> None:
        """Each batch is a commit of its own: a crash loses nothing, and the next run goes on."""
        del job
        async with work.read() as tx:
            retention = await store.retention(tx)
        for what, forget in by_kind.items():
            if before := retention.horizon(what, work.now):
                while await _forget_batch(work, what, forget, before) == BATCH:
                    pass
        while await _remove_unwanted(work):
            pass

    return forget_old


async def _forget_batch(work: Work[RetentionPorts], what: Kept, forget: Forgets, before: datetime) -> int:
    async with work.step() as tx:
        gone = await forget(tx, work.tenant_id, before, work.now, BATCH)
        if gone.files:
            await store.note_unwanted(tx, work.tenant_id, gone.files, work.now)
        if gone.count:
            await work.tell(tx, facts.Forgotten(what=what, count=gone.count, before=before))
    return gone.count


async def _remove_unwanted(work: Work[RetentionPorts]) -> bool:
    """After the commit that let go of them; a file that is asked for again meanwhile stays."""
    async with work.read() as tx:
        found = await store.unwanted(tx, BATCH)
    for each in found:
        if not each.wanted:
            await work.outside.archive.remove(each.blob_key)
    async with work.step() as tx:
        await store.drop_unwanted(tx, [each.blob_key for each in found])
    return bool(found)
