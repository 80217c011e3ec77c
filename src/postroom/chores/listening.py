"""Notifications without a webhook: Pub/Sub pull, and IMAP IDLE."""

from __future__ import annotations

import asyncio
import contextlib
from uuid import UUID

import structlog

from postroom.app.house import House
from postroom.db.errors import DatabaseError
from postroom.logs import words
from postroom.nouns.errors import PostroomError
from postroom.nouns.ids import TenantId
from postroom.nouns.provider_traits import traits
from postroom.outside.gmail.pubsub import PubSubPull
from postroom.outside.gmail.service_account import ServiceAccountAccess
from postroom.rooms.mailboxes import store, watch_store
from postroom.rooms.sync.notifications import MailboxNotification
from postroom.rooms.tenants import store as tenants

PAUSE_SECONDS = 5.0
IDLE_SECONDS = 240.0  # before IDLE is begun anew
LOOK_AGAIN_SECONDS = 30.0  # before new mailboxes are noticed
log = structlog.get_logger()


async def listen(house: House) -> None:
    """Until cancelled. A second node that listens too costs a notification more, and nothing else."""
    await asyncio.gather(_pull(house), _idle(house))


async def _pull(house: House) -> None:
    settings = house.settings
    if not settings.gmail_pull or not settings.gmail_subscription:
        return
    token = None
    if settings.google_credentials is not None:
        key = await asyncio.to_thread(settings.google_credentials.read_bytes)
        token = ServiceAccountAccess(house.http, key, token_url=settings.google_token_url, now=house.clock)
    pull = PubSubPull(house.http, settings.google_pubsub_url, settings.gmail_subscription, token, house.clock)
    intake = house.intake()
    while True:
        try:
            pulled = await pull.pull()
            addresses = [each.notification.address for each in pulled if each.notification is not None]
            owners = await watch_store.address_owners(house.db, addresses) if addresses else []
            await intake.put([MailboxNotification(each.tenant_id, each.mailbox_id) for each in owners])
            await pull.acknowledge([each.ack_id for each in pulled])  # only what is written down
        except (PostroomError, DatabaseError) as problem:
            log.warning("pull failed", **words(problem))
            await asyncio.sleep(PAUSE_SECONDS)


async def _idle(house: House) -> None:
    listening: dict[UUID, asyncio.Task[None]] = {}
    try:
        while True:
            with contextlib.suppress(DatabaseError):  # said by whoever needs it sooner
                for tenant in await tenants.all_tenants(house.db):
                    for mailbox in await _imap_mailboxes(house, tenant.tenant_id):
                        if mailbox.id not in listening or listening[mailbox.id].done():
                            listening[mailbox.id] = asyncio.create_task(_follow(house, mailbox))
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
    finally:
        for task in listening.values():
            task.cancel()
        await asyncio.gather(*listening.values(), return_exceptions=True)


async def _imap_mailboxes(house: House, tenant_id: TenantId) -> list[store.Mailbox]:
    async with house.scope(tenant_id, "listener").read() as tx:
        return [
            each
            for each in await store.mailboxes(tx)
            if traits(each.provider).push == "idle" and each.status == "active"
        ]


async def _follow(house: House, mailbox: store.Mailbox) -> None:
    """Ends on the first trouble; it is begun anew a little later, if the mailbox is still served."""
    intake = house.intake()
    try:
        provider = await house.providers.imap(mailbox.tenant_id, mailbox)
        try:
            while True:
                if await provider.wait_for_news(IDLE_SECONDS):
                    await intake.put([MailboxNotification(mailbox.tenant_id, mailbox.id)])
        finally:
            await provider.close()
    except Exception as problem:  # noqa: BLE001 - whatever ended it, it is begun anew
        log.warning("IMAP listening ended", mailbox=str(mailbox.id), **words(problem))
