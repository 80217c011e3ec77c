"""Keeps subscriptions and watches alive, and says once when a mailbox needs a person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar

import structlog

from postroom.db.pool import Tx
from postroom.engine import queue as lanes
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.errors import PermissionDenied, PostroomError
from postroom.nouns.ids import MailboxId
from postroom.nouns.jobs import Job, MailboxJob, Priority, RoutineJob
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import Watch, WatchedFolder
from postroom.nouns.secrets import Secret
from postroom.ports import MailProvider
from postroom.rooms.mailboxes import rules, store, watch_store
from postroom.rooms.mailboxes.ports import Callbacks, WatchPorts

log = structlog.get_logger()


class KeepWatch(Job, frozen=True):
    """Renew the provider's promise to tell us, or get one. Never touches the cursor."""

    kind: ClassVar[str] = "mailboxes.keep_watch"
    priority: ClassVar[Priority] = Priority.URGENT
    mailbox_id: MailboxId
    lost: str = ""  # the subscription that the provider says is gone
    now: bool = False  # the provider asks for it, however long it would still live

    @property
    def key(self) -> str:
        """The hourly look does not stand in for what the provider asked for."""
        return f"{self.mailbox_id} {self.lost or 'now'}" if self.lost or self.now else str(self.mailbox_id)

    @property
    def lane(self) -> str:
        return f"watch:{self.mailbox_id}"


class KeepWatches(RoutineJob, frozen=True):
    """Hourly: every watch with less than a day to live, every mailbox without one, and every old notification URL."""

    kind: ClassVar[str] = "mailboxes.keep_watches"


class TidyConnections(RoutineJob, frozen=True):
    """Hourly: what connecting and disconnecting left behind."""

    kind: ClassVar[str] = "mailboxes.tidy"


class NoteTrouble(MailboxJob, frozen=True):
    """A job was parked because the provider wants a person: say so once, and show it."""

    kind: ClassVar[str] = "mailboxes.note_trouble"
    priority: ClassVar[Priority] = Priority.URGENT
    code: str
    because: str
    job_kind: str = "sync.mailbox"


class NoteOutage(MailboxJob, frozen=True):
    """The retries of a job were spent on a provider that does not answer: the mailbox says so."""

    kind: ClassVar[str] = "mailboxes.note_outage"
    priority: ClassVar[Priority] = Priority.URGENT
    because: str


class EndOutage(MailboxJob, frozen=True):
    """The provider answers again: what the outage put aside goes on."""

    kind: ClassVar[str] = "mailboxes.end_outage"
    priority: ClassVar[Priority] = Priority.URGENT


class LookAfterMailboxes(RoutineJob, frozen=True):
    """Every few minutes: what happens too often at a mailbox is said on it, once."""

    kind: ClassVar[str] = "mailboxes.look_after"


@works(NoteOutage)
async def note_outage(job: NoteOutage, work: Work[WatchPorts]) -> None:
    async with work.finish() as tx:
        answered_since = work.now - timedelta(seconds=rules.OUTAGE_SECONDS)
        if await store.note_outage(tx, job.mailbox_id, job.because, work.now, answered_since):
            await work.tell(tx, facts.MailboxOutage(mailbox_id=job.mailbox_id, because=job.because))


@works(EndOutage)
async def end_outage(job: EndOutage, work: Work[WatchPorts]) -> None:
    async with work.finish() as tx:
        await store.end_outage(tx, job.mailbox_id)
        if await lanes.revive(tx, job.mailbox_id) == lanes.REVIVED_AT_ONCE:
            await work.enqueue(tx, job)


