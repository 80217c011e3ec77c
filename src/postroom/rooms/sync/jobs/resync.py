"""After a cursor was lost: a new one first, then everything since, one page a run."""

from __future__ import annotations

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.announcing import announce, take_page
from postroom.rooms.sync.jobs.definitions import ResyncMailbox, SyncMailbox
from postroom.rooms.sync.ports import SyncPorts


@works(ResyncMailbox)
async def resync_mailbox(job: ResyncMailbox, work: Work[SyncPorts]) -> None:
    async with work.read() as tx:
        state = await store.sync_state(tx, job.mailbox_id)
    if state is None or not state.is_open or state.resync_since is None:
        return
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id)
    if state.resync_cursor is None:  # from now on first, so that nothing falls between
        seed = await provider.changes(None)
        async with work.step() as tx:
            await store.seed_resync(tx, job.mailbox_id, seed.cursor)
            await take_page(tx, work, job.mailbox_id, rules.derive_work(seed), "push")
    listing = await provider.list_since(state.resync_since, state.resync_page)
    mail = [glimpse for glimpse in listing.messages if rules.is_mail(glimpse)]
    async with work.finish() as tx:
        await announce(tx, work, job.mailbox_id, mail, "backfill")
        if listing.next_page is not None:
            await store.turn_resync_page(tx, job.mailbox_id, listing.next_page, len(mail))
            await work.enqueue(tx, ResyncMailbox(job.mailbox_id), SyncMailbox(job.mailbox_id))
            return
        found = await store.end_resync(tx, job.mailbox_id, work.now)
        done = facts.ResyncDone(mailbox_id=job.mailbox_id, since=state.resync_since, listed=(found or 0) + len(mail))
        await work.tell(tx, done)
