"""An Outlook office, and a service that says what a script tells it to."""

from __future__ import annotations

import pytest
from aiohttp.test_utils import TestServer

from contracts.graph.scripted import Scripted
from contracts.mail.outlook_office import open_office
from postroom.outside.http import Http


@pytest.fixture
async def office():
    async with open_office() as made:
        yield made


@pytest.fixture
async def http():
    async with Http() as made:
        yield made


@pytest.fixture
async def scripted(http):
    made = Scripted(http)
    async with TestServer(made.app()) as server:
        made.origin = str(server.make_url("")).rstrip("/")
        yield made
