"""The composition root: the only module that knows every part. The doors are hung in `web`."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from postroom.app.providers import CallbackUrls, Providers, open_model
from postroom.db.embedded import EmbeddedServer
from postroom.db.migrate import bring_up_to_date, migrate
from postroom.db.pool import Database, transaction_is_open
from postroom.engine.audit_anchors import ArchivedAnchors, FolderAnchors
from postroom.engine.audit_trail import AuditTrail
from postroom.engine.in_flight import BytesInFlight
from postroom.engine.scheduler import Scheduler
from postroom.engine.tracing import collected_by
from postroom.engine.vitals import Vitals
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.engine.worker import Handlers, Worker
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.tokens import TokenStore
from postroom.outside.blobs import Archive, open_blobs
from postroom.outside.encoder.encoder import open_encoder
from postroom.outside.http import Http
from postroom.outside.keys import Sealer, load_sealer
from postroom.outside.readers.pool import ReaderPool
from postroom.outside.traces import open_traces
from postroom.outside.webhooks import WebhookSession
from postroom.outside.webhooks.addresses import parse_allowed
from postroom.ports import CopilotMailbox, Encoder, Model, OpenMailbox, WebhookPost
from postroom.rooms import forgetting, timetable
from postroom.rooms.clients import jobs as client_jobs
from postroom.rooms.documents import jobs as document_jobs
from postroom.rooms.itinerary import next_jobs
from postroom.rooms.mailboxes import commands as mailbox_commands
from postroom.rooms.mailboxes import jobs as mailbox_jobs
from postroom.rooms.mailboxes import store as mailbox_store
from postroom.rooms.mailboxes.access import SealedTokens
from postroom.rooms.outbox import jobs as outbox_jobs
from postroom.rooms.replies import jobs as reply_jobs
from postroom.rooms.subscribers import jobs as subscriber_jobs
from postroom.rooms.subscribers.publishing import EventPublisher
from postroom.rooms.sync import jobs as sync_jobs
from postroom.rooms.sync.notifications import Intake
from postroom.rooms.tenants import commands as tenants
from postroom.rooms.triage import jobs as triage_jobs
from postroom.settings import Settings

if TYPE_CHECKING:
    from postroom.doors.console.mounting import DemoMail

LAST_WORDS_SECONDS = 2.0
READING_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Outside:
    """What jobs may ask of the world."""

    open_mailbox: OpenMailbox
    open_copilot: Callable[[TenantId, MailboxId], Awaitable[CopilotMailbox]]
    label_namespace: str
    callbacks: Callable[[mailbox_store.Mailbox], CallbackUrls | None]
    client_state: Callable[[mailbox_store.Mailbox], Any]
    fetcher: Providers
    reader: ReaderPool
    model: Model | None
    encoder: Encoder | None
    archive: Archive
    sealer: Sealer
    webhooks: WebhookPost
    backfill: timedelta
    furthest_back: timedelta
    poll_every: timedelta


@dataclass(frozen=True, slots=True)
class Demo:
    """What the console shows and offers while the providers are simulated."""

    simulators_url: str
    send_mail: Callable[[DemoMail], Awaitable[None]]


@dataclass(slots=True)
class House:
    """Everything that runs in this process."""

    settings: Settings
    db: Database
    waker: Waker
    clock: Callable[[], datetime]
    http: Http
    providers: Providers
    outside: Outside
    handlers: Handlers
    trail: AuditTrail
    in_flight: BytesInFlight
    server: EmbeddedServer | None = None  # our own PostgreSQL, if it is
    vitals: Vitals = field(default_factory=Vitals)
    demo: Demo | None = None
    intakes: list[Intake] = field(default_factory=list)
    last_words: list[Callable[[], Awaitable[None]]] = field(default_factory=list)

    def scope(self, tenant_id: TenantId, actor: str) -> TenantScope:
        """Somebody acts for a tenant."""
        return TenantScope(self.db, self.waker, next_jobs, tenant_id, actor, self.clock)

    def worker(self) -> Worker[Outside]:
        return Worker(
            self.db,
            self.waker,
            self.handlers,
            next_jobs,
            self.outside,
            slots=self.settings.slots,
            clock=self.clock,
            in_flight=self.in_flight,
        )

    def scheduler(self) -> Scheduler:
        publisher = EventPublisher(self.db, self.waker, next_jobs, self.clock)
        upkeep = timetable.upkeep(self.db, self.trail, publisher)
        return Scheduler(self.db, self.waker, timetable.LINES, self.clock, upkeep)

    def intake(self) -> Intake:
        self.intakes.append(Intake(self.db, self.waker, next_jobs, self.clock))
        return self.intakes[-1]

    async def sort_last_notifications(self) -> None:
        """Notifications of the last moment need not wait for the next poll, unless sorting takes too long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                await asyncio.gather(*(say() for say in self.last_words))
                await asyncio.gather(*(intake.sorted() for intake in self.intakes))


