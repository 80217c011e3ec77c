"""An office for each test."""

from __future__ import annotations

import pytest

from engine.office import Office
from makers import make_tenant


@pytest.fixture
def office(db, waker, owner_dsn) -> Office:
    return Office(db, waker, make_tenant(owner_dsn))
