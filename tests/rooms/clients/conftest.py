"""The client desk for these tests."""

from __future__ import annotations

import pytest

from rooms.clients.office import ClientDesk, open_client_desk


@pytest.fixture
def desk(db, waker, owner_dsn) -> ClientDesk:
    return open_client_desk(db, waker, owner_dsn)
