"""In a real browser: the library is asked, a draft is read beside its evidence and edited, by keyboard and on a phone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from doors.console.browsing import DESKTOP, PHONE, answered, draw, enter, toast
from doors.console.place import Place
from doors.console.test_evidence import QUESTION, hands_in, with_a_draft
from needs import need_package

pytestmark = pytest.mark.browser
AXE = Path(__file__).parent / "oidc" / "node_modules" / "axe-core" / "axe.min.js"


async def test_a_question_is_tried_and_a_draft_edited_by_keyboard(place: Place, page):
    _, thread = await with_a_draft(place)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))

    await page.keyboard.press("g")
    await page.keyboard.press("e")
    await page.wait_for_url(f"{place.url}/evidence")
    await page.get_by_label("A question, as a client would write it").fill("How much is parking per night?")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.locator("#tried", has_text="18 EUR").wait_for()

    await page.goto(f"{place.url}/inbox/{thread}")
    await page.locator(".claim").first.press("Enter")
    await page.wait_for_url("**#claim-1")
    await page.keyboard.press("r")
    words = page.get_by_label("Words, as they shall stand in the mailbox")
    await words.fill((await words.input_value()).replace("in the garden room", "in the winter garden"))
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await toast(page, "Saved in the mailbox")

    assert "winter garden" in place.ask("SELECT body FROM postroom.draft_revision")
    await page.locator(".edits ins", has_text="winter").wait_for()


async def test_a_paper_follows_a_colleague_and_keeps_what_is_being_typed(place: Place, page):
    colleague = await place.come_in()
    await hands_in(colleague)
    paper = place.ask("SELECT id FROM postroom.evidence_document")
    words = {"text": "# House\n\nBreakfast is at nine.\n", "audience": "public", "valid_until": ""}
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/evidence/{paper}")
    await page.locator(".side [data-live][data-state=on]").wait_for()
    await page.keyboard.press("e")
    await page.locator("textarea[name=text]").fill("# House\n\nBreakfast is at ten.\n")
    newer = (await colleague.post(f"/evidence/{paper}", words)).headers["HX-Redirect"]
    await page.locator("[data-stale]", has_text="Version 2 is in use now").wait_for()
    await page.get_by_role("button", name="Save as a new version").click()
    refused = page.get_by_role("dialog").get_by_role("alert")
    await refused.get_by_text("Version 1 of house-rules.md is not the current one").wait_for()

    assert newer == await refused.get_by_role("link").get_attribute("href")
    assert "at ten" in await page.locator("textarea[name=text]").input_value()
    await page.goto(place.url + newer)
    await page.locator(".side [data-live][data-state=on]").wait_for()
    await colleague.post(f"{newer}/retire")
    await page.get_by_role("button", name="Use it again").click()
    await toast(page, "is in use again")


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_a_draft_is_edited_beside_the_mail_and_its_evidence(place: Place, page, window):
    _, thread = await with_a_draft(place)
    await page.set_viewport_size(window)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/inbox/{thread}")
    await page.get_by_role("button", name="Edit", exact=True).click()
    await page.get_by_label("Words, as they shall stand in the mailbox").wait_for()
    beside = page.locator("#edit-draft")

    assert await beside.get_by_text("And do you sell helicopters?").first.is_visible()
    assert await beside.get_by_text("Breakfast is served from 7:00 to 10:30 in the garden room.").last.is_visible()
    assert 1 == await page.locator("#claim-1").count()


async def test_a_thread_is_dealt_with_from_the_list_by_keyboard(place: Place, page):
    _, thread = await with_a_draft(place)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))

    await page.goto(f"{place.url}/inbox")
    await page.keyboard.press("j")
    await page.locator("tr.on .rowacts").wait_for()
    await page.keyboard.press("#")
    await toast(page, "Not for us")
    await place.works()
    await page.locator("#threads", has_text="Nothing waits for you").wait_for()
    await page.keyboard.press("z")
    await toast(page, "Open again")
    await place.works()
    await page.locator(f"[data-row='{thread}']").wait_for()

    assert "needs_review" == place.ask("SELECT state FROM postroom.thread_state")


async def test_the_keyboard_goes_on_where_the_row_was_that_was_dealt_with(place: Place, page):
    await with_a_draft(place)
    for number in (2, 3, 4):
        place.deliver(subject=f"Question {number}", text=QUESTION)
    await place.works()
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/inbox")
    listed = [await row.get_attribute("data-row") for row in await page.locator("tr[data-row]").all()]

    for _ in range(3):
        await page.keyboard.press("j")
    await page.keyboard.press("e")
    await toast(page, "Done")
    await place.works()
    await page.locator(f"[data-row='{listed[2]}']").wait_for(state="detached")
    await answered(page)
    unmarked = await page.locator("tr.on").count()  # a key that comes late acts on nothing that was not chosen
    await page.keyboard.press("j")
    after = await page.locator("tr.on").get_attribute("data-row")

    assert (0, listed[3]) == (unmarked, after)


async def test_what_a_reader_types_is_not_lost_when_the_draft_changes_meanwhile(place: Place, page):
    _, thread = await with_a_draft(place)
    await enter(place, page, place.ask("SELECT email FROM postroom.person"))
    await page.goto(f"{place.url}/inbox/{thread}")
    await page.keyboard.press("r")
    words = page.get_by_label("Words, as they shall stand in the mailbox")
    await words.fill("Half a sentence")

    place.deliver(subject="Re: Our stay", text="And where may we park the car?")
    await place.works()
    await page.wait_for_timeout(1_500)

    assert "Half a sentence" == await words.input_value()


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_library_and_draft_fit_desktop_and_phone_and_are_accessible(place: Place, chromium, tmp_path):
    """Also draws the pictures of docs/screens, when SCREENS_TO names a folder."""
    need_package(AXE.parents[2], "axe-core")
    _, thread = await with_a_draft(place)
    draft = place.ask("SELECT id FROM postroom.draft_revision")
    paper = place.ask("SELECT id FROM postroom.evidence_document")
    place.own(
        "UPDATE postroom.draft_revision SET final = replace(body, 'garden', 'winter'), distance = 0.1 WHERE id = %s",
        draft,
    )
    pages = {"evidence": "/evidence", "paper": f"/evidence/{paper}?quote=Breakfast", "draft": f"/inbox/{thread}"}
    pages["settings-replies"] = "/settings/replies"
    folder = Path(os.environ.get("SCREENS_TO") or tmp_path)
    faults: list[str] = []
    for shape, size in (("desktop", DESKTOP), ("phone", PHONE)):
        for scheme in ("light", "dark"):
            context = await chromium.new_context(
                viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"
            )
            page = await context.new_page()
            await enter(place, page, place.ask("SELECT email FROM postroom.person"))
            for name, path in pages.items():
                await page.goto(place.url + path)
                if name == "evidence":
                    await page.get_by_label("A question, as a client").fill("When is breakfast? Who built the tower?")
                    await page.get_by_role("button", name="Ask", exact=True).click()
                    await page.locator("#tried h3").first.wait_for()
                faults += [f"{name} {shape} {scheme}: {each}" for each in await complaints(page)]
                if scheme == "light":
                    await draw(page, folder / f"{name}-{shape}.png")
            await context.close()

    assert [] == faults


async def complaints(page) -> list[str]:
    wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    await page.add_script_tag(path=AXE)
    found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
    told = [f"{each['id']} {each['nodes'][0]['html'][:200]}" for each in serious]
    return [*(["too wide"] if wide else []), *told]
