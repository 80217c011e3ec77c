"""The control API: a person or a test turns the world's switches over HTTP, under /control/."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web

from postroom_simulators.control.answers import Table, guarded
from postroom_simulators.control.faults import FaultControls
from postroom_simulators.control.mail import MailControls
from postroom_simulators.control.people import PeopleControls
from postroom_simulators.control.providers import ProviderControls

if TYPE_CHECKING:
    from postroom_simulators.world import World

_PAGE = Path(__file__).parents[1] / "page"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


class ControlApi:
    """All controls, and the page that uses them."""

    def __init__(self, world: World) -> None:
        self.world = world
        groups = (FaultControls(world), PeopleControls(world), MailControls(world), ProviderControls(world))
        self._table: Table = [("GET", "/", self.overview), *(row for group in groups for row in group.table())]

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", _page("index.html")),
            web.get("/page/static/page.css", _page("static/page.css")),
            web.get("/page/static/page.js", _page("static/page.js")),
            *(web.route(verb, f"/control{path}", guarded(handler)) for verb, path, handler in self._table),
        ]

    async def overview(self, _request: web.Request) -> Any:
        return {
            "base_url": self.world.base_url,
            "now": self.world.clock.now().isoformat(timespec="seconds"),
            "endpoints": [f"{verb} /control{path}" for verb, path, _ in self._table],
        }


def _page(name: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    path = _PAGE / name

    async def show(_request: web.Request) -> web.Response:
        kind = _KINDS[path.suffix]
        return web.Response(body=path.read_bytes(), content_type=kind, charset="utf-8", headers=_HEADERS)

    return show
