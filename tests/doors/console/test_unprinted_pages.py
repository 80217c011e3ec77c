"""Documents without printed pages at the review desk: their text beside the fields, each field highlighted in it."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from contracts.readers.office_files import bill, locked
from doors.console.browsing import enter
from doors.console.place import Place
from doors.console.test_review_page import upload
from postroom_simulators.incoming_mail import IncomingMail
from stories.documents.mail_texts import mail_of, note

BOX = "notes@larkspur.example"


async def letter(place: Place, mail: EmailMessage) -> None:
    place.world.faults.turn(auto_consent=True)
    place.world.add_mailbox(BOX, name="Notes", provider="graph")
    await place.connect(await place.come_in("admin"), BOX, "outlook")
    await place.works()
    place.world.deliver(IncomingMail(BOX, mail.as_bytes()))
    await place.works()


@pytest.mark.browser
async def test_a_trade_in_a_mail_is_reviewed_beside_its_text(place: Place, page):
    await letter(place, mail_of(BOX, "Trade confirmation", "See HTML.", note(), name="<1@broker.test>"))
    document = place.ask("SELECT id FROM postroom.document")
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/{document}")
    await page.locator("#sheet svg image").wait_for()
    picture = await page.locator("#sheet svg image").get_attribute("href")
    answer = await page.request.get(f"{place.url}{picture}")
    await page.locator('input[name="net"]').focus()
    spot = page.locator('#sheet rect[data-spot$=":net"]')

    assert "image/svg+xml" == answer.headers["content-type"].partition(";")[0]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    drawn = await answer.text()
    assert "15,035.00" in drawn
    assert "alert" not in drawn
    assert "15,035.00" == await page.locator('input[name="net"]').input_value()
    assert await spot.count() == 1
    await page.locator('a[data-key="m"]').first.click()
    await page.wait_for_url(f"{place.url}/messages/*")
    assert await page.locator(f'a[href="/documents/{document}"]').count() >= 1


@pytest.mark.browser
async def test_a_word_file_is_seen_and_a_locked_one_says_what_to_do(place: Place, page):
    operator = await place.come_in("operator")
    seen = await upload(place, operator, "bill.docx", bill())
    shut = await upload(place, operator, "locked.docx", locked())
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/documents/{seen}")
    await page.locator("#sheet svg image").wait_for()
    spots = await page.locator("#sheet rect.spot").count()
    await page.goto(f"{place.url}/documents/{shut}")
    told = await page.locator("main").inner_text()

    assert spots >= 5
    assert "protected by a password; ask for it without one, or as a PDF" in told
    assert "Add the password" not in told
    assert "Enter an invoice by hand" in told


async def test_a_few_typed_words_have_a_margin_and_are_not_blown_up(place: Place):
    operator = await place.come_in("operator")
    words = "Contract note\nBuy 10 DE0007236101\nTrade date 2026-03-04\nPrice EUR 10.00\nNet amount EUR 100.00"
    document = await upload(place, operator, "note.txt", words.encode())
    _, part = await operator.get(f"/documents/{document}/pages/1", HX_Request="true", HX_Target="sheet")

    assert 'viewBox="-12 -12 444.00 84.00"' in part
    assert '<rect class="paper" x="-12.0" y="-12.0" width="100%" height="100%"/>' in part