def utc_now() -> datetime:
    return datetime.now(UTC)


@contextlib.asynccontextmanager
async def open_house(settings: Settings, clock: Callable[[], datetime] = utc_now) -> AsyncIterator[House]:
    """Database, waker and the outside, ready to work; all closed at the end."""
    with _running(settings) as (dsn, server):
        async with contextlib.AsyncExitStack() as stack:
            db = await Database(dsn, size=max(4, min(settings.slots, 8))).open()
            stack.push_async_callback(db.close)
            if settings.traces_url:
                traces = open_traces(settings.traces_url)
                stack.callback(traces.close)
                stack.enter_context(collected_by(traces))
            waker = Waker(db)
            await waker.start()
            stack.push_async_callback(waker.stop)
            in_flight = BytesInFlight()
            http = await stack.enter_async_context(Http(forbidden=transaction_is_open, admit=in_flight.admit))
            sealing_key = settings.sealing_key.get_secret_value() if settings.sealing_key else None
            sealer = load_sealer(sealing_key, settings.home)
            archive = await stack.enter_async_context(_open_archive(settings, clock))
            tokens = _token_store(settings, SealedTokens(db, sealer, clock))
            providers = Providers(settings, db, http, tokens, sealer, clock, archive)
            stack.push_async_callback(providers.close)
            reader = ReaderPool(processes=READING_PROCESSES)
            stack.callback(reader.close)
            model = open_model(settings, clock, http)
            webhooks = await stack.enter_async_context(_webhook_session(settings, clock))
            outside = _outside(settings, providers, sealer, archive, reader, model, webhooks)
            handlers = Handlers.of(
                mailbox_jobs,
                sync_jobs,
                document_jobs,
                client_jobs,
                triage_jobs,
                reply_jobs,
                outbox_jobs,
                subscriber_jobs,
                forgetting,
            )
            trail = AuditTrail(db, sealer, clock, FolderAnchors(settings.home), ArchivedAnchors(archive))
            house = House(settings, db, waker, clock, http, providers, outside, handlers, trail, in_flight, server)
            stack.push_async_callback(house.sort_last_notifications)
            yield house


def _token_store(settings: Settings, ours: TokenStore) -> TokenStore:
    if settings.token_store == "database":  # noqa: S105 - the name of a place, not a secret
        return ours
    from postroom.outside.keys.ssm import open_parameter_store

    return open_parameter_store(os.environ)


def _open_archive(settings: Settings, clock: Callable[[], datetime]) -> Archive:
    url = settings.archive_url or (settings.home / "archive").absolute().as_uri()
    return open_blobs(url, options=os.environ, now=clock)


def _webhook_session(settings: Settings, clock: Callable[[], datetime]) -> WebhookSession:
    return WebhookSession(parse_allowed(settings.webhook_allow_hosts), clock, forbidden=transaction_is_open)


def _outside(
    settings: Settings,
    providers: Providers,
    sealer: Sealer,
    archive: Archive,
    reader: ReaderPool,
    model: Model | None,
    webhooks: WebhookPost,
) -> Outside:
    return Outside(
        open_mailbox=providers.open_mailbox,
        open_copilot=providers.open_copilot,
        label_namespace=settings.label_namespace,
        callbacks=providers.callbacks,
        client_state=providers.client_state,
        fetcher=providers,
        reader=reader,
        model=model,
        encoder=open_encoder(),
        archive=archive,
        sealer=sealer,
        webhooks=webhooks,
        backfill=timedelta(days=settings.backfill_days),
        furthest_back=timedelta(days=settings.resync_days),
        poll_every=timedelta(seconds=settings.poll_seconds),
    )


async def ensure_configured(house: House) -> MailboxId | None:
    """The tenant `default`, and the app-only mailbox that the settings name. Safe to repeat."""
    tenant_id = await tenants.ensure_tenant(house.db, "default")
    settings = house.settings
    if not settings.graph_mailbox_email:
        return None
    return await mailbox_commands.connect_configured(
        house.scope(tenant_id, "settings"),
        address=settings.graph_mailbox_email,
        provider="outlook",
        access="app_only",
        folder=settings.graph_mailbox_folder,
        connection={},
    )


@contextlib.contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The URL to run with: of the server that was named, or of our own, which is started if need be."""
    with _running(settings) as (dsn, _):
        yield dsn


@contextlib.contextmanager
def _running(settings: Settings) -> Iterator[tuple[str, EmbeddedServer | None]]:
    if settings.database_url is not None:
        url = settings.database_url.get_secret_value()
        bring_up_to_date(url, only_if_behind=True)
        yield url, None
        return
    server = EmbeddedServer(settings.home).start()
    try:
        migrate(server.dsn(), login="postroom")
        yield server.dsn(user="postroom"), server
    finally:
        server.stop()
