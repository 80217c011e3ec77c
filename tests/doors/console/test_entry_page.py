"""A paper of another kind in review: shown as it is, with its amounts on the page, and booked by a person."""

from __future__ import annotations

import os
from datetime import date

import pytest

from doors.console.browsing import DESKTOP, PHONE, enter
from doors.console.place import Place
from postroom.rooms.documents import commands
from postroom_simulators.papers import dividend_advice


@pytest.mark.browser
async def test_a_dividend_is_shown_marked_corrected_and_booked(place: Place, page):
    scope = place.house.scope(place.tenant, "nora@larkspur.example")
    document = await commands.upload(scope, dividend_advice(date(2026, 2, 4), 1).pdf, "Dividende.pdf")
    await place.works()
    await enter(place, page)
    for width, size in (("phone", PHONE), ("desktop", DESKTOP)):
        await page.set_viewport_size(size)
        await page.goto(f"{place.url}/documents/{document}")
        await page.locator("rect.amount").first.wait_for(state="attached")
        if folder := os.environ.get("POSTROOM_ORACLES"):
            await page.screenshot(path=f"{folder}/dividend-{width}.png", full_page=True)
        assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert "Dividend ·" in await page.locator(".head").inner_text()
    await page.get_by_label("Net", exact=True).fill("151.00")
    await page.get_by_label("Net", exact=True).press("Enter")
    await page.get_by_role("heading", name="Corrections").wait_for()
    await page.get_by_role("button", name="Confirm").click()
    await page.get_by_text("Dividend booked").first.wait_for()

    await page.goto(f"{place.url}/bookings?status=confirmed")
    row = page.locator("#bookings [data-row]")
    assert ["151.00", "Dividend"] == [word for word in ("151.00", "Dividend") if word in await row.inner_text()]
    await page.set_viewport_size(PHONE)
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    assert ("confirmed", "151") == (
        place.ask("SELECT status FROM postroom.booking"),
        place.ask("SELECT entry ->> 'net' FROM postroom.booking"),
    )
