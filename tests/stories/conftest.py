"""An office that is open for the length of a story."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from stories import mortal_server
from stories.mortal_server import OwnServer
from stories.office import Office, open_office


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path)) as opened:
        yield opened


@pytest.fixture
def own_server() -> Iterator[OwnServer]:
    with mortal_server.running() as server:
        yield server
