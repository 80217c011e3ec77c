from __future__ import annotations

import pytest

from postroom.outside.readers.pool import Readers


@pytest.fixture(scope="session")
def readers():
    with Readers(processes=1, ocr=False) as known:
        yield known
