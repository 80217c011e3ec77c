"""The dealing desk for these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from postroom.outside.readers.pool import Readers
from rooms.documents.dealing import Desk, open_desk


@pytest.fixture(scope="session")
def reader() -> Iterator[Readers]:
    with Readers(processes=1) as readers:
        yield readers


@pytest.fixture
def desk(db, waker, owner_dsn, tmp_path, reader) -> Desk:
    return open_desk(db, waker, owner_dsn, tmp_path, reader)
