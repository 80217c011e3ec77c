from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from contracts.readers import misbehaving
from postroom.outside.readers.pool import Readers


@pytest.fixture(scope="session")
def readers():
    with Readers(processes=1, ocr=False) as known:
        yield known


@pytest.fixture(scope="session")
def tried() -> Iterator[Callable[[str], str]]:
    """What comes of some code inside a reading process: each time in another one, all copied from one that is loaded once."""
    with misbehaving.obedient_readers() as obedient:
        yield partial(misbehaving.tried, obedient)
