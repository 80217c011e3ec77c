"""The service desk for these tests, connected and quiet."""

from __future__ import annotations

import pytest

from rooms.triage.desk import ServiceDesk, open_service_desk


@pytest.fixture
async def desk(db, waker, owner_dsn) -> ServiceDesk:
    made = open_service_desk(db, waker, owner_dsn)
    await made.syncs()
    await made.syncs()
    return made
