"""Mail reaches us although no provider can reach our webhook."""

from __future__ import annotations

import asyncio

import pytest

from postroom.chores.listening import listen
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import commands
from postroom.rooms.tenants import commands as tenants
from stories.office import SUBSCRIPTION, TOPIC, open_office


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path):
    async with open_office(
        dsn, owner_dsn, str(tmp_path), start=False, gmail_pull=True, graph_mailbox_email=None
    ) as opened:
        yield opened


async def test_a_gmail_message_is_heard_of_by_pulling_from_pubsub(office):
    office.world.add_mailbox("desk@gmail.test", provider="gmail")
    office.world.google.add_topic(TOPIC)
    office.world.google.add_pull_subscription(SUBSCRIPTION, TOPIC)
    office.world.google.pubsub.pull_wait = 0.2
    office.world.faults.turn(one_push_a_second=False)
    tenant = await tenants.ensure_tenant(office.house.db, "default")
    grant = office.world.google.grant("desk@gmail.test", "app")
    scope = office.house.scope(tenant, "test")
    await commands.connect_granted(
        scope, office.house.providers, "gmail", "desk@gmail.test", Secret(grant.refresh_token)
    )
    await office.works()
    listening = asyncio.create_task(listen(office.house))
    try:
        office.receives(1, to="desk@gmail.test")
        await office.works_until("SELECT count(*) FROM postroom.message WHERE state = 'arrived'", 1)
        assert 0 < office.count("mailbox.notification_received")
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
