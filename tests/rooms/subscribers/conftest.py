"""The newsroom for these tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from rooms.subscribers.newsroom import Newsroom, open_newsroom


@pytest.fixture
async def room(db, waker, owner_dsn) -> AsyncIterator[Newsroom]:
    async with open_newsroom(db, waker, owner_dsn) as opened:
        yield opened
