"""Going through a mailbox, waking what was snoozed, and forgetting."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.jobs import Enqueue, Priority
from postroom.nouns.retention import retention_of
from postroom.rooms.triage.jobs.definitions import ForgetThreads, TriageMailbox, TriageThread, WakeThreads
from postroom.rooms.triage.ports import TriagePorts
from postroom.rooms.triage.store import settings, threads

LOOKED_BACK = timedelta(days=7)
PAGE = 200


@works(TriageMailbox)
async def triage_mailbox(job: TriageMailbox, work: Work[TriagePorts]) -> None:
    """What came in the last days, and whatever bears a label of ours; page by page."""
    async with work.read() as tx:
        mode = await settings.copilot_mode(tx, job.mailbox_id)
    if mode is None:
        return
    since = work.now if mode == "off" else work.now - LOOKED_BACK
    async with work.step() as tx:
        await threads.allow_labels(tx, job.mailbox_id)
    after = UUID(int=0)
    while True:
        async with work.step() as tx:
            page = await threads.threads_to_triage(tx, job.mailbox_id, since, after, PAGE)
            wanted = [Enqueue(TriageThread(job.mailbox_id, each), priority=Priority.ROUTINE) for each in page]
            await work.enqueue(tx, *wanted)
        if len(page) < PAGE:
            return
        after = page[-1]


@works(WakeThreads)
async def wake_threads(job: WakeThreads, work: Work[TriagePorts]) -> None:
    del job
    async with work.finish() as tx:
        woken = await threads.wake_threads(tx, work.now)
        if not woken:
            work.found_nothing()
        for each in woken:
            await work.tell(tx, facts.ThreadSnoozed(mailbox_id=each.mailbox_id, thread_id=each.thread_id, till=None))


@works(ForgetThreads)
async def forget_threads(job: ForgetThreads, work: Work[TriagePorts]) -> None:
    """What threads say, as long as the mail itself; what was concluded about them, as long as the tenant says."""
    del job
    async with work.finish() as tx:
        kept = retention_of(await settings.policy(tx))
        mail, analyses = (kept.horizon(kind, work.now) for kind in ("messages", "analyses"))
        if mail is not None and (count := await threads.forget_turns(tx, mail, work.now)):
            await work.tell(tx, facts.Forgotten(what="turns", count=count, before=mail))
        if analyses is not None and (count := await threads.forget_analyses(tx, analyses, work.now)):
            await work.tell(tx, facts.Forgotten(what="analyses", count=count, before=analyses))
