"""The console under test, at a free port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from doors.console.browsing import DESKTOP
from doors.console.place import Place, open_place


@pytest.fixture
async def place(dsn: str, owner_dsn: str, tmp_path: Path) -> AsyncIterator[Place]:
    async with open_place(dsn, owner_dsn, str(tmp_path / "home")) as opened:
        yield opened


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
