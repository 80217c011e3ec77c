"""A doorstep for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from doors.webhooks.doorstep import Doorstep
from makers import make_tenant
from postroom.app.house import open_house
from postroom.app.web import web_app
from postroom_simulators.world import World
from stories.office import settings_for


@pytest.fixture
async def doorstep(dsn, owner_dsn, tmp_path, request) -> AsyncIterator[Doorstep]:
    more = getattr(request, "param", {})
    tenant = make_tenant(owner_dsn, "default")
    async with World() as world:
        settings = settings_for(world, dsn, 8025, str(tmp_path), **more)
        async with open_house(settings, clock=world.clock.now) as house:
            app = web_app(house)
            way = httpx.ASGITransport(app=app, client=("203.0.113.9", 4711))
            async with httpx.AsyncClient(transport=way, base_url="http://127.0.0.1:8025") as http:
                yield Doorstep(world, house, owner_dsn, tenant, app.gate.intake, http)
