"""Every page at desktop and phone width, light and dark: it fits, and everybody can use it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from doors.console.browsing import DESKTOP, PHONE, draw, enter
from doors.console.place import Place, a_day, put_aside
from needs import need_package
from postroom.rooms.outbox import commands as outbox
from postroom.rooms.outbox.commands import MailChanges, WantedMail

pytestmark = pytest.mark.browser
OIDC = Path(__file__).parent / "oidc"
AXE = OIDC / "node_modules" / "axe-core" / "axe.min.js"
# All rules while it is light; dark differs in its colours only.
RULES = {"light": "{resultTypes: ['violations']}", "dark": "{runOnly: ['color-contrast'], resultTypes: ['violations']}"}


async def every_page(place: Place) -> dict[str, str]:
    document = place.ask(
        "SELECT id FROM postroom.document WHERE status = 'review' AND kind = 'contract_note' ORDER BY id LIMIT 1"
    )
    bill = place.ask(
        "SELECT id FROM postroom.document WHERE kind = 'invoice' AND content_type = 'application/pdf' ORDER BY id LIMIT 1"
    )
    message = place.ask("SELECT message_id FROM postroom.document WHERE id = %s", document)
    job = place.ask("SELECT job_id FROM postroom.attempt ORDER BY id DESC LIMIT 1")
    return {
        "overview": "/",
        "documents": "/documents",
        "document": f"/documents/{document}",
        "invoice": f"/documents/{bill}",
        "messages": "/messages",
        "message": f"/messages/{message}",
        "mailboxes": "/mailboxes",
        "mailbox": f"/mailboxes/{place.ask('SELECT id FROM postroom.mailbox ORDER BY address LIMIT 1')}",
        "inbox": "/inbox?view=all",
        "outbox": "/outbox",
        "proposal": f"/outbox/{place.ask('SELECT id FROM postroom.proposal ORDER BY id LIMIT 1')}",
        "new-mail": f"/outbox/new?kind=forward&message={message}",
        "figures": "/figures",
        "clients": "/clients",
        "accounts": "/accounts",
        "trades": "/trades",
        "orders": "/orders",
        "invoices": "/invoices",
        "attempts": "/attempts",
        "attempt": f"/attempts/{job}",
        "audit": "/audit",
        "settings": "/settings",
        "settings-people": "/settings/people",
        "settings-keys": "/settings/keys",
        "settings-senders": "/settings/senders",
        "settings-passwords": "/settings/passwords",
        "settings-policy": "/settings/policy",
        "settings-retention": "/settings/retention",
        "settings-mapping": "/settings/mapping",
        "settings-sending": "/settings/sending",
        "settings-replies": "/settings/replies",
        "evidence": "/evidence",
        "demo": "/demo",
        "signin": "/signin",
    }


async def propose(place: Place) -> None:
    """A mail that waits for a yes, and was changed once."""
    scope, outside = place.house.scope(place.tenant, "person:nora@larkspur.example"), place.house.outside
    mailbox = place.ask("SELECT id FROM postroom.mailbox ORDER BY address LIMIT 1")
    letter = WantedMail(
        "Dear Anna,\n\nthe rooms are kept.\n", mailbox_id=mailbox, to=["anna@client.test"], subject="Your rooms"
    )
    made = await outbox.propose(scope, outside, letter)
    await outbox.revise(scope, outside, made.id, made.hash, MailChanges(body="Dear Anna,\n\nboth rooms are kept.\n"))


async def shown(page, place: Place, name: str, path: str) -> None:
    await page.goto(place.url + path)
    await page.wait_for_load_state("networkidle" if name == "signin" else "load")
    if name in ("document", "invoice"):
        await page.locator("#sheet svg image").wait_for()
    if name == "overview":
        await page.locator("#flows svg").first.wait_for()


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("shape", "size"), [("desktop", DESKTOP), ("phone", PHONE)])
async def test_every_page_fits_and_is_accessible_light_and_dark(place: Place, chromium, shape, size):
    """Also draws the pictures of docs/screens, when SCREENS_TO names a folder."""
    need_package(OIDC, "axe-core")
    folder = os.environ.get("SCREENS_TO")
    await a_day(place, 30 if folder else 10)  # a list of ten shows all that one of thirty does
    await put_aside(place, 1)
    await propose(place)
    overflowing, serious = [], []
    context = await chromium.new_context(viewport=size, bypass_csp=True, reduced_motion="reduce")
    page = await context.new_page()
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    for name, path in (await every_page(place)).items():
        if name == "signin":
            await context.clear_cookies()
        await page.emulate_media(color_scheme="light")
        await shown(page, place, name, path)
        if await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            overflowing.append(name)
        await page.add_script_tag(path=AXE)
        for scheme, rules in RULES.items():
            await page.emulate_media(color_scheme=scheme)
            found = await page.evaluate(f"axe.run(document, {rules})")
            serious += [
                f"{name} {scheme}: {each['id']} {each['nodes'][0]['html'][:200]}"
                for each in found["violations"]
                if each["impact"] in ("serious", "critical")
            ]
            if folder and (scheme == "light" or name in ("overview", "document", "messages")):
                await draw(page, Path(folder, f"{name}-{shape}{'-dark' if scheme == 'dark' else ''}.png"))
    await context.close()

    assert [] == overflowing
    assert [] == serious


async def test_light_and_dark_are_remembered(place: Place, page):
    await enter(place, page)
    await page.get_by_role("button", name="Light or dark").click()
    await page.goto(f"{place.url}/messages")

    assert "dark" == await page.evaluate("document.documentElement.dataset.theme")
