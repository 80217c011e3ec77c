"""The console in a real browser: what people do all day, by mouse and by keyboard."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import time
from datetime import date
from pathlib import Path

import pytest
from PIL import Image

from doors.console.place import GMAIL, OUTLOOK, PASSWORD, Place, a_day, hand_in, put_aside
from doors.console.test_oidc import at_provider  # noqa: F401 - a fixture
from needs import need_package
from postroom.simulators.papers import NOTES

pytestmark = pytest.mark.browser
OIDC = Path(__file__).parent / "oidc"
AXE = OIDC / "node_modules" / "axe-core" / "axe.min.js"
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
ANNA = "anna@larkspur.example"


@pytest.fixture
async def page(chromium):
    """A page that fails the test when the browser complains."""
    context = await chromium.new_context(viewport=DESKTOP)
    context.set_default_timeout(20_000)
    opened = await context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None)
    yield opened
    await context.close()
    assert [] == complaints


async def enter(place: Place, page, email: str | None = None) -> None:
    await page.goto(await place.link(email))
    await page.wait_for_url(f"{place.url}/")


async def toast(page, text: str) -> None:
    await page.locator(".toast", has_text=text).first.wait_for()


async def answered(page) -> None:
    """The last action was answered and its outcome is shown."""
    await page.wait_for_selector("body:not([data-busy])")


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


async def consent(page, address: str) -> None:
    """Pick the account on the simulated provider's page and agree."""
    await page.wait_for_selector("form")
    choice = page.locator(f"[value='{address}']:not([type=hidden])")
    tag = await choice.first.evaluate("node => node.tagName + ' ' + (node.type || '')")
    if tag.startswith("OPTION"):
        await page.locator("select").select_option(address)
    elif tag == "INPUT radio":
        await choice.first.check()
    else:
        await choice.first.click()
        return
    await page.locator("button, input[type=submit]").first.click()


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
        await page.get_by_text("Contract notes: processed").wait_for()
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
    await page.keyboard.press("c")
    await page.wait_for_function("first => location.href !== first", arg=first)

    await toast(page, "Confirmed.")
    assert 7 == place.ask("SELECT quantity FROM postroom.trade WHERE status = 'confirmed'")
    await answered(page)
    await page.keyboard.press("d")
    await page.get_by_label("Why?").fill("Not ours")
    await page.keyboard.press("Enter")
    await toast(page, "Nothing else waits for you.")


async def test_a_reviewer_confirms_sixty_documents_a_minute(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, *range(1, 13))
    waiting = place.ask("SELECT count(*) FROM postroom.document WHERE status = 'review'")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/review")
    began = time.monotonic()
    for _ in range(waiting):
        at = await page.locator("#document").get_attribute("data-id")
        await page.keyboard.press("c")
        await page.wait_for_function(
            "at => document.querySelector('#document').dataset.id !== at || document.body.innerText.includes('Nothing else waits')",
            arg=at,
        )
        await answered(page)
    took = time.monotonic() - began

    assert waiting >= 10
    assert 0 == place.ask("SELECT count(*) FROM postroom.document WHERE status = 'review'")
    assert waiting / took * 60 >= 60, f"{waiting} in {took:.1f} s"


async def test_files_are_dropped_onto_the_page(place: Place, page):
    await place.come_in("operator")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents?status=all")
    async with place.working():
        paper = NOTES["hansekontor"](date(2026, 3, 4), 3).pdf
        await page.locator("input[type=file]").set_input_files(
            [{"name": "dropped.pdf", "mimeType": "application/pdf", "buffer": paper}]
        )
        await toast(page, "dropped.pdf is being read.")
        await page.get_by_role("link", name="dropped.pdf").wait_for()
        await page.locator("tr", has_text="dropped.pdf").locator(".tag", has_text="confirmed").wait_for()


async def test_failed_work_is_tried_again(place: Place, page):
    for number in range(3):
        await put_aside(place, number)
    await enter(place, page)
    await page.goto(f"{place.url}/attempts")
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    assert 1 == await page.locator("input[name=job]:checked").count()
    await page.keyboard.press("t")
    await toast(page, "1 tried again now.")
    await page.wait_for_function("document.querySelectorAll('#attempts tbody tr').length === 2")

    await page.locator("#attempts tbody a").first.click()
    await page.get_by_role("button", name="Try again now").click()
    await toast(page, "is tried again now.")


