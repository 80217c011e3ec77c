"""In a real browser: a mail is read, changed, approved, taken back and sent, by one person and by two."""

from __future__ import annotations

import asyncio

import pytest

from doors.console.browsing import PHONE, answered, enter, toast
from doors.console.place import Place
from doors.console.test_outbox import ANNA, LETTER, connected, proposed, said_yes, sent

pytestmark = pytest.mark.browser


async def test_words_do_not_change_under_the_eyes_of_who_says_yes_to_them(place: Place, page):
    admin = await connected(place, undo_seconds="600")
    path = await proposed(admin)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}{path}")
    await page.locator(".side [data-live][data-state=on]").wait_for()
    seen = await page.locator("#proposal").get_attribute("data-words")

    await admin.post(f"{path}/change", LETTER | {"hash": seen, "body": "Other words."})
    await page.get_by_text("it is not what you are reading any more").wait_for()
    await page.keyboard.press("c")
    await toast(page, "Look again")
    await answered(page)
    assert ("waiting", 2) == place.own("SELECT status, version FROM postroom.proposal")[0]

    await page.get_by_role("button", name="Show it").click()
    await page.locator("#proposal:not(.htmx-added, .htmx-settling) .mailbody", has_text="Other words.").wait_for()
    await page.keyboard.press("c")
    await toast(page, "Approved")
    await page.reload()  # what can be taken back can be changed then, on the same page
    await page.keyboard.press("z")
    await toast(page, "Taken back")
    await answered(page)
    await page.keyboard.press("e")
    await page.locator("dialog#edit[open] textarea").fill("The last words.")
    await page.locator("dialog#edit").get_by_role("button", name="Save").click()
    await page.locator("#proposal .mailbody", has_text="The last words.").wait_for()


async def test_words_of_a_new_mail_are_asked_for_before_they_are_left_and_come_back_after_a_reload(place: Place, page):
    await connected(place)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    asked = []
    agree = False

    async def answer(dialog) -> None:
        asked.append(dialog.type)
        await (dialog.accept() if agree else dialog.dismiss())

    page.on("dialog", answer)
    await page.goto(f"{place.url}/outbox/new")
    words = page.get_by_label("Body")
    await words.press_sequentially("Dear Anna")
    await page.get_by_label("Subject").press_sequentially("Rooms")
    await page.keyboard.press("Escape")
    async with page.expect_event("dialog"):
        await page.keyboard.press("Escape")
    assert ("beforeunload", f"{place.url}/outbox/new") == (asked[0], page.url)

    agree = True
    await page.reload()
    assert ("Dear Anna", "Rooms") == (await words.input_value(), await page.get_by_label("Subject").input_value())
    await page.get_by_label("To").fill("anna@client.test")
    await page.get_by_role("button", name="Propose").click()
    await page.wait_for_url("**/outbox/*-*")
    assert 2 == len(asked)  # what was proposed is not lost

    await page.goto(f"{place.url}/outbox/new")
    assert "" == await words.input_value()
    await page.goto(f"{place.url}/outbox")
    assert 2 == len(asked)


async def test_news_that_come_while_the_page_is_fetched_are_shown_too(place: Place, page):
    """The answer that is on its way is older than they are, and takes the place of what waits for them."""
    admin = await connected(place, undo_seconds="600")
    path = await proposed(admin)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}{path}")
    await page.locator("#proposal .tag", has_text="waiting").wait_for()
    fetched, gate = asyncio.Event(), asyncio.Event()

    async def slow(route) -> None:
        answer = await route.fetch()
        fetched.set()
        await gate.wait()
        await route.fulfill(response=answer)

    await page.route(f"{place.url}{path}", slow, times=1)
    assert 200 == (await said_yes(admin, path)).status
    await asyncio.wait_for(fetched.wait(), 20)
    await page.evaluate("addEventListener('live:proposals', () => { document.body.dataset.heard = 'yes'; })")
    assert 200 == (await admin.post(f"{path}/revoke")).status
    await page.locator("body[data-heard]").wait_for()
    gate.set()

    await page.locator("#proposal .tag", has_text="revoked").wait_for()


async def test_in_a_browser_by_keyboard(place: Place, page):
    await connected(place, undo_seconds="600")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))

    await page.keyboard.press("g")
    await page.keyboard.press("x")
    await page.get_by_role("heading", name="Outbox").wait_for()
    await page.keyboard.press("n")
    await page.get_by_label("To", exact=True).fill(ANNA)
    await page.get_by_label("Subject").fill("Your rooms")
    await page.get_by_label("Body").fill("The rooms are kept.")
    await page.get_by_role("button", name="Propose").click()
    await page.get_by_role("heading", name="Your rooms").wait_for()

    await page.keyboard.press("e")
    await page.locator("dialog#edit[open]").wait_for()
    await page.locator("dialog#edit textarea").fill("Both rooms are kept.")
    await page.locator("dialog#edit").get_by_role("button", name="Save").click()
    await page.get_by_text("Since the last version").wait_for()
    await page.keyboard.press("c")
    await toast(page, "Approved")
    await page.get_by_text("Until then it can be taken back").wait_for()
    await answered(page)
    await page.keyboard.press("z")
    await toast(page, "Taken back")
    await answered(page)

    assert ("revoked", "Both rooms are kept.") == place.own("SELECT status, body FROM postroom.proposal")[0]


async def test_two_people_in_two_browsers_agree_see_it_sent_and_stop_the_next(place: Place, page, chromium):
    admin = await connected(place, second_person="new_recipient")
    path = await proposed(admin)
    await place.come_in("operator")
    context = await chromium.new_context(viewport=PHONE)
    context.set_default_timeout(20_000)
    colleague = await context.new_page()
    anna, bea = (email for (email,) in place.own("SELECT email FROM postroom.person ORDER BY created_at"))
    for who, email in ((page, anna), (colleague, bea)):
        await enter(place, who, email)
        await who.goto(f"{place.url}{path}")

    async with place.working():
        await page.keyboard.press("c")
        await toast(page, "A second person must agree")
        await answered(page)
        await colleague.reload()
        await colleague.get_by_text("another person's is missing").wait_for()
        assert 1 == await colleague.locator(".note", has_text="never had mail of ours").count(), "said once"
        await colleague.get_by_role("button", name="Approve").click()
        for who in (page, colleague):
            await who.locator("#proposal .tag", has_text="sent").wait_for()

    await colleague.goto(f"{place.url}/mailboxes/{place.ask('SELECT id FROM postroom.mailbox')}")
    await colleague.get_by_role("button", name="Stop sending").click()
    await colleague.locator("dialog#ask[open]").get_by_role("button", name="Yes, go on").click()
    await colleague.get_by_text("Sending is stopped at this mailbox").wait_for()
    stopped = await proposed(admin, subject="The next")
    await page.goto(f"{place.url}{stopped}")
    await page.get_by_text("Sending is switched off for this mailbox.").wait_for()
    assert 0 == await page.get_by_role("button", name="Approve").count()
    assert ["Your rooms"] == sent(place)
    await context.close()
