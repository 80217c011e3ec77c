"""An office that is open for the length of a story."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from stories.office import Office, open_office


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path)) as opened:
        yield opened
