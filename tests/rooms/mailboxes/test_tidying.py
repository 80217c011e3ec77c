"""What connecting and disconnecting left behind goes by the clock; what is still needed stays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from postroom.nouns.ids import MailboxId, new_id
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.rooms.mailboxes import store
from stories.office import Office, open_office
from stories.visitors import ANNA, connects, consents, disconnects, goes_to, leaves

CONSENTS = "SELECT count(*) FROM postroom.consent"


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        opened.world.add_mailbox(ANNA, name="Anna", provider="graph")
        yield opened


async def tidies(office: Office) -> None:
    await office.fires_the_timetable("tidy connections")
    await office.works()


async def test_consents_nobody_came_back_from_go_and_those_on_their_way_stay(office):
    await leaves(office, "outlook", ANNA)
    office.world.clock.advance(timedelta(minutes=16))
    on_its_way = await leaves(office, "outlook", ANNA)

    await tidies(office)

    assert 1 == office.ask(CONSENTS)
    assert 303 == (await goes_to(await consents(office, on_its_way)))[0]


async def test_old_subscriptions_go_after_three_months_and_the_living_one_stays(office):
    await connects(office, "outlook", ANNA)
    await office.works()
    office.own(
        "INSERT INTO padealing.graph_subscription_state (subscription_id, resource, notification_url, expiration_datetime,"
        " status, tenant_id, mailbox_id) SELECT 'old-' || days, 'r', 'u', %s - make_interval(days => days), 'expired',"
        " tenant_id, id FROM postroom.mailbox, unnest(ARRAY[30, 100]) days",
        office.world.clock.now(),
    )

    await tidies(office)

    left = office.ask("SELECT array_agg(status::text ORDER BY status) FROM padealing.graph_subscription_state")
    assert ["active", "expired"] == left


async def test_a_place_whose_connecting_never_ended_goes_with_its_tokens_after_a_day(office):
    await connects(office, "outlook", ANNA)
    tenant = office.ask("SELECT tenant_id FROM postroom.mailbox")
    scope = office.house.scope(tenant, "test")
    ids = []
    for address, age in (("yesterday@larkspur.example", 25), ("now@larkspur.example", 1)):
        async with scope.finish() as tx:
            now = scope.now - timedelta(hours=age)
            made = await store.reserve(tx, tenant, MailboxId(new_id()), now, "outlook", address, "delegated")
        await office.house.providers.tokens.put(
            tenant, made, TokenSet(Secret("a"), Secret("r"), scope.now + timedelta(hours=1))
        )
        ids.append(made)

    await tidies(office)

    assert [ANNA, "now@larkspur.example"] == office.ask(
        "SELECT array_agg(address ORDER BY address) FROM postroom.mailbox"
    )
    assert await office.house.providers.tokens.get(tenant, ids[0]) is None
    assert await office.house.providers.tokens.get(tenant, ids[1]) is not None


async def test_a_disconnected_mailbox_stays_with_its_mail_and_without_an_empty_token(office):
    await connects(office, "outlook", ANNA)
    await office.works()
    await disconnects(office, address=ANNA)
    office.world.clock.advance(timedelta(days=2))

    await tidies(office)

    assert 1 == office.ask("SELECT count(*) FROM postroom.mailbox")
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox_token")
