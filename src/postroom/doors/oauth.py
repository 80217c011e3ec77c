"""Connecting a mailbox: away to the provider, and back with a code."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from postroom.doors.console import frame
from postroom.doors.entry import Caller, by_session, caller, cookie_name, set_cookie
from postroom.nouns.errors import BadRequest, NotFound
from postroom.nouns.ids import MailboxId
from postroom.nouns.providers import CAPABILITIES, Capability, ProviderName
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import commands, store
from postroom.rooms.mailboxes.rules import CONSENT_LASTS, Browser
from postroom.rooms.tenants.rules import SESSION_SHAPE, csrf_matches, csrf_of, make_token

DONE = "/oauth/connected"
COOKIE, COOKIE_SECONDS = "consent", int(CONSENT_LASTS.total_seconds())
PROVIDERS: dict[str, ProviderName] = {"outlook": "outlook", "microsoft": "outlook", "gmail": "gmail", "google": "gmail"}


def redirect_uri(request: Request, provider: ProviderName) -> str:
    """The one canonical address the provider sends people back to."""
    return f"{request.app.state.house.settings.outside_url}/oauth/{provider}/callback"


async def authorize(request: Request) -> Response:
    """GET /oauth/{provider}/authorize, and the older GET /api/email/connect."""
    if "ticket" in request.query_params:
        return await _open_ticket(request)
    provider, said = _provider(request), request.query_params
    who = await caller(request, "admin", "mailboxes")
    for_a_browser = "application/json" not in request.headers.get("accept", "")
    secret = _secret_of(request) if for_a_browser else None
    started = await commands.start_connect(
        who.scope,
        request.app.state.house.providers,
        provider,
        redirect_uri(request, provider),
        address=said.get("address") or None,
        return_to=said.get("return_to", "/mailboxes"),
        shared=said.get("shared", "").lower() in {"1", "true", "yes", "on"},
        browser=secret,
        capability=_capability(said.get("capability", "read")),
    )
    return _leave(request, started.url, secret) if secret else JSONResponse({"url": started.url})


def _capability(said: str) -> Capability:
    for known in CAPABILITIES:
        if said == known:
            return known
    raise BadRequest(f"{said!r} is not a right; choose from {', '.join(CAPABILITIES)}.")


async def _open_ticket(request: Request) -> Response:
    """A link that a key asked for. Somebody who is not signed in is asked first: links can be sent to anybody."""
    house, secret = request.app.state.house, _secret_of(request)
    said = request.query_params.get("sure", "")
    agreed = _browser_secret(request) is not None and csrf_matches(secret.reveal(), said)
    opened = await commands.open_ticket(
        house.db,
        house.scope,
        house.providers,
        redirect_uri(request, _provider(request)),
        Secret(request.query_params["ticket"]),
        await _browser(request, secret),
        now=house.clock(),
        agreed=agreed,
    )
    if opened.url:
        return _leave(request, opened.url, secret)
    sure = {"ticket": request.query_params["ticket"], "sure": csrf_of(secret.reveal())}
    page = frame.html(request, "signin/connect.html", ticket=opened, on=f"{request.url.path}?{urlencode(sure)}")
    set_cookie(request, page, secret, COOKIE, age=COOKIE_SECONDS)
    return page


async def callback(request: Request) -> Response:
    """GET /oauth/{provider}/callback, and the older GET /api/email/oauth/callback. State and browser must fit."""
    house = request.app.state.house
    provider = _provider(request)
    said = request.query_params
    if "error" in said:
        return await _not_granted(request, provider)
    if not said.get("state") or not said.get("code"):
        raise BadRequest("The provider's answer lacks its code or state. Connect again.")
    browser = await _browser(request, _browser_secret(request))
    done = await commands.finish_connect(
        house.db,
        house.scope,
        house.providers,
        provider,
        redirect_uri(request, provider),
        browser,
        state=said["state"],
        code=said["code"],
        now=house.clock(),
    )
    if browser.actor is None and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(DONE, 303)  # nobody who could see the console's pages
    mark = "&" if "?" in done.return_to else "?"
    return RedirectResponse(f"{done.return_to}{mark}{urlencode({'connected': done.address})}", 303)


async def _not_granted(request: Request, provider: ProviderName) -> Response:
    """Whoever works here is led back to where they began."""
    house, said = request.app.state.house, request.query_params
    text = (said.get("error_description") or said["error"])[:300].rstrip(". ")
    because = f"The provider did not grant access: {text}. Connect again."
    browser, who = await _browser(request, _browser_secret(request)), await by_session(request)
    back = await commands.give_up_connect(house.db, provider, browser, state=said.get("state", ""), now=house.clock())
    if who is None or "text/html" not in request.headers.get("accept", ""):
        raise BadRequest(because)
    page = await frame.page(request, who, "mailboxes/not_granted.html", because=because, back=back or "/mailboxes")
    page.status_code = 400
    return page


async def connected(request: Request) -> Response:
    """For somebody who connected a mailbox by a link, and does not work here."""
    return frame.html(request, "signin/connected.html")


def _leave(request: Request, url: str, secret: Secret) -> Response:
    response = RedirectResponse(url, 302, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
    set_cookie(request, response, secret, COOKIE, age=COOKIE_SECONDS)
    return response


async def _browser(request: Request, secret: Secret | None) -> Browser:
    who = await by_session(request)
    source = request.client.host if request.client else "unknown"
    return Browser(secret, who.actor if who else None, who.tenant_id if who else None, source)


def _browser_secret(request: Request) -> Secret | None:
    held = request.cookies.get(cookie_name(request, COOKIE), "")
    return Secret(held) if SESSION_SHAPE.match(held) else None


def _secret_of(request: Request) -> Secret:
    """What this browser holds already, as several mailboxes may be on their way at once, or something new."""
    return _browser_secret(request) or make_token().secret


async def disconnect(request: Request) -> Response:
    """POST /api/email/disconnect with mailbox_id or address."""
    who: Caller = await caller(request, "admin", "mailboxes")
    told = await _said(request)
    async with who.scope.read() as tx:
        known = await store.mailboxes(tx)
    wanted = {str(told.get("mailbox_id", "")), str(told.get("address", "")).lower()} - {""}
    chosen = [each for each in known if str(each.id) in wanted or each.address in wanted]
    if not wanted and len([each for each in known if each.status != "disconnected"]) == 1:
        chosen = [each for each in known if each.status != "disconnected"]
    if not chosen:
        raise NotFound("Say which mailbox: give its mailbox_id or address.")
    for each in chosen:
        await commands.disconnect(who.scope, request.app.state.house.providers, MailboxId(each.id))
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
    Route(DONE, connected, methods=["GET"]),
    Route("/api/email/connect", authorize, methods=["GET"]),
    Route("/api/email/oauth/callback", callback, methods=["GET"]),
    Route("/api/email/disconnect", disconnect, methods=["POST"]),
]
