"""The API as it is served: a house on a fresh database, uvicorn on a free port, and keys of every role."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from doors.api.filling import Filled, fill
from harness import served
from postroom.app.house import House, open_house
from postroom.doors.api import mount
from postroom.doors.http import make_app
from postroom.nouns.ids import TenantId
from postroom.rooms.tenants import commands
from postroom.settings import Settings

ROLES = ("viewer", "operator", "admin")


@dataclass
class Api:
    """Two tenants, each with something of everything, and a client for whoever asks."""

    house: House
    app: Any
    url: str
    ours: Filled
    theirs: Filled
    keys: dict[str, str]
    owner_dsn: str
    _clients: dict[str, httpx.AsyncClient] = field(default_factory=dict)

    def by(self, who: str | None) -> httpx.AsyncClient:
        """A client with the key of a role, with a key as it stands, or with none."""
        name = who or ""
        if name not in self._clients:
            key = self.keys.get(name, name)
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            self._clients[name] = httpx.AsyncClient(
                base_url=f"{self.url}/api/v1", headers=headers, timeout=30, trust_env=False, verify=False
            )
        return self._clients[name]

    async def get(self, path: str, who: str | None = "viewer", **params: Any) -> Any:
        answer = await self.by(who).get(path, params=params)
        assert 200 == answer.status_code, answer.text
        return answer.json()

    async def key(
        self, role: str, scopes: list[str] | None = None, tenant: TenantId | None = None, name: str = "test"
    ) -> str:
        scope = self.house.scope(tenant or self.ours.tenant_id, "test")
        _, secret = await commands.create_key(scope, name=name, role=role, scopes=scopes)
        return secret.reveal()

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aclose()


def settings_for(dsn: str, home: str) -> Settings:
    named = {
        "POSTROOM_GRAPH_TENANT_ID": "contoso",
        "POSTROOM_GRAPH_CLIENT_ID": "app",
        "POSTROOM_GRAPH_CLIENT_SECRET": "secret",
    }
    return Settings(
        home=home,
        database_url=dsn,
        graph_base_url="http://127.0.0.1:9/v1.0",
        graph_login_url="http://127.0.0.1:9",
        **named,
    )


@pytest.fixture
async def api(dsn, owner_dsn, tmp_path) -> AsyncIterator[Api]:
    async with open_house(settings_for(dsn, str(tmp_path))) as house:
        app = make_app([], db=house.db, house=house)
        mount(app)
        ours, theirs = await fill(house, owner_dsn, "ours"), await fill(house, owner_dsn, "theirs")
        async with served(app) as url:
            opened = Api(house, app, url, ours, theirs, {}, owner_dsn)
            opened.keys = {role: await opened.key(role, name=role) for role in ROLES}
            yield opened
            await opened.close()
