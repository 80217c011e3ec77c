"""Reading mailboxes: page by page, each page with its cursor and its jobs in one commit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Protocol

from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import AccessRevoked, CursorExpired, Gone, NotYet
from postroom.nouns.ids import MailboxId, MessageId
from postroom.nouns.jobs import Job, Order, Priority
from postroom.nouns.mail import Automatic, MailMessage, Trust
from postroom.nouns.providers import Glimpse, ProviderName, ProviderRef, RawMail
from postroom.ports import MailProvider
from postroom.rooms.sync import rules, store

BIG_MAIL = 200_000  # parsed beside the event loop, not in it
LONGEST_BODY = 200_000
HEADERS_KEPT = (
    *("from", "to", "cc", "reply-to", "return-path", "date", "in-reply-to", "references"),
    *("auto-submitted", "precedence", "x-auto-response-suppress", "list-id", "list-unsubscribe"),
    *("authentication-results", "received-spf"),
)


class Outside(Protocol):
    """What these jobs ask of the world."""

    open_mailbox: Callable[[Any, MailboxId], Awaitable[MailProvider]]
    read_mail: Callable[[bytes], MailMessage]
    automatic: Callable[[MailMessage], Automatic | None]
    trust: Callable[[MailMessage, ProviderName], Trust]
    backfill: timedelta
    poll_every: timedelta


class MailboxJob(Job, frozen=True):
    """One at a time per mailbox; a retry keeps the others waiting, since order matters here."""

    mailbox_id: MailboxId

    @property
    def key(self) -> str:
        return str(self.mailbox_id)

    @property
    def lane(self) -> str:
        return f"mailbox:{self.mailbox_id}"


class SyncMailbox(MailboxJob, frozen=True):
    """Something may have changed: read on from the cursor."""

    kind: ClassVar[str] = "sync.mailbox"


class ResyncMailbox(MailboxJob, frozen=True):
    """The cursor was lost: list everything since then, one page a run, live mail going ahead."""

    kind: ClassVar[str] = "sync.resync"
    priority: ClassVar[Priority] = Priority.BACKFILL


class ReconcileMailbox(Job, frozen=True):
    """Compare what the provider lists with what we hold, and take in what is missing. Live mail need not wait."""

    kind: ClassVar[str] = "sync.reconcile"
    priority: ClassVar[Priority] = Priority.ROUTINE
    mailbox_id: MailboxId
    since: datetime | None = None

    @property
    def key(self) -> str:
        """A gap of an hour ago is not forgotten for one of now, nor the whole window for either."""
        return f"{self.mailbox_id} {self.since:%Y-%m-%dT%H}" if self.since else str(self.mailbox_id)

    @property
    def lane(self) -> str:
        return f"audit:{self.mailbox_id}"


class TakeIn(Job, frozen=True):
    """Fetch a message that was announced and make it ours. Its retry holds up nobody."""

    kind: ClassVar[str] = "sync.take_in"
    holds_lane: ClassVar[bool] = False
    mailbox_id: MailboxId
    message_id: MessageId
    known: Glimpse | None = None  # what the listing said of it, which may save a call

    @property
    def key(self) -> str:
        return str(self.message_id)


class PollMailboxes(Job, frozen=True):
    """The safety net: sync every mailbox that has not been read for a while."""

    kind: ClassVar[str] = "sync.poll"
    priority: ClassVar[Priority] = Priority.ROUTINE

    @property
    def key(self) -> str:
        return "all"


class ReconcileMailboxes(Job, frozen=True):
    """The daily audit of every mailbox; also picks up what got stuck."""

    kind: ClassVar[str] = "sync.reconcile_all"
    priority: ClassVar[Priority] = Priority.ROUTINE

    @property
    def key(self) -> str:
        return "all"


@works(SyncMailbox)
async def sync_mailbox(job: SyncMailbox, work: Work[Outside]) -> None:
    async with work.read() as tx:
        reading = await store.reading(tx, job.mailbox_id)
    if reading is None or not reading.is_open:
        return  # a person resumes or reconnects it, and that syncs anew
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id)
    if reading.cursor is None and reading.resync_since is None:
        await _seed(work, provider, job.mailbox_id)
        return
    resyncing = reading.resync_since is not None
    cursor = reading.resync_cursor if resyncing else reading.cursor
    if cursor is None:
        return  # the resync seeds it first, and nudges us
    pushed = rules.was_pushed(reading.last_push_at, reading.synced_at, work.now)
    while True:
        asked_at = work.now  # a push that comes while we read wants another read
        try:
            changes = await provider.changes(cursor)
        except CursorExpired as lost:
            await _lose_cursor(work, reading, str(lost))
            return
        items = rules.derive_work(changes)
        async with work.step() if changes.more else work.finish() as tx:
            await _take_page(tx, work, job.mailbox_id, items, "push" if pushed else "poll")
            move = store.move_resync_cursor if resyncing else store.move_cursor
            await move(tx, job.mailbox_id, cursor, changes.cursor, asked_at)
            if not changes.more:
                await _follow_hints(tx, work, job.mailbox_id)
                await _heed_push(tx, work, reading, pushed=pushed)
        if not changes.more:
            return
        cursor = changes.cursor


async def _heed_push(tx: Tx, work: Work[Outside], reading: store.Reading, *, pushed: bool) -> None:
    """A push that reaches us ends the polling it was given up for."""
    if not pushed:
        return
    await store.pushed_after_all(tx, work.tenant_id, reading.id, work.now - rules.EARLIEST_NEWS)
    if reading.delivery == "poll":
        await store.set_delivery(tx, reading.id, "push", 0)
        again = facts.DeliveryChanged(mailbox_id=reading.id, delivery="push", because="Pushes reach us again.")
        await work.tell(tx, again)


async def _seed(work: Work[Outside], provider: MailProvider, mailbox_id: MailboxId) -> None:
    """The first read: from now on, and then what came in the last days."""
    changes = await provider.changes(None)
    items = rules.derive_work(changes)
    async with work.finish() as tx:
        await store.seed_cursor(tx, work.tenant_id, mailbox_id, changes.cursor, work.now)
        await _take_page(tx, work, mailbox_id, items, "push")
        await _follow_hints(tx, work, mailbox_id)
        await work.enqueue(tx, ReconcileMailbox(mailbox_id))


async def _lose_cursor(work: Work[Outside], reading: store.Reading, because: str) -> None:
    since = work.now - work.outside.backfill
    if reading.synced_at is not None and reading.synced_at < since:  # the bound is kept, but never in silence
        because += f" Mail of {reading.synced_at:%Y-%m-%d %H:%M} to {since:%Y-%m-%d %H:%M} UTC is not listed again."
    async with work.finish() as tx:
        await store.start_resync(tx, work.tenant_id, reading.id, since)
        await work.tell(tx, facts.CursorLost(mailbox_id=reading.id, since=since, because=because))


async def _take_page(tx: Tx, work: Work[Outside], mailbox_id: MailboxId, items: rules.WorkItems, source: str) -> int:
    announced = await store.announce(tx, work.tenant_id, mailbox_id, items.take_in, source, work.now)
    await store.tombstone(tx, work.tenant_id, mailbox_id, items.tombstones, work.now)
    await _enqueue_new(tx, work, mailbox_id, announced, items.take_in, source)
    return sum(each.is_new for each in announced)


async def _enqueue_new(
    tx: Tx,
    work: Work[Outside],
    mailbox_id: MailboxId,
    announced: Sequence[store.Announced],
    glimpses: Sequence[Glimpse],
    source: str,
) -> None:
    priority = Priority.BACKFILL if source == "backfill" else Priority.LIVE
    known = {glimpse.ref: glimpse for glimpse in glimpses}
    jobs = [TakeIn(mailbox_id, each.id, known.get(each.ref)) for each in announced if each.waits]
    await work.enqueue(tx, *(Order(job, priority=priority) for job in jobs))


async def _follow_hints(tx: Tx, work: Work[Outside], mailbox_id: MailboxId) -> None:
    """An id that a bell named and the cursor did not show is fetched by itself."""
    hints = await store.pending_hints(tx, mailbox_id)
    if not hints:
        return
    held = await store.held_refs(tx, work.tenant_id, mailbox_id, hints, even_gone=True)
    unseen = [Glimpse(ref) for ref in hints if ref not in held]
    announced = await store.announce(tx, work.tenant_id, mailbox_id, unseen, "hint", work.now)
    await _enqueue_new(tx, work, mailbox_id, announced, (), "hint")
    await store.drop_hints(tx, mailbox_id, hints)
    if len(hints) == store.HINTS_AT_ONCE:
        await work.enqueue(tx, SyncMailbox(mailbox_id))


@works(ResyncMailbox)
async def resync_mailbox(job: ResyncMailbox, work: Work[Outside]) -> None:
    async with work.read() as tx:
        reading = await store.reading(tx, job.mailbox_id)
    if reading is None or not reading.is_open or reading.resync_since is None:
        return
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id)
    if reading.resync_cursor is None:  # from now on first, so that nothing falls between
        seed = await provider.changes(None)
        async with work.step() as tx:
            await store.seed_resync(tx, job.mailbox_id, seed.cursor)
            await _take_page(tx, work, job.mailbox_id, rules.derive_work(seed), "push")
    listing = await provider.list_since(reading.resync_since, reading.resync_page)
    mail = [glimpse for glimpse in listing.messages if rules.is_mail(glimpse)]
    async with work.finish() as tx:
        announced = await store.announce(tx, work.tenant_id, job.mailbox_id, mail, "backfill", work.now)
        await _enqueue_new(tx, work, job.mailbox_id, announced, mail, "backfill")
        if listing.next_page is not None:
            await store.turn_resync_page(tx, job.mailbox_id, listing.next_page, len(mail))
            await work.enqueue(tx, ResyncMailbox(job.mailbox_id), SyncMailbox(job.mailbox_id))
            return
        found = await store.end_resync(tx, job.mailbox_id, work.now)
        done = facts.ResyncDone(mailbox_id=job.mailbox_id, since=reading.resync_since, listed=(found or 0) + len(mail))
        await work.tell(tx, done)


@works(TakeIn)
async def take_in(job: TakeIn, work: Work[Outside]) -> None:
    letter = await store.letter(work.db, work.tenant_id, job.message_id)
    if letter is None or letter.state != "announced":
        return
    if letter.paused or letter.mailbox_status == "token_refresh_failed":
        raise AccessRevoked("The mailbox waits for a person.")
    if letter.mailbox_status == "disconnected":
        await _record_gone(work, letter, "The mailbox was disconnected before the message could be read.")
        return
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id)
    try:
        raw = await provider.message(letter.provider_message_id, job.known)
    except Gone as gone:
        if not rules.believed_gone(work.tries, letter.announced_at, work.now):
            raise NotYet(f"Announced, but not there yet: {gone}") from None
        await _record_gone(work, letter, f"Deleted at the source: {gone}")
        return
    if not rules.is_mail(raw.glimpse):
        await _record_gone(work, letter, "A draft, sent mail, spam or trash: not for us.")
        return
    message = await _parse(work, raw)
    await _record_arrival(work, letter, raw, message)


async def _parse(work: Work[Outside], raw: RawMail) -> MailMessage:
    if len(raw.raw) > BIG_MAIL:
        return await asyncio.to_thread(work.outside.read_mail, raw.raw)
    return work.outside.read_mail(raw.raw)


async def _record_gone(work: Work[Outside], letter: store.Letter, because: str) -> None:
    async with work.finish() as tx:
        if not await store.mark_gone(tx, letter.id, because, work.now):
            return
        await store.dispose(
            tx, work.tenant_id, letter.id, letter.pipelines, work.now, status="deleted", because=because
        )
        await work.tell(tx, facts.MessageGone(message_id=letter.id, mailbox_id=letter.mailbox_id, because=because))


async def _record_arrival(work: Work[Outside], letter: store.Letter, raw: RawMail, message: MailMessage) -> None:
    received = raw.glimpse.received_at or message.date or letter.announced_at
    automatic, trust = work.outside.automatic(message), work.outside.trust(message, letter.provider)
    thread_ref = raw.glimpse.thread_ref or ProviderRef(message.references[0] if message.references else raw.glimpse.ref)
    columns = {**_columns(raw, message, automatic, trust), "received_at": received}
    async with work.finish() as tx:
        thread = await store.arrive(tx, letter.id, thread_ref, letter.pipelines, work.now, columns)
        if thread is None:
            return
        told = facts.MessageArrived(
            message_id=letter.id,
            mailbox_id=letter.mailbox_id,
            thread_id=thread,
            provider_message_id=letter.provider_message_id,
            source=letter.source,
            received_at=received,
            automatic=automatic.kind if automatic else None,
        )
        await work.tell(tx, told)


def _columns(raw: RawMail, message: MailMessage, automatic: Automatic | None, trust: Trust) -> dict[str, Any]:
    """The message as it is kept: what people and later steps need, not the bytes."""
    kept = {name: [_clean(value) for value in message.header_all(name)] for name in HEADERS_KEPT}
    recipients = {
        field: [str(address) for address in getattr(message, field)] for field in ("to", "cc", "bcc", "reply_to")
    }
    attachments = [
        {
            "filename": _clean(each.filename),
            "type": each.sniffed_type,
            "size": each.size,
            "inline": each.inline,
            "path": list(each.path),
            "sha256": each.sha256,
        }
        for each in message.attachments
    ]
    return {
        "internet_message_id": _clean(message.message_id) or raw.glimpse.internet_message_id or None,
        "sender_email": _clean(message.sender.email) if message.sender else None,
        "sender_name": _clean(message.sender.name) if message.sender else None,
        "recipients": as_json(recipients),
        "subject": _clean(message.subject),
        "snippet": _clean(message.snippet)[:300],
        "body": _clean(message.text_body)[:LONGEST_BODY],
        "body_html": _clean(message.html_body)[:LONGEST_BODY] or None,
        "headers": as_json({name: values for name, values in kept.items() if values}),
        "labels": sorted(raw.glimpse.labels),
        "attachments": as_json(attachments),
        "automatic": automatic.kind if automatic else None,
        "trust": trust.level,
        "trust_because": trust.because,
        "version": raw.glimpse.version,
        "size": len(raw.raw),
        "content_hash": message.content_hash,
    }


def _clean(text: str) -> str:
    """PostgreSQL has no place for NUL, UTF-8 none for half a surrogate pair."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