@works(LookAfterMailboxes)
async def look_after_mailboxes(job: LookAfterMailboxes, work: Work[WatchPorts]) -> None:
    del job
    work.found_nothing()
    async with work.finish() as tx:
        sends = await store.tenant_sends(tx)
        throttled = await store.throttled_lately(tx, work.now - rules.HOUR, rules.MOST_WAITING_SECONDS)
        lost = await store.cursors_lost_lately(tx, work.now - rules.DAY, rules.MOST_LOST_CURSORS)
        seen = [(each.mailbox_id, "throttling", rules.throttling(each.amount)) for each in throttled]
        seen += [(each.mailbox_id, "lost_cursors", rules.lost_cursors(each.amount)) for each in lost]
        seen += [
            (each.id, "missing_right", rules.MISSING_RIGHT)
            for each in await store.mailboxes(tx)
            if each.is_served and rules.lacks_right(each.access, each.copilot, each.capability, sends=sends)
        ]
        for mailbox_id, about, because in seen:
            if await store.note_attention(tx, mailbox_id, about, because, work.now):
                await work.tell(tx, facts.MailboxAttention(mailbox_id=mailbox_id, about=about, because=because))
        await store.drop_attention(tx, work.now - rules.DAY)


@works(KeepWatches)
async def keep_watches(job: KeepWatches, work: Work[WatchPorts]) -> None:
    del job
    async with work.finish() as tx:
        await watch_store.expire_watches(tx, work.now)
        due = await watch_store.due_for_renewal(tx, work.now + rules.RENEW_WITHIN)
        urls = await watch_store.notification_urls(tx)
        served = [each for each in await store.mailboxes(tx) if each.id in urls and each.is_served]
        moved = [each.id for each in served if _has_old_url(urls[each.id], work.outside.callbacks(each))]
        await work.enqueue(tx, *(KeepWatch(mailbox_id) for mailbox_id in dict.fromkeys([*due, *moved])))


@works(TidyConnections)
async def tidy_connections(job: TidyConnections, work: Work[WatchPorts]) -> None:
    del job
    async with work.read() as tx:
        forsaken = await store.forsaken(tx, work.now - rules.FORSAKEN_AFTER)
    for mailbox_id in forsaken:  # wherever they are kept: a row that goes cannot lead to them any more
        await work.outside.fetcher.tokens.remove(work.tenant_id, mailbox_id)
    async with work.finish() as tx:
        await store.drop_forsaken(tx, forsaken)
        await store.drop_consents(tx, work.now)
        await watch_store.drop_subscriptions(tx, work.now - rules.SUBSCRIPTIONS_KEPT)
        await store.drop_empty_tokens(tx)


@works(KeepWatch)
async def keep_watch(job: KeepWatch, work: Work[WatchPorts]) -> None:
    async with work.step() if job.lost else work.read() as tx:
        if job.lost:
            await watch_store.mark_removed(tx, job.lost)
        mailbox = await store.mailbox(tx, job.mailbox_id)
        held = await _held(tx, mailbox) if mailbox else {}
    if mailbox is None or not mailbox.is_served or not traits(mailbox.provider).is_watched:
        return
    callbacks = work.outside.callbacks(mailbox)
    if callbacks is None:
        return  # nobody can reach us: this mailbox is polled or pulled
    wanted = rules.watches(mailbox.provider, mailbox.copilot)
    due = [each for each in wanted if _is_due(job, mailbox, held.get(each[0]), each, callbacks, work.now)]
    spare = [one for folder, one in held.items() if folder not in {each[0] for each in wanted}]
    if not due and not spare:
        return
    provider = await work.outside.open_mailbox(work.tenant_id, job.mailbox_id)
    for one in spare:
        await provider.unwatch(one.watch)
        async with work.step() as tx:
            await watch_store.mark_removed(tx, one.watch.id)
    for folders in due:
        is_last = folders is due[-1]
        await _keep_one(work, provider, mailbox, callbacks, held.get(folders[0]), folders, is_last=is_last)


async def _keep_one(
    work: Work[WatchPorts],
    provider: MailProvider,
    mailbox: store.Mailbox,
    callbacks: Callbacks,
    current: _Held | None,
    folders: tuple[WatchedFolder, ...],
    *,
    is_last: bool,
) -> None:
    held = current.watch if current else None
    state = rules.make_client_state(work.outside.client_state(mailbox))
    key = rules.make_url_key()
    try:
        notify, lifecycle = rules.with_key(callbacks.notify, key), rules.with_key(callbacks.lifecycle, key)
        watch = await provider.watch(notify, lifecycle, state, held, folders)
    except PostroomError as problem:
        till = held.expires_at.isoformat() if held else None
        log.warning("renewal failed", mailbox=str(mailbox.id), code=problem.code, error=str(problem), watch_till=till)
        raise
    how = "renewed" if held is not None and held.id == watch.id else "created"
    async with work.finish() if is_last else work.step() as tx:
        await _keep(tx, work, mailbox, watch, state if how == "created" else None, key, folders)
        if mailbox.status == "subscription_expired":
            await store.recovered(tx, mailbox.id)
        kept = facts.WatchKept(mailbox_id=mailbox.id, watch_id=watch.id, how=how, expires_at=watch.expires_at)
        await work.tell(tx, kept)


