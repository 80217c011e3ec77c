"""What the provider lists against what we hold; and whether pushes reach us."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import structlog
from prometheus_client import Counter

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.jobs import Enqueue
from postroom.nouns.providers import Glimpse
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.announcing import announce
from postroom.rooms.sync.jobs.definitions import ReconcileMailbox
from postroom.rooms.sync.ports import SyncPorts

MISSING = Counter("postroom_missing_messages", "Messages that a reconcile found at the provider and not here")
log = structlog.get_logger()


@works(ReconcileMailbox)
async def reconcile_mailbox(job: ReconcileMailbox, work: Work[SyncPorts]) -> None:
    async with work.read() as tx:
        state = await store.sync_state(tx, job.mailbox_id)
        waiting = await store.not_taken_in(tx, job.mailbox_id)
    if state is None or not state.is_open:
        return
    if job.recompare and waiting.waiting:
        await _look_again_later(work, job)
        return
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id)
    since = job.since - rules.PUSH_RETRIED_FOR if job.since else work.now - work.outside.backfill
    first, page = True, None
    while True:
        listing = await provider.list_since(since, page)
        async with work.step() as tx:
            if first:
                await store.start_reconcile(tx, work.tenant_id, job.mailbox_id, since, work.now)
            await _compare_page(tx, work, state, listing.messages)
        first, page = False, listing.next_page
        if page is None:
            break
    async with work.finish() as tx:
        for each in await store.put_aside(tx, job.mailbox_id):
            await store.note_failed(tx, each.id, each.reason or "Nothing more is tried.", work.now)
        await _judge(tx, work, state, job)


async def _look_again_later(work: Work[SyncPorts], job: ReconcileMailbox) -> None:
    """What was missing is still coming in: comparing now would say nothing new."""
    work.found_nothing()
    async with work.finish() as tx:
        await work.enqueue(tx, Enqueue(job, run_at=work.now + rules.RECOMPARE_AFTER))


async def _compare_page(tx: Tx, work: Work[SyncPorts], state: store.SyncState, listed: Sequence[Glimpse]) -> None:
    refs = [glimpse.ref for glimpse in listed]
    known = await store.known_refs(tx, work.tenant_id, state.id, refs)
    compared = rules.compare(listed, known)
    history, recent = rules.split_by_age(compared.missing, state.connected_at)
    unannounced = [g for g in recent if g.received_at and g.received_at < work.now - rules.PUSH_EXPECTED_WITHIN]
    await announce(tx, work, state.id, history, "backfill")
    await announce(tx, work, state.id, recent, "reconcile")
    await store.reconcile_page(tx, state.id, compared=compared, unannounced=len(unannounced))


async def _judge(tx: Tx, work: Work[SyncPorts], state: store.SyncState, job: ReconcileMailbox) -> None:
    run = await store.end_reconcile(tx, state.id)
    if run is None:
        return
    if run.unannounced:  # neither a push nor the cursor had shown them
        MISSING.inc(run.unannounced)
        log.warning("mail was missing", mailbox=str(state.id), messages=run.unannounced, since=run.since.isoformat())
    polled = await store.polled(tx, work.tenant_id, state.id)
    run = replace(run, unannounced=run.unannounced + polled.messages)
    await store.add_coverage(tx, work.tenant_id, state.id, run, work.now)
    if run.listed > run.held + run.failed:  # they are on their way now; then we compare once more
        again = ReconcileMailbox(state.id, job.since, recompare=True)
        await work.enqueue(tx, Enqueue(again, run_at=work.now + rules.RECOMPARE_AFTER))
    last_push = await store.last_push(tx, state.id)
    silent_till = polled.newest or run.started_at - rules.PUSH_EXPECTED_WITHIN
    delivery = rules.judge_delivery(
        state.delivery,
        state.silent_runs,
        unannounced=run.unannounced,
        pushed_since=last_push is not None and last_push > silent_till,
    )
    await store.set_delivery(tx, state.id, delivery.mode, delivery.silent_runs)
    if delivery.mode != state.delivery:
        changed = facts.DeliveryChanged(mailbox_id=state.id, delivery=delivery.mode, because=delivery.because or "")
        await work.tell(tx, changed)
    done = facts.MailboxReconciled(
        mailbox_id=state.id,
        since=run.since,
        listed=run.listed,
        held=run.held,
        failed=run.failed,
        missing=run.listed - run.held - run.failed,
        unannounced=run.unannounced,
    )
    await work.tell(tx, done)
