"""Connecting a mailbox: away to the provider, and back with a code."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from postroom.doors.entry import Visitor, visitor
from postroom.nouns.errors import BadRequest, NotFound
from postroom.nouns.ids import MailboxId
from postroom.nouns.providers import ProviderName
from postroom.rooms.mailboxes import commands, store

PROVIDERS: dict[str, ProviderName] = {"outlook": "outlook", "microsoft": "outlook", "gmail": "gmail", "google": "gmail"}


def redirect_uri(request: Request, provider: ProviderName) -> str:
    """The one canonical address the provider sends people back to."""
    return f"{request.app.state.house.settings.outside_url}/oauth/{provider}/callback"


async def authorize(request: Request) -> Response:
    """GET /oauth/{provider}/authorize, and seed B's GET /api/email/connect."""
    provider = _provider(request)
    who = await visitor(request, "admin")
    started = await commands.start_connect(
        who.desk,
        request.app.state.house.switchboard,
        provider,
        redirect_uri(request, provider),
        address=request.query_params.get("address"),
        return_to=request.query_params.get("return_to", "/mailboxes"),
    )
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"url": started.url})
    return RedirectResponse(started.url, 302)


async def callback(request: Request) -> Response:
    """GET /oauth/{provider}/callback, and seed B's GET /api/email/oauth/callback. The state is the only key."""
    house = request.app.state.house
    provider = _provider(request)
    said = request.query_params
    if "error" in said:
        text = said.get("error_description") or said["error"]
        raise BadRequest(f"The provider did not grant access: {text[:300]}. Connect again.")
    if not said.get("state") or not said.get("code"):
        raise BadRequest("The provider's answer lacks its code or state. Connect again.")
    done = await commands.finish_connect(
        house.db,
        house.desk,
        house.switchboard,
        provider,
        redirect_uri(request, provider),
        state=said["state"],
        code=said["code"],
        now=house.clock(),
    )
    return RedirectResponse(f"{done.return_to}?{urlencode({'connected': done.address})}", 303)


async def disconnect(request: Request) -> Response:
    """POST /api/email/disconnect with mailbox_id or address."""
    who: Visitor = await visitor(request, "admin")
    told = await _said(request)
    async with who.desk.read() as tx:
        known = await store.mailboxes(tx)
    wanted = {str(told.get("mailbox_id", "")), str(told.get("address", "")).lower()} - {""}
    chosen = [each for each in known if str(each.id) in wanted or each.address in wanted]
    if not wanted and len([each for each in known if each.status != "disconnected"]) == 1:
        chosen = [each for each in known if each.status != "disconnected"]
    if not chosen:
        raise NotFound("Say which mailbox: give its mailbox_id or address.")
    for each in chosen:
        await commands.disconnect(who.desk, request.app.state.house.switchboard, MailboxId(each.id))
    return JSONResponse({"disconnected": [each.address for each in chosen]})


async def _said(request: Request) -> dict[str, Any]:
    if not request.headers.get("content-type", "").startswith("application/json"):
        return {}
    try:
        told = await request.json()
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise BadRequest('Send a JSON object such as {"address": "desk@example.org"}.')
    return told


def _provider(request: Request) -> ProviderName:
    name = request.path_params.get("provider") or request.query_params.get("provider") or "outlook"
    try:
        return PROVIDERS[name]
    except KeyError:
        raise NotFound(f"{name!r} is not a provider to connect; choose outlook or gmail.") from None


ROUTES = [
    Route("/oauth/{provider}/authorize", authorize, methods=["GET"]),
    Route("/oauth/{provider}/callback", callback, methods=["GET"]),
    Route("/api/email/connect", authorize, methods=["GET"]),
    Route("/api/email/oauth/callback", callback, methods=["GET"]),
    Route("/api/email/disconnect", disconnect, methods=["POST"]),
]
