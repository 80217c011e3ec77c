"""The console in a real browser: what people do all day, by mouse and by keyboard."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import date

import pytest

from doors.console.browsing import ANNA, answered, consent, enter, toast
from doors.console.place import GMAIL, OUTLOOK, PASSWORD, Place, hand_in, put_aside
from doors.console.test_oidc import at_provider  # noqa: F401 - a fixture
from postroom.nouns.facts import RetryRequested
from postroom_simulators.papers import NOTES

pytestmark = pytest.mark.browser


async def test_a_person_signs_in_with_address_and_password(place: Place, page):
    await place.person(ANNA, "operator")
    await page.goto(f"{place.url}/trades")
    await page.get_by_label("Mail address").fill(ANNA)
    await page.get_by_label("Password").fill("not this one")
    await page.keyboard.press("Enter")
    await page.get_by_text("Address and password do not match").wait_for()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()

    await page.wait_for_url(f"{place.url}/trades")
    await page.get_by_role("button", name="Sign out").click()
    await page.wait_for_url(f"{place.url}/signin")


@pytest.mark.service
async def test_a_person_signs_in_at_the_identity_provider(at_provider: Place, page):  # noqa: F811 - the fixture
    await at_provider.person(ANNA, "operator", password=None)
    await page.goto(f"{at_provider.url}/messages")
    await page.get_by_role("link", name="Sign in with your organisation").click()
    await page.locator("input[name=login]").fill("anna")
    await page.locator("input[name=password]").fill("anything")
    await page.locator("button[type=submit]").click()
    await page.get_by_role("button", name="Continue").click()

    await page.wait_for_url(f"{at_provider.url}/messages")
    await page.get_by_text("operator · default").wait_for()


async def test_an_outlook_and_a_gmail_mailbox_are_connected_at_their_providers(place: Place, page):
    await enter(place, page)
    for provider, address in (("Outlook", OUTLOOK), ("Gmail", GMAIL)):
        await page.goto(f"{place.url}/mailboxes")
        await page.get_by_role("link", name=f"Connect {provider}").click()
        await consent(page, address)
        await page.wait_for_url(f"{place.url}/mailboxes*")
        await toast(page, f"{address} is connected")

    assert ["gmail", "outlook"] == place.ask(
        "SELECT array_agg(provider ORDER BY provider) FROM postroom.mailbox WHERE status = 'active'"
    )
    async with place.working():
        await page.get_by_role("link", name=OUTLOOK).click()
        await page.locator("dd", has_text="ends in").wait_for()  # the subscription is made while we look


async def test_a_mail_arrives_while_somebody_looks(place: Place, page):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    await enter(place, page)
    await page.goto(f"{place.url}/messages")
    await page.locator(".side [data-live][data-state=on]").wait_for()
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    async with place.working():
        paper = NOTES["hansekontor"](date(2026, 3, 4), 3).pdf
        place.deliver(subject="Your contract note", files=(("note.pdf", paper, "application/pdf"),))
        await page.get_by_role("link", name="Your contract note").wait_for()
        await page.get_by_text("Contract notes: to review").wait_for()
        await page.locator(".nav .count").wait_for()

    assert [] == loads  # no reload


async def test_a_document_is_corrected_and_confirmed_with_the_keyboard_alone(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3, 4)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.keyboard.press("r")  # start reviewing
    await page.wait_for_url("**/documents/*")
    first = page.url
    await page.locator("#sheet svg image").wait_for()
    await page.locator("#sheet rect.spot").first.wait_for()
    while not await page.locator(".fieldrow.on label", has_text="Quantity").count():
        await page.keyboard.press("j")
    assert 1 == await page.locator("rect.spot.on").count()  # the place on the page lights up
    await page.keyboard.press("e")
    await page.keyboard.type("7")
    await page.keyboard.press("Enter")
    await toast(page, "Corrected.")
    await answered(page)
    assert "7" == await page.locator("input[name=quantity]").input_value()
    await page.keyboard.press("c")  # seven times the price is not the amount: that wants a reason
    await page.get_by_label("Why is it right?").fill("Seen on paper")
    await page.keyboard.press("Enter")
    await page.wait_for_url(lambda url: url != first)

    await toast(page, "Confirmed note-")
    assert 7 == place.ask("SELECT quantity FROM postroom.trade WHERE status = 'confirmed'")
    await answered(page)
    await page.keyboard.press("d")
    await page.get_by_label("Why?").fill("Not ours")
    await page.keyboard.press("Enter")
    await toast(page, "Nothing else is to review.")


async def test_news_that_come_before_the_answer_to_a_decision_do_not_hold_the_next_document_up(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 1, 2)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/review")
    at = await page.locator("#document").get_attribute("data-id")

    async def late(route):
        answer = await route.fetch()
        await page.wait_for_timeout(1500)
        await route.fulfill(response=answer)

    await page.route("**/confirm", late)
    async with page.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith(at)):
        await page.keyboard.press("c")
    await page.locator(f'#document:not([data-id="{at}"])').wait_for()


async def test_a_reviewer_confirms_each_document_with_one_key(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, *range(1, 13))
    waiting = place.ask("SELECT count(*) FROM postroom.document WHERE status = 'review'")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/review")
    for _ in range(waiting):
        at = await page.locator("#document").get_attribute("data-id")
        await page.keyboard.press("c")
        over = page.get_by_text("Nothing else is to review")
        await page.locator(f'#document:not([data-id="{at}"])').or_(over).first.wait_for()
        await answered(page)

    assert waiting >= 10
    assert 0 == place.ask("SELECT count(*) FROM postroom.document WHERE status = 'review'")


async def test_a_mailbox_is_paused_and_after_its_grant_was_taken_back_reconnected(place: Place, page):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    await enter(place, page)
    await page.goto(f"{place.url}/mailboxes/{place.ask('SELECT id FROM postroom.mailbox')}")
    await page.keyboard.press("p")
    await toast(page, "is paused")
    await page.locator(".tag", has_text="paused").wait_for()
    await answered(page)
    await page.keyboard.press("p")
    await toast(page, "goes on")
    await page.locator(".tag", has_text="active").wait_for()
    await answered(page)
    await place.works()  # what going on asked for: it would find that the mailbox answers

    place.own(
        "UPDATE postroom.mailbox SET status = 'token_refresh_failed', because = 'The grant was taken back. Reconnect the mailbox.'"
    )
    await page.reload()
    await page.get_by_text("The grant was taken back.").wait_for()
    async with place.working():
        await page.get_by_role("link", name="Reconnect").click()
        with contextlib.suppress(Exception):
            await consent(page, OUTLOOK)
        await page.wait_for_url(f"{place.url}/mailboxes/*")
        await page.locator(".tag", has_text="active").wait_for()


async def hears_of_attempts(place: Place) -> None:
    scope = place.house.scope(place.tenant, "test")
    async with scope.finish() as tx:
        await scope.tell(tx, RetryRequested(job_kind="sync.poll", key=None))


async def test_a_second_tab_hears_the_news_and_goes_on_when_the_first_is_closed(place: Place, page):
    await enter(place, page)
    tabs = [page]
    for _ in range(8):  # more than a browser would open connections for
        tab = await page.context.new_page()
        await tab.goto(f"{place.url}/attempts")
        tabs.append(tab)
    for tab in tabs:
        await tab.locator(".side [data-live][data-state=on]").wait_for()
    await page.close()
    await asyncio.sleep(0.5)
    await put_aside(place, 1)
    await hears_of_attempts(place)
    last = tabs[-1]
    await last.bring_to_front()
    await last.get_by_text("The provider gave up.").wait_for()


async def test_news_that_came_while_the_connection_was_lost_is_shown_afterwards(place: Place, page):
    await enter(place, page)
    await page.goto(f"{place.url}/attempts")
    await page.locator(".side [data-live][data-state=on]").wait_for()
    await page.context.set_offline(True)
    await put_aside(place, 1)
    await hears_of_attempts(place)
    await page.context.set_offline(False)
    await page.get_by_text("The provider gave up.").wait_for()


@pytest.mark.parametrize("harm", ["cut", "refused"])
async def test_a_part_that_could_not_be_fetched_when_news_came_is_fetched_again(place: Place, page, harm: str):
    await enter(place, page)
    await page.goto(f"{place.url}/attempts")
    await page.locator(".side [data-live][data-state=on]").wait_for()
    harmed = True

    async def harms(route) -> None:
        if not harmed:
            await route.continue_()
        elif harm == "cut":
            await route.abort()
        else:
            await route.fulfill(status=503, body="")

    await page.route("**/attempts*", harms)
    await put_aside(place, 1)
    async with page.expect_request("**/attempts*"):
        await hears_of_attempts(place)
    await asyncio.sleep(1)  # so that no news is on its way any more
    harmed = False
    await page.get_by_text("The provider gave up.").wait_for()
    assert 0 == await page.locator("#toasts > *").count(), "nobody clicked, so nobody is told"


async def test_the_keyboard_map_shows_and_leads(place: Place, page):
    await enter(place, page)
    await page.keyboard.press("?")
    await page.locator("#keys[open]").get_by_text("Move down, up").wait_for()
    await page.keyboard.press("Escape")
    await page.keyboard.press("g")
    await page.keyboard.press("u")
    await page.wait_for_url(f"{place.url}/audit")
    await page.keyboard.press("/")
    assert "q" == await page.evaluate("document.activeElement.id")


async def test_the_demo_lets_a_visitor_send_a_mail_of_their_own(place: Place, page):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    await enter(place, page)
    await page.get_by_role("link", name="Send a mail").click()
    paper = NOTES["hansekontor"](date(2026, 3, 4), 3).pdf
    async with place.working():
        await page.locator("input[type=file]").set_input_files(
            [{"name": "mine.pdf", "mimeType": "application/pdf", "buffer": paper}]
        )
        await page.get_by_role("button", name="Send", exact=True).click()
        await toast(page, "On its way")
        await place.until("SELECT count(*) FROM postroom.document WHERE filename = 'mine.pdf'", 1)
