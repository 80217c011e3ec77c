"""A mailbox that is shared with a person: connected with their grant, read as what it is, polled, and never mistaken."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from stories.office import Office, open_office
from stories.visitors import ANNA, consents, disconnects, goes_to, leaves

DEALING = "dealing@larkspur.example"
HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        opened.world.add_mailbox(ANNA, name="Anna", provider="graph")
        opened.world.add_mailbox(DEALING, name="Dealing", provider="graph")
        yield opened


async def connects_shared(office: Office, address: str = DEALING, person: str = ANNA, **more: str) -> tuple[int, str]:
    """Anna signs in as herself, for the mailbox that she shares with others."""
    url = await leaves(office, "outlook", address, shared="true", **more)
    return await goes_to(await consents(office, url, person))


async def polls(office: Office) -> None:
    office.world.clock.advance(timedelta(minutes=5))
    await office.fires_the_timetable("poll")
    await office.works()


async def test_a_shared_mailbox_is_connected_by_a_person_and_its_mail_comes_by_polling(office):
    office.receives(1, to=ANNA)
    office.receives(2, to=DEALING)

    status, back = await connects_shared(office)
    await office.works_until(HELD, 2)
    office.receives(1, to=DEALING)
    await polls(office)

    assert (303, f"/mailboxes?connected={DEALING.replace('@', '%40')}") == (status, back)
    assert 3 == office.arrived()  # and none of Anna's own
    assert DEALING == office.ask("SELECT address FROM postroom.mailbox")
    assert ANNA == office.ask("SELECT connection ->> 'granted_by' FROM postroom.mailbox")
    assert 0 == len(office.world.graph.subscriptions.all)  # a person's grant cannot watch it, and we do not try
    assert 0 == sum(1 for call in office.world.recorder.calls if "/subscriptions" in call.path)
    assert "active" == office.ask("SELECT status FROM postroom.mailbox")


async def test_only_then_is_more_asked_for_than_the_own_mailbox(office):
    plain, shared = await leaves(office, "outlook", ANNA), await leaves(office, "outlook", DEALING, shared="1")

    asked = [parse_qs(urlsplit(url).query) for url in (plain, shared)]

    assert "Shared" not in asked[0]["scope"][0]
    assert {"Mail.Read", "Mail.Read.Shared"} == {name for name in asked[1]["scope"][0].split() if "Mail." in name}
    assert [ANNA] == asked[0]["login_hint"]
    assert "login_hint" not in asked[1]  # nobody signs in as a shared mailbox


async def test_reconnecting_is_the_same_mailbox_although_nobody_says_that_it_is_shared(office):
    await connects_shared(office)
    await office.works()
    office.world.graph.revoke(ANNA)
    office.receives(1, to=DEALING)
    await polls(office)
    await office.works_until("SELECT status FROM postroom.mailbox", "token_refresh_failed")

    back = await consents(office, await leaves(office, "outlook", DEALING), ANNA)

    assert 303 == (await goes_to(back))[0]
    await office.works_until(HELD, 1)
    assert 1 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_a_person_without_access_is_told_what_to_do_and_nothing_is_kept(office):
    status, said = await connects_shared(office, "nowhere@larkspur.example")

    assert 400 == status
    assert f"{ANNA} may not read nowhere@larkspur.example" in said
    assert "Exchange admin center" in said
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox_token")


async def test_a_shared_permission_left_unticked_is_named(office):
    office.world.graph.entra.limits[ANNA] = frozenset({"User.Read", "Mail.Read", "Mail.ReadWrite"})

    status, said = await connects_shared(office)

    assert 400 == status
    assert "Mail.Read.Shared" in said


async def test_the_own_mailbox_asked_for_as_shared_is_just_the_own_one(office):
    assert 303 == (await connects_shared(office, ANNA))[0]
    await office.works()

    assert office.ask("SELECT connection ->> 'granted_by' FROM postroom.mailbox") is None
    assert 1 == len(office.world.graph.subscriptions.all)


async def test_own_and_shared_mailbox_of_one_person_are_two_with_a_grant_each(office):
    await connects_shared(office)
    back = await consents(office, await leaves(office, "outlook", ANNA))
    assert 303 == (await goes_to(back))[0]
    await office.works()
    office.receives(1, to=DEALING)
    office.receives(1, to=ANNA)
    await polls(office)

    assert 200 == (await disconnects(office, address=DEALING))[0]
    office.receives(1, to=ANNA)
    await office.works_until(HELD, 3)

    assert 1 == office.ask("SELECT count(*) FROM postroom.mailbox_token WHERE sealed IS NOT NULL")
