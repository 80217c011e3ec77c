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
from postroom.nouns.providers import Glimpse
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs.definitions import ReconcileMailbox, SyncPorts
from postroom.rooms.sync.jobs.news import announce

MISSING = Counter("postroom_missing_messages", "Messages that a reconcile found at the provider and not here")
log = structlog.get_logger()


@works(ReconcileMailbox)
async def reconcile_mailbox(job: ReconcileMailbox, work: Work[SyncPorts]) -> None:
    async with work.read() as tx:
        reading = await store.reading(tx, job.mailbox_id)
    if reading is None or not reading.is_open:
        return
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id)
    since = job.since - rules.LATEST_NEWS if job.since else work.now - work.outside.backfill
    first, page = True, None
    while True:
        listing = await provider.list_since(since, page)
        async with work.step() as tx:
            if first:
                await store.start_audit(tx, work.tenant_id, job.mailbox_id, since, work.now)
            await _audit_page(tx, work, reading, listing.messages)
        first, page = False, listing.next_page
        if page is None:
            break
    async with work.finish() as tx:
        await _judge(tx, work, reading)


async def _audit_page(tx: Tx, work: Work[SyncPorts], reading: store.Reading, listed: Sequence[Glimpse]) -> None:
    refs = [glimpse.ref for glimpse in listed]
    held = await store.held_refs(tx, work.tenant_id, reading.id, refs, even_gone=False)
    compared = rules.compare(listed, held)
    history, recent = rules.part(compared.missing, reading.connected_at)
    unannounced = [g for g in recent if g.received_at and g.received_at < work.now - rules.EARLIEST_NEWS]
    await announce(tx, work, reading.id, history, "backfill")
    await announce(tx, work, reading.id, recent, "reconcile")
    await store.audit_page(
        tx,
        reading.id,
        listed=compared.held + len(compared.missing),
        held=compared.held,
        unannounced=len(unannounced),
        missing=[glimpse.ref for glimpse in compared.missing],
    )


async def _judge(tx: Tx, work: Work[SyncPorts], reading: store.Reading) -> None:
    run = await store.end_audit(tx, reading.id)
    if run is None:
        return
    if run.unannounced:  # neither a push nor the cursor had shown them
        MISSING.inc(run.unannounced)
        log.warning("mail was missing", mailbox=str(reading.id), messages=run.unannounced, since=run.since.isoformat())
    polled = await store.polled(tx, work.tenant_id, reading.id)
    run = replace(run, unannounced=run.unannounced + polled.messages)
    await store.add_coverage(tx, work.tenant_id, reading.id, run, work.now)
    last_push = await store.last_push(tx, reading.id)
    silent_till = polled.newest or run.started_at - rules.EARLIEST_NEWS
    delivery = rules.judge_delivery(
        reading.delivery,
        reading.silent_runs,
        unannounced=run.unannounced,
        pushed_since=last_push is not None and last_push > silent_till,
    )
    await store.set_delivery(tx, reading.id, delivery.mode, delivery.silent_runs)
    if delivery.mode != reading.delivery:
        changed = facts.DeliveryChanged(mailbox_id=reading.id, delivery=delivery.mode, because=delivery.because or "")
        await work.tell(tx, changed)
    done = facts.MailboxReconciled(
        mailbox_id=reading.id,
        since=run.since,
        listed=run.listed,
        held=run.held,
        missing=run.listed - run.held,
        unannounced=run.unannounced,
    )
    await work.tell(tx, done)
