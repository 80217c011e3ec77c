"""The post office under contract: one fixture for what all providers promise, and one for each smaller circle."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from importlib import import_module

import pytest

from contracts.imap.dovecot import Dovecot, running
from contracts.mail.post_office import PostOffice

CLOUDS = ("outlook", "gmail", "memory")
SERVED = [*CLOUDS, pytest.param("imap", marks=pytest.mark.service)]


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    with running() as server:
        yield server


def opened(name: str, request: pytest.FixtureRequest):
    office = import_module(f"contracts.mail.{name}_office")
    return office.open_office(request.getfixturevalue("dovecot")) if name == "imap" else office.open_office()


@pytest.fixture(params=SERVED)
async def post_office(request: pytest.FixtureRequest) -> AsyncIterator[PostOffice]:
    """Every provider that serves a mailbox."""
    async with opened(request.param, request) as office:
        yield office


@pytest.fixture(params=CLOUDS)
async def cloud_office(request: pytest.FixtureRequest) -> AsyncIterator[PostOffice]:
    """Those that notify us, whose messages keep their id wherever they lie, and in which mail can be answered."""
    async with opened(request.param, request) as office:
        yield office


@pytest.fixture(params=[*SERVED, "files"])
async def any_office(request: pytest.FixtureRequest) -> AsyncIterator[PostOffice]:
    """Files too: what every message must be, wherever it came from."""
    async with opened(request.param, request) as office:
        yield office
