"""People who connect mailboxes: they leave for the provider, say yes there, and come back with a code."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import aiohttp

from stories.office import PUSH_ACCOUNT, SUBSCRIPTION, TOPIC, Office

ANNA, GREG = "anna@larkspur.example", "greg@gmail.example"
Cookies = dict[str, str]
USUAL: dict[str, Cookies] = {}  # what the usual browser holds, for each host


async def goes_to(url: str, browser: Cookies | None = None, **headers: str) -> tuple[int, str]:
    """One step of the usual browser, or of another: the status, and where it is sent, or what it is shown."""
    held = USUAL.setdefault(urlsplit(url).netloc, {}) if browser is None else browser
    jar = aiohttp.DummyCookieJar()
    async with (
        aiohttp.ClientSession(cookie_jar=jar) as session,
        session.get(url, allow_redirects=False, cookies=held, headers=headers) as answer,
    ):
        held |= {name: cookie.value for name, cookie in answer.cookies.items()}
        return answer.status, answer.headers.get("Location") or await answer.text()


async def leaves(
    office: Office, provider: str, address: str | None = None, browser: Cookies | None = None, **more: str
) -> str:
    """Start connecting; where the person is sent."""
    asked = urlencode({**({"address": address} if address else {}), **more})
    url = f"{office.url}/oauth/{provider}/authorize?{asked}"
    status, there = await goes_to(url, browser, Authorization=f"Bearer {await office.key()}")
    assert 302 == status, there
    return there


async def consents(office: Office, url: str, account: str = "") -> str:
    """The person signs in, as whom they were asked to unless `account` says otherwise; where they come back to."""
    office.world.graph.entra.auto_sign_in = True
    office.world.faults.turn(auto_consent=True)
    parts = urlsplit(url)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    asked |= {"login_hint": account} if account else {}
    status, back = await goes_to(f"{parts.scheme}://{parts.netloc}{parts.path}?{urlencode(asked)}")
    assert 302 == status, back
    return back


async def connects(office: Office, provider: str, address: str, **more: str) -> tuple[int, str]:
    return await goes_to(await consents(office, await leaves(office, provider, address, **more), address))


def gives_gmail(office: Office, address: str = GREG) -> None:
    """A Gmail mailbox, and Pub/Sub that pushes to us."""
    office.world.add_mailbox(address, name="Greg", provider="gmail")
    url, audience = f"{office.url}/webhooks/gmail", "https://postroom.example/gmail"
    if SUBSCRIPTION not in office.world.google.broker.subscriptions:
        office.world.google.add_push_subscription(SUBSCRIPTION, TOPIC, url, audience, PUSH_ACCOUNT)


def everything_in(office: Office, table: str) -> str:
    """All of a table as text: what somebody who stole a copy of the database would read."""
    return str(office.ask(f"SELECT string_agg(t::text, ' ') FROM {table} t"))


def secrets_of(office: Office) -> list[str]:
    """Every token that the simulated Microsoft and Google ever gave out."""
    tokens, grants = office.world.graph.entra.tokens, office.world.google.grants
    return [*tokens.refresh, *tokens.access, *grants.by_refresh]


async def disconnects(office: Office, **which: Any) -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {await office.key()}"}
    return await office.post("/api/email/disconnect", json=which, headers=headers)