async def test_a_mailbox_is_paused_and_after_its_grant_was_taken_back_reconnected(place: Place, page):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, OUTLOOK, "outlook")
    await place.works()
    await enter(place, page)
    await page.goto(f"{place.url}/mailboxes/{place.ask('SELECT id FROM postroom.mailbox')}")
    await page.keyboard.press("p")
    await toast(page, "is paused")
    await answered(page)
    await page.locator(".tag", has_text="paused").wait_for()
    await page.keyboard.press("p")
    await toast(page, "goes on")
    await answered(page)
    await page.locator(".tag", has_text="active").wait_for()

    async with place.working():
        place.tell(
            "UPDATE postroom.mailbox SET status = 'token_refresh_failed', because = 'The grant was taken back. Reconnect the mailbox.'"
        )
        await page.reload()
        await page.get_by_text("The grant was taken back.").wait_for()
        await page.get_by_role("link", name="Reconnect").click()
        with contextlib.suppress(Exception):
            await consent(page, OUTLOOK)
        await page.wait_for_url(f"{place.url}/mailboxes/*")
        await page.locator(".tag", has_text="active").wait_for()


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
    desk = place.house.desk(place.tenant, "test")
    from postroom.nouns.facts import RetryRequested

    async with desk.finish() as tx:
        await desk.tell(tx, RetryRequested(job_kind="sync.poll", key=None))
    last = tabs[-1]
    await last.bring_to_front()
    await last.get_by_text("The provider gave up.").wait_for()


async def test_news_that_came_while_the_connection_was_lost_is_shown_afterwards(place: Place, page):
    await enter(place, page)
    await page.goto(f"{place.url}/attempts")
    await page.locator(".side [data-live][data-state=on]").wait_for()
    await page.context.set_offline(True)
    await put_aside(place, 1)
    desk = place.house.desk(place.tenant, "test")
    from postroom.nouns.facts import RetryRequested

    async with desk.finish() as tx:
        await desk.tell(tx, RetryRequested(job_kind="sync.poll", key=None))
    await page.context.set_offline(False)
    await page.get_by_text("The provider gave up.").wait_for()


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


async def test_light_and_dark_are_remembered(place: Place, page):
    await enter(place, page)
    await page.get_by_role("button", name="Light or dark").click()
    await page.goto(f"{place.url}/messages")

    assert "dark" == await page.evaluate("document.documentElement.dataset.theme")


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


async def every_page(place: Place) -> dict[str, str]:
    document = place.ask(
        "SELECT id FROM postroom.document WHERE status = 'review' AND kind = 'contract_note' ORDER BY id LIMIT 1"
    )
    bill = place.ask(
        "SELECT id FROM postroom.document WHERE kind = 'invoice' AND content_type = 'application/pdf' ORDER BY id LIMIT 1"
    )
    message = place.ask("SELECT message_id FROM postroom.document WHERE id = %s", document)
    job = place.ask("SELECT job_id FROM postroom.attempt ORDER BY id DESC LIMIT 1")
    return {
        "overview": "/",
        "documents": "/documents",
        "document": f"/documents/{document}",
        "invoice": f"/documents/{bill}",
        "messages": "/messages",
        "message": f"/messages/{message}",
        "mailboxes": "/mailboxes",
        "mailbox": f"/mailboxes/{place.ask('SELECT id FROM postroom.mailbox ORDER BY address LIMIT 1')}",
        "trades": "/trades",
        "orders": "/orders",
        "invoices": "/invoices",
        "attempts": "/attempts",
        "attempt": f"/attempts/{job}",
        "audit": "/audit",
        "settings": "/settings",
        "settings-people": "/settings/people",
        "settings-keys": "/settings/keys",
        "settings-senders": "/settings/senders",
        "settings-passwords": "/settings/passwords",
        "settings-policy": "/settings/policy",
        "settings-retention": "/settings/retention",
        "demo": "/demo",
        "signin": "/signin",
    }


async def draw(page, path: Path) -> None:
    """A picture of the window, in few enough colours to be kept in the repository."""
    picture = Image.open(io.BytesIO(await page.screenshot()))
    picture.convert("RGB").quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_page_fits_desktop_and_phone_and_is_accessible(place: Place, chromium, scheme, tmp_path):
    """Also draws the pictures of docs/screens, when SCREENS_TO names a folder."""
    need_package(OIDC, "axe-core")
    await a_day(place)
    await put_aside(place, 1)
    folder = Path(os.environ.get("SCREENS_TO") or tmp_path)
    overflowing, serious = [], []
    for shape, size in (("desktop", DESKTOP), ("phone", PHONE)):
        context = await chromium.new_context(
            viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"
        )
        page = await context.new_page()
        await enter(place, page, place.ask("SELECT email FROM postroom.person"))
        for name, path in (await every_page(place)).items():
            if name == "signin":
                await context.clear_cookies()
            await page.goto(place.url + path)
            await page.wait_for_load_state("networkidle" if name == "signin" else "load")
            if name in ("document", "invoice"):
                await page.locator("#sheet svg image").wait_for()
            if name == "overview":
                await page.locator("#flows svg").first.wait_for()
            if await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                overflowing.append(f"{name} {shape}")
            await page.add_script_tag(path=AXE)
            found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            serious += [
                f"{name} {shape}: {each['id']} {each['nodes'][0]['html'][:200]}"
                for each in found["violations"]
                if each["impact"] in ("serious", "critical")
            ]
            if scheme == "light" or name in ("overview", "document", "messages"):
                await draw(page, folder / f"{name}-{shape}{'-dark' if scheme == 'dark' else ''}.png")
        await context.close()

    assert [] == overflowing
    assert [] == serious
