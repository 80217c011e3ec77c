"""Two people at one document, in two real browsers."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from doors.console.browsing import DESKTOP, answered, enter, toast
from doors.console.place import Place, hand_in

pytestmark = pytest.mark.browser


@pytest.fixture
async def two(place: Place, chromium):
    """Anna and Bob, each at a browser of their own, looking at the same document."""
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    path = f"{place.url}/documents/{place.ask('SELECT id FROM postroom.document')}"
    pages = []
    for name in ("anna", "bob"):
        email = await place.person(f"{name}@larkspur.example", "operator", password=None)
        context = await chromium.new_context(viewport=DESKTOP)
        context.set_default_timeout(20_000)
        page = await context.new_page()
        await enter(place, page, email)
        await page.goto(path)
        await page.locator(".side [data-live][data-state=on]").wait_for()
        pages.append(page)
    yield pages
    for page in pages:
        await page.context.close()


async def write(page, field: str, value: str) -> None:
    await page.locator(f"input[name={field}]").fill(value)


async def test_both_see_that_the_other_is_looking(place: Place, two):
    anna, bob = two
    await anna.get_by_text("Bob is looking at this too.").wait_for()
    await bob.get_by_text("Anna is looking at this too.").wait_for()
    await bob.goto(f"{place.url}/trades")
    await expect(anna.locator("[data-looking]")).to_be_hidden(timeout=20_000)


async def test_a_correction_shows_up_at_the_other_s_page_by_itself(place: Place, two):
    anna, bob = two
    await write(anna, "name", "Corrected Holding")
    await anna.keyboard.press("Enter")
    await toast(anna, "Corrected.")
    await expect(bob.locator("input[name=name]")).to_have_value("Corrected Holding", timeout=20_000)


async def test_who_types_keeps_what_they_typed_and_is_told_who_changed_what(place: Place, two):
    anna, bob = two
    await write(bob, "fees", "12.00")  # not sent yet
    await write(anna, "name", "Corrected Holding")
    await anna.keyboard.press("Enter")
    await toast(anna, "Corrected.")
    await bob.locator("[data-stale]", has_text="anna@larkspur.example corrected it").wait_for()
    await expect(bob.locator("input[name=fees]")).to_have_value("12.00")

    await bob.locator("input[name=fees]").press("Enter")  # sends it all the same
    await toast(bob, "anna@larkspur.example corrected it")
    await expect(bob.locator("input[name=name]")).to_have_value("Corrected Holding")
    assert ("Corrected Holding", None) == (
        place.ask("SELECT name FROM postroom.trade"),
        place.ask("SELECT 1 FROM postroom.document_correction WHERE field = 'fees'"),
    )
    await answered(bob)
    await bob.get_by_role("button", name="12.00").click()  # what was typed stands beside the field
    await bob.locator("input[name=fees]").press("Enter")
    await toast(bob, "Corrected.")

    assert {"name": "person:anna@larkspur.example", "fees": "person:bob@larkspur.example"} == place.ask(
        "SELECT jsonb_object_agg(field, corrected_by) FROM postroom.document_correction"
    )


async def test_a_key_on_an_old_page_confirms_nothing_that_was_not_seen(place: Place, two):
    anna, bob = two
    await bob.context.set_offline(True)  # no news
    await write(anna, "name", "Corrected Holding")
    await anna.keyboard.press("Enter")
    await toast(anna, "Corrected.")
    await bob.route("**/live*", lambda route: route.abort())
    await bob.context.set_offline(False)
    await bob.keyboard.press("c")
    await toast(bob, "Changed while you looked")

    assert "review" == place.ask("SELECT status FROM postroom.document")
    await expect(bob.locator("input[name=name]")).to_have_value("Corrected Holding")


async def test_a_decision_is_undone_with_a_key(place: Place, two):
    anna, _ = two
    await anna.keyboard.press("c")
    await toast(anna, "Confirmed note-3.pdf")
    await answered(anna)
    assert "confirmed" == place.ask("SELECT status FROM postroom.document")
    await anna.keyboard.press("z")
    await toast(anna, "Taken back: confirmed.")
    await answered(anna)
    await anna.locator("#document .tag", has_text="to review").wait_for()

    assert "review" == place.ask("SELECT status FROM postroom.document")
    assert 1 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'document.undone'")
