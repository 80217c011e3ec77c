"""What a person at a browser does in every test."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from doors.console.place import Place

ANNA = "anna@larkspur.example"
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


async def enter(place: Place, page, email: str | None = None) -> None:
    await page.goto(await place.link(email))
    await page.wait_for_url(f"{place.url}/")


async def toast(page, text: str) -> None:
    await page.locator(".toast", has_text=text).first.wait_for()


async def answered(page) -> None:
    """The last action was answered and its outcome is shown."""
    await page.wait_for_selector("body:not([data-busy])")


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


async def draw(page, path: Path) -> None:
    """A picture of the window, in few enough colours to be kept in the repository."""
    picture = Image.open(io.BytesIO(await page.screenshot()))
    picture.convert("RGB").quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)
