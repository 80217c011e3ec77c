"""What a tenant decides about mapping and sending, decided at the console by two people at once."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from doors.console.browsing import DESKTOP, PHONE, enter, toast
from doors.console.place import Place

pytestmark = pytest.mark.browser


async def test_mapping_and_sending_are_decided_and_nobody_decides_over_another(place: Place, page, tmp_path):
    folder = Path(os.environ.get("SCREENS_TO") or tmp_path)
    await enter(place, page)
    await page.goto(f"{place.url}/settings/mapping")
    await page.get_by_label("Sure enough").fill("92")
    await page.get_by_label("A mapping is old after").fill("45")
    late = await page.context.new_page()
    await late.goto(f"{place.url}/settings/sending")
    await page.get_by_role("button", name="Save").click()
    await toast(page, "Saved.")
    assert ("0.92", 45) == (
        str(place.ask("SELECT threshold FROM postroom.mapping_policy")),
        place.ask("SELECT staleness_days FROM postroom.mapping_policy"),
    )

    await late.get_by_label("Sending").select_option("on")
    await late.get_by_role("button", name="Save").click()
    await toast(late, "look again")
    await late.reload()
    await late.get_by_label("Sending").select_option("on")
    await late.get_by_label("to send a file").check()
    await late.get_by_label("Mon").check()
    await late.get_by_label("Time zone").fill("Europe/Berlin")
    await late.get_by_role("button", name="Save").click()
    await toast(late, "Sending is on")
    held = place.ask("SELECT policy -> 'sending' FROM postroom.tenant WHERE name = 'default'")
    assert ("on", ["attachment"], ["mon"]) == (held["switch"], held["second_person"], held["window"]["days"])

    for name in ("mapping", "sending"):
        for shape, size in (("desktop", DESKTOP), ("phone", PHONE)):
            await late.set_viewport_size(size)
            await late.goto(f"{place.url}/settings/{name}")
            picture = Image.open(io.BytesIO(await late.screenshot(full_page=True)))
            picture.save(folder / f"settings-{name}-{shape}.png")
            assert not await late.evaluate(
                "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
