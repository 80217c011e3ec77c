"""Forgetting what is older than the tenant wants it kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar, assert_never

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.jobs import Job, Priority
from postroom.nouns.retention import KEPT, Kept, retention_of
from postroom.rooms.documents.ports import DocumentPorts
from postroom.rooms.documents.rules.mail import import_key
from postroom.rooms.documents.store import documents, forgetting

BATCH = 200


class ForgetOld(Job, frozen=True):
    """Let go of what the tenant keeps no longer. Facts, and what was booked, are never forgotten."""

    kind: ClassVar[str] = "documents.forget"
    priority: ClassVar[Priority] = Priority.BACKFILL
    time_limit: ClassVar[timedelta] = timedelta(hours=1)

    @property
    def key(self) -> str:
        return "all"

    @property
    def lane(self) -> str:
        return "documents.forget"


@works(ForgetOld)
async def forget_old(job: ForgetOld, work: Work[DocumentPorts]) -> None:
    """Each batch is a commit of its own: a crash loses nothing, and the next run goes on."""
    del job
    async with work.read() as tx:
        retention = retention_of((await documents.tenant(tx)).policy)
    for what in KEPT:
        if before := retention.horizon(what, work.now):
            while await _forget(work, what, before) == BATCH:
                pass
    while await _remove_unwanted(work):
        pass


async def _forget(work: Work[DocumentPorts], what: Kept, before: datetime) -> int:
    async with work.step() as tx:
        count, keys = await _let_go(tx, work, what, before)
        if keys:
            await forgetting.note_unwanted(tx, work.tenant_id, keys, work.now)
        if count:
            await work.tell(tx, facts.Forgotten(what=what, count=count, before=before))
    return count


async def _let_go(tx: Tx, work: Work[DocumentPorts], what: Kept, before: datetime) -> tuple[int, Sequence[str]]:
    """How many, and the stored files that nobody wants any more."""
    match what:
        case "messages":
            mails = await forgetting.messages(tx, before, work.now, BATCH)
            imported = [mail.provider_message_id for mail in mails if mail.provider == "files"]
            return len(mails), [import_key(work.tenant_id, ref) for ref in imported]
        case "attachments":
            keys = await forgetting.attachments(tx, before, BATCH)
            return len(keys), keys
        case "documents":
            return len(await forgetting.documents(tx, before, work.now, BATCH)), ()
        case "archive":
            keys = await forgetting.archived(tx, before, work.now, BATCH)
            return len(keys), keys
        case _:
            assert_never(what)


async def _remove_unwanted(work: Work[DocumentPorts]) -> bool:
    """After the commit that let go of them; a file that is asked for again meanwhile stays."""
    async with work.read() as tx:
        found = await forgetting.unwanted(tx, BATCH)
    for each in found:
        if not each.wanted:
            await work.outside.archive.remove(each.blob_key)
    async with work.step() as tx:
        await forgetting.drop_unwanted(tx, [each.blob_key for each in found])
    return bool(found)
