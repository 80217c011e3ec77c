"""The door itself: sign in by password, link or identity provider, and sign out."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from postroom.doors import entry
from postroom.doors.console import frame
from postroom.doors.console.forms import asked, said
from postroom.doors.http import status_of
from postroom.nouns.errors import NotFound, PostroomError
from postroom.nouns.identity import LoginState
from postroom.nouns.secrets import Secret
from postroom.rooms.tenants import commands, rules
from postroom.rooms.tenants.ports import IdentityProvider

OWN_PAGE = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")
LOGIN_COOKIE, LOGIN_LASTS_SECONDS = "login", 900


def where_next(text: str) -> str:
    """Only to a page of ours. Browsers drop tabs and line ends, and take a backslash for a slash."""
    return text if OWN_PAGE.fullmatch(text) else "/"


def source(request: Request) -> commands.SignInSource:
    address = request.client.host if request.client else ""
    return commands.SignInSource(address, request.headers.get("user-agent", ""))


def _ask(request: Request, template: str, code: int = 200, **values: Any) -> Response:
    """A form for somebody we do not know yet: its token is bound to a cookie of its own."""
    token = request.cookies.get(entry.cookie_name(request, "door"), "")
    fresh = not rules.SESSION_SHAPE.match(token)
    token = rules.make_token().secret.reveal() if fresh else token
    response = frame.html(request, template, code, csrf=rules.csrf_of(token), **values)
    if fresh:
        entry.set_cookie(request, response, Secret(token), "door", age=86400)
    return response


async def _check(request: Request) -> None:
    await entry.check_csrf(request, request.cookies.get(entry.cookie_name(request, "door"), ""))


async def _let_in(request: Request, session: Secret, to: str) -> Response:
    """Whoever was signed in before in this browser no longer is."""
    held = request.cookies.get(entry.cookie_name(request), "")
    house = request.app.state.house
    if before := await commands.who_is_in(house.db, held, house.clock()):
        scope = house.scope(before.tenant_id, f"person:{before.email}")
        await commands.end_session(scope, before.id, before.person_id, "Somebody signed in anew in the same browser.")
    response = RedirectResponse(where_next(to), 303, headers={"Cache-Control": "no-store"})
    entry.set_cookie(request, response, session)
    entry.drop_cookie(request, response, "door")
    return response


async def form(request: Request) -> Response:
    to = where_next(asked(request, "next"))
    if await entry.by_session(request):
        return RedirectResponse(to, 303)
    return _ask(
        request, "signin/form.html", next=to, email="", tenant=asked(request, "tenant"), problem="", several=False
    )


async def enter(request: Request) -> Response:
    house, words = request.app.state.house, await said(request)
    email, tenant, to = words.get("email", ""), words.get("tenant", "").strip(), where_next(words.get("next", ""))
    try:
        await _check(request)
        session = await commands.enter_with_password(
            house.db, house.scope, email, words.get("password", ""), source(request), house.clock(), tenant
        )
    except PostroomError as problem:
        shown = {"next": to, "email": email, "tenant": tenant, "problem": str(problem)}
        return _ask(request, "signin/form.html", status_of(problem), several="several tenants" in str(problem), **shown)
    return await _let_in(request, session, to)


async def show_link(request: Request) -> Response:
    """Asks before the link is used up: programs that preview links follow them too.

    Whoever comes from another site has to press the button: that site could have put its own link there.
    """
    house, token = request.app.state.house, request.path_params["token"]
    email = await commands.owner_of_link(house.db, token, house.clock())
    at_once = request.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return _ask(request, "signin/link.html", token=token, email=email, at_once=at_once)


async def follow_link(request: Request) -> Response:
    house = request.app.state.house
    await _check(request)
    session = await commands.enter_with_link(
        house.db, house.scope, request.path_params["token"], source(request), house.clock()
    )
    return await _let_in(request, session, "/")


async def to_provider(request: Request) -> Response:
    login = LoginState.new()
    target = await _oidc(request).authorization_url(login, _redirect_uri(request))
    response = RedirectResponse(target, 303, headers={"Cache-Control": "no-store"})
    cookie = f"{login.secret}.{quote(where_next(asked(request, 'next')))}"
    entry.set_cookie(request, response, Secret(cookie), LOGIN_COOKIE, age=LOGIN_LASTS_SECONDS)
    return response


async def from_provider(request: Request) -> Response:
    house = request.app.state.house
    secret, _, to = request.cookies.get(entry.cookie_name(request, LOGIN_COOKIE), "").partition(".")
    who = await _oidc(request).identify(LoginState.from_cookie(secret), request.query_params, _redirect_uri(request))
    tenant = await commands.find_tenant(house.db, house.settings.oidc_tenant)
    session = await commands.enter_with_oidc(house.scope, tenant.tenant_id, who.subject, who.email, source(request))
    response = await _let_in(request, session, unquote(to))
    entry.drop_cookie(request, response, LOGIN_COOKIE)
    return response


def _oidc(request: Request) -> IdentityProvider:
    found: IdentityProvider | None = request.app.state.console.oidc
    if found is None:
        raise NotFound("No identity provider is set up here: set POSTROOM_OIDC_ISSUER and POSTROOM_OIDC_CLIENT_ID.")
    return found


def _redirect_uri(request: Request) -> str:
    return f"{request.app.state.house.settings.outside_url}/signin/oidc/callback"


async def sign_out(request: Request) -> Response:
    who = await entry.by_session(request)
    if who is not None and who.session_id is not None:
        await commands.end_session(who.scope, who.session_id, who.person_id, "They signed out.")
    response = RedirectResponse("/signin", 303)
    entry.drop_cookie(request, response)
    return response


ROUTES = [
    Route("/signin", form, methods=["GET"]),
    Route("/signin", enter, methods=["POST"]),
    Route("/signin/link/{token}", show_link, methods=["GET"]),
    Route("/signin/link/{token}", follow_link, methods=["POST"]),
    Route("/signin/oidc", to_provider, methods=["GET"]),
    Route("/signin/oidc/callback", from_provider, methods=["GET"]),
    Route("/signout", sign_out, methods=["POST"]),
]
