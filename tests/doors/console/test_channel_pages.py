"""Channels and topics in the console: made, changed, switched off, tried on a text, removed."""

from __future__ import annotations

import os

import pytest

from doors.console.browsing import enter, toast
from doors.console.place import Place

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}


async def picture(page, name: str) -> None:
    """For whoever wants to look."""
    if folder := os.environ.get("POSTROOM_ORACLES"):
        for size, wanted in (("desktop", {"width": 1280, "height": 800}), ("phone", PHONE)):
            await page.set_viewport_size(wanted)
            await page.screenshot(path=f"{folder}/{name}-{size}.png", full_page=True)
        await page.set_viewport_size({"width": 1280, "height": 800})


async def try_text(page, text: str, sender: str = "") -> str:
    form = page.locator("form[hx-post='/settings/try']")
    await form.get_by_label("From").fill(sender)
    await form.get_by_label("Text").fill(text)
    await page.locator("#tried").evaluate("node => node.replaceChildren()")
    async with page.expect_response("**/settings/try"):
        await form.get_by_role("button", name="Try").click()
    return await page.locator("#tried dl").text_content()  # also while what stays is set aside for a moment


async def test_a_channel_is_added_tried_changed_switched_off_and_removed(place: Place, page):
    await enter(place, page)
    await page.goto(f"{place.url}/settings/channels")
    await picture(page, "channels-empty")
    add = page.locator("form[hx-post='/settings/channels']")
    await add.get_by_label("Name").fill("Furniture")
    await add.get_by_label("Words").fill("sofa, table")
    await add.get_by_role("button", name="Add").click()
    row = page.locator("tr[data-row]")
    await row.get_by_text("says sofa or table").wait_for()

    assert "Furniture: says sofa." in await try_text(page, "What does the blue sofa cost?")
    await picture(page, "channels")

    await row.get_by_text("Change", exact=True).click()
    await row.get_by_label("Senders").fill("@client.example")
    await row.get_by_role("button", name="Save").click()
    await row.get_by_text("from @client.example").wait_for()
    assert "No channel's rules apply." in await try_text(page, "What does the blue sofa cost?", "a@other.example")
    assert "Furniture: from @client.example" in await try_text(page, "Which sofa is cheaper?", "a@client.example")

    await row.get_by_role("button", name="Switch off").click()
    await row.get_by_role("button", name="Switch on").wait_for()
    assert "There are no channels." in await try_text(page, "Which sofa is cheaper?", "a@client.example")

    await row.get_by_role("button", name="Remove").click()
    await page.get_by_role("button", name="Yes, go on").click()
    await page.get_by_text("No channels yet").wait_for()


async def test_a_topic_is_previewed_added_switched_off_and_removed(place: Place, page):
    await enter(place, page)
    await page.goto(f"{place.url}/settings/topics")
    add = page.locator("form[hx-post='/settings/topics']")
    await add.get_by_label("Name").fill("Works council")
    await add.get_by_label("Counts as").select_option("legal")
    await add.get_by_label("Words").fill("works council\nredundan*")
    await add.get_by_role("button", name="What would it have done?").click()
    await page.locator("#preview-new").get_by_text("of the last 30 days would have been judged otherwise").wait_for()
    assert 0 == place.ask("SELECT count(*) FROM postroom.tenant_topic")  # nothing is kept before it is saved
    await add.get_by_role("button", name="Add").click()
    row = page.locator("tr[data-row]")
    await row.get_by_text("works council, redundan*").wait_for()

    text = "What time does the works council meet on Monday?"
    tried = await try_text(page, text)
    assert "sensitive legal" in tried
    assert "works council" in tried
    await picture(page, "topics")

    await row.get_by_role("button", name="Switch off …").click()
    await row.get_by_text("of the last 30 days would have been judged otherwise").wait_for()
    await row.get_by_role("button", name="Switch Works council off").click()
    await toast(page, "Works council is off: its words count for nothing.")
    await row.get_by_role("button", name="Switch on").wait_for()
    assert text == await page.locator("#try").get_by_label("Text").input_value()  # the news leave what was typed
    assert "sensitive legal" not in await try_text(page, text)

    await row.get_by_role("button", name="Remove …").click()
    await row.get_by_role("button", name="Remove Works council").click()
    await page.get_by_text("No topics of your own yet").wait_for()


async def test_who_only_looks_may_try_but_not_change(place: Place):
    viewer = await place.come_in("viewer")
    _, shown = await viewer.get("/settings/topics")
    assert "/settings/try" in shown
    assert 'hx-post="/settings/topics' not in shown
    for path in ("/settings/topics", "/settings/channels"):
        refused = await viewer.post(path, {"name": "x", "words": "y", "counts_as": "legal"})
        assert 403 == refused.status
