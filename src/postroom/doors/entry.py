"""Who is at the door: a key or a session, the tenant it belongs to, and what it may do."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from postroom.engine.work import Teller
from postroom.nouns.errors import NotAllowed
from postroom.nouns.ids import TenantId
from postroom.rooms.tenants import commands, rules


class NotSignedIn(NotAllowed):
    """Nobody we know: 401."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody we know, acting for one tenant."""

    tenant_id: TenantId
    role: rules.Role
    actor: str
    desk: Teller
    scopes: tuple[str, ...] = ()


async def visitor(request: Request, wanted: rules.Role) -> Visitor:
    """The holder of a key, or a person with a session; refused if the role does not suffice."""
    who = await by_key(request)
    if who is None:
        raise NotSignedIn("Send `Authorization: Bearer <key>`; make one with `postroom key create`.")
    rules.require(who.role, wanted)
    return who


async def by_key(request: Request) -> Visitor | None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    house = request.app.state.house
    holder = await commands.who_holds(house.db, key.strip(), house.clock())
    if holder is None:
        raise NotSignedIn("This key is not known here, was revoked, or has expired.")
    actor = f"key:{holder.name}"
    return Visitor(holder.tenant_id, holder.role, actor, house.desk(holder.tenant_id, actor), tuple(holder.scopes))
