"""Following what people do in their mail program: Sent and Drafts, and labels and folders of mail that is ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import CursorExpired
from postroom.nouns.ids import MailboxId, ThreadId
from postroom.nouns.jobs import Enqueue
from postroom.nouns.providers import Changes, Cursor, ProviderRef
from postroom.nouns.threads import OutgoingChanges
from postroom.rooms.sync import outgoing_store, rules
from postroom.rooms.sync.jobs.definitions import FollowOutgoing
from postroom.rooms.sync.ports import SyncPorts

# Where no push tells of it, what a person does with a draft of a moment ago is looked for.
AWAITED_FOR = timedelta(minutes=5)
AWAITED_EVERY = timedelta(seconds=5)
MOST_AWAITED = 20  # mailboxes of a tenant at a time


@dataclass(frozen=True, slots=True)
class Touch:
    """Something happened in a thread, to this message."""

    thread_id: ThreadId
    thread_ref: ProviderRef
    ref: ProviderRef
    what: str


@works(FollowOutgoing)
async def follow_outgoing(job: FollowOutgoing, work: Work[SyncPorts]) -> None:
    async with work.read() as tx:
        state = await outgoing_store.outgoing_state(tx, job.mailbox_id)
        since = work.now - AWAITED_FOR
        if job.closely and not await outgoing_store.is_awaited(tx, job.mailbox_id, since, MOST_AWAITED):
            return
    if state is None or not state.is_followed:
        return
    follower = (await work.outside.open_copilot(work.tenant_id, job.mailbox_id)).outgoing
    cursor = state.cursor
    if cursor is None:
        await _begin(work, job.mailbox_id, None, (await follower.outgoing(None)).cursor)
        return
    found = False
    while True:
        try:
            page = await follower.outgoing(cursor)
        except CursorExpired:
            await _begin(work, job.mailbox_id, cursor, (await follower.outgoing(None)).cursor)
            return
        async with work.step() if page.more else work.finish() as tx:
            await _take_page(tx, work, job.mailbox_id, page)
            await outgoing_store.move_outgoing_cursor(tx, job.mailbox_id, cursor, page.cursor, work.now)
            found = found or bool(page.sent or page.drafted or page.removed)
            if job.closely and not page.more:
                await work.enqueue(tx, Enqueue(job, after=AWAITED_EVERY))
            if not (page.more or found):
                work.found_nothing()
        if not page.more:
            return
        cursor = page.cursor


async def _begin(work: Work[SyncPorts], mailbox_id: MailboxId, was: Cursor | None, cursor: Cursor) -> None:
    """From now on; what people did before, the threads that wait for somebody show when they are read again."""
    async with work.finish() as tx:
        await outgoing_store.move_outgoing_cursor(tx, mailbox_id, was, cursor, work.now)
        waiting = await outgoing_store.open_threads(tx, mailbox_id)
        await tell_touched(tx, work, mailbox_id, [Touch(each.id, each.ref, each.ref, "unseen") for each in waiting])


async def _take_page(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, page: OutgoingChanges) -> None:
    seen = [*page.sent, *page.drafted]
    refs = list({one.thread_ref for one in seen if one.thread_ref})
    found = await outgoing_store.known_threads(tx, work.tenant_id, mailbox_id, refs) if refs else []
    known = {each.ref: each.id for each in found}
    ours = [one for one in seen if one.thread_ref in known]
    gone = await outgoing_store.drop_outgoing(tx, mailbox_id, page.removed) if page.removed else []
    if ours:
        await outgoing_store.keep_outgoing(tx, work.tenant_id, mailbox_id, ours, work.now)
    touched = [
        Touch(known[one.thread_ref], one.thread_ref, one.ref, "drafted" if one.is_draft else "sent")
        for one in ours
        if one.thread_ref
    ]
    touched += [Touch(each.id, each.thread_ref, each.ref, "draft_removed") for each in gone]
    await tell_touched(tx, work, mailbox_id, touched)


async def notice_touched(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, changes: Changes) -> None:
    """Before the page is taken in: what of ours was labelled, moved away or put back by somebody."""
    refs = [*(one.ref for one in (*changes.arrived, *changes.relabelled)), *changes.removed]
    if not refs:
        return
    known = {each.ref: each for each in await outgoing_store.known_messages(tx, work.tenant_id, mailbox_id, refs)}
    labels = {one.ref: one.labels for one in (*changes.arrived, *changes.relabelled)}
    touched = [
        Touch(each.thread_id, each.thread_ref, ref, what)
        for ref, each in known.items()
        if (
            what := rules.touch(
                labels.get(ref),
                was_removed=each.removed,
                expected=(each.label, each.label_intended),
                namespace=work.outside.label_namespace,
            )
        )
    ]
    await tell_touched(tx, work, mailbox_id, touched)


async def tell_touched(tx: Tx, work: Work[SyncPorts], mailbox_id: MailboxId, touched: Iterable[Touch]) -> None:
    """One fact for each thread: the first thing that happened stands for all."""
    for each in {one.thread_id: one for one in reversed(list(touched))}.values():
        told = facts.ThreadTouched(
            mailbox_id=mailbox_id,
            thread_id=each.thread_id,
            provider_thread_id=each.thread_ref,
            provider_message_id=each.ref,
            what=each.what,
        )
        await work.tell(tx, told)
