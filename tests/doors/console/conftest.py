"""The console under test, at a free port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from doors.console.place import Place, open_place
from needs import CHROMIUM, need_chromium

ARGUMENTS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


@pytest.fixture
async def place(dsn: str, owner_dsn: str, tmp_path: Path) -> AsyncIterator[Place]:
    async with open_place(dsn, owner_dsn, str(tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
async def chromium():
    need_chromium()
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        await browser.close()
