"""The simulators' page in a real browser: a person drops a mail in."""

from __future__ import annotations

import pytest

from postroom_simulators.world import World

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
async def test_a_visitor_drops_a_mail_in_with_a_file(chromium, tmp_path, width):
    paper = tmp_path / "note.txt"
    paper.write_text("A few words.")
    async with World() as world:
        world.add_mailbox("desk@larkspur.test", provider="graph")
        page = await chromium.new_page(viewport={"width": width, "height": 900})
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        await page.goto(world.base_url)
        await page.locator("select[name=to]").select_option("desk@larkspur.test")
        await page.locator("input[name=subject]").fill("Dropped in")
        await page.locator("textarea[name=text]").fill("Good morning.")
        await page.locator("input[name=files]").set_input_files(str(paper))
        await page.get_by_role("button", name="Send", exact=True).click()
        await page.wait_for_function("document.body.innerText.includes('desk@larkspur.test')")
        for _ in range(100):
            if world.graph.mailboxes["desk@larkspur.test"] and _inbox(world) == 1:
                break
            await page.wait_for_timeout(50)
        wide = await page.evaluate("document.documentElement.scrollWidth")
        await page.close()

    assert (1, [], True) == (_inbox(world), complaints, wide <= width)


def _inbox(world: World) -> int:
    return world.mail_program("desk@larkspur.test").counts()["inbox"]