@works(ReconcileMailbox)
async def reconcile_mailbox(job: ReconcileMailbox, work: Work[Outside]) -> None:
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


async def _audit_page(tx: Tx, work: Work[Outside], reading: store.Reading, listed: Sequence[Glimpse]) -> None:
    refs = [glimpse.ref for glimpse in listed]
    held = await store.held_refs(tx, work.tenant_id, reading.id, refs, even_gone=False)
    compared = rules.compare(listed, held)
    history, recent = rules.part(compared.missing, reading.connected_at)
    unannounced = [g for g in recent if g.received_at and g.received_at < work.now - rules.EARLIEST_NEWS]
    for source, missing in (("backfill", history), ("reconcile", recent)):
        announced = await store.announce(tx, work.tenant_id, reading.id, missing, source, work.now)
        await _enqueue_new(tx, work, reading.id, announced, missing, source)
    await store.audit_page(
        tx,
        reading.id,
        listed=compared.held + len(compared.missing),
        held=compared.held,
        unannounced=len(unannounced),
        missing=[glimpse.ref for glimpse in compared.missing],
    )


async def _judge(tx: Tx, work: Work[Outside], reading: store.Reading) -> None:
    run = await store.end_audit(tx, reading.id)
    if run is None:
        return
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


@works(PollMailboxes)
async def poll_mailboxes(job: PollMailboxes, work: Work[Outside]) -> None:
    del job
    async with work.step() as tx:
        await store.try_again_after_outage(tx)
    async with work.finish() as tx:
        due = await store.due_for_sync(tx, work.now - work.outside.poll_every)
        await work.enqueue(tx, *(SyncMailbox(mailbox_id) for mailbox_id in due))


@works(ReconcileMailboxes)
async def reconcile_mailboxes(job: ReconcileMailboxes, work: Work[Outside]) -> None:
    del job
    async with work.finish() as tx:
        mailboxes = await store.served(tx)
        await work.enqueue(tx, *(ReconcileMailbox(mailbox_id) for mailbox_id in mailboxes))
        stuck = await store.stuck_messages(tx, work.now - timedelta(minutes=30))
        await work.enqueue(tx, *(TakeIn(each.mailbox_id, each.id) for each in stuck))
