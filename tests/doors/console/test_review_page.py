"""What a reviewer sees: forged papers, long ones, those that could not be read, and how a mail ended."""

from __future__ import annotations

import re
from datetime import date
from uuid import UUID

import aiohttp
import pytest

from doors.console.browsing import answered, enter, toast
from doors.console.place import Browser, Place, hand_in, revision
from postroom.doors.console import words
from postroom_simulators.papers import activity_statement


async def upload(place: Place, browser: Browser, name: str, content: bytes) -> UUID:
    form = aiohttp.FormData()
    form.add_field("files", content, filename=name, content_type="application/pdf")
    assert 200 == (await browser.post("/documents/upload", form)).status
    await place.works()
    return place.ask("SELECT id FROM postroom.document WHERE filename = %s", name)


async def test_a_forged_paper_is_red_in_the_list_and_booked_only_with_a_reason(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    place.own("UPDATE postroom.document SET trust = 'spoofed', trust_because = 'Their domain did not sign it.'")
    path = f"/documents/{place.ask('SELECT id FROM postroom.document')}"
    _, listed = await operator.get("/documents")
    _, page = await operator.get(path)
    refused = await operator.post(f"{path}/confirm", {"revision": revision(page)})
    booked = await operator.post(f"{path}/confirm", {"revision": revision(page), "reason": "We called them."})

    assert re.search(r'<tr[^>]* class="forged">.*?<span class="tag tone-bad forged">forged</span>', listed, re.DOTALL)
    assert "<b>This looks forged.</b> Their domain did not sign it." in page
    assert 'name="reason" required' in page
    assert (400, 200) == (refused.status, booked.status)
    assert place.ask("SELECT because FROM postroom.trade").endswith(": We called them.")


async def test_documents_are_searched_by_file_sender_and_reason(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3, 4)
    _, found = await operator.get("/documents?status=all&q=NOTE-4")
    _, nothing = await operator.get("/documents?status=all&q=nowhere")

    assert (0, 1) == (found.count(">note-3.pdf<"), found.count(">note-4.pdf<"))
    assert "Nothing found" in nothing


async def test_what_could_not_be_read_is_counted_and_entered_by_hand(place: Place):
    operator = await place.come_in("operator")
    path = f"/documents/{await upload(place, operator, 'broken.pdf', b'%PDF-1.4 broken')}"
    _, overview = await operator.get("/")
    _, page = await operator.get(path)
    bill = {
        "kind": "invoice",
        "number": "R-1",
        "issue_date": "2026-02-01",
        "grand_total": "1,190.00",
        "currency": "EUR",
    }
    entered = await operator.post(f"{path}/enter", {**bill, "revision": revision(page)})
    shown = await entered.text()

    assert re.search(r"<b>1</b><span>not readable by us</span>", overview)
    assert '1 wait for a person">1</span>' in overview
    assert "Enter by hand" in page
    assert (200, True) == (entered.status, "Entered." in entered.headers["HX-Trigger"])
    assert 'name="grand_total" value="1,190.00"' in shown
    assert "review" == place.ask("SELECT status FROM postroom.document")


async def test_a_second_try_says_the_same_in_the_corner_and_on_the_page(place: Place):
    operator = await place.come_in("operator")
    path = f"/documents/{await upload(place, operator, 'broken.pdf', b'%PDF-1.4 broken')}"
    _, page = await operator.get(path)
    again = await operator.post(f"{path}/retry", {"revision": revision(page)})

    assert "It is being read once more." in again.headers["HX-Trigger"]
    assert "being read</span>" in await again.text()


async def test_a_statement_is_one_table_and_all_of_it_is_confirmed_with_one_question(place: Place):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)  # an order is kept, so trades wait for theirs
    paper = activity_statement(date(2026, 2, 4), 5, trades=27).pdf
    path = f"/documents/{await upload(place, operator, 'statement.pdf', paper)}"
    _, page = await operator.get(path)

    assert 27 == len(re.findall(r"<tr data-row=", page))
    assert {"revision"} == set(
        re.findall(r'<form class="tight" data-changes[^>]*><input type="hidden" name="(\w+)"', page)
    )


