"""In real browsers: a form shows what is kept, and what is being typed stays whatever colleagues do meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from doors.console.browsing import DESKTOP, PHONE, answered, enter, toast
from doors.console.desk_book import with_book
from doors.console.place import OUTLOOK, Place
from doors.console.test_evidence import with_a_draft

pytestmark = pytest.mark.browser


@pytest.fixture
async def two(place: Place, chromium) -> AsyncIterator[list]:
    """Anna and Bob, both admins, each at a browser of their own."""
    pages = []
    for name in ("anna", "bob"):
        email = await place.person(f"{name}@larkspur.example", "admin", password=None)
        context = await chromium.new_context(viewport=DESKTOP)
        context.set_default_timeout(20_000)
        page = await context.new_page()
        await enter(place, page, email)
        pages.append(page)
    yield pages
    for page in pages:
        await page.context.close()


async def opened(page, address: str):
    await page.goto(address)
    await page.locator(".side [data-live][data-state=on]").wait_for()


async def draw(page, name: str) -> None:
    """For whoever wants to look."""
    if folder := os.environ.get("SCREENS_TO"):
        await page.screenshot(path=str(Path(folder) / f"{name}.png"))


async def to_acme(place: Place, *pages) -> None:
    await with_book(place)
    account = place.ask("SELECT id FROM postroom.account WHERE code = 'ACME'")
    for page in pages:
        await opened(page, f"{place.url}/accounts/{account}")


async def to_the_mailbox(place: Place, *pages) -> None:
    place.world.faults.turn(auto_consent=True)
    await place.connect(await place.come_in(), OUTLOOK, "outlook")
    await place.works()
    for page in pages:
        await opened(page, f"{place.url}/mailboxes/{place.ask('SELECT id FROM postroom.mailbox')}")


async def test_two_changes_in_a_row_of_an_account_do_not_undo_each_other(place: Place, page):
    await enter(place, page)
    await to_acme(place, page)
    dialog = page.locator("#change")
    await page.keyboard.press("e")
    await dialog.get_by_label("Domains").fill("acme.example; acme-group.example")
    await dialog.get_by_role("button", name="Keep").click()
    await toast(page, "is kept")
    await page.locator("#account .head", has_text="acme-group.example").wait_for()
    await answered(page)

    await page.keyboard.press("e")
    await expect(dialog.get_by_label("Domains")).to_have_value("acme.example; acme-group.example")
    await dialog.get_by_label("Name").fill("Acme and Sons")
    await dialog.get_by_role("button", name="Keep").click()
    await page.locator("h1", has_text="Acme and Sons").wait_for()

    assert ["acme.example", "acme-group.example"] == place.ask(
        "SELECT domains FROM postroom.account WHERE code = 'ACME'"
    )


async def test_two_changes_in_a_row_of_a_mailboxs_rules_do_not_undo_each_other(place: Place, page):
    await enter(place, page)
    await to_the_mailbox(place, page)
    dialog = page.locator("#rules")
    for label, entry in (("Never from these", "spam@x.example"), ("Only from these senders", "good@x.example")):
        await page.get_by_role("button", name="Rules").click()
        await dialog.get_by_label(label).fill(entry)
        async with page.expect_response(lambda answer: answer.request.headers.get("hx-target") == "mailbox"):
            await dialog.get_by_role("button", name="Save").click()
        await expect(dialog).to_be_hidden()
        await expect(dialog.get_by_label(label)).to_have_value(entry)
        await answered(page)

    rules = place.ask("SELECT rules FROM postroom.mailbox")
    assert (["spam@x.example"], ["good@x.example"]) == (rules["deny_senders"], rules["allow_senders"])


async def test_whoever_is_late_at_an_account_keeps_the_words_and_sees_the_colleagues(place: Place, two):
    anna, bob = two
    await to_acme(place, anna, bob)
    dialog = bob.locator("#change")
    await bob.get_by_role("button", name="Change").click()
    await dialog.get_by_label("Domains").fill("bob.example")
    await anna.get_by_role("button", name="Change").click()
    await anna.locator("#change").get_by_label("Domains").fill("acme.example; anna.example")
    await anna.locator("#change").get_by_label("Name").fill("Acme of Anna")
    await anna.locator("#change").get_by_role("button", name="Keep").click()
    await toast(anna, "is kept")

    await dialog.get_by_text("This was changed meanwhile.").wait_for()
    await dialog.get_by_role("button", name="Keep").click()
    refused = bob.locator("dialog[open] .toast", has_text="Somebody changed ACME since you looked")
    await refused.get_by_role("button", name="Dismiss").click()
    await expect(dialog.get_by_label("Domains")).to_have_value("bob.example")
    await draw(bob, "account-late")

    await dialog.get_by_role("button", name="Show it").click()
    await expect(dialog.get_by_label("Domains")).to_have_value("acme.example; anna.example")
    await expect(dialog.get_by_label("Name")).to_have_value("Acme of Anna")
    await draw(bob, "account-shown")
    await dialog.locator(".typed", has_text="bob.example").get_by_role("button", name="Take it").click()
    await dialog.get_by_role("button", name="Keep").click()
    await toast(bob, "is kept")

    assert [("Acme of Anna", ["bob.example"])] == place.own(
        "SELECT name, domains FROM postroom.account WHERE code = 'ACME'"
    )


SECTIONS = [
    ("/settings", "people", "New password"),
    ("/settings/people", "people", "Mail address"),
    ("/settings/keys", "people", "What for"),
    ("/settings/senders", "documents", "Address or domain"),
    ("/settings/passwords", "documents", "Name"),
    ("/settings/webhooks", "webhooks", "Address"),
    ("/settings/mapping", "clients", "A mapping is old after"),
    ("/settings/replies", "evidence", "Signature"),
    ("/settings/sending", "people", "Undo delay"),
    ("/settings/retention", "people", "Documents"),
    ("/settings/policy", "people", "Sure enough, in percent"),
    ("/settings/channels", "channels", "Name"),
    ("/settings/topics", "topics", "Name"),
]


async def test_what_is_typed_in_settings_stays_when_news_come(place: Place, page):
    await enter(place, page)
    lost = []
    for path, topic, label in SECTIONS:
        await page.goto(place.url + path)
        field = page.locator("#settings form").get_by_label(label).first
        await field.fill("77")
        await field.evaluate("field => field.blur()")
        async with page.expect_response(lambda answer: answer.request.headers.get("hx-target") == "settings"):
            await page.evaluate("topic => htmx.trigger(document.body, 'live:' + topic)", topic)
        await page.wait_for_selector("#settings:not(.htmx-request)")
        if "77" != await field.input_value() or await page.locator("[data-stale]").count():
            lost.append(path)

    assert [] == lost


async def test_a_list_is_renewed_around_the_form_that_somebody_types_in(place: Place, two):
    anna, bob = two
    for page in two:
        await opened(page, f"{place.url}/settings/keys")
    await bob.get_by_label("What for").press_sequentially("Bob's prog")
    await anna.get_by_label("What for").fill("Anna's program")
    await anna.get_by_role("button", name="Make").click()
    await bob.locator("#settings tr", has_text="Anna's program").wait_for()
    await bob.keyboard.type("ram")  # the caret is where it was
    await expect(bob.get_by_label("What for")).to_have_value("Bob's program")
    await bob.get_by_role("button", name="Make").click()
    await bob.locator("#settings tr", has_text="Bob's program").wait_for()

    await expect(bob.get_by_label("What for")).to_have_value("")
    assert 0 == await bob.locator("[data-stale]").count()


async def test_a_number_that_a_colleague_chose_is_not_saved_over_unseen(place: Place, two):
    anna, bob = two
    for page in two:
        await opened(page, f"{place.url}/settings/sending")
    lasts = bob.get_by_label("An approval lasts")
    await lasts.fill("24")
    await bob.get_by_label("to send a file").check()
    await anna.get_by_label("An approval lasts").fill("48")
    await anna.get_by_label("A proposal waits").fill("7")
    await anna.get_by_role("button", name="Save").click()
    await toast(anna, "Saved.")

    await bob.get_by_text("This was changed meanwhile.").wait_for()
    await expect(lasts).to_have_value("24")
    await bob.get_by_role("button", name="Save").click()
    await toast(bob, "Somebody changed the policy since you looked")
    await answered(bob)
    await bob.get_by_role("button", name="Show it").click()
    await expect(lasts).to_have_value("48")
    await expect(bob.get_by_label("A proposal waits")).to_have_value("7")
    await expect(bob.get_by_label("to send a file")).to_be_checked()  # nobody else touched it
    await draw(bob, "sending-shown")
    await bob.locator(".typed", has_text="24").get_by_role("button", name="Take it").click()
    await bob.get_by_role("button", name="Save").click()
    await toast(bob, "Saved.")

    held = place.ask("SELECT policy -> 'sending' FROM postroom.tenant WHERE name = 'default'")
    assert (24, 7, ["attachment"]) == (held["approval_hours"], held["proposal_days"], held["second_person"])
    await expect(anna.get_by_label("An approval lasts")).to_have_value("24")


async def test_an_open_channel_stays_open_with_its_words_and_the_colleagues_are_shown(place: Place, two):
    anna, bob = two
    answer = await (await place.come_in()).post("/settings/channels", {"name": "Bills", "words": "invoice"})
    assert 200 == answer.status
    for page in two:
        await opened(page, f"{place.url}/settings/channels")
        await page.get_by_text("Change", exact=True).click()
    await bob.locator("details").get_by_label("Words").fill("invoice, bill")
    await anna.locator("details").get_by_label("Senders").fill("@anna.example")
    await anna.locator("details").get_by_role("button", name="Save").click()
    await toast(anna, "Bills is saved")

    await bob.locator("td", has_text="from @anna.example").wait_for()  # the row is renewed around the form
    await bob.locator("details").get_by_text("This was changed meanwhile.").wait_for()
    await expect(bob.locator("details").get_by_label("Words")).to_have_value("invoice, bill")


async def test_a_choice_about_confirming_stays_while_a_colleague_pauses_the_mailbox(place: Place, page):
    await enter(place, page)
    await to_the_mailbox(place, page)
    choice = page.locator("#confirming select").first
    before = await choice.input_value()
    wanted = "shadow" if before != "shadow" else "off"
    await choice.select_option(wanted)
    await page.get_by_role("button", name="Pause").click()
    await page.locator("#mailbox .tag", has_text="paused").first.wait_for()
    async with page.expect_response(lambda answer: answer.request.headers.get("hx-target") == "confirming"):
        await page.evaluate("htmx.trigger(document.body, 'live:mailboxes')")
    await page.wait_for_selector("#confirming:not(.htmx-request)")

    await expect(choice).to_have_value(wanted)


async def test_a_threshold_is_saved_only_as_it_stands_on_the_screen(place: Place, page):
    await enter(place, page)
    await opened(page, f"{place.url}/settings/policy")
    field, effect = page.get_by_label("Sure enough, in percent"), page.locator("#effect")
    await field.fill("97")
    await page.get_by_role("button", name="Save …").click()
    await effect.get_by_role("button", name="Save").wait_for()
    await field.fill("50")
    await expect(effect).to_be_empty()

    hold = asyncio.Event()  # the answer comes when the field says something else already

    async def late(route):
        await hold.wait()
        await route.continue_()

    await page.route("**/settings/policy/preview", late)
    async with page.expect_response("**/settings/policy/preview"):
        await page.get_by_role("button", name="Save …").click()
        await field.fill("60")
        hold.set()
    await answered(page)
    await expect(effect).to_be_empty()
    await page.unroute("**/settings/policy/preview")
    await page.get_by_role("button", name="Save …").click()
    await effect.get_by_role("button", name="Save").click()
    await toast(page, "Saved.")

    kept = "SELECT (policy #>> '{documents,sure_enough}')::float FROM postroom.tenant WHERE name = 'default'"
    assert 0.6 == place.ask(kept)


WORDS = "Words, as they shall stand in the mailbox"


async def at_one_draft(place: Place, *pages) -> None:
    _, thread = await with_a_draft(place)
    for page in pages:
        await opened(page, f"{place.url}/inbox/{thread}")
        await page.keyboard.press("r")


async def test_the_loser_of_a_draft_keeps_the_words_beside_the_colleagues(place: Place, two):
    anna, bob = two
    await at_one_draft(place, anna, bob)
    await bob.get_by_label(WORDS).fill("Bob's words.")
    await anna.get_by_label(WORDS).fill("Anna's words.")
    await anna.get_by_role("button", name="Save in the mailbox").click()
    await toast(anna, "Saved in the mailbox")
    dialog = bob.locator("#edit-draft")
    await dialog.get_by_text("The draft is another one now.").wait_for()
    await bob.get_by_role("button", name="Save in the mailbox").click()
    refused = dialog.locator(".toast", has_text="anna@larkspur.example changed the draft")
    await draw(bob, "draft-refused")
    await refused.get_by_role("button", name="Dismiss").click()  # nothing lies over it
    await expect(bob.get_by_label(WORDS)).to_have_value("Bob's words.")
    await answered(bob)

    await dialog.locator("[data-stale]", has_text="The draft is another").get_by_role("button", name="Show it").click()
    await expect(bob.get_by_label(WORDS)).to_have_value("Anna's words.")
    await dialog.locator(".typed", has_text="Bob's words.").wait_for()
    await draw(bob, "draft-beside")
    await bob.set_viewport_size(PHONE)
    await draw(bob, "draft-beside-phone")
    await dialog.get_by_role("button", name="Take it").click()
    await bob.get_by_role("button", name="Save in the mailbox").click()
    await toast(bob, "Saved in the mailbox")

    assert "Bob's words." == place.ask("SELECT body FROM postroom.draft_revision")


async def test_words_for_a_draft_that_was_discarded_meanwhile_can_be_copied(place: Place, two):
    anna, bob = two
    await at_one_draft(place, anna, bob)
    await bob.get_by_label(WORDS).fill("Bob's words.")
    await anna.keyboard.press("Escape")
    await anna.get_by_role("button", name="Discard", exact=True).click()
    await anna.get_by_label("Why").fill("The tone is wrong")
    await anna.get_by_role("button", name="Discard it").click()
    await toast(anna, "Discarded the draft")
    dialog = bob.locator("#edit-draft")
    await dialog.get_by_text("The draft is another one now.").wait_for()
    await bob.get_by_role("button", name="Save in the mailbox").click()
    await dialog.locator(".toast", has_text="it cannot be changed here any more").wait_for()
    await answered(bob)
    await dialog.locator("[data-stale]", has_text="The draft is another").get_by_role("button", name="Show it").click()

    await bob.locator("#main > .typed", has_text="Bob's words.").wait_for()
    await draw(bob, "draft-gone")
