"""Connecting in a real browser: the link that a key asked for, and a callback that turns up in another browser."""

from __future__ import annotations

import re
from html import unescape

import aiohttp
import pytest

from doors.console.browsing import consent, enter
from doors.console.conftest import page, place  # noqa: F401 - fixtures
from doors.console.place import OUTLOOK, Place
from postroom.rooms.tenants import commands as tenants

pytestmark = pytest.mark.browser
CONNECTED = "SELECT count(*) FROM postroom.mailbox WHERE status = 'active'"


async def asks_with_a_key(place: Place) -> str:  # noqa: F811 - the fixture's value
    tenant = await tenants.ensure_tenant(place.house.db, "default")
    _, key = await tenants.create_key(place.house.scope(tenant, "test"), name="portal", role="admin")
    headers = {"Authorization": f"Bearer {key.reveal()}"}
    body = {"provider": "outlook", "address": OUTLOOK}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{place.url}/api/v1/mailboxes/connect", json=body, headers=headers) as answer,
    ):
        assert 201 == answer.status
        return (await answer.json())["url"]


async def test_a_person_who_is_sent_a_link_sees_for_whom_and_connects(place: Place, page):  # noqa: F811 - fixtures
    await page.goto(await asks_with_a_key(place))

    await page.get_by_role("heading", name="Let “default” read your mail?").wait_for()
    assert OUTLOOK in await page.locator("main").inner_text()
    assert "key portal" in await page.locator("main").inner_text()
    await page.get_by_role("link", name="Go on").click()
    await consent(page, OUTLOOK)
    await page.get_by_role("heading", name="The mailbox is connected").wait_for()

    assert 1 == place.ask(CONNECTED)


async def test_an_answer_that_turns_up_in_another_browser_is_refused_on_a_page(place: Place, page):  # noqa: F811 - fixtures
    """Somebody starts with their own mailbox, and sends the last step to a person who is signed in here."""
    await enter(place, page)
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as attacker:
        async with attacker.get(await asks_with_a_key(place)) as answer:
            on = unescape(re.search(r'href="(/oauth/[^"]+)"', await answer.text())[1])
        async with attacker.get(place.url + on, allow_redirects=False) as answer:
            there = answer.headers["Location"]
        async with attacker.get(f"{there}&auto=1", allow_redirects=False) as answer:
            callback = answer.headers["Location"]

    await page.goto(callback)

    await page.get_by_role("heading", name="Not allowed").wait_for()
    assert "another browser" in await page.locator("main").inner_text()
    assert 0 == place.ask(CONNECTED)
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'security.event'")
