"""The dealing desk for these tests."""

from __future__ import annotations

import pytest

from rooms.documents.dealing import Desk, open_desk


@pytest.fixture
def desk(db, waker, owner_dsn, tmp_path, reader) -> Desk:
    return open_desk(db, waker, owner_dsn, tmp_path, reader)
