"""Reading on from the cursor: page by page, each page with its cursor and its jobs in one commit."""

from __future__ import annotations

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import CursorExpired
from postroom.nouns.ids import MailboxId
from postroom.nouns.jobs import Enqueue
from postroom.nouns.provider_traits import traits
from postroom.ports import MailProvider
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.announcing import NOTHING, fetch_ahead, follow_hints, take_page
from postroom.rooms.sync.jobs.definitions import FollowOutgoing, ReconcileMailbox, SyncMailbox
from postroom.rooms.sync.jobs.following import notice_touched
from postroom.rooms.sync.ports import SyncPorts


@works(SyncMailbox)
async def sync_mailbox(job: SyncMailbox, work: Work[SyncPorts]) -> None:
    state = await store.look_up_sync_state(work.db, work.tenant_id, job.mailbox_id)
    if state is None or not state.is_open:
        return  # a person resumes or reconnects it, and that syncs anew
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id, state.endpoint)
    if state.cursor is None and state.resync_since is None:
        await _seed(work, provider, job.mailbox_id)
        return
    resyncing = state.resync_since is not None
    cursor = state.resync_cursor if resyncing else state.cursor
    if cursor is None:
        return  # the resync seeds it first, and nudges us
    pushed = rules.was_pushed(state.last_push_at, state.synced_at, work.now)
    fresh = state.last_push_at is not None and state.last_push_at > (state.synced_at or state.last_push_at)
    found = False
    while True:
        asked_at = work.now  # a push that comes while we read wants another read
        try:
            changes = await provider.changes(cursor)
        except CursorExpired as lost:
            await _lose_cursor(work, state, str(lost))
            return
        items, source = rules.derive_work(changes), "push" if pushed else "poll"
        ahead = NOTHING if changes.more else await fetch_ahead(work, provider, state, items.to_fetch, source)
        async with work.step() if changes.more else work.finish() as tx:
            if state.copilot != "off":
                await notice_touched(tx, work, job.mailbox_id, changes)
            await take_page(tx, work, job.mailbox_id, items, source, ahead)
            how = {"resyncing": resyncing, "complete": not changes.more, "pushed": pushed}
            moved = await store.move_cursor(tx, work.tenant_id, job.mailbox_id, cursor, changes.cursor, asked_at, **how)
            found = found or bool(items.to_fetch or items.tombstones)
            if not changes.more:
                await follow_hints(tx, work, job.mailbox_id, moved.hints)
                await _heed_push(tx, work, state, pushed=pushed)
                if state.copilot != "off":
                    await work.enqueue(tx, FollowOutgoing(job.mailbox_id))
                if state.in_outage:
                    await work.tell(tx, facts.MailboxAnswers(mailbox_id=state.id))
                await _look_again(tx, work, state, job.look, news=found or fresh)
                if not (found or moved.hints or fresh or state.in_outage):
                    work.found_nothing()
        if not changes.more:
            return
        cursor = changes.cursor


async def _look_again(tx: Tx, work: Work[SyncPorts], state: store.SyncState, look: int, *, news: bool) -> None:
    """A volley of mail is announced once: what came right after it is looked for."""
    if not traits(state.provider).drops_pushes:
        return
    if (following := rules.next_look(look, news=news)) is not None:
        again = SyncMailbox(state.id, look=following.number)
        await work.enqueue(tx, Enqueue(again, run_at=work.now + following.after))


async def _heed_push(tx: Tx, work: Work[SyncPorts], state: store.SyncState, *, pushed: bool) -> None:
    """A push that reaches us ends the polling it was given up for."""
    if not pushed or state.delivery != "poll":
        return
    await store.set_delivery(tx, state.id, "push", 0)
    again = facts.DeliveryChanged(mailbox_id=state.id, delivery="push", because="Pushes reach us again.")
    await work.tell(tx, again)


async def _seed(work: Work[SyncPorts], provider: MailProvider, mailbox_id: MailboxId) -> None:
    """The first read: from now on, and then what came in the last days."""
    changes = await provider.changes(None)
    items = rules.derive_work(changes)
    async with work.finish() as tx:
        await store.seed_cursor(tx, work.tenant_id, mailbox_id, changes.cursor, work.now)
        await take_page(tx, work, mailbox_id, items, "push")
        seeded = await store.move_cursor(tx, work.tenant_id, mailbox_id, changes.cursor, changes.cursor, work.now)
        await follow_hints(tx, work, mailbox_id, seeded.hints)
        await work.enqueue(tx, ReconcileMailbox(mailbox_id))


async def _lose_cursor(work: Work[SyncPorts], state: store.SyncState, because: str) -> None:
    gap = rules.gap(work.now, state.synced_at, work.outside.backfill, work.outside.furthest_back)
    async with work.finish() as tx:
        await store.start_resync(tx, work.tenant_id, state.id, gap.since)
        if gap.unlisted_since is not None:
            await store.note_unlisted(tx, state.id, gap.unlisted_since, gap.since)
        lost = facts.CursorLost(
            mailbox_id=state.id,
            since=gap.since,
            because=f"{because} {gap.because}".rstrip(),
            unlisted_since=gap.unlisted_since,
        )
        await work.tell(tx, lost)
