"""Authentication: a key or a session, the tenant it belongs to, and what it may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from postroom.doors import limits
from postroom.engine.work import TenantScope
from postroom.nouns.actors import key_actor
from postroom.nouns.errors import NotAllowed
from postroom.nouns.ids import PersonId, TenantId
from postroom.nouns.secrets import Secret
from postroom.rooms.tenants import commands, rules

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LAST_ID = 9_000_000_000_000_000  # after every fact of a transaction
CSRF_HEADER, CSRF_FIELD = "x-csrf-token", "csrf"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class NotSignedIn(NotAllowed):
    """Nobody we know: 401."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody we know, acting for one tenant."""

    tenant_id: TenantId
    role: rules.Role
    actor: str
    scope: TenantScope
    scopes: tuple[str, ...] = ()
    key_till: datetime | None = None  # when the key expires
    tenant: str = ""
    email: str = ""
    name: str = ""
    person_id: PersonId | None = None
    session_id: UUID | None = None
    csrf: str = ""
    at: str = ""  # the position in the feed as of this request

    def may(self, wanted: rules.Role) -> bool:
        return rules.at_least(self.role, wanted)


async def signed_in(request: Request, wanted: rules.Role) -> Caller:
    """A person with a session: the pages are for people. Keys belong to the API, where their scopes are checked."""
    who = await by_session(request)
    if who is None:
        raise NotSignedIn("Sign in first.")
    rules.require(who.role, wanted)
    return who


async def caller(request: Request, wanted: rules.Role, scope: rules.Scope | None) -> Caller:
    """The holder of a key with that scope, or a person with a session; refused if the role does not suffice."""
    who = await by_key(request) or await by_session(request)
    if who is None:
        raise NotSignedIn(
            "Sign in at the console, or send `Authorization: Bearer <key>`; make one with `postroom key create`."
        )
    if scope is not None:
        rules.require_scope(who.scopes, scope)
    rules.require(who.role, wanted)
    return who


async def still_known(request: Request, who: Caller) -> bool:
    """Whether a caller who stayed is still let in: no key revoked, no session ended, nobody shut out."""
    try:
        again = await by_key(request) if who.session_id is None else await by_session(request)
    except NotAllowed:
        return False
    return again is not None


async def by_key(request: Request) -> Caller | None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    house = request.app.state.house
    holder = await commands.who_holds(house.db, key.strip(), house.clock())
    if holder is None:
        raise NotSignedIn("This key is not known here, was revoked, or has expired.")
    limits.allow(request, limits.PEOPLES_BYTES)
    actor = key_actor(holder.name, holder.id)
    scope, scopes = house.scope(holder.tenant_id, actor), tuple(holder.scopes)
    return Caller(holder.tenant_id, holder.role, actor, scope, scopes, holder.expires_at)


async def by_session(request: Request) -> Caller | None:
    """A cookie comes along by itself: whoever changes something must also show that they can read the page."""
    token = request.cookies.get(cookie_name(request), "")
    if not token:
        return None
    house = request.app.state.house
    holder = await commands.who_is_in(house.db, token, house.clock())
    if holder is None:
        return None
    limits.allow(request, limits.PEOPLES_BYTES)
    await check_csrf(request, token)
    actor = f"person:{holder.email}"
    return Caller(
        holder.tenant_id,
        holder.role,
        actor,
        house.scope(holder.tenant_id, actor),
        tenant=holder.tenant,
        email=holder.email,
        name=holder.name,
        person_id=holder.person_id,
        session_id=holder.id,
        csrf=rules.csrf_of(token),
        at=f"{holder.settled - 1}-{LAST_ID}",
    )


async def check_csrf(request: Request, token: str) -> None:
    if request.method in SAFE:
        return
    said = request.headers.get(CSRF_HEADER, "")
    if not said and request.headers.get("content-type", "").startswith(FORMS):
        said = str((await request.form()).get(CSRF_FIELD, ""))
    if not rules.csrf_matches(token, said) or request.headers.get("sec-fetch-site") == "cross-site":
        raise NotAllowed("This page is older than your session, or the request came from elsewhere. Reload the page.")


def is_https(request: Request) -> bool:
    return str(request.app.state.house.settings.outside_url).startswith("https://")


def cookie_name(request: Request, what: str = "session") -> str:
    """Over https the browser itself keeps other hosts and plain http from setting it."""
    return f"__Host-postroom-{what}" if is_https(request) else f"postroom-{what}"


def set_cookie(request: Request, response: Response, value: Secret, what: str = "session", age: int = 0) -> None:
    response.set_cookie(
        cookie_name(request, what),
        value.reveal(),
        max_age=age or int(rules.SESSION_LASTS.total_seconds()),
        secure=is_https(request),
        httponly=True,
        samesite="lax",
        path="/",
    )


def drop_cookie(request: Request, response: Response, what: str = "session") -> None:
    response.delete_cookie(
        cookie_name(request, what), path="/", secure=is_https(request), httponly=True, samesite="lax"
    )
