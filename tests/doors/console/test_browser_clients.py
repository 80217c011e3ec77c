"""In a real browser: a person decides whose mail it is, by keyboard alone."""

from __future__ import annotations

import time

import pytest

from doors.console.browsing import answered, enter, toast
from doors.console.desk_book import mapped, with_book
from doors.console.place import Place

pytestmark = pytest.mark.browser
MANY = 20
SLOWEST_SECONDS = 60.0


async def at_the_queue(place: Place, page, mails: int) -> None:
    await with_book(place)
    for number in range(mails):
        await mapped(place, subject=f"Rooms {number:02}", minutes_ago=mails - number)
    await place.come_in("operator")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/clients")


async def test_twenty_mails_a_minute_by_keyboard_and_the_last_is_taken_back(place: Place, page):
    await at_the_queue(place, page, MANY + 1)
    await page.keyboard.press("r")
    await page.get_by_role("heading", name="Rooms 00").wait_for()

    began = time.monotonic()
    for number in range(MANY):
        await page.get_by_role("heading", name=f"Rooms {number:02}").wait_for()
        await page.keyboard.press("12c"[number % 3])
        await answered(page)
    await page.get_by_role("heading", name=f"Rooms {MANY}").wait_for()
    took = time.monotonic() - began

    assert took < SLOWEST_SECONDS
    assert MANY == place.ask("SELECT count(*) FROM postroom.mapping WHERE status = 'confirmed'")
    await page.keyboard.press("z")
    await page.get_by_role("heading", name=f"Rooms {MANY - 1}").wait_for()
    await toast(page, "as before")
    assert MANY - 1 == place.ask("SELECT count(*) FROM postroom.mapping WHERE status = 'confirmed'")


@pytest.mark.parametrize(("aside", "back"), [("d", "z"), ("i", "u")])
async def test_the_book_is_searched_and_a_mail_is_set_aside_without_the_mouse(place: Place, page, aside, back):
    await at_the_queue(place, page, 3)
    await page.keyboard.press("r")
    await page.get_by_role("heading", name="Rooms 00").wait_for()

    await page.keyboard.press("/")
    await page.keyboard.type("atelier")
    await page.locator("#found", has_text="Atelier Fontanel").wait_for()
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Rooms 01").wait_for()
    await answered(page)
    await page.keyboard.press(aside)
    await page.locator("dialog#aside[open] :focus").wait_for()
    await page.keyboard.type("Nothing for us")
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Rooms 02").wait_for()
    await answered(page)
    await page.keyboard.press(back)
    await page.get_by_role("heading", name="Rooms 01").wait_for()

    assert ["confirmed", "triage", "triage"] == [
        place.ask(
            "SELECT status FROM postroom.mapping m JOIN postroom.message s ON s.id = m.message_id WHERE subject = %s",
            each,
        )
        for each in ("Rooms 00", "Rooms 01", "Rooms 02")
    ]


async def test_a_whole_thread_is_ticked_with_a_key(place: Place, page):
    await at_the_queue(place, page, 2)
    await page.keyboard.press("r")
    await page.get_by_role("heading", name="Rooms 00").wait_for()
    await page.keyboard.press("f")
    assert await page.locator("input[name=next_from_sender]").is_checked()
    await page.keyboard.press("2")
    await toast(page, "2 mails are under BOREALIS. Nothing else waits for you.")
