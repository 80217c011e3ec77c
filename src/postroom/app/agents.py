"""The tools for language models, served: over standard input and output, or over HTTP."""

from __future__ import annotations

from typing import Any

import structlog
import uvicorn
from mcp.server.stdio import stdio_server
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from postroom.doors.mcp.server import Visit, agent_server, visit
from postroom.nouns.errors import NotAllowed
from postroom.nouns.secrets import Secret
from postroom.outside.own_api import ApiClient, open_session

log = structlog.get_logger()
COULD_APPROVE = "this key could approve at the API itself; give an agent one limited by scopes, without approvals"


async def serve_stdio(url: str, key: Secret) -> None:
    """One caller, one key. A key that is not known ends it before anything is said."""
    async with open_session() as session:
        api = ApiClient(session, url, key)
        if (await visit(api)).could_approve:
            log.warning(COULD_APPROVE)

        async def calling(request: Any) -> Visit:
            del request  # there is none
            return await visit(api)

        server = agent_server(calling)
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())


async def serve_http(url: str, host: str, port: int) -> None:
    """Any number of callers, each with a key of their own; we hold none."""
    async with open_session() as session:

        async def calling(request: Request) -> Visit:
            return await visit(ApiClient(session, url, _bearer(request)))

        server = agent_server(calling)
        app = server.streamable_http_app(stateless_http=True, json_response=True, host=host)
        config = uvicorn.Config(WithKey(app), host=host, port=port, log_level="warning", access_log=False)
        await uvicorn.Server(config).serve()


class WithKey:
    """Whoever brings no key hears so before anything they say is looked at."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_bearer(Request(scope)):
            said = {"error": "Send `Authorization: Bearer <key>`; make a key with `postroom key create`."}
            answer = JSONResponse(said, 401, {"WWW-Authenticate": "Bearer"})
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _is_bearer(request: Request) -> bool:
    return request.headers.get("authorization", "").lower().startswith("bearer ")


def _bearer(request: Request) -> Secret:
    if not _is_bearer(request):
        raise NotAllowed("Send `Authorization: Bearer <key>`.")
    return Secret(request.headers["authorization"].partition(" ")[2].strip())
