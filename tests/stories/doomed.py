"""The lives of workers and web processes that are killed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import uvicorn

from harness import QuietServer
from postroom.app.house import open_house
from postroom.app.web import web_app
from stories.office import APP_STATE, settings_for

PATIENCE_SECONDS = 5.0  # a busy machine may keep a notification, or a second try, waiting for longer than one


@dataclass
class Place:
    base_url: str


async def live(part: str, base_url: str, dsn: str, home: str, port: int) -> None:
    place: Any = Place(base_url)  # only its address is read
    settings = settings_for(place, dsn, port, home, graph_client_state=APP_STATE)
    async with open_house(settings) as house:
        if part == "work":
            await house.worker().run_until_quiet(idle=PATIENCE_SECONDS)
        else:
            options = {"port": port, "log_level": "error", "lifespan": "off", "access_log": False}
            await QuietServer(uvicorn.Config(web_app(house), **options)).serve()
