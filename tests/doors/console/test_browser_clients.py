"""In a real browser: a person decides whose mail it is, by keyboard alone."""

from __future__ import annotations

import os
import time

import pytest

from doors.console.browsing import DESKTOP, PHONE, answered, enter, toast
from doors.console.desk_book import mapped, with_book
from doors.console.place import Place

pytestmark = pytest.mark.browser
MANY = 20
SLOWEST_SECONDS = 60.0


SHOTS = os.environ.get("SHOTS")  # a folder: then what people see is kept there


async def shot(page, name: str) -> None:
    if SHOTS:
        for width, size in (("1280", DESKTOP), ("390", PHONE)):
            await page.set_viewport_size(size)
            await page.screenshot(path=f"{SHOTS}/{name}-{width}.png", full_page=True)
        await page.set_viewport_size(DESKTOP)


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


async def test_of_two_colleagues_at_one_mail_the_second_sees_who_was_first(place: Place, page, chromium):
    await at_the_queue(place, page, 2)
    await page.keyboard.press("r")
    await page.get_by_role("heading", name="Rooms 00").wait_for()
    await shot(page, "triage")
    context = await chromium.new_context(viewport=DESKTOP)
    other = await context.new_page()
    await place.person("eve@larkspur.example", "operator", None, None)
    await enter(place, other, "eve@larkspur.example")
    await other.route("**/live*", lambda route: route.abort())  # as if her page had not heard of it yet
    await other.goto(page.url)
    await page.keyboard.press("1")
    await page.get_by_role("heading", name="Rooms 01").wait_for()
    await other.keyboard.press("2")
    await toast(other, "decided about it a moment ago")
    await shot(other, "second")
    await context.close()

    assert "ACME" == place.ask(
        "SELECT a.code FROM postroom.mapping m JOIN postroom.account a ON a.id = m.account_id WHERE m.status = 'confirmed'"
    )


async def test_every_bad_line_of_a_book_is_shown_until_the_files_are_good(place: Place, page):
    await place.come_in("operator")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/accounts")
    await page.keyboard.press("f")
    bad = b"code,name\nACME,\n,Borealis GmbH\nFON,Fontanel\n"
    chosen = page.locator("#files input[type=file]")
    await chosen.set_input_files([{"name": "accounts.csv", "mimeType": "text/csv", "buffer": bad}])
    await page.get_by_role("button", name="Take in").click()
    await toast(page, "Nothing was taken in; 2 lines to mend.")
    await shot(page, "bad-lines")
    assert ["accounts.csv:2 The name is missing.", "accounts.csv:3 The code is missing."] == await page.locator(
        "#bad-lines li"
    ).all_inner_texts()
    assert 0 == place.ask("SELECT count(*) FROM postroom.account")

    good = b"code,name\nFON,Fontanel\n"
    await chosen.set_input_files([{"name": "accounts.csv", "mimeType": "text/csv", "buffer": good}])
    await page.get_by_role("button", name="Take in").click()
    await toast(page, "1 line read, 1 thing changed.")
    await page.locator("#accounts", has_text="Fontanel").wait_for()
    assert "" == await page.locator("#bad-lines").inner_text()


async def test_another_tenants_book_is_invisible(place: Place, page):
    other = await place.tenant_named("elsewhere")
    await with_book(place, other)
    theirs = await mapped(place, tenant=other)
    await place.come_in("operator")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))

    for path in ("/accounts?q=acme", "/clients?status=all", "/messages", "/clients/signals"):
        await page.goto(f"{place.url}{path}")
        assert "ACME" not in await page.locator("main").inner_text(), path
    assert 404 == (await page.goto(f"{place.url}/clients/{theirs}")).status
    assert 404 == (await page.goto(f"{place.url}/accounts/{place.ask('SELECT id FROM postroom.account')}")).status


async def test_an_account_is_merged_into_another_and_closed_by_hand(place: Place, page):
    await with_book(place)
    await mapped(place, "jonas@borealis.example", subject="Our rooms")
    await place.come_in("operator")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/accounts/{place.ask('SELECT id FROM postroom.account WHERE code = %s', 'BOREALIS')}")
    await page.get_by_text("Our rooms").wait_for()
    await shot(page, "account")
    await page.get_by_role("button", name="Merge").click()
    await page.locator("#merge input[name=into]").fill("ACME")
    await page.locator("#merge").get_by_role("button", name="Merge").click()
    await page.get_by_role("heading", name="ACME Industries GmbH").wait_for()
    await page.get_by_text("Our rooms").wait_for()
    await page.get_by_role("button", name="Close").click()
    await page.locator("#ask[open]").get_by_role("button", name="Yes, go on").click()
    await toast(page, "is closed: its mail waits for a person.")
    await shot(page, "merged-and-closed")
