"""Connecting a mailbox over HTTP: who may, what is checked, and what is never believed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import aiohttp
import pytest

from postroom.rooms.tenants import commands as tenants
from stories.office import Office, open_office
from stories.visitors import (
    ANNA,
    GREG,
    Cookies,
    connects,
    consents,
    disconnects,
    everything_in,
    gives_gmail,
    goes_to,
    leaves,
)

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

    status, said = await connects(office, "outlook", ANNA, capability="draft")

    assert 400 == status
    assert "Mail.ReadWrite" in said
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_a_no_is_said_in_words(office):
    url = f"{office.url}/oauth/gmail/callback?error=access_denied&error_description=The+person+said+no&state=x"

    status, said = await goes_to(url)

    assert 400 == status
    assert "The person said no" in said


async def test_a_sign_in_that_was_given_up_cannot_be_finished_later(office):
    mine: Cookies = {}
    back = await consents(office, await leaves(office, "outlook", ANNA, mine))
    state = parse_qs(urlsplit(back).query)["state"][0]

    refused, _ = await goes_to(f"{office.url}/oauth/outlook/callback?error=access_denied&state={state}", mine)
    late, _ = await goes_to(back, mine)

    assert (400, 400) == (refused, late)
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


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
        url = f"{office.url}/api/email/connect?provider={provider}&address={address}"
        status, there = await goes_to(url, Authorization=f"Bearer {await office.key()}")
        back = await consents(office, there)
        alias = f"{office.url}/api/email/oauth/callback?provider={provider}&{urlsplit(back).query}"

        assert (302, 303) == (status, (await goes_to(alias))[0])

    assert 2 == office.ask(MAILBOXES)


# to whom a consent belongs


REFUSED = "SELECT body ->> 'what' FROM postroom.fact WHERE kind = 'security.event'"


async def has_person(office: Office, email: str, tenant: str = "default") -> Cookies:
    """Somebody with a session in a browser of their own."""
    tenant_id = await tenants.ensure_tenant(office.house.db, tenant)
    scope = office.house.scope(tenant_id, "test")
    await tenants.add_person(scope, email, name="", role="admin", password="correct horse battery")
    house, arrival = office.house, tenants.SignInSource("127.0.0.1", "test")
    session = await tenants.enter_with_password(
        house.db, house.scope, email, "correct horse battery", arrival, house.clock(), tenant
    )
    return {"postroom-session": session.reveal()}


async def starts(office: Office, browser: Cookies, **asked: str) -> str:
    url = f"{office.url}/oauth/outlook/authorize?{urlencode({'address': ANNA, **asked})}"
    status, there = await goes_to(url, browser)
    assert 302 == status, there
    return there


async def asks_with_a_key(office: Office) -> str:
    status, body = await office.get(f"/api/email/connect?provider=outlook&address={ANNA}")
    assert 200 == status
    return body["url"]


def goes_on(page: str, office: Office) -> str:
    return office.url + unescape(re.search(r'href="(/oauth/[^"]+)"', page)[1])


async def test_a_callback_in_another_browser_connects_nothing_and_the_tenant_learns_of_it(office):
    back = await consents(office, await leaves(office, "outlook", ANNA))

    status, said = await goes_to(back, browser={}, Accept="text/html")

    assert 403 == status
    assert "another browser" in said
    assert "<h1>" in said
    assert f"connecting {ANNA} was refused" in office.ask(REFUSED)
    assert "127.0.0.1" == office.ask("SELECT body ->> 'source' FROM postroom.fact WHERE kind = 'security.event'")
    assert 400 == (await goes_to(back))[0]  # and the state is spent
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_a_person_connects_in_the_browser_they_started_in(office):
    browser = await has_person(office, "olga@house.test")

    status, there = await goes_to(await consents(office, await starts(office, browser)), browser)

    assert (303, "/mailboxes?connected=anna%40larkspur.example") == (status, there)
    assert "person:olga@house.test" == office.ask("SELECT actor FROM postroom.fact WHERE kind = 'mailbox.connected'")


@pytest.mark.parametrize(
    ("other", "because"),
    [("pia@house.test", "another person"), ("", "not signed in"), ("eve@elsewhere.test", "another tenant")],
)
async def test_what_one_person_started_no_other_finishes_in_the_same_browser(office, other, because):
    browser = await has_person(office, "olga@house.test")
    back = await consents(office, await starts(office, browser))
    del browser["postroom-session"]
    if other:
        browser |= await has_person(office, other, "elsewhere" if "elsewhere" in other else "default")

    status, said = await goes_to(back, browser)

    assert 403 == status
    assert because in said
    assert because in office.ask(REFUSED)
    assert "eve@" not in office.ask(
        "SELECT string_agg(f::text, ' ') FROM postroom.fact f WHERE kind = 'security.event'"
    )
    assert 0 == office.ask("SELECT count(*) FROM postroom.mailbox")


async def test_two_mailboxes_may_be_on_their_way_in_one_browser(office):
    office.world.add_mailbox("other@larkspur.example", name="Other", provider="graph")
    first, second = await leaves(office, "outlook", ANNA), await leaves(office, "outlook", "other@larkspur.example")

    for url in (first, second):
        assert 303 == (await goes_to(await consents(office, url)))[0]

    assert 2 == office.ask(MAILBOXES)


async def test_a_key_is_given_a_link_and_whoever_opens_it_is_told_for_whom(office):
    url, browser = await asks_with_a_key(office), {}
    assert url.startswith(f"{office.url}/oauth/outlook/authorize?ticket=")

    status, page = await goes_to(url, browser)
    there = (await goes_to(goes_on(page, office), browser))[1]
    back = await consents(office, there)

    assert 200 == status
    assert "Let “default” read your mail?" in page
    assert ANNA in page
    assert 303 == (await goes_to(back, browser))[0]
    assert 1 == office.ask(MAILBOXES)


async def test_nobody_can_be_sent_past_the_question(office):
    url = await asks_with_a_key(office)
    theirs = goes_on((await goes_to(url, {}))[1], office)  # what an attacker can see in their own browser

    status, page = await goes_to(theirs, {})

    assert (200, True) == (status, "read your mail?" in page)


async def test_somebody_signed_in_at_the_same_tenant_is_not_asked_twice(office):
    browser = await has_person(office, "olga@house.test")

    status, there = await goes_to(await asks_with_a_key(office), browser)

    assert 302 == status
    assert 303 == (await goes_to(await consents(office, there), browser))[0]


async def test_a_link_belongs_to_the_first_browser_and_not_to_another_tenant(office):
    url = await asks_with_a_key(office)
    stranger = await has_person(office, "eve@elsewhere.test", "elsewhere")
    assert 403 == (await goes_to(url, stranger))[0]
    browser = await has_person(office, "olga@house.test")
    assert 302 == (await goes_to(url, browser))[0]

    status, said = await goes_to(url, {})

    assert 400 == status
    assert "Ask for a new one" in said


async def test_a_link_is_good_for_a_quarter_of_an_hour(office):
    url = await asks_with_a_key(office)
    office.world.clock.advance(timedelta(minutes=16))

    assert 400 == (await goes_to(url, {}))[0]


async def test_the_database_does_not_tell_what_the_browser_or_the_link_holds(office):
    url, browser = await asks_with_a_key(office), {}
    await goes_to(url, browser)

    stolen = everything_in(office, "postroom.consent")

    for secret in (parse_qs(urlsplit(url).query)["ticket"][0], *browser.values()):
        assert secret not in stolen
        assert secret.encode().hex() not in stolen


async def test_the_cookie_is_for_us_alone_and_not_for_scripts(office):
    url = f"{office.url}/oauth/outlook/authorize?address={ANNA}"
    headers = {"Authorization": f"Bearer {await office.key()}"}
    async with (
        aiohttp.ClientSession() as session,
        session.get(url, allow_redirects=False, headers=headers) as answer,
    ):
        [cookie] = answer.headers.getall("Set-Cookie")

    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Max-Age=900" in cookie


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("provider=gmail&shared=1&address=a@b.example", "no shared mailboxes"),
        ("provider=outlook&shared=1", "which shared mailbox"),
        ("provider=outlook&address=nobody", "not a mail address"),
    ],
)
async def test_a_wish_that_cannot_be_is_explained(office, query, said):
    status, body = await office.get(f"/api/email/connect?{query}")

    assert 400 == status
    assert said in body["detail"]


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
