"""Connecting a mailbox over HTTP: who may, what is checked, and what is never believed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from stories.office import Office, open_office
from stories.visitors import ANNA, GREG, connects, consents, disconnects, everything_in, gives_gmail, goes_to, leaves

MAILBOXES = "SELECT count(*) FROM postroom.mailbox WHERE status <> 'disconnected'"


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        opened.world.add_mailbox(ANNA, name="Anna", provider="graph")
        yield opened


async def test_the_person_is_sent_with_a_fresh_state_a_challenge_and_the_one_redirect_address(office):
    first, second = await leaves(office, "outlook", ANNA), await leaves(office, "microsoft", ANNA)

    asked = {name: values[0] for name, values in parse_qs(urlsplit(first).query).items()}
    assert f"{office.url}/oauth/outlook/callback" == asked["redirect_uri"]
    assert ("S256", ANNA) == (asked["code_challenge_method"], asked["login_hint"])
    assert asked["state"] not in second
    assert len(asked["state"]) >= 40


async def test_the_verifier_is_sealed_while_the_person_is_away(office):
    url = await leaves(office, "outlook", ANNA)

    challenge = parse_qs(urlsplit(url).query)["code_challenge"][0]
    assert challenge not in everything_in(office, "postroom.consent")
    assert 1 == office.ask("SELECT count(*) FROM postroom.consent WHERE length(verifier) > 64")


async def test_a_state_is_good_for_one_use_and_for_its_provider_only(office):
    gives_gmail(office)
    back = await consents(office, await leaves(office, "outlook", ANNA))

    assert 400 == (await goes_to(back.replace("/oauth/outlook/", "/oauth/gmail/")))[0]
    assert 303 == (await goes_to(back))[0]
    status, said = await goes_to(back)

    assert 400 == status
    assert "was used already" in said
    assert 1 == office.ask(MAILBOXES)


async def test_a_state_that_was_not_given_out_here_connects_nothing(office):
    back = await consents(office, await leaves(office, "outlook", ANNA))
    code = parse_qs(urlsplit(back).query)["code"][0]

    for query in (f"code={code}&state=made-up", f"code={code}", "state=x", ""):
        assert 400 == (await goes_to(f"{office.url}/oauth/outlook/callback?{query}"))[0]

    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_a_consent_that_took_too_long_is_started_anew(office):
    url = await leaves(office, "outlook", ANNA)
    office.world.clock.advance(timedelta(minutes=16))

    status, said = await goes_to(await consents(office, url))

    assert 400 == status
    assert "took too long" in said
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_signing_in_as_somebody_else_connects_nothing_and_says_who(office):
    office.world.add_mailbox("other@larkspur.example", name="Other", provider="graph")

    status, said = await goes_to(
        await consents(office, await leaves(office, "outlook", ANNA), "other@larkspur.example")
    )

    assert 400 == status
    assert ANNA in said
    assert "other@larkspur.example" in said
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox_token")


async def test_permissions_that_were_left_unticked_are_named_and_nothing_is_kept(office):
    office.world.graph.entra.limits[ANNA] = frozenset({"User.Read", "Mail.Read"})

    status, said = await connects(office, "outlook", ANNA)

    assert 400 == status
    assert "Mail.ReadWrite" in said
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_a_no_is_said_in_words(office):
    url = f"{office.url}/oauth/gmail/callback?error=access_denied&error_description=The+person+said+no&state=x"

    status, said = await goes_to(url)

    assert 400 == status
    assert "The person said no" in said


async def test_a_page_elsewhere_is_never_returned_to(office):
    elsewhere = ("https://evil.example/", "//evil.example/", "/\\evil.example/", "/\t/evil.example", "\\\\evil.example")
    for return_to in elsewhere:
        back = await consents(office, await leaves(office, "outlook", ANNA, return_to=return_to))

        assert (303, f"/mailboxes?connected={ANNA.replace('@', '%40')}") == await goes_to(back)

    back = await consents(office, await leaves(office, "outlook", ANNA, return_to="/settings"))
    assert (await goes_to(back))[1].startswith("/settings?")


async def test_the_names_of_seed_b_lead_to_the_same(office):
    gives_gmail(office)
    for provider, address in (("outlook", ANNA), ("gmail", GREG)):
        status, body = await office.get(f"/api/email/connect?provider={provider}&address={address}")
        back = await consents(office, body["url"])
        alias = f"{office.url}/api/email/oauth/callback?provider={provider}&{urlsplit(back).query}"

        assert (200, 303) == (status, (await goes_to(alias))[0])

    assert 2 == office.ask(MAILBOXES)


async def test_only_an_administrator_connects_and_disconnects(office):
    for headers in ({}, {"Authorization": "Bearer nonsense"}):
        assert 401 == (await office.post("/api/email/disconnect", headers=headers))[0]
    assert 401 == (await goes_to(f"{office.url}/oauth/outlook/authorize"))[0]
    headers = {"Authorization": f"Bearer {await office.key('operator')}"}
    assert 403 == (await office.post("/api/email/disconnect", headers=headers))[0]


async def test_what_cannot_be_connected_or_disconnected_is_said_clearly(office):
    assert 404 == (await office.get("/oauth/fax/authorize"))[0]
    assert 404 == (await disconnects(office, address="nobody@larkspur.example"))[0]
    headers = {"Authorization": f"Bearer {await office.key()}", "Content-Type": "application/json"}
    for body in (b"{", b"[]", b"7"):
        assert 400 == (await office.post("/api/email/disconnect", headers=headers, data=body))[0]
