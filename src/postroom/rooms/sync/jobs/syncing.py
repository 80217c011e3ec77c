"""Reading on from the cursor: page by page, each page with its cursor and its jobs in one commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import CursorExpired
from postroom.nouns.ids import MessageId
from postroom.nouns.jobs import Enqueue
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import Changes, Cursor
from postroom.ports import MailProvider
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.announcing import (
    NOTHING,
    FetchedAhead,
    fetch_ahead,
    follow_hints,
    parsed_ahead,
    take_page,
)
from postroom.rooms.sync.jobs.definitions import FollowOutgoing, ReconcileMailbox, SyncMailbox
from postroom.rooms.sync.jobs.fetching import take_in
from postroom.rooms.sync.jobs.following import notice_touched
from postroom.rooms.sync.ports import SyncPorts


@works(SyncMailbox)
async def sync_mailbox(job: SyncMailbox, work: Work[SyncPorts]) -> None:
    state = await store.look_up_sync_state(work.db, work.tenant_id, job.mailbox_id)
    if state is None or not state.is_open:
        return  # a person resumes or reconnects it, and that syncs anew
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id, state.endpoint)
    if state.cursor is None and state.resync_since is None:
        await _seed(work, provider, state, job.look)
        return
    resyncing = state.resync_since is not None
    cursor = state.resync_cursor if resyncing else state.cursor
    if cursor is None:
        return  # the resync seeds it first, and nudges us
    read = _Read(state, resyncing, job.look, work.now)
    found = False
    while True:
        asked_at = work.now  # a push that comes while we read wants another read
        try:
            changes = await provider.changes(cursor)
        except CursorExpired as lost:
            await _lose_cursor(work, state, str(lost))
            return
        items = rules.derive_work(changes)
        found = found or bool(items.to_fetch or items.tombstones)
        ahead = NOTHING if changes.more else await fetch_ahead(work, provider, state, items.to_fetch, read.source)
        page = _PageRead(read, cursor, asked_at, changes, items, ahead, found)
        if not changes.more:
            await work.finish_with_others(page, _record)
            return
        async with work.step() as tx:
            await _record(tx, [(work, page)])
        cursor = changes.cursor


@dataclass(frozen=True, slots=True)
class _Read:
    """One reading of a mailbox, from its cursor to its newest change."""

    state: store.SyncState
    resyncing: bool
    look: int
    began_at: datetime

    @property
    def pushed(self) -> bool:
        return rules.was_pushed(self.state.last_push_at, self.state.synced_at, self.began_at)

    @property
    def source(self) -> str:
        return "push" if self.pushed else "poll"

    @property
    def fresh(self) -> bool:
        """Whether there was a push since the last reading."""
        pushed_at = self.state.last_push_at
        return pushed_at is not None and pushed_at > (self.state.synced_at or pushed_at)


@dataclass(frozen=True, slots=True)
class _PageRead:
    """A page of it, and what was fetched of it already; `found` says whether there was news so far."""

    read: _Read
    cursor: Cursor
    asked_at: datetime
    changes: Changes
    items: rules.WorkItems
    ahead: FetchedAhead
    found: bool


async def _record(tx: Tx, pages: Sequence[tuple[Work[SyncPorts], _PageRead]]) -> None:
    """Of several mailboxes, where they are recorded together."""
    for work, page in pages:
        if page.read.state.copilot != "off":
            await work.as_itself(notice_touched(tx, work, page.read.state.id, page.changes))
    parsed = [each for _, page in pages for each in parsed_ahead(page.ahead)]
    ours = await take_in(tx, pages[0][0].tenant_id, parsed, pages[0][0].now)
    for work, page in pages:
        await work.as_itself(_record_one(tx, work, page, ours))


async def _record_one(tx: Tx, work: Work[SyncPorts], page: _PageRead, ours: Mapping[MessageId, store.Arrived]) -> None:
    read, state, changes = page.read, page.read.state, page.changes
    await take_page(tx, work, state.id, page.items, read.source, page.ahead, ours)
    how = {"resyncing": read.resyncing, "complete": not changes.more, "pushed": read.pushed}
    moved = await store.move_cursor(tx, work.tenant_id, state.id, page.cursor, changes.cursor, page.asked_at, **how)
    if changes.more:
        return
    await follow_hints(tx, work, state.id, moved.hints)
    await _heed_push(tx, work, state, pushed=read.pushed)
    if state.copilot != "off":
        await work.enqueue(tx, FollowOutgoing(state.id))
    if state.in_outage:
        await work.tell(tx, facts.MailboxAnswers(mailbox_id=state.id))
    await _look_again(tx, work, read, news=page.found or read.fresh)
    if not (page.found or moved.hints or read.fresh or state.in_outage):
        work.found_nothing()


async def _look_again(tx: Tx, work: Work[SyncPorts], read: _Read, *, news: bool) -> None:
    """A volley of mail is announced once: what came right after it is looked for."""
    if not traits(read.state.provider).drops_pushes:
        return
    hidden = not read.look and rules.may_hide_pushes(read.state.last_push_at, read.began_at)
    if (following := rules.next_look(read.look, news=news or hidden)) is not None:
        again = SyncMailbox(read.state.id, look=following.number)
        await work.enqueue(tx, Enqueue(again, run_at=work.now + following.after))


async def _heed_push(tx: Tx, work: Work[SyncPorts], state: store.SyncState, *, pushed: bool) -> None:
    """A push that reaches us ends the polling it was given up for."""
    if not pushed or state.delivery != "poll":
        return
    await store.set_delivery(tx, state.id, "push", 0)
    again = facts.DeliveryChanged(mailbox_id=state.id, delivery="push", because="Pushes reach us again.")
    await work.tell(tx, again)


async def _seed(work: Work[SyncPorts], provider: MailProvider, state: store.SyncState, look: int) -> None:
    """The first read: from now on, and then what came in the last days."""
    mailbox_id, read = state.id, _Read(state, resyncing=False, look=look, began_at=work.now)
    changes = await provider.changes(None)
    items = rules.derive_work(changes)
    async with work.finish() as tx:
        await store.seed_cursor(tx, work.tenant_id, mailbox_id, changes.cursor, work.now)
        await take_page(tx, work, mailbox_id, items, "push")
        seeded = await store.move_cursor(tx, work.tenant_id, mailbox_id, changes.cursor, changes.cursor, work.now)
        await follow_hints(tx, work, mailbox_id, seeded.hints)
        await work.enqueue(tx, ReconcileMailbox(mailbox_id))
        await _look_again(tx, work, read, news=False)


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