@pytest.mark.browser
async def test_confirming_27_asks_once_and_says_how_many_are_doubtful(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)  # an order is kept, so trades wait for theirs
    paper = activity_statement(date(2026, 2, 4), 5, trades=27).pdf
    document = await upload(place, operator, "statement.pdf", paper)
    place.own("UPDATE postroom.document SET trust = 'spoofed' WHERE id = %s", document)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/{document}")
    doubtful = await page.locator("tr.doubtful").count()
    await page.keyboard.press("c")
    asked = page.locator("dialog[open]")
    assert [f"27 trades, {doubtful or 'none'} of them doubtful."] == await asked.locator("p").all_inner_texts()
    await asked.get_by_label("Why is it right?").fill("We called them.")
    await page.keyboard.press("Enter")
    await toast(page, "Confirmed statement.pdf")

    confirmed = "SELECT count(*) FROM postroom.trade WHERE document_id = %s AND status = 'confirmed'"
    assert 27 == place.ask(confirmed, document)


@pytest.mark.browser
async def test_the_page_follows_the_chosen_field_and_keys_turn_and_enlarge_it(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    paper = activity_statement(date(2026, 2, 4), 5, trades=60).pdf
    document = await upload(place, operator, "statement.pdf", paper)
    last = place.ask("SELECT max(pages) FROM postroom.document")
    assert last > 1
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/{document}")
    await page.locator("#sheet svg image").wait_for()
    await page.keyboard.press("0")
    await page.keyboard.press("]")
    await page.locator('#sheet svg[data-shown="2"]').wait_for()
    await page.keyboard.press("[")
    await page.locator('#sheet svg[data-shown="1"]').wait_for()
    await page.locator("tr[data-opens]").last.click()
    await page.locator(f'#sheet svg[data-shown="{last}"]').wait_for()
    await page.keyboard.press("Escape")
    await page.keyboard.press("+")

    assert "1.5" == await page.evaluate("document.querySelector('#sheet').style.getPropertyValue('--zoom')")
    await page.keyboard.press("Escape")  # back to the list
    await page.wait_for_url(f"{place.url}/documents")


@pytest.mark.browser
async def test_a_rejected_paper_goes_back_to_review_with_a_key(place: Place, page):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/review")
    await page.keyboard.press("d")
    await page.get_by_label("Why?").fill("Not ours")
    await page.keyboard.press("Enter")
    await toast(page, "Rejected note-3.pdf")
    await page.reload()  # the toast is gone; the page offers it as well
    await page.get_by_role("button", name="Back to review").wait_for()
    await page.keyboard.press("z")
    await toast(page, "Taken back: rejected.")
    await answered(page)

    assert "review" == place.ask("SELECT status FROM postroom.document")


@pytest.mark.browser
async def test_times_are_shown_in_the_reader_s_zone_with_utc_beside_them(place: Place, chromium):
    operator = await place.come_in("operator")
    await hand_in(place, operator, 3)
    place.own("UPDATE postroom.document SET received_at = '2026-01-05 22:30:00+00'")
    context = await chromium.new_context(timezone_id="Asia/Tokyo")
    page = await context.new_page()
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/review")
    shown = page.locator(".head time")

    assert "2026-01-06 07:30:00" == await shown.inner_text()
    assert "2026-01-05 22:30:00 UTC" == await shown.get_attribute("title")
    await context.close()


@pytest.mark.parametrize(
    ("status", "documents", "expected"),
    [
        ("processed", [("contract_note", "confirmed"), ("contract_note", "review")], "review"),
        ("processed", [("contract_note", "duplicate")], "duplicate"),
        ("processed", [("invoice", "review")], "processed"),
        ("filtered", [], "filtered"),
    ],
)
def test_a_mail_says_what_became_of_its_documents(status, documents, expected):
    made = [{"kind": kind, "status": each} for kind, each in documents]
    assert expected == words.ended(status, "pad_contract_notes", made)


async def test_a_provider_that_cannot_be_connected_says_so_on_the_spot(place: Place):
    admin = await place.come_in("admin")
    consents = place.house.providers.consents
    place.house.providers.consents = {"outlook": consents["outlook"]}
    try:
        _, page = await admin.get("/mailboxes")
    finally:
        place.house.providers.consents = consents

    assert 'href="/oauth/outlook/authorize"' in page
    assert 'href="/oauth/gmail/authorize"' not in page
    assert "Gmail cannot be connected yet" in page
