"""In a real browser: files that are handed in, files that are fetched, and work that is tried again."""

from __future__ import annotations

import base64
from datetime import date, timedelta
from uuid import UUID

import pytest
from playwright.async_api import expect

from contracts.imap.dovecot import PASSWORD as SESAME
from contracts.imap.dovecot import running
from doors.console.browsing import enter, toast
from doors.console.place import GMAIL, Place, disagree, hand_in, put_aside
from postroom.engine import retry_policy
from postroom_simulators.papers import NOTES

pytestmark = pytest.mark.browser
DROP = """
([name, content]) => {
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name, { type: "application/pdf" }));
  const at = document.querySelector("main");
  for (const what of ["dragenter", "dragover"])
    at.dispatchEvent(new DragEvent(what, { dataTransfer: carried, bubbles: true, cancelable: true }));
  const lit = document.querySelector("[data-drop]").classList.contains("over");
  at.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
  return [lit, document.querySelector("[data-drop]").classList.contains("over")];
}
"""
WATCH = """
() => {
  window.seen = [];
  new MutationObserver(() => {
    const box = document.querySelector("[data-upload]");
    if (!box.hidden) window.seen.push(box.querySelector("progress").value);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}
"""


def paper() -> bytes:
    return NOTES["hansekontor"](date(2026, 3, 4), 3).pdf


async def at_documents(place: Place, page) -> None:
    await place.come_in("operator")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents?status=all")


async def test_a_file_is_dropped_onto_the_page_with_the_mouse(place: Place, page):
    await at_documents(place, page)
    async with place.working():
        lit = await page.evaluate(DROP, ["dropped.pdf", base64.b64encode(paper()).decode()])
        await toast(page, "dropped.pdf is being read.")
        await page.get_by_role("link", name="dropped.pdf").wait_for()
        await page.locator("tr", has_text="dropped.pdf").locator(".tag", has_text="confirmed").wait_for()

    assert [True, False] == lit  # the place shows that it would take the file, and stops when it has
    assert 1 == place.ask("SELECT count(*) FROM postroom.document")


async def test_another_reading_is_taken_with_a_click_and_saved_with_a_key(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    disagree(place)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/{place.ask('SELECT id FROM postroom.document')}")
    await page.get_by_role("button", name="99999").click()
    await expect(page.locator("input[name=quantity]")).to_have_value("99999")
    await page.keyboard.press("Enter")
    await toast(page, "Corrected.")

    assert "99999" == place.ask("SELECT quantity::text FROM postroom.trade")
    await expect(page.get_by_text("tiny-2026")).to_have_count(0)


async def test_files_are_chosen_and_the_way_they_take_is_shown(place: Place, page):
    await at_documents(place, page)
    line = await page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 400_000}
    await line.send("Network.emulateNetworkConditions", slow)
    await page.evaluate(WATCH)
    padded = paper() + b"\n%" + b" " * 600_000
    await page.locator("input[type=file]").set_input_files(
        [
            {"name": "a.pdf", "mimeType": "application/pdf", "buffer": padded},
            {"name": "b.pdf", "mimeType": "application/pdf", "buffer": padded + b"b"},
        ]
    )
    await toast(page, "2 files are being read.")
    seen = await page.evaluate("window.seen")

    assert seen == sorted(seen)
    assert [share for share in seen if 0 < share < 100]
    assert await page.locator("[data-upload]").is_hidden()
    assert 2 == place.ask("SELECT count(*) FROM postroom.document")


async def test_a_mail_s_file_is_fetched_and_saved(place: Place, page):
    place.world.faults.turn(auto_consent=True)
    admin = await place.come_in()
    await place.connect(admin, GMAIL, "gmail")
    place.deliver(to=GMAIL, files=(("terms.txt", b"Thirty days.", "text/plain"),))
    await place.works()
    await enter(place, page)
    await page.goto(f"{place.url}/messages/{place.ask('SELECT id FROM postroom.message')}")
    await page.get_by_role("button", name="Fetch terms.txt").click()
    await toast(page, "terms.txt is here.")
    await page.locator(".files .tag", has_text="here").wait_for()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Save terms.txt").click()

    assert "terms.txt" == (await download.value).suggested_filename


async def test_failed_work_is_tried_again(place: Place, page):
    for number in range(3):
        await put_aside(place, number)
    await enter(place, page)
    await page.goto(f"{place.url}/attempts")
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    assert 1 == await page.locator("input[name=job]:checked").count()
    await page.keyboard.press("t")
    await toast(page, "1 job tried again now.")
    await expect(page.locator("#attempts tbody tr")).to_have_count(2, timeout=20_000)

    await page.locator("#attempts tbody a").first.click()
    await page.get_by_role("button", name="Try again now").click()
    await toast(page, "is tried again now.")


async def test_many_are_tried_again_and_the_bar_fills_while_they_are(place: Place, page, monkeypatch):
    monkeypatch.setattr(retry_policy, "backoff", lambda *_: timedelta(hours=1))  # what breaks waits while we look
    for number in range(12):
        await put_aside(place, number)
    place.own(
        "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access) VALUES (%s, %s, 'a@b.test', 'outlook', 'delegated')",
        UUID(int=1),
        place.tenant,
    )
    for number in range(2):  # of a mailbox that nobody granted us
        await put_aside(place, 100 + number, "sync.mailbox", f'{{"mailbox_id": "{UUID(int=1)}"}}')
    await put_aside(place, 200, "documents.read_upload")  # breaks every time
    await enter(place, page)
    await page.goto(f"{place.url}/attempts")
    await page.get_by_label("All shown").check()
    await page.get_by_role("button", name="Try again").click()
    await page.get_by_text("0 of 15 done").wait_for()
    bar = page.get_by_role("progressbar", name="How far they have come")
    assert 0 == await bar.evaluate("node => node.value")
    async with place.working():
        await page.get_by_text("12 of 15 done, 2 failed, 1 tried again later").wait_for()

    assert [14, 15] == await bar.evaluate("node => [node.value, node.max]")
    await page.get_by_role("button", name="Hide").click()
    assert 0 == await page.locator(".card.progress").count()


@pytest.mark.service
async def test_a_mailbox_is_connected_over_imap(place: Place, page):
    await enter(place, page)
    await page.goto(f"{place.url}/mailboxes")
    with running() as dovecot:
        await page.keyboard.press("i")
        form = page.locator("#imap")
        await form.get_by_label("Mail address").fill("ap@office.test")
        await form.get_by_label("Password").fill("not this one")
        await form.get_by_label("Server").fill("127.0.0.1")
        await form.get_by_label("Port").fill(str(dovecot.plain))
        await form.get_by_label("Security").select_option("plain")
        await form.get_by_role("button", name="Connect").click()
        await toast(page, "does not accept this user and password")
        assert 0 == place.ask("SELECT count(*) FROM postroom.mailbox WHERE status = 'active'")
        await form.get_by_label("Password").fill(SESAME)
        await form.get_by_role("button", name="Connect").click()
        await page.wait_for_url(f"{place.url}/mailboxes/*")
        await toast(page, "ap@office.test is connected")
        await page.get_by_role("button", name="Reconnect").wait_for()

    assert "active" == place.ask("SELECT status FROM postroom.mailbox WHERE provider = 'imap'")
