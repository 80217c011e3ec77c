"""A running world on a free port, and a client for its control API."""

import aiohttp
import pytest

from postroom.simulators.world import World


class Remote:
    """Speaks to the control API as a test or a page would."""

    def __init__(self, session, base_url):
        self._session = session
        self.base_url = base_url

    async def ask(self, verb, path, body=None, status=200):
        async with self._session.request(verb, f"{self.base_url}/control{path}", json=body) as answer:
            found = await answer.json()
            assert (status, answer.content_type) == (answer.status, "application/json"), found
            return found

    async def get(self, path):
        return await self.ask("GET", path)


@pytest.fixture
async def world():
    async with World() as made:
        yield made


@pytest.fixture
async def remote(world):
    async with aiohttp.ClientSession() as session:
        yield Remote(session, world.base_url)
