"""Webhooks in the console: added with a secret that is shown once, tested, looked at, paused and removed."""

from __future__ import annotations

import asyncio
import os
import re

import pytest

from doors.console.browsing import enter, toast
from doors.console.place import Place
from postroom.outside.webhooks import WebhookSession
from rooms.subscribers.newsroom import open_receiver

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}


async def picture(page, name: str) -> None:
    """For whoever wants to look."""
    if folder := os.environ.get("POSTROOM_ORACLES"):
        for size, wanted in (("desktop", {"width": 1280, "height": 800}), ("phone", PHONE)):
            await page.set_viewport_size(wanted)
            await page.screenshot(path=f"{folder}/{name}-{size}.png", full_page=True)
        await page.set_viewport_size({"width": 1280, "height": 800})


async def test_a_webhook_is_added_tested_and_its_delivery_looked_at(place: Place, page):
    async with open_receiver() as receiver:
        house = place.house
        async with WebhookSession({receiver.url.removeprefix("http://")}, house.clock) as session:
            object.__setattr__(house.outside, "webhooks", session)
            await enter(place, page)
            await page.goto(f"{place.url}/settings/webhooks")
            await picture(page, "webhooks-empty")
            await page.get_by_label("Address").fill(f"{receiver.url}/hook")
            await page.get_by_label("mail.message.received").check()
            await page.get_by_role("button", name="Add", exact=True).click()
            secret = await page.locator("#secret-text").inner_text()
            assert re.fullmatch(r"whsec_[A-Za-z0-9+/=]{44}", secret)
            await page.get_by_role("link", name=f"{receiver.url}/hook").wait_for()
            await picture(page, "webhooks")
            await page.get_by_role("link", name=f"{receiver.url}/hook").click()
            await page.get_by_role("button", name="Send a test").click()
            await toast(page, "A test event is on its way.")
            worker = house.worker()
            running = asyncio.create_task(worker.run())
            await page.get_by_text("answered 200").wait_for()
            worker.stop()
            await running
            await picture(page, "webhook-deliveries")
            assert secret not in await page.content()
            await page.get_by_role("button", name="Send again").click()
            await toast(page, "It is sent again.")
            await page.get_by_role("button", name="Pause").click()
            await page.get_by_role("button", name="Resume").wait_for()
    assert 1 == len(receiver.of("/hook"))


async def test_figures_are_shown_by_mailbox(place: Place, page):
    await enter(place, page)
    await page.goto(f"{place.url}/figures")
    await page.get_by_role("heading", name="Figures").wait_for()
    await picture(page, "figures")
    await page.get_by_role("link", name="90 days").click()
    await page.wait_for_url(f"{place.url}/figures?days=90")
