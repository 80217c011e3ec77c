"""An office that is open for the length of a story."""

from __future__ import annotations

import functools
import socket
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from stories import killing, mortal_server
from stories.killing import DoomedOffice, Victims
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


@pytest.fixture(scope="session")
def prefork() -> Iterator[socket.socket]:
    with killing.prefork() as parent:
        yield parent


@pytest.fixture
async def victims(prefork: socket.socket) -> AsyncIterator[Victims]:
    async with killing.victims(prefork) as opened:
        yield opened


@pytest.fixture
def doomed(victims: Victims) -> Callable[..., DoomedOffice]:
    return functools.partial(DoomedOffice, victims)
