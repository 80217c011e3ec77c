"""On a phone: a row of every list keeps what one decides by, and every form can be filled in."""

from __future__ import annotations

import os

import pytest

from doors.console.browsing import PHONE, enter
from doors.console.desk_book import mapped, with_book
from doors.console.place import Place, hand_in
from doors.console.test_threads import at_the_inbox

pytestmark = pytest.mark.browser


async def test_a_row_keeps_what_one_decides_by(place: Place, chromium):
    admin, _ = await at_the_inbox(place)
    await with_book(place)
    await mapped(place)
    await hand_in(place, admin, 1)
    [(isin, net)] = place.own("SELECT isin, to_char(net, 'FM999,999,999.00') FROM postroom.trade")
    context = await chromium.new_context(viewport=PHONE)
    page = await context.new_page()
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    missing: list[str] = []
    for path, wanted in {
        "/messages": ["The second night", "Anna Ash"],
        "/inbox": ["The second night", "anna@client.test", "needs review"],
        "/documents?status=all": ["note-1.pdf", "to review"],
        "/trades": [isin, net, "review"],
        "/clients": ["Rooms", "tessa@bridgework.example", "ACME"],
    }.items():
        await page.goto(place.url + path)
        rows = " ".join(await page.locator("tr[data-row]").all_inner_texts()).lower()
        missing += [f"{path}: {word}" for word in wanted if word.lower() not in rows]
    await context.close()

    assert [] == missing


@pytest.mark.parametrize(
    ("path", "opener", "field", "button"),
    [
        ("/accounts", "Add an account", "Domains", "Add"),
        ("/accounts/{account}", "Change", "Domains", "Keep"),
        ("/orders", "Add an order", "Quantity", "Add"),
        ("/settings/people", "", "Mail address", "Add"),
        ("/settings/passwords", "", "Name", "Keep"),
        ("/settings/senders", "", "Address or domain", "Trust"),
        ("/settings/keys", "", "What for", "Make"),
    ],
)
async def test_a_form_is_there_and_can_be_filled_in(place: Place, page, path, opener, field, button):
    await with_book(place)
    await page.set_viewport_size(PHONE)
    await enter(place, page)
    account = place.ask("SELECT id FROM postroom.account WHERE code = 'ACME'")
    await page.goto(place.url + path.format(account=account))
    if opener:
        await page.get_by_role("button", name=opener).click()
    form = page.locator("dialog[open] form" if opener else "main form.wide")
    await form.get_by_label(field).fill("12")

    assert await form.get_by_role("button", name=button, exact=True).is_visible()
    assert not await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    if folder := os.environ.get("SCREENS_TO"):
        await page.screenshot(path=f"{folder}/phone{path.replace('/', '-')}.png")