@dataclass(frozen=True, slots=True)
class _Held:
    watch: Watch
    renewed_at: datetime | None
    folders: tuple[WatchedFolder, ...]


def _has_old_url(url: str, callbacks: Callbacks | None) -> bool:
    """Whether our public address changed since the watch was made. Gmail publishes to a topic, not to a URL."""
    return bool(url) and callbacks is not None and url != callbacks.notify


def _is_due(
    job: KeepWatch,
    mailbox: store.Mailbox,
    current: _Held | None,
    folders: tuple[WatchedFolder, ...],
    callbacks: Callbacks,
    now: datetime,
) -> bool:
    """Whether a watch is to be made or renewed. One that came after the lost one is not to blame."""
    if current is None or current.folders != folders or _has_old_url(current.watch.callback, callbacks):
        return True
    if rules.outlived_by_grant(current.renewed_at, mailbox.connected_at):
        return True
    if job.now and not job.lost:
        return not rules.touched_lately(current.renewed_at, now)
    return rules.due(current.watch.expires_at, now)


async def _held(tx: Tx, mailbox: store.Mailbox) -> dict[WatchedFolder, _Held]:
    """The living watches, by the first folder that each tells of."""
    if traits(mailbox.provider).push == "topic":
        held = await watch_store.gmail_watch(tx, mailbox.id)
        if held is None:
            return {}
        watch = Watch(held.topic, held.topic, held.expiration_datetime, "")
        return {"served": _Held(watch, held.last_renewed_at, tuple(held.folders))}
    found = {}
    for each in await watch_store.active_subscriptions(tx, mailbox.id):
        urls = (each.notification_url, each.lifecycle_url)
        watch = Watch(each.subscription_id, each.resource, each.expiration_datetime, *urls)
        found[each.folder] = _Held(watch, each.last_renewed_at, (each.folder,))
    return found


async def _keep(
    tx: Tx,
    work: Work[WatchPorts],
    mailbox: store.Mailbox,
    watch: Watch,
    state: Secret | None,
    key: Secret,
    folders: tuple[WatchedFolder, ...],
) -> None:
    if traits(mailbox.provider).push == "topic":
        await watch_store.upsert_gmail_watch(
            tx, work.tenant_id, mailbox.id, watch.id, watch.expires_at, work.now, folders
        )
        return
    digest = rules.digest_state(state) if state is not None else None
    kept = replace(  # the key in them is nobody's to read here
        watch,
        callback=rules.without_key(watch.callback),
        lifecycle_callback=rules.without_key(watch.lifecycle_callback or "") or None,
    )
    await watch_store.upsert_subscription(
        tx, work.tenant_id, mailbox.id, kept, digest, work.now, rules.digest_state(key), folders[0]
    )


@works(NoteTrouble)
async def note_trouble(job: NoteTrouble, work: Work[WatchPorts]) -> None:
    status = rules.status_after(job.code)
    async with work.finish() as tx:
        if job.code == PermissionDenied.code and not rules.concerns_reading(job.job_kind):
            if await store.note_attention(tx, job.mailbox_id, "missing_right", job.because, work.now):
                told = facts.MailboxAttention(mailbox_id=job.mailbox_id, about="missing_right", because=job.because)
                await work.tell(tx, told)
            return
        if not await store.tell_once(tx, job.mailbox_id, status, job.because, work.now):
            return
        await work.tell(tx, facts.MailboxNeedsPerson(mailbox_id=job.mailbox_id, status=status, because=job.because))
