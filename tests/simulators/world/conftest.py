"""A running world on a free port, and a client for its control API."""

import asyncio

import aiohttp
import pytest
from aiohttp import web

from postroom_simulators.world import World


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


class Hook:
    """A subscriber on loopback that keeps what it is told."""

    def __init__(self):
        self.news = asyncio.Queue()
        self.url = ""

    async def take(self, request):
        if token := request.query.get("validationToken"):
            return web.Response(text=token)
        for item in (await request.json())["value"]:
            await self.news.put(item)
        return web.Response(status=202)

    async def next(self):
        return await asyncio.wait_for(self.news.get(), 10)


@pytest.fixture
async def hook():
    made = Hook()
    app = web.Application()
    app.router.add_post("/hook", made.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield made
    await runner.cleanup()
