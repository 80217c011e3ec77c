"""The post office under contract: one fixture, every provider that has an office module here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module
from importlib.util import find_spec

import pytest

from contracts.mail.post_office import PostOffice

OFFICES = [name for name in ("outlook", "gmail") if find_spec(f"contracts.mail.{name}_office")]


@pytest.fixture(params=OFFICES)
async def post_office(request: pytest.FixtureRequest) -> AsyncIterator[PostOffice]:
    async with import_module(f"contracts.mail.{request.param}_office").open_office() as office:
        yield office
