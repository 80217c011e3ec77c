"""An endpoint for these tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contracts.models.endpoint import Playing


@pytest.fixture
async def playing() -> AsyncIterator[Playing]:
    playing = Playing()
    server = await playing.start()
    yield playing
    await server.close()
